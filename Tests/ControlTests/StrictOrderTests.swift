import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, sections 3 and 8: a typo is refused, and the refusal names the allowed words.
@Suite struct StrictOrderTests {
    @Test(arguments: [
        (
            #"{"effect":{"status":500,"retryAftr":3}}"#,
            "$.effect.retryAftr: unknown member; allowed: status, retryAfter, code, message; did you mean retryAfter?"
        ),
        (
            #"{"effect":{"connection":"empty","afterBytes":1}}"#,
            "$.effect.afterBytes: unknown member; allowed: connection"
        ),
        (
            #"{"effect":{"stream":{"duplicate":1,"afterEvents":1}}}"#,
            "$.effect.stream.afterEvents: unknown member; allowed: duplicate"
        ),
        (
            #"{"effect":{"drift":{"remove":"a","to":1}}}"#,
            "$.effect.drift.to: unknown member; allowed: remove"
        ),
        (
            #"{"effect":{"upload":{"rejectEarly":413,"forMs":1}}}"#,
            "$.effect.upload.forMs: unknown member; allowed: rejectEarly"
        ),
        (
            #"{"id":"x","effect":{"status":500}}"#,
            "$.id: unknown member; allowed: name, match, when, phase, on, enabled, effect"
        ),
        (
            #"{"effect":{"delay":{"ms":1,"mx":2}}}"#,
            "$.effect.delay.mx: unknown member; allowed: ms, uniform, lognormal, exponential, max; did you mean ms?"
        ),
    ])
    func `8 an unknown member is told what may stand there, each name once`(body: String, fault: String) throws {
        let answer = try Harness().call(.post, "/faults", body)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faults, [fault])
    }

    @Test func `8 an effect that names none or two keeps the members that go with one of them`() throws {
        let harness = try Harness()
        let none = try harness.call(.post, "/faults", #"{"effect":{"afterBytes":3}}"#)
        expectEqual(none.faultPaths, ["$.effect"])
        let two = try harness.call(.post, "/faults", #"{"effect":{"status":500,"body":"html"}}"#)
        expectEqual(two.faultPaths, ["$.effect"])
        #expect(two.detail.contains("found status and body"))
    }

    @Test(arguments: [
        ("2025-01-02T00:00:00Z", "2025-01-01T00:00:00Z", false),
        ("2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z", false),
        ("T0+PT5M", "T0+PT5M", false), ("T0+PT6M", "T0+PT5M", false), ("T0+PT5M", "T0+PT6M", true),
        ("2025-01-01T00:00:00Z", "2025-01-01T00:00:01Z", true), ("2025-01-01T00:00:00Z", "T0", true),
    ])
    func `8 a window that never opens is refused`(from: String, until: String, fits: Bool) throws {
        let body = #"{"when":{"from":"\#(from)","until":"\#(until)"},"effect":{"status":500}}"#
        let answer = try Harness().call(.post, "/faults", body)
        expectEqual(answer.status, fits ? 201 : 422)
        if !fits { expectEqual(answer.faults, ["$.when.until: must be later than from, or the fault never acts"]) }
    }

    @Test func `3 a query parameter that is given twice is refused by its name`() throws {
        let harness = try Harness()
        for query in ["limit=1&limit=2", "limit=1&limit=1", "offset=0&limit=1&offset=0"] {
            let answer = try harness.call(.get, "/worlds?\(query)")
            expectEqual(answer.problem, "400 invalid-parameter")
            #expect(answer.faults.count == 1 && answer.faults[0].hasSuffix("must be given once"), "\(answer.text)")
        }
    }
}
