import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Control contract, section 8: an effect that finds nothing to do in a response has not acted.
@Suite struct FaultObstacleTests {
    private func reasons(_ bench: Bench) throws -> [String] {
        try bench.journal().map { entry in
            entry.decisions.map { $0.acted ? "acted" : $0.reason ?? "" }.joined(separator: ", ")
        }
    }

    @Test func `8 a drift uses up none of its times on answers that it would not change`() throws {
        let bench = try Bench()
        try bench.fault(#"{"when":{"skip":1,"times":1},"effect":{"drift":{"remove":"writtenAt"}}}"#)
        _ = try bench.send(.get, "/notes/nope")
        _ = try bench.send(.get, "/notes/n1")
        _ = try bench.send(.get, "/notes/nope")
        let changed = try bench.send(.get, "/notes/n1")
        #expect(!changed.text.contains("writtenAt"))
        #expect(try bench.send(.get, "/notes/n1").text.contains("writtenAt"))
        try expectEqual(reasons(bench), ["no JSON", "skip", "no JSON", "acted", ""])
        try expectEqual(bench.hosted("main").world.faults["flt_1"]?.hits, 1)
    }

    @Test func `8 a drift to what is not there says that there was nothing to change`() throws {
        let bench = try Bench()
        try bench.fault(#"{"when":{"times":1},"effect":{"drift":{"null":"data.user.email"}}}"#)
        _ = try bench.send(.get, "/notes/n1")
        try expectEqual(reasons(bench), ["nothing to change"])
        try expectEqual(bench.hosted("main").world.faults["flt_1"]?.hits, 0)
        try expectNil(bench.journal().first?.fault)
    }

    @Test func `8 a fault of streams waits for a stream`() throws {
        let bench = try Bench()
        try bench.fault(#"{"when":{"times":1},"effect":{"stream":{"cutAfterEvents":1}}}"#)
        _ = try bench.send(.get, "/notes/n1")
        try expectEqual(reasons(bench), ["no stream"])
        try expectEqual(bench.hosted("main").world.faults["flt_1"]?.hits, 0)
    }

    @Test func `8 the next fault acts where one has nothing to do`() throws {
        let bench = try Bench()
        try bench.fault(#"{"effect":{"stream":{"cutAfterEvents":1}}}"#)
        try bench.fault(#"{"effect":{"drift":{"remove":"nothing"}}}"#)
        try bench.fault(#"{"effect":{"status":503}}"#)
        try expectEqual(bench.statuses(1), [503])
        try expectEqual(reasons(bench), ["no stream, nothing to change, acted"])
    }

    @Test(arguments: [#""phase":"after","#, #""phase":"before","#])
    func `8 looking at the answer beforehand changes nothing`(phase: String) throws {
        let bench = try Bench()
        try bench.fault(#"{\#(phase)"effect":{"drift":{"set":"text","to":"other"}}}"#)
        let answer = try bench.send(.post, "/notes", body: #"{"text":"milk"}"#)
        expectEqual(answer.status, 201)
        #expect(answer.text.contains("other"))
        let isAfter = phase.contains("after")
        try expectEqual(bench.hosted("main").world.core.outbox.messages.count, isAfter ? 1 : 0)
    }
}
