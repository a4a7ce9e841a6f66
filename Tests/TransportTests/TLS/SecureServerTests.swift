import COpenSSL
import Certificates
import CivilTime
import HTTPMessage
import HTTPWire
import Handshakes
import TestSupport
import Testing

@testable import Transport

/// TLS on the ports of a server (transport contract, section 3).
@Suite struct SecureServerTests {
    private let tls = TLSPair.server()

    @Test(arguments: PollerKind.allCases)
    func `3 the first byte decides between TLS and HTTP`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        var facts: [TLSFacts?] = []
        harness.application.onRequest = { request, exchange in
            facts.append(harness.server.tlsFacts(of: exchange))
            return .now(.text(request.head.target.rawPath))
        }
        let plain = try harness.client()
        plain.get("/plain")
        harness.expect(plain, toEndWith: "/plain")
        let secure = try harness.secureClient()
        for path in ["/one", "/two"] {
            secure.get(path)
            harness.expect(secure, toEndWith: path)
        }
        plain.get("/again")
        harness.expect(plain, toEndWith: "/again")
        expectEqual(facts.map { $0?.serverName }, [nil, "checkout.localhost", "checkout.localhost", nil])
        expectEqual(tls.log.counts, HandshakeLog.Counts(completed: 1))
    }

    @Test(arguments: PollerKind.allCases)
    func `3 the same answer comes over TLS, and the same bytes are counted`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let content = String(repeating: "0123456789", count: 50_000)
        harness.application.onRequest = { _, _ in .now(.text(content)) }
        let plain = try harness.client()
        plain.get("/")
        harness.expect(plain, toEndWith: "789")
        #expect(harness.turn { plain.text.hasSuffix("789") && plain.received.count > content.utf8.count })
        let secure = try harness.secureClient()
        secure.get("/")
        #expect(harness.turn(secure) { secure.tls.received.count >= plain.received.count })
        expectEqual(secure.tls.received, plain.received)
        #expect(harness.turn(secure) { harness.application.records.count == 2 })
        expectEqual(harness.application.records.map(\.record.bytesSent), [plain.received.count, plain.received.count])
    }

    @Test(arguments: PollerKind.allCases)
    func `3 a long upload comes whole, at its pace`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        var bodies: [[UInt8]] = []
        harness.application.onRequest = { request, _ in
            bodies.append(request.body.bytes)
            return .now(.text("taken"))
        }
        let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let client = try harness.secureClient()
        client.tls.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.count)\r\n\r\n")
        client.tls.send(content)
        harness.expect(client, toEndWith: "taken")
        expectEqual(bodies, [content])
    }

    @Test(arguments: PollerKind.allCases)
    func `3 pipelined requests in one record are all answered`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let client = try harness.secureClient()
        client.tls.send((0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        harness.expect(client, toEndWith: "/199")
        expectEqual(harness.application.records.count, 200)
    }

    @Test(arguments: PollerKind.allCases)
    func `3 a slow intake and one that ends count bytes of HTTP`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let admission = ConnectionMachine.Admission(bodyLimit: 1 << 20, drainLimit: 0)
        harness.application.onAdmit = { _, _ in .pace(admission, Intake(bytesPerSecond: 1_000), world: 1) }
        let client = try harness.secureClient()
        client.tls.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        client.tls.send([UInt8](repeating: 0x61, count: 1_000))
        client.pump()
        harness.settle()
        var waited = 0
        while harness.application.records.isEmpty, waited < 20 {
            harness.advance(.milliseconds(100))
            client.pump()
            waited += 1
        }
        #expect((8...11).contains(waited), "a tenth of a second each")
        harness.application.onAdmit = { _, _ in
            .pace(admission, Intake(ending: .reset(afterBytes: 500)), world: 1)
        }
        let other = try harness.secureClient()
        other.tls.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        other.tls.send([UInt8](repeating: 0x61, count: 499))
        other.pump()
        harness.settle()
        expectEqual(harness.server.openConnections, 2)
        other.tls.send("b")
        #expect(harness.turn(other) { harness.server.openConnections == 1 })
    }

    @Test(arguments: PollerKind.allCases)
    func `3 a connection that ends in order ends with close_notify`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let client = try harness.secureClient()
        client.tls.send("GET /bye HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(harness.turn(client) { client.socket.ending != nil })
        #expect(client.tls.text.hasSuffix("/bye") && client.tls.sawNotify)
        expectEqual(client.socket.ending, .end)
    }

    @Test(arguments: PollerKind.allCases)
    func `3 a response that breaks off ends without close_notify`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        harness.application.onRequest = { _, _ in .now(.steps([.text("part"), .close])) }
        let client = try harness.secureClient()
        client.get("/")
        #expect(harness.turn(client) { client.socket.ending != nil })
        #expect(client.tls.text.contains("part") && !client.tls.sawNotify)
    }

    @Test(arguments: PollerKind.allCases)
    func `3 reset is one below TLS`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        harness.application.onRequest = { _, _ in .now(.steps([.text("part"), .abort])) }
        let client = SecureClient(try harness.liveClient())
        #expect(harness.turn(client) { client.tls.isConnected })
        client.get("/")
        #expect(harness.turn(client) { client.socket.ending != nil })
        #expect(client.socket.ending == .failed(Errno(code: 104)) || client.socket.sawReset)
    }

    @Test(arguments: PollerKind.allCases)
    func `3 idle connections end with close_notify, at their time and on a stop`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let client = try harness.secureClient()
        client.get("/")
        harness.expect(client, toEndWith: "/")
        harness.advance(.seconds(75))
        #expect(harness.turn(client) { client.socket.ending == .end })
        #expect(client.tls.sawNotify)
        let unused = try harness.secureClient()
        let used = try harness.secureClient()
        used.get("/used")
        harness.expect(used, toEndWith: "/used")
        harness.server.beginStop(gracefulWithin: .seconds(5))
        #expect(harness.turn(used) { used.socket.ending == .end })
        #expect(harness.turn(unused) { unused.socket.ending == .end })
        #expect(used.tls.sawNotify && unused.tls.sawNotify)
        #expect(harness.server.isStopped)
        expectEqual(tls.log.counts.failed, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `3 a handshake ends at its limit, and counts as a connection until then`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let client = try harness.client()
        harness.advance(.seconds(60))
        client.send([22, 3, 1])
        harness.settle()
        expectEqual(harness.server.openConnections, 1)
        harness.advance(.seconds(10) - .microseconds(1))
        #expect(client.isOpen)
        harness.advance(.microseconds(1))
        #expect(client.sawEnd)
        expectEqual(tls.log.failures.map(\.reason), [.timeout])
        harness.advance(.seconds(2))
        expectEqual(harness.server.openConnections, 0, "lingered for its two seconds")
    }

    @Test(arguments: PollerKind.allCases)
    func `3 a refused handshake has its alert, then the end`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let client = SecureClient(try harness.client()) { $0.protocols = ["h2"] }
        #expect(harness.turn(client) { client.socket.ending != nil })
        expectEqual(client.tls.failure?.contains("no application protocol"), true, "\(client.tls.failure ?? "")")
        expectEqual(client.socket.ending, .end)
        expectEqual(tls.log.failures.map(\.reason), [.noCommonALPN])
        client.socket.close()
        #expect(harness.turn { harness.server.openConnections == 0 })
    }

    @Test(arguments: PollerKind.allCases)
    func `3 at most 64 handshake steps are taken in a turn`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let clients = try (0..<100).map { _ in SecureClient(try harness.client()) }
        clients.forEach { $0.pump() }
        var answered: [Int] = []
        for _ in 0..<10 {
            harness.server.turn(atMost: .zero)
            answered.append(
                clients.count { client in
                    client.socket.receive()
                    return !client.socket.received.isEmpty
                }
            )
        }
        for (before, after) in zip([0] + answered, answered) { #expect(after - before <= 64) }
        expectEqual(answered.last, 100)
        for client in clients {
            let isConnected = harness.turn(client) { client.tls.isConnected }
            #expect(isConnected)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `11 handshakes take a millisecond of a turn, and another connection is answered meanwhile`(
        _ kind: PollerKind
    ) throws {
        let harness = try Harness(kind, securedBy: tls)
        let clients = try (0..<20).map { _ in SecureClient(try harness.client()) }
        clients.forEach { $0.pump() }
        let beside = try harness.client()
        // At each look at the clock a third of a millisecond has passed.
        harness.time.passing = .microseconds(300)
        var answered: [Int] = []
        for turn in 1...60 where answered.last != clients.count {
            beside.get("/\(turn)")
            harness.server.turn(atMost: .zero)
            answered.append(
                clients.count { client in
                    client.socket.receive()
                    return !client.socket.received.isEmpty
                }
            )
            #expect(beside.text.hasSuffix("/\(turn)"))
        }
        expectEqual(answered.last, clients.count)
        for (before, after) in zip([0] + answered, answered) { #expect((1...4).contains(after - before)) }
    }

    @Test(arguments: PollerKind.allCases)
    func `6 a stall ends when the client leaves, or at its time`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        tls.withFaults { _ = $0.add(ConnectionFault(.handshake(.stall(.seconds(3))))) }
        let first = SecureClient(try harness.client())
        let second = SecureClient(try harness.client())
        for client in [first, second] { client.pump() }
        harness.settle()
        expectEqual(harness.server.openConnections, 2)
        first.socket.close()
        #expect(harness.turn { harness.server.openConnections == 1 })
        expectEqual(tls.log.failures.map(\.reason), [.clientClosed])
        harness.advance(.seconds(3) - .microseconds(1))
        #expect(second.socket.isOpen)
        harness.advance(.microseconds(1))
        #expect(second.socket.sawEnd)
        expectEqual(tls.log.failures.map(\.reason), [.injected, .clientClosed])
        #expect(second.socket.received.isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `6 slow and reset act on the connection`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        tls.withFaults { _ = $0.add(ConnectionFault(.handshake(.slow(.seconds(2))))) }
        let slow = SecureClient(try harness.client())
        slow.pump()
        harness.settle()
        harness.advance(.seconds(2) - .microseconds(1))
        slow.socket.receive()
        #expect(slow.socket.received.isEmpty)
        harness.advance(.microseconds(1))
        #expect(harness.turn(slow) { slow.tls.isConnected })
        slow.get("/slow")
        harness.expect(slow, toEndWith: "/slow")
        let reset = SecureClient(try harness.liveClient()) { $0.host = "reset.bad.localhost" }
        #expect(harness.turn(reset) { reset.socket.ending != nil })
        #expect(reset.socket.sawReset)
        let garbage = SecureClient(try harness.client()) { $0.host = "garbage.bad.localhost" }
        #expect(harness.turn(garbage) { garbage.tls.failure != nil })
    }

    @Test(arguments: PollerKind.allCases)
    func `6 a change of the faults ends idle connections of the ports that are meant`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        let idle = try harness.secureClient()
        let plain = try harness.client()
        harness.application.onRequest = { _, _ in .later(world: 1) }
        let busy = try harness.secureClient()
        busy.get("/")
        #expect(harness.turn(busy) { harness.application.admitted.count == 1 })
        let match = ConnectionFault.Match(api: "trendy")
        harness.server.endIdleTLS { match.covers(api: $0) }
        harness.settle()
        expectEqual(harness.server.openConnections, 3)
        harness.server.endIdleTLS { ConnectionFault.Match().covers(api: $0) }
        #expect(harness.turn(idle) { idle.socket.ending == .end })
        #expect(idle.tls.sawNotify && plain.isOpen && busy.socket.isOpen)
        expectEqual(tls.log.counts.failed, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `7 clients that leave at every stage are all accounted for`(_ kind: PollerKind) throws {
        let harness = try Harness(kind, securedBy: tls)
        var random = SeededGenerator.announced()
        for round in 0..<200 {
            let client = SecureClient(try harness.client())
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                client.pump()
                if client.tls.isConnected, Bool.random(using: &random) { client.get("/\(round)") }
                harness.server.turn(atMost: .zero)
            }
            if Bool.random(using: &random) { client.socket.reset() } else { client.socket.close() }
            #expect(harness.turn { harness.server.openConnections == 0 })
        }
        expectEqual(harness.application.admitted.count, harness.application.records.count)
    }
}
