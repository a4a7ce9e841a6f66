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
        let bench = try Bench()
        try bench.make("other")
        let bearer = "Bearer \(NotesAPI.token(issuer: "https://understudy.invalid/@other"))"
        try bench.send(.get, "/notes/n1", fields: ["Authorization": bearer])
        expectEqual(bench.emulator.routeMatches, 1)
        expectEqual(bench.emulator.worldChoices, 1)
        // Faulted, and held at both phases.
        try bench.fault(#"{"effect":{"delay":{"ms":1}}}"#)
        try bench.send(.get, "/notes/n1")
        expectEqual(bench.emulator.routeMatches, 2)
        expectEqual(bench.emulator.worldChoices, 2)
    }

    @Test func `a body that is admitted at its head has its route and its world when it is whole`() throws {
        let bench = try Bench()
        try bench.fault(#"{"effect":{"upload":{"readBytesPerSecond":1000}}}"#)
        let body = Array(#"{"text":"a"}"#.utf8)
        let head = RequestHead(
            method: .post,
            target: RequestTarget(rawPath: "/notes"),
            fields: ["Content-Length": "\(body.count)"]
        )
        let address = try #require(bench.emulator.address(of: head, entryPoint: .api(0)))
        let exchange = bench.emulator.open(head, address: address, peer: "127.0.0.1", id: 1, at: bench.hostTime)
        guard case .slow? = bench.emulator.admit(exchange, at: bench.hostTime) else {
            Issue.record("the upload is read as always")
            return
        }
        let request = HTTPRequest(head: head, body: RequestBody(body))
        bench.emulator.receive(request, of: exchange)
        // A worker may prepare it in between.
        if let preparation = bench.emulator.preparation(for: exchange, at: bench.hostTime) {
            bench.emulator.note(preparation.run(request), for: exchange)
        }
        bench.emulator.answer(exchange, at: bench.hostTime)
        expectEqual(exchange.state, .delivering)
        expectEqual(exchange.response.status.code, 201)
        expectEqual(bench.emulator.routeMatches, 1)
        expectEqual(bench.emulator.worldChoices, 1)
        #expect(exchange.actingFault != nil)
    }

    @Test func `an exchange leaves the registry and its world's list when it ends`() throws {
        let bench = try Bench()
        let hosted = try bench.hosted("main")
        _ = hosted.world.gates.add("g", Matcher(), .before)
        let held = try bench.begin(.get, "/notes/n1")
        #expect(held.answer.isHeld && hosted.heldCount == 1 && bench.emulator.exchangeCount == 1)
        let release = bench.emulator.release("g", in: hosted, at: bench.hostTime)
        #expect(release.resumed.count == 1 && release.resumed[0] === held.answer && held.status == 200)
        expectEqual(hosted.heldCount, 0)
        expectEqual(bench.emulator.exchangeCount, 1)
        expectEqual(bench.emulator.routeMatches, 1)
        expectEqual(bench.emulator.worldChoices, 1)
        bench.finish(held)
        let left = try bench.begin(.get, "/notes/n1")
        expectEqual(hosted.heldCount, 1)
        bench.finish(left, .interrupted, sent: 0)
        expectEqual(hosted.heldCount, 0)
        expectEqual(bench.emulator.exchangeCount, 0)
        expectEqual(held.answer.state, .ended)
        expectEqual(left.answer.state, .ended)
    }
}
