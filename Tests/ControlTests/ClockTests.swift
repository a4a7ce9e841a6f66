import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Control contract, section 5.
@Suite struct ClockTests {
    private static let later = Instant(seconds: 1_900_000_000)

    @Test func `the clock shows mode, time and rate`() throws {
        let answer = try Harness().call(.get, "/clock")
        expectEqual(answer.text, #"{"mode":"frozen","now":"2025-01-01T12:00:00.000Z","rate":1}"#)
    }

    @Test func `frozen stands still, at a given time or at the present one`() throws {
        let harness = try Harness()
        let set = try harness.call(.put, "/clock", #"{"mode":"frozen","now":"2030-03-17T17:46:40Z"}"#)
        expectEqual(set.text, #"{"mode":"frozen","now":"2030-03-17T17:46:40.000Z","rate":1}"#)
        harness.passRealTime(.hours(1))
        try expectEqual(harness.call(.get, "/clock").text, set.text)
        expectEqual(harness.host.calls, [.moved(world: 0, now: Self.later, speed: 0)])
        _ = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-01-01T00:00:00Z"}"#)
        harness.passRealTime(.seconds(90))
        let again = try harness.call(.put, "/clock", #"{"mode":"frozen"}"#)
        expectEqual(again.text, #"{"mode":"frozen","now":"2030-01-01T00:01:30.000Z","rate":1}"#)
    }

    @Test func `offset starts there and runs, at a rate if one is given`() throws {
        let harness = try Harness()
        let set = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-01-01T00:00:00.250Z"}"#)
        expectEqual(set.text, #"{"mode":"offset","now":"2030-01-01T00:00:00.250Z","rate":1}"#)
        harness.passRealTime(.seconds(10))
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2030-01-01T00:00:10.250Z")
        let fast = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-01-01T00:00:00Z","rate":60}"#)
        expectEqual(fast.text, #"{"mode":"offset","now":"2030-01-01T00:00:00.000Z","rate":60}"#)
        harness.passRealTime(.seconds(10))
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2030-01-01T00:10:00.000Z")
        guard case .moved(0, _, let speed) = harness.host.calls.last else {
            Issue.record("the player was not told")
            return
        }
        expectEqual(speed, 60)
    }

    @Test func `a rate may be a fraction, from 0.001 to 1000000`() throws {
        let harness = try Harness()
        for (rate, isTaken) in [
            ("0.001", true), ("1000000", true), ("0.5", true), ("0.0009", false), ("1000000.5", false), ("0", false),
            ("-1", false),
        ] {
            let answer = try harness.call(
                .put,
                "/clock",
                #"{"mode":"offset","now":"2030-01-01T00:00:00Z","rate":\#(rate)}"#
            )
            expectEqual(answer.status == 200, isTaken, "\(rate)")
            if isTaken {
                #expect(answer.text.hasSuffix("\"rate\":\(rate)}"))
            } else {
                expectEqual(answer.faultPaths, ["$.rate"])
            }
        }
    }

    @Test func `real is the machine's time`() throws {
        let harness = try Harness()
        harness.passRealTime(.seconds(5))
        let answer = try harness.call(.put, "/clock", #"{"mode":"real"}"#)
        expectEqual(answer.text, #"{"mode":"real","now":"2025-01-01T12:00:05.000Z","rate":1}"#)
        harness.passRealTime(.seconds(5))
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:10.000Z")
    }

    @Test func `a PUT can go back`() throws {
        let harness = try Harness()
        let answer = try harness.call(.put, "/clock", #"{"mode":"frozen","now":"1999-12-31T23:59:59Z"}"#)
        expectEqual(answer.json.string("now"), "1999-12-31T23:59:59.000Z")
    }

    @Test(arguments: [
        ("{}", ["$.mode"]), (#"{"mode":5}"#, ["$.mode"]), (#"{"mode":""}"#, ["$.mode"]),
        (#"{"mode":"Frozen"}"#, ["$.mode"]),
        (#"{"mode":"offset"}"#, ["$.now"]), (#"{"mode":"offset","now":5}"#, ["$.now", "$.now"]),
        (#"{"mode":"offset","now":"tomorrow"}"#, ["$.now"]),
        (#"{"mode":"frozen","now":"2025-02-30T00:00:00Z"}"#, ["$.now"]),
        (#"{"mode":"frozen","now":"2025-01-01"}"#, ["$.now"]),
        (#"{"mode":"real","now":"2025-01-01T00:00:00Z"}"#, ["$.now"]),
        (#"{"mode":"real","rate":2}"#, ["$.rate"]), (#"{"mode":"frozen","rate":2}"#, ["$.rate"]),
        (#"{"mode":"offset","now":"2025-01-01T00:00:00Z","rate":"2"}"#, ["$.rate"]),
        (#"{"mode":"frozen","at":"2025-01-01T00:00:00Z"}"#, ["$.at"]),
    ])
    func `each fault of a clock is 422 with its path and changes nothing`(body: String, paths: [String]) throws {
        let harness = try Harness()
        let answer = try harness.call(.put, "/clock", body)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(Set(answer.faultPaths), Set(paths), "\(answer.faults)")
        try expectEqual(
            harness.call(.get, "/clock").text,
            #"{"mode":"frozen","now":"2025-01-01T12:00:00.000Z","rate":1}"#
        )
        #expect(harness.host.calls.isEmpty)
    }

    @Test func `the nearest mode is told`() throws {
        let answer = try Harness().call(.put, "/clock", #"{"mode":"frozn"}"#)
        expectEqual(answer.faults, ["$.mode: must be one of real, offset, frozen; did you mean frozen?"])
    }

    @Test(arguments: [
        (#"{"by":"P1M"}"#, "2025-02-01T12:00:00.000Z"), (#"{"by":"P1Y2M3DT4H5M6.7S"}"#, "2026-03-04T16:05:06.700Z"),
        (#"{"by":"P0.5D"}"#, "2025-01-02T00:00:00.000Z"),
        (#"{"by":"P91D"}"#, "2025-04-02T12:00:00.000Z"), (#"{"by":"PT15M"}"#, "2025-01-01T12:15:00.000Z"),
        (#"{"by":"PT0.25S"}"#, "2025-01-01T12:00:00.250Z"), (#"{"by":"P2W"}"#, "2025-01-15T12:00:00.000Z"),
        (#"{"seconds":90}"#, "2025-01-01T12:01:30.000Z"), (#"{"seconds":0.5}"#, "2025-01-01T12:00:00.500Z"),
        (#"{"seconds":0}"#, "2025-01-01T12:00:00.000Z"), (#"{"by":"PT0S"}"#, "2025-01-01T12:00:00.000Z"),
    ])
    func `an advance by a duration or by seconds answers the new clock and what fired`(body: String, now: String) throws
    {
        let harness = try Harness()
        harness.host.due = 3
        let answer = try harness.call(.post, "/clock/advance", body)
        expectEqual(answer.text, #"{"mode":"frozen","now":"\#(now)","rate":1,"fired":3}"#)
        expectEqual(harness.host.calls, [.moved(world: 0, now: try #require(Instant(iso8601: now)), speed: 0)])
    }

    @Test(arguments: [
        ("{}", ["$.by"]), (#"{"by":"P1D","seconds":5}"#, ["$.seconds"]), (#"{"by":"-P1D"}"#, ["$.by"]),
        (#"{"seconds":-1}"#, ["$.seconds"]), (#"{"by":"P1.5M"}"#, ["$.by"]), (#"{"by":"P1M1Y"}"#, ["$.by"]),
        (#"{"by":"P1M1W"}"#, ["$.by"]),
        (#"{"by":"1 day"}"#, ["$.by"]), (#"{"by":""}"#, ["$.by"]), (#"{"by":5}"#, ["$.by"]),
        (#"{"seconds":"5"}"#, ["$.seconds"]),
        (#"{"by":"P8000Y"}"#, ["$.by"]), (#"{"by":"P3000000D"}"#, ["$.by"]), (#"{"seconds":1e300}"#, ["$.seconds"]),
        (#"{"by":"P99999999999999999999D"}"#, ["$.by"]), (#"{"by":"P1D","reason":"x"}"#, ["$.reason"]),
        (#"{"by":null}"#, ["$.by"]),
    ])
    func `each fault of an advance is 422 with its path and moves nothing`(body: String, paths: [String]) throws {
        let harness = try Harness()
        let answer = try harness.call(.post, "/clock/advance", body)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faultPaths, paths, "\(answer.faults)")
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
        #expect(harness.host.calls.isEmpty)
    }

    @Test func `the last second of 9999 can be reached, the one after it can't`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/clock", #"{"mode":"frozen","now":"9999-12-31T23:59:58Z"}"#)
        try expectEqual(harness.call(.post, "/clock/advance", #"{"seconds":2}"#).problem, "422 invalid-body")
        let last = try harness.call(.post, "/clock/advance", #"{"seconds":1}"#)
        expectEqual(last.json.string("now"), "9999-12-31T23:59:59.000Z")
        #expect(try harness.call(.post, "/clock/advance", #"{"seconds":1}"#).detail.contains("9999"))
    }

    @Test func `an advance keeps the mode, only a real clock becomes an offset one`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/clock", #"{"mode":"real"}"#)
        let hostTime = try harness.call(.post, "/clock/advance", #"{"seconds":60}"#)
        expectEqual(hostTime.text, #"{"mode":"offset","now":"2025-01-01T12:01:00.000Z","rate":1,"fired":0}"#)
        _ = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-01-01T00:00:00Z","rate":60}"#)
        let fast = try harness.call(.post, "/clock/advance", #"{"seconds":60}"#)
        expectEqual(fast.text, #"{"mode":"offset","now":"2030-01-01T00:01:00.000Z","rate":60,"fired":0}"#)
        harness.passRealTime(.seconds(1))
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2030-01-01T00:02:00.000Z")
    }

    @Test func `one clock drives tokens, dates and rate windows`() throws {
        let harness = try Harness()
        let token = try harness.token()
        try expectEqual(
            harness.chat(.get, "/api/v1/conversations", token: token)["X-RateLimit-Reset"],
            "2025-01-01T12:01:00.000Z"
        )
        try harness.advance(899)
        let late = try harness.chat(.get, "/api/v1/conversations", token: token)
        expectEqual(late.status, 200)
        expectEqual(late["X-RateLimit-Reset"], "2025-01-01T12:15:59.000Z")
        try harness.advance(1)
        try expectEqual(harness.chat(.get, "/api/v1/conversations", token: token).error, "401 Invalid or expired token")
        try expectEqual(harness.call(.get, "/requests?limit=1").items[0].string("at"), "2025-01-01T12:15:00.000Z")
    }
}
