import Backend
import Engine
import HTTPMessage
import Journal
import TestSupport
import Testing
import Worlds

/// Architecture, "The way of a request": the sources of responses, and the stages that act on them.
struct ResponderTests {
    /// Takes a request through its stages with another source of answers.
    private func send(
        _ harness: EngineHarness,
        _ responder: any Responder,
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        body: String = "",
        id: UInt64 = 1
    ) throws -> Exchange {
        let head = RequestHead(method: method, target: RequestTarget(rawPath: path))
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        let exchange = harness.emulator.open(head, address: address, peer: "127.0.0.1", id: id, at: harness.hostTime)
        harness.emulator.receive(HTTPRequest(head: head, body: RequestBody(Array(body.utf8))), of: exchange)
        exchange.use(responder)
        harness.emulator.answer(exchange, at: harness.hostTime)
        return exchange
    }

    private func text(_ exchange: Exchange) -> String {
        String(decoding: exchange.response.body.content, as: UTF8.self)
    }

    /// A responder in the endpoint's place, which notes the requests that it receives.
    private func refusing() -> ReplayResponder {
        ReplayResponder { call, _, _ in
            call.method == .post
                ? .recorded(
                    Response(
                        status: .serviceUnavailable,
                        body: .bytes(Array("\(call.route ?? "-") \(call.user?.id ?? "-")".utf8))
                    )
                ) : .endpoint { nil }
        }
    }

    @Test func `before: the endpoint does not run and nothing changes`() throws {
        let harness = try EngineHarness()
        let count = try harness.state().notes.count
        let refused = try send(harness, refusing(), .post, "/notes", body: #"{"text":"a"}"#)
        expectEqual(refused.response.status.code, 503)
        expectEqual(text(refused), "/notes -")
        try expectEqual(harness.state().notes.count, count)
        try expectEqual(send(harness, refusing(), .get, "/notes/n1", id: 2).response.status.code, 200)
    }

    @Test func `after: the endpoint has run, and the client never hears`() throws {
        let harness = try EngineHarness()
        let count = try harness.state().notes.count
        try harness.fault(#"{"phase":"after","effect":{"status":500}}"#)
        let lost = try harness.send(.post, "/notes", body: #"{"text":"a"}"#)
        expectEqual(lost.status, 500)
        try expectEqual(harness.state().notes.count, count + 1)
        // The journal and the request id are those of the answer that left.
        expectEqual(lost.id, "req_1")
        let journal = try harness.hosted("main").world.journal
        expectEqual(journal[journal.lastSeq]?.status.code, 500)
    }

    @Test func `a fault behind the responder acts on whatever it answers`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"phase":"after","effect":{"status":502}}"#)
        let answer = try send(harness, refusing(), .post, "/notes", body: #"{"text":"a"}"#)
        expectEqual(answer.response.status.code, 502)
        try expectEqual(send(harness, refusing(), .get, "/nowhere", id: 2).response.status.code, 502)
    }

    @Test func `what a responder keeps belongs to the world's value: a fork has it, a reset takes it`() throws {
        let harness = try EngineHarness()
        func count(_ path: String, _ id: UInt64) throws -> String {
            let counting = ReplayResponder { _, state, _ in
                let next = (state as? Int ?? 0) + 1
                state = next
                return .recorded(Response(status: .ok, body: .bytes(Array("\(next)".utf8))))
            }
            return text(try send(harness, counting, .get, path, id: id))
        }
        try expectEqual(count("/notes/n1", 1), "1")
        try harness.make("fork", from: "main")
        let main = try harness.hosted("main")
        main.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        try expectEqual(count("/notes/n1", 2), "1")
        try expectEqual(count("/@fork/notes/n1", 3), "2")
    }

    @Test func `an answer that is given before the request comes into its world is left as it is`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"status":500}}"#)
        let fixed = FixedResponder(Response(status: Status(502)))
        try expectEqual(send(harness, fixed, .get, "/notes/n1").response.status.code, 502)
        try expectEqual(harness.journal().map(\.status.code), [502])
    }

    @Test func `an exchange waits for a backend, and goes on with what that says`() throws {
        let harness = try EngineHarness()
        try harness.fault(#"{"match":{"method":"POST"},"effect":{"status":500}}"#)
        func ask(_ method: HTTPMessage.HTTPMethod, _ id: UInt64) throws -> (Exchange, UpstreamResponder) {
            let shown = HTTPRequest(head: RequestHead(method: method, target: RequestTarget(rawPath: "/x")))
            let responder = UpstreamResponder { JournalDisclosure(shown) }
            return (try send(harness, responder, method, "/notes/n1", id: id), responder)
        }
        let (refused, _) = try ask(.post, 1)
        expectEqual(refused.state, .delivering)
        expectEqual(refused.response.status.code, 500)
        let (waiting, responder) = try ask(.get, 2)
        #expect(waiting.wantsUpstream)
        harness.emulator.answered(
            waiting,
            responder,
            with: Response(status: .created),
            showing: nil,
            at: harness.hostTime
        )
        #expect(waiting.isKeptBack && waiting.response.status == .created)
        responder.upstreamEnded()
        harness.emulator.advance(waiting, at: harness.hostTime)
        expectEqual(waiting.state, .delivering)
        expectEqual(harness.emulator.routeMatches, 2)
        expectEqual(harness.emulator.worldChoices, 2)
    }
}
