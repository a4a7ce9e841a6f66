import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Connection limit and protocol timeouts (control contract, section 17), with virtual time.
@Suite struct LimitTests {
    @Test(arguments: PollerKind.allCases)
    func `n connections are served, the next is not accepted until one closes`(_ kind: PollerKind) throws {
        var limits = ServerLimits()
        limits.connections = 5
        let harness = try Harness(kind, limits: limits)
        let clients = try (0..<5).map { _ in try harness.liveClient() }
        #expect(harness.turn { harness.server.openConnections == 5 })
        let next = try harness.liveClient()
        next.get("/next")
        for client in clients {
            client.get("/one")
            harness.expect(client, toEndWith: "/one")
        }
        harness.settle()
        expectEqual(harness.server.openConnections, 5)
        #expect(next.text.isEmpty)
        clients[2].close()
        harness.expect(next, toEndWith: "/next")
        expectEqual(harness.server.openConnections, 5)
    }

    @Test(arguments: PollerKind.allCases)
    func `an idle connection is closed silently at its time`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        harness.advance(.seconds(75) - .microseconds(1))
        #expect(client.isOpen)
        harness.advance(.microseconds(1))
        #expect(client.sawEnd)
        #expect(client.received.isEmpty)
        #expect(harness.application.log.isEmpty)
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `the idle time begins again with every answer`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        for _ in 0..<4 {
            harness.advance(.seconds(60))
            client.forget()
            client.get("/")
            harness.expect(client, toEndWith: "/")
        }
        harness.advance(.seconds(75) - .microseconds(1))
        #expect(client.isOpen)
        harness.advance(.microseconds(1))
        #expect(client.sawEnd)
    }

    @Test(arguments: PollerKind.allCases)
    func `a head that does not end in time is refused with 408`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        harness.advance(.seconds(10))
        client.send("GET / HT")
        harness.settle()
        harness.advance(.seconds(20))
        client.send("TP/1.1\r\n")
        harness.settle()
        harness.advance(.seconds(10) - .microseconds(1))
        #expect(client.text.isEmpty, "more bytes do not begin the time again, and it is not over")
        harness.advance(.microseconds(1))
        #expect(client.text.hasPrefix("HTTP/1.1 408 "))
        #expect(client.sawEnd)
        harness.advance(.seconds(2))
        expectEqual(harness.server.openConnections, 0, "lingered for its two seconds")
    }

    @Test(arguments: PollerKind.allCases)
    func `a body is refused with 408 that long after its last byte`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        harness.settle()
        for _ in 0..<4 {
            harness.advance(.seconds(59))
            client.send("x")
            harness.settle()
        }
        harness.advance(.seconds(60) - .microseconds(1))
        #expect(client.text.isEmpty)
        harness.advance(.microseconds(1))
        #expect(client.text.hasPrefix("HTTP/1.1 408 "))
        expectEqual(harness.application.log.first, "refused 408")
        expectEqual(harness.application.admitted.count, 1)
        expectEqual(harness.application.records.map(\.exchange), harness.application.admitted)
    }

    @Test(arguments: PollerKind.allCases)
    func `no timeout runs while the answer is ours to give`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.onRequest = { _, _ in .later(world: 1) }
        let client = try harness.client()
        client.get("/")
        #expect(harness.turn { harness.application.admitted.count == 1 })
        harness.advance(.days(1))
        #expect(client.isOpen)
        let exchange = try #require(harness.application.admitted.first)
        #expect(harness.server.complete(exchange, with: .text("after a day")))
        harness.expect(client, toEndWith: "after a day")
    }

    @Test(arguments: PollerKind.allCases)
    func `thousands of connections that come and go leave no descriptor open`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let before = openDescriptors()
        for round in 0..<1_500 {
            let client = round % 10 == 0 ? try harness.liveClient() : try harness.client()
            client.get("/")
            harness.expect(client, toEndWith: "/")
            if round % 20 == 0 { client.reset() } else { client.close() }
            #expect(harness.turn { harness.server.openConnections == 0 })
        }
        // Other tests run at the same time and have theirs open.
        #expect(openDescriptors() - before < 1_000)
        expectEqual(harness.application.records.count, 1_500)
    }

    @Test(arguments: PollerKind.allCases)
    func `an application's timer runs at its time, and not after it was cancelled`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        var fired: [String] = []
        harness.server.schedule(after: .seconds(5)) { fired.append("a") }
        let cancelled = harness.server.schedule(after: .seconds(5)) { fired.append("b") }
        harness.server.schedule(after: .seconds(6)) { fired.append("c") }
        #expect(harness.server.cancel(cancelled))
        harness.advance(.seconds(5) - .microseconds(1))
        #expect(fired.isEmpty)
        harness.advance(.microseconds(1))
        expectEqual(fired, ["a"])
        harness.advance(.seconds(1))
        expectEqual(fired, ["a", "c"])
        #expect(!harness.server.cancel(cancelled))
    }

    private func openDescriptors() -> Int { (0..<Int32(8_192)).count { fcntl($0, F_GETFD) >= 0 } }
}
