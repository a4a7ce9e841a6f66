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
    private func reasons(_ harness: EngineHarness) throws -> [String] {
        try harness.journal().map { entry in
            entry.decisions.map { $0.acted ? "acted" : $0.reason ?? "" }.joined(separator: ", ")
        }
    }

    @Test func `8 a drift uses up none of its times on answers that it would not change`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"skip":1,"times":1},"effect":{"drift":{"remove":"writtenAt"}}}"#)
        _ = try harness.send(.get, "/notes/nope")
        _ = try harness.send(.get, "/notes/n1")
        _ = try harness.send(.get, "/notes/nope")
        let changed = try harness.send(.get, "/notes/n1")
        #expect(!changed.text.contains("writtenAt"))
        #expect(try harness.send(.get, "/notes/n1").text.contains("writtenAt"))
        try expectEqual(reasons(harness), ["no JSON", "skip", "no JSON", "acted", ""])
        try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, 1)
    }

    @Test func `8 a drift to what is not there says that there was nothing to change`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"times":1},"effect":{"drift":{"null":"data.user.email"}}}"#)
        _ = try harness.send(.get, "/notes/n1")
        try expectEqual(reasons(harness), ["nothing to change"])
        try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, 0)
        try expectNil(harness.journal().first?.fault)
    }

    @Test func `8 a fault of streams waits for a stream`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"when":{"times":1},"effect":{"stream":{"cutAfterEvents":1}}}"#)
        _ = try harness.send(.get, "/notes/n1")
        try expectEqual(reasons(harness), ["no stream"])
        try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, 0)
    }

    @Test func `8 the next fault acts where one has nothing to do`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"stream":{"cutAfterEvents":1}}}"#)
        try harness.fault(#"{"effect":{"drift":{"remove":"nothing"}}}"#)
        try harness.fault(#"{"effect":{"status":503}}"#)
        try expectEqual(harness.statuses(1), [503])
        try expectEqual(reasons(harness), ["no stream, nothing to change, acted"])
    }

    @Test(arguments: [#""phase":"after","#, #""phase":"before","#])
    func `8 looking at the answer beforehand changes nothing`(phase: String) throws {
        let harness = try EngineHarness()
        try harness.fault(#"{\#(phase)"effect":{"drift":{"set":"text","to":"other"}}}"#)
        let answer = try harness.send(.post, "/notes", body: #"{"text":"milk"}"#)
        expectEqual(answer.status, 201)
        #expect(answer.text.contains("other"))
        let isAfter = phase.contains("after")
        try expectEqual(harness.hosted("main").world.core.outbox.messages.count, isAfter ? 1 : 0)
    }
}
