import Backend
import Conditions
import Engine
import HTTPMessage
import Journal
import TestSupport
import Testing
import Worlds

/// Architecture, "The way of a request": one object for each request, and each question about it asked once.
struct ExchangeTests {
    @Test func `the route is looked for and the world chosen once for each request`() throws {
        let harness = try EngineHarness()
        try harness.make("other")
        let bearer = "Bearer \(NotesAPI.token(issuer: "https://understudy.invalid/@other"))"
        try harness.send(.get, "/notes/n1", fields: ["Authorization": bearer])
        expectEqual(harness.emulator.routeMatches, 1)
        expectEqual(harness.emulator.worldChoices, 1)
        // Faulted, and held at both phases.
        try harness.fault(#"{"effect":{"delay":{"ms":1}}}"#)
        try harness.send(.get, "/notes/n1")
        expectEqual(harness.emulator.routeMatches, 2)
        expectEqual(harness.emulator.worldChoices, 2)
    }

    @Test func `a body that is admitted at its head has its route and its world when it is whole`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"upload":{"readBytesPerSecond":1000}}}"#)
        let body = Array(#"{"text":"a"}"#.utf8)
        let head = RequestHead(
            method: .post,
            target: RequestTarget(rawPath: "/notes"),
            fields: ["Content-Length": "\(body.count)"]
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        let exchange = harness.emulator.open(head, address: address, peer: "127.0.0.1", id: 1, at: harness.hostTime)
        guard case .slow? = harness.emulator.admit(exchange, at: harness.hostTime) else {
            Issue.record("the upload is read as always")
            return
        }
        let request = HTTPRequest(head: head, body: RequestBody(body))
        harness.emulator.receive(request, of: exchange)
        // A worker may prepare it in between.
        if let preparation = harness.emulator.preparation(for: exchange, at: harness.hostTime) {
            harness.emulator.note(preparation.run(request), for: exchange)
        }
        harness.emulator.answer(exchange, at: harness.hostTime)
        expectEqual(exchange.state, .delivering)
        expectEqual(exchange.response.status.code, 201)
        expectEqual(harness.emulator.routeMatches, 1)
        expectEqual(harness.emulator.worldChoices, 1)
        #expect(exchange.actingFault != nil)
    }

    @Test func `an exchange leaves the registry and its world's list when it ends`() throws {
        let harness = try EngineHarness()
        let hosted = try harness.hosted("main")
        _ = hosted.world.gates.add("g", Matcher(), .before)
        let held = try harness.begin(.get, "/notes/n1")
        #expect(held.answer.isHeld && hosted.heldCount == 1 && harness.emulator.exchangeCount == 1)
        let release = harness.emulator.release("g", in: hosted, at: harness.hostTime)
        #expect(release.resumed.count == 1 && release.resumed[0] === held.answer && held.status == 200)
        expectEqual(hosted.heldCount, 0)
        expectEqual(harness.emulator.exchangeCount, 1)
        expectEqual(harness.emulator.routeMatches, 1)
        expectEqual(harness.emulator.worldChoices, 1)
        harness.finish(held)
        let left = try harness.begin(.get, "/notes/n1")
        expectEqual(hosted.heldCount, 1)
        harness.finish(left, .interrupted, sent: 0)
        expectEqual(hosted.heldCount, 0)
        expectEqual(harness.emulator.exchangeCount, 0)
        expectEqual(held.answer.state, .ended)
        expectEqual(left.answer.state, .ended)
    }
}
