import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Control contract, section 17: exhausted connections do not lock out control calls, which could release them.
@Suite struct ReserveTests {
    /// A server of two connections for all and of a reserve for paths that begin with `/urgent`.
    private func harness(_ kind: PollerKind, reserved: Int = 2) throws -> Harness {
        var limits = ServerLimits()
        limits.connections = 2
        limits.reserved = reserved
        let harness = try Harness(kind, limits: limits)
        harness.application.urgent = { $0.target.rawPath.hasPrefix("/urgent") }
        return harness
    }

    private func fill(_ harness: Harness) throws -> [Client] {
        let clients = try (0..<2).map { _ in try harness.liveClient() }
        #expect(harness.turn { harness.server.openConnections == 2 })
        return clients
    }

    @Test(arguments: PollerKind.allCases)
    func `17 urgent requests are answered beyond the limit, others wait until one closes`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let clients = try fill(harness)
        let ordinary = try harness.liveClient()
        ordinary.get("/next")
        let urgent = try harness.liveClient()
        urgent.get("/urgent")
        harness.expect(urgent, toEndWith: "/urgent")
        harness.settle()
        #expect(ordinary.text.isEmpty)
        clients[0].close()
        harness.expect(ordinary, toEndWith: "/next")
        urgent.forget()
        urgent.get("/urgent/again")
        harness.expect(urgent, toEndWith: "/urgent/again")
    }

    @Test(arguments: PollerKind.allCases)
    func `17 a full reserve gives up the oldest connection that nothing is done for`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let clients = try fill(harness)
        let silent = try harness.liveClient()
        let waiting = try harness.liveClient()
        waiting.get("/next")
        #expect(harness.turn { harness.server.openConnections == 4 })
        let urgent = try harness.liveClient()
        urgent.get("/urgent")
        harness.expect(urgent, toEndWith: "/urgent")
        #expect(!silent.isOpen)
        #expect(waiting.isOpen)
        clients[1].close()
        harness.expect(waiting, toEndWith: "/next")
    }

    @Test(arguments: PollerKind.allCases)
    func `17 a reserve of which all are being answered takes no more until one is free`(_ kind: PollerKind) throws {
        let harness = try harness(kind, reserved: 1)
        harness.application.onRequest = { request, _ in
            request.head.target.rawPath == "/urgent/slow" ? .later(world: 1) : .now(.text(request.head.target.rawPath))
        }
        let clients = try fill(harness)
        let slow = try harness.liveClient()
        slow.get("/urgent/slow")
        #expect(harness.turn { harness.application.admitted.count == 1 })
        let next = try harness.liveClient()
        next.get("/urgent")
        harness.settle()
        #expect(next.text.isEmpty)
        expectEqual(harness.server.openConnections, 3)
        let exchange = try #require(harness.application.admitted.first)
        #expect(harness.server.complete(exchange, with: .text("slow")))
        harness.expect(slow, toEndWith: "slow")
        harness.expect(next, toEndWith: "/urgent")
        #expect(clients.allSatisfy { $0.isOpen })
    }

    @Test(arguments: PollerKind.allCases)
    func `17 the reserve is that of one listener alone`(_ kind: PollerKind) throws {
        var limits = ServerLimits()
        limits.connections = 1
        limits.reserved = 4
        limits.reservedListener = 1
        let harness = try Harness(kind, limits: limits)
        harness.application.urgent = { _ in true }
        let first = try harness.liveClient()
        #expect(harness.turn { harness.server.openConnections == 1 })
        let second = try harness.liveClient()
        second.get("/urgent")
        harness.settle()
        expectEqual(harness.server.openConnections, 1)
        #expect(second.text.isEmpty)
        first.close()
        harness.expect(second, toEndWith: "/urgent")
    }

    @Test(arguments: PollerKind.allCases)
    func `17 one that waits and goes away leaves nothing behind`(_ kind: PollerKind) throws {
        let harness = try harness(kind)
        let clients = try fill(harness)
        for _ in 0..<20 {
            let waiting = try harness.liveClient()
            waiting.get("/next")
            #expect(harness.turn { harness.server.openConnections == 3 })
            waiting.close()
            #expect(harness.turn { harness.server.openConnections == 2 })
        }
        #expect(harness.application.admitted.isEmpty)
        #expect(clients.allSatisfy { $0.isOpen })
        harness.server.beginStop(gracefulWithin: .zero)
        #expect(harness.turn { harness.server.isStopped })
    }
}
