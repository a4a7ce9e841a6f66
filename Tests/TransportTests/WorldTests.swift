import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Clock changes, cuts and late answers (control contract, sections 4 and 5).
@Suite struct WorldTests {
    /// Answers `/W/anything` in world W by those steps.
    private func harness(_ kind: PollerKind, _ steps: @escaping (Substring) -> [Step]) throws -> Harness {
        let harness = try Harness(kind)
        harness.application.onRequest = { request, _ in
            let parts = request.head.target.rawPath.split(separator: "/")
            return .now(.steps(steps(parts.last ?? ""), world: parts.first.flatMap { Int($0) } ?? 0))
        }
        return harness
    }

    private func client(_ harness: Harness, _ path: String) throws -> Client {
        let before = harness.application.admitted.count
        let client = try harness.client()
        client.get(path)
        #expect(harness.turn { harness.application.admitted.count == before + 1 })
        return client
    }

    @Test(arguments: PollerKind.allCases)
    func `an advance of the world's clock sends a delayed answer at once, in that world only`(
        _ kind: PollerKind
    ) throws {
        let harness = try harness(kind) { _ in [.wait(.seconds(30), .either), .text("sent"), .end] }
        harness.application.clock.rate = 0
        let start = harness.application.clock.now
        let one = try client(harness, "/1/a")
        let two = try client(harness, "/2/a")
        let almost = ClockReading(now: start + .seconds(30) - .microseconds(1), rate: 0)
        expectEqual(harness.server.clockChanged(world: 1, to: almost), 0)
        harness.settle()
        #expect(one.text.hasSuffix("\r\n\r\n"))
        expectEqual(harness.server.clockChanged(world: 1, to: ClockReading(now: start + .seconds(30), rate: 0)), 1)
        expectEqual(harness.server.clockChanged(world: 1, to: ClockReading(now: start + .seconds(31), rate: 0)), 0)
        harness.expect(one, toEndWith: "4\r\nsent\r\n0\r\n\r\n")
        #expect(!two.text.contains("sent"))
        harness.advance(.seconds(30))
        harness.expect(two, toEndWith: "4\r\nsent\r\n0\r\n\r\n")
    }

    @Test(arguments: PollerKind.allCases)
    func `a wait on the world does not end by real time`(_ kind: PollerKind) throws {
        let harness = try harness(kind) { _ in [.wait(.seconds(30), .world), .text("sent"), .end] }
        harness.application.clock.rate = 0
        let start = harness.application.clock.now
        let one = try client(harness, "/1/a")
        harness.advance(.hours(1))
        #expect(!one.text.contains("sent"))
        expectEqual(harness.server.clockChanged(world: 1, to: ClockReading(now: start, rate: 1)), 0)
        harness.advance(.seconds(29))
        #expect(!one.text.contains("sent"))
        harness.advance(.seconds(1))
        harness.expect(one, toEndWith: "4\r\nsent\r\n0\r\n\r\n")
    }

    @Test(arguments: PollerKind.allCases)
    func `a change of the clock counts what came due, and only the waits under way`(_ kind: PollerKind) throws {
        let harness = try harness(kind) { seconds in
            [.wait(.seconds(Int64(seconds) ?? 0), .either), .wait(.seconds(100), .either), .text("sent"), .end]
        }
        let start = harness.application.clock.now
        var clients: [Client] = []
        for seconds in 1...10 { clients.append(try client(harness, "/1/\(seconds)")) }
        harness.application.clock.now = start + .seconds(4)
        expectEqual(harness.server.clockChanged(world: 1, to: harness.application.clock), 4)
        harness.settle()
        expectEqual(harness.server.inFlightCount(world: 1), 10)
        harness.application.clock.now = start + .seconds(104)
        expectEqual(harness.server.clockChanged(world: 1, to: harness.application.clock), 10)
        harness.settle()
        expectEqual(clients.filter { $0.text.contains("sent") }.count, 4)
    }

    @Test(arguments: PollerKind.allCases)
    func `cutting a world counts and resets what it has in flight and nothing else`(_ kind: PollerKind) throws {
        let harness = try harness(kind) { what in
            switch what {
            case "wait": [.wait(.seconds(30), .either), .end]
            case "stream": [.text("a"), .wait(.seconds(1), .either), .text("b"), .end]
            case "hold": [.hold]
            default: [.text("done"), .end]
            }
        }
        let cut = try ["wait", "stream", "hold"].map { try client(harness, "/1/\($0)") }
        let done = try client(harness, "/1/done")
        let other = try client(harness, "/2/wait")
        harness.settle()
        expectEqual(harness.server.inFlightCount(world: 1), 3)
        expectEqual(harness.server.cancel(world: 1), 3)
        expectEqual(harness.server.cancel(world: 1), 0, "counted once")
        expectEqual(harness.server.inFlightCount(world: 1), 0)
        harness.settle()
        #expect(cut.allSatisfy { !$0.isOpen })
        #expect(cut.allSatisfy { !$0.text.hasSuffix("0\r\n\r\n") })
        #expect(done.isOpen && other.isOpen)
        expectEqual(harness.application.outcomes, [.delivered, .cut, .cut, .cut])
        harness.advance(.seconds(30))
        #expect(other.text.hasSuffix("0\r\n\r\n"))
    }

    @Test(arguments: PollerKind.allCases)
    func `a cut of a live connection is a reset`(_ kind: PollerKind) throws {
        let harness = try harness(kind) { _ in [.text("a"), .wait(.seconds(30), .either), .end] }
        let client = try harness.liveClient()
        client.get("/1/a")
        #expect(harness.turn { client.text.contains("a") && harness.server.inFlightCount(world: 1) == 1 })
        expectEqual(harness.server.cancel(world: 1), 1)
        #expect(harness.turn { client.sawReset })
    }

    @Test(arguments: PollerKind.allCases)
    func `an application may cut a world from inside a request or an effect`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        var counts: [Int] = []
        harness.application.onEffect = { [weak server = harness.server] _, _ in
            counts.append(server?.cancel(world: 1) ?? -1)
        }
        harness.application.onRequest = { [weak server = harness.server] request, _ in
            switch request.head.target.rawPath {
            case "/wait": return .now(.steps([.wait(.seconds(9), .either), .end]))
            case "/effect": return .now(.steps([.text("a"), .effect(1), .text("b"), .end]))
            default:
                counts.append(server?.cancel(world: 1) ?? -1)
                return .now(.text("cut"))
            }
        }
        let waiting = try client(harness, "/wait")
        let resetting = try client(harness, "/reset")
        harness.expect(resetting, toEndWith: "cut")
        #expect(!waiting.isOpen)
        let again = try client(harness, "/wait")
        let effect = try client(harness, "/effect")
        harness.settle()
        #expect(!again.isOpen)
        #expect(!effect.isOpen, "its own answer was in flight")
        #expect(!effect.text.contains("b\r\n"))
        expectEqual(counts, [1, 2])
        expectEqual(harness.application.outcomes.filter { $0 == .cut }.count, 3)
        expectEqual(harness.application.outcomes.filter { $0 == .delivered }.count, 1)
    }

    @Test(arguments: PollerKind.allCases)
    func `an answer may come later, once`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.onRequest = { _, _ in .later(world: 5) }
        let client = try client(harness, "/")
        let exchange = try #require(harness.application.admitted.first)
        expectEqual(harness.server.inFlightCount(world: 5), 1)
        #expect(harness.server.complete(exchange, with: .text("late")))
        #expect(!harness.server.complete(exchange, with: .text("twice")))
        harness.expect(client, toEndWith: "late")
        #expect(!harness.server.complete(exchange, with: .text("thrice")))
        expectEqual(harness.application.outcomes, [.delivered])
        expectEqual(harness.server.inFlightCount(world: 5), 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `an answer given before respond returns is not lost`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.onRequest = { [weak server = harness.server] _, exchange in
            server?.complete(exchange, with: .text("early"))
            return .later(world: 1)
        }
        harness.expect(try client(harness, "/"), toEndWith: "early")
    }

    @Test(arguments: PollerKind.allCases)
    func `answers from workers come in whatever order they are ready`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.onRequest = { [weak server = harness.server] request, exchange in
            let path = request.head.target.rawPath
            let taken = server?.workers.submit({ "\(path) worked" }) { text in
                server?.complete(exchange, with: .text(text))
            }
            expectEqual(taken, true)
            return .later(world: 1)
        }
        let clients = try (0..<20).map { try client(harness, "/\($0)") }
        for (number, client) in clients.enumerated() { harness.expect(client, toEndWith: "/\(number) worked") }
    }

    @Test(arguments: PollerKind.allCases)
    func `an id of an exchange that is over names nobody, even on the same connection`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try client(harness, "/first")
        harness.expect(client, toEndWith: "/first")
        let old = try #require(harness.application.admitted.first)
        harness.application.onRequest = { _, _ in .later(world: 1) }
        client.get("/second")
        #expect(harness.turn { harness.application.admitted.count == 2 })
        #expect(!harness.server.complete(old, with: .text("wrong")))
        #expect(harness.server.complete(harness.application.admitted[1], with: .text("right")))
        harness.expect(client, toEndWith: "right")
    }
}
