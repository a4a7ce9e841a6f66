import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Long content of many connections, read in rounds (control contract, section 17: no other connection waits for it).
@Suite struct RoundTests {
    private static let length = 60_000

    /// Clients that each have long content ready, and an application that answers with its length.
    private func uploads(_ count: Int, on harness: Harness, behind: String = "") throws -> [Client] {
        harness.application.onRequest = { request, _ in
            .now(.text("\(request.head.target.rawPath) \(request.body.length)"))
        }
        return try (0..<count).map { number in
            let client = try harness.client()
            let head = "POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.length)\r\n\r\n"
            let bytes = Array(head.utf8) + [UInt8](repeating: 0x61, count: Self.length) + Array(behind.utf8)
            expectEqual(client.send(bytes), bytes.count)
            return client
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `a small request is answered in the turn in which others only begin to send theirs`(_ kind: PollerKind) throws
    {
        let harness = try Harness(kind)
        let clients = try uploads(24, on: harness)
        let small = try harness.client()
        small.get("/small")
        harness.time.passing = .microseconds(300)
        harness.server.turn(atMost: .zero)
        #expect(small.text.hasSuffix("/small 0"))
        let early = clients.count { !$0.text.isEmpty }
        #expect(early < 8, "a millisecond of reading, at three reads each")
        // The poller waits for nothing as long as there is something to read.
        harness.time.passing = .zero
        for (number, client) in clients.enumerated() {
            harness.expect(client, toEndWith: "/\(number) \(Self.length)")
        }
        expectEqual(harness.application.outcomes.count, clients.count + 1)
        #expect(harness.application.outcomes.allSatisfy { $0 == .delivered })
    }

    @Test(arguments: PollerKind.allCases)
    func `each of them has its share of every round`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let clients = try uploads(6, on: harness)
        harness.time.passing = .microseconds(600)
        let turns = 40
        for _ in 0..<turns where !clients.allSatisfy({ !$0.text.isEmpty }) { harness.server.turn(atMost: .zero) }
        for (number, client) in clients.enumerated() { #expect(client.text.hasSuffix("/\(number) \(Self.length)")) }
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that leaves the round is gone, and the others go on`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let clients = try uploads(12, on: harness)
        harness.time.passing = .milliseconds(1)
        harness.server.turn(atMost: .zero)
        for client in clients.prefix(6) { client.close() }
        harness.time.passing = .zero
        for (number, client) in clients.enumerated().dropFirst(6) {
            harness.expect(client, toEndWith: "/\(number) \(Self.length)")
        }
        #expect(harness.turn { harness.server.openConnections == 6 })
    }

    @Test(arguments: PollerKind.allCases)
    func `requests behind long content are answered in order`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\nGET /last HTTP/1.1\r\nHost: a\r\n\r\n"
        let clients = try uploads(3, on: harness, behind: next)
        harness.time.passing = .microseconds(500)
        for client in clients { harness.expect(client, toEndWith: "/last 0") }
        #expect(clients.allSatisfy { $0.answers == 3 })
    }
}
