import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Graceful and hard stops (control contract, section 2).
@Suite struct StopTests {
    private func harness(_ kind: PollerKind) throws -> Harness {
        let harness = try Harness(kind)
        harness.application.onRequest = { request, _ in
            switch request.head.target.rawPath {
            case "/wait": .now(.steps([.wait(.seconds(3), .either), .text("done"), .end]))
            case "/hold": .now(.steps([.text("a"), .hold]))
            case "/later": .later(world: 1)
            default: .now(.text("quick"))
            }
        }
        return harness
    }

    @Test(arguments: PollerKind.allCases)
    func `a stop closes idle connections and the listener, and lets an answer end`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let idle = try harness.liveClient()
        let waiting = try harness.client()
        waiting.get("/wait")
        #expect(harness.turn { harness.server.inFlightCount(world: 1) == 1 && harness.server.openConnections == 2 })
        harness.server.handle.stop(gracefulWithin: .seconds(5))
        harness.settle()
        #expect(idle.sawEnd)
        #expect(throws: Errno.self) { try harness.liveClient() }
        #expect(!harness.server.isStopped)
        harness.advance(.seconds(3))
        #expect(harness.turn { waiting.sawEnd })
        #expect(waiting.text.hasSuffix("4\r\ndone\r\n0\r\n\r\n"))
        waiting.close()
        #expect(harness.turn { harness.server.isStopped })
        expectEqual(harness.application.outcomes, [.delivered])
        expectEqual(harness.server.run(), 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `an answer that begins while stopping says that the connection closes`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let client = try harness.client()
        client.get("/later")
        #expect(harness.turn { harness.server.inFlightCount(world: 1) == 1 })
        harness.server.handle.stop(gracefulWithin: .seconds(5))
        harness.settle()
        let exchange = try #require(harness.application.admitted.first)
        #expect(harness.server.complete(exchange, with: .text("late")))
        #expect(harness.turn { client.sawEnd })
        #expect(client.text.lowercased().contains("connection: close\r\n"))
        #expect(client.text.hasSuffix("late"))
    }

    @Test(arguments: PollerKind.allCases)
    func `what is not done at the deadline is cut, and counted`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let client = try harness.client()
        client.get("/wait")
        #expect(harness.turn { harness.server.inFlightCount(world: 1) == 1 })
        harness.server.handle.stop(gracefulWithin: .seconds(2))
        harness.settle()
        harness.advance(.seconds(2) - .microseconds(1))
        #expect(client.isOpen)
        harness.advance(.microseconds(1))
        #expect(!client.isOpen)
        #expect(harness.server.isStopped)
        expectEqual(harness.server.run(), 1)
        expectEqual(harness.application.outcomes, [.cut])
    }

    @Test(arguments: PollerKind.allCases)
    func `a held connection does not keep a stop waiting`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let client = try harness.client()
        client.get("/hold")
        #expect(harness.turn { client.text.contains("a\r\n") })
        harness.server.handle.stop(gracefulWithin: .seconds(5))
        #expect(harness.turn { harness.server.isStopped })
        #expect(!client.isOpen)
        expectEqual(harness.application.outcomes, [.cut])
        expectEqual(harness.server.run(), 1)
    }

    @Test(arguments: PollerKind.allCases)
    func `a second stop is immediate`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let client = try harness.client()
        client.get("/wait")
        #expect(harness.turn { harness.server.inFlightCount(world: 1) == 1 })
        harness.server.handle.stop(gracefulWithin: .hours(1))
        harness.settle()
        #expect(!harness.server.isStopped)
        harness.server.handle.stop(gracefulWithin: .hours(1))
        harness.server.turn(atMost: .zero)
        #expect(harness.server.isStopped)
        #expect(!client.isOpen)
    }

    @Test(arguments: PollerKind.allCases)
    func `a stop from another thread ends a run that has nothing to do`(_ kind: PollerKind) throws {
        let application = TestApplication()
        let server = try Server(application: application, poller: try kind.make())
        let handle = server.handle
        let thread = try #require(SystemThread.start { handle.stop(gracefulWithin: .seconds(5)) })
        expectEqual(server.run(), 0)
        #expect(server.isStopped)
        SystemThread.join(thread)
    }

    @Test(arguments: PollerKind.allCases)
    func `calls from other threads run in the loop in the order of their posting`(_ kind: PollerKind) throws {
        let application = TestApplication()
        let server = try Server(application: application, poller: try kind.make())
        let handle = server.handle
        let thread = SystemThread.start {
            for number in 0..<500 {
                handle.post { server in (server.application as? TestApplication)?.note("\(number)") }
            }
            handle.stop(gracefulWithin: .zero)
        }
        try #require(thread != nil)
        server.run()
        expectEqual(application.log, (0..<500).map { "\($0)" })
        if let thread { SystemThread.join(thread) }
    }
}
