import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Control contract, section 17: a client that never takes its answer does not keep memory and a connection for ever.
@Suite struct StallTests {
    private static let size = 8 * 1024 * 1024

    /// A server whose answers are larger than what sockets hold, and a client that has asked for one.
    private func asked(_ kind: PollerKind) throws -> (Harness, Client) {
        let harness = try Harness(kind)
        harness.application.onRequest = { _, _ in .now(.bytes([UInt8](repeating: 0x61, count: Self.size))) }
        let client = try harness.client()
        client.get("/")
        harness.settle()
        #expect(harness.application.records.isEmpty)
        return (harness, client)
    }

    @Test(arguments: PollerKind.allCases)
    func `17 an answer of which the client takes nothing for 60 s ends with its connection`(_ kind: PollerKind) throws {
        let (harness, client) = try asked(kind)
        for _ in 0..<3 { harness.advance(.seconds(15)) }
        harness.advance(.seconds(15) - .microseconds(1))
        expectEqual(harness.server.openConnections, 1)
        harness.advance(.microseconds(1))
        expectEqual(harness.server.openConnections, 0)
        expectEqual(harness.application.outcomes, [.interrupted])
        client.receive()
        #expect(client.ending != nil)
        #expect(client.received.count < Self.size)
    }

    @Test(arguments: PollerKind.allCases)
    func `17 a client that takes a little now and then is served to the end`(_ kind: PollerKind) throws {
        let (harness, client) = try asked(kind)
        for _ in 0..<20 {
            harness.advance(.seconds(45))
            client.receive(atMost: 64 * 1024)
            harness.settle()
        }
        #expect(client.isOpen)
        #expect(harness.turn { client.text.utf8.count > Self.size })
        expectEqual(harness.application.outcomes, [.delivered])
        harness.advance(.seconds(60))
        expectEqual(harness.server.openConnections, 1, "only the idle time runs now")
    }

    @Test(arguments: PollerKind.allCases)
    func `17 answers that pause by design, for ever too, use up no time`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.onRequest = { request, _ in
            switch request.head.target.rawPath {
            case "/held": .now(.steps([.text("a"), .hold]))
            case "/open": .now(.steps([.text("a")], staysOpen: true))
            case "/paced": .now(.steps([.text("a"), .wait(.days(2), .world), .text("b"), .end]))
            default: .later(world: 1)
            }
        }
        let clients = try ["/held", "/open", "/paced", "/later"].map { path in
            let client = try harness.client()
            client.get(path)
            return client
        }
        harness.settle()
        for _ in 0..<10 { harness.advance(.hours(2)) }
        #expect(clients.allSatisfy { $0.isOpen })
        #expect(harness.application.records.isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `17 a stream of which the client takes nothing ends too`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let piece = Step.bytes([UInt8](repeating: 0x61, count: 64 * 1024))
        harness.application.onRequest = { _, _ in .now(.steps([Step](repeating: piece, count: 128) + [.end])) }
        let client = try harness.client()
        client.get("/")
        harness.settle()
        for _ in 0..<4 { harness.advance(.seconds(15)) }
        expectEqual(harness.server.openConnections, 0)
        expectEqual(harness.application.outcomes, [.interrupted])
    }
}
