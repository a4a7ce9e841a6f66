import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Requests and answers over socket pairs, on each poller.
@Suite struct ExchangeTests {
    @Test(arguments: PollerKind.allCases)
    func `a request is answered and the connection stays`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        for path in ["/one", "/two", "/three"] {
            client.get(path)
            harness.expect(client, toEndWith: "\r\n\r\n\(path)")
        }
        #expect(client.isOpen)
        expectEqual(harness.application.outcomes, [.delivered, .delivered, .delivered])
        expectEqual(Set(harness.application.admitted.map(\.serial)).count, 3)
        expectEqual(harness.application.admitted, harness.application.records.map(\.exchange))
    }

    @Test(arguments: PollerKind.allCases)
    func `a request that comes byte by byte is answered like a whole one`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let whole = try harness.client()
        let slow = try harness.client()
        harness.application.onRequest = { request, _ in .now(.bytes(request.body.bytes + request.body.bytes)) }
        let request = Array("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8)
        whole.send(request)
        for byte in request {
            slow.send([byte])
            harness.server.turn(atMost: .zero)
        }
        harness.expect(whole, toEndWith: "hellohello")
        harness.expect(slow, toEndWith: "hellohello")
        expectEqual(whole.text, slow.text)
    }

    @Test(arguments: PollerKind.allCases)
    func `pipelined requests are answered in order, more of them than one turn takes`(_ kind: PollerKind) throws {
        var limits = ServerLimits()
        limits.requestsPerTurn = 4
        let harness = try Harness(kind, limits: limits)
        let client = try harness.client()
        let count = 50
        client.send((0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        harness.server.turn(atMost: .zero)
        // Its share of a turn: four while reading and four when the loop comes back to it.
        #expect(client.answers <= 8)
        #expect(harness.turn { client.answers == count })
        let bodies = client.text.components(of: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "H" } }
        expectEqual(bodies.map { String($0) }, (0..<count).map { "/\($0)" })
    }

    @Test(arguments: PollerKind.allCases)
    func `a slow answer holds back the next one and not another connection`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let slow = try harness.client()
        let other = try harness.client()
        harness.application.onRequest = { request, _ in
            request.head.target.rawPath == "/slow"
                ? .now(.steps([.wait(.seconds(5), .either), .text("slow"), .end])) : .now(.text("quick"))
        }
        slow.get("/slow")
        slow.get("/quick")
        other.get("/quick")
        harness.expect(other, toEndWith: "quick")
        #expect(!slow.text.contains("quick"))
        harness.advance(.seconds(5))
        harness.expect(slow, toEndWith: "quick")
        #expect(slow.text.contains("slow"))
    }

    @Test(arguments: PollerKind.allCases)
    func `a big answer goes out as fast as a slow reader takes it`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        let big = (0..<8 * 1024 * 1024).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        harness.application.onRequest = { _, _ in .now(.bytes(big)) }
        client.get("/")
        harness.settle()
        #expect(harness.application.records.isEmpty, "not delivered before the system has taken it")
        expectEqual(harness.server.inFlightCount(world: 1), 1)
        let done = harness.turn {
            client.receive(atMost: 96 * 1024)
            return client.received.count > big.count
        }
        #expect(done)
        harness.settle()
        client.receive()
        #expect(client.received.suffix(big.count).elementsEqual(big))
        expectEqual(harness.application.outcomes, [.delivered])
        expectEqual(harness.application.records.first?.record.bytesSent, client.received.count)
        expectEqual(harness.server.inFlightCount(world: 1), 0)
        client.forget()
        harness.application.onRequest = { _, _ in .now(.text("still here")) }
        client.get("/")
        harness.expect(client, toEndWith: "still here")
    }

    @Test(arguments: PollerKind.allCases)
    func `a big upload arrives whole`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        let big = (0..<4 * 1024 * 1024).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var arrived: [UInt8] = []
        harness.application.onRequest = { request, _ in
            arrived = request.body.bytes
            return .now(.text("thanks"))
        }
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(big.count)\r\n\r\n")
        var sent = 0
        while sent < big.count {
            sent += client.send(Array(big[sent...].prefix(256 * 1024)))
            harness.server.turn(atMost: .milliseconds(2))
        }
        harness.expect(client, toEndWith: "thanks")
        expectEqual(arrived, big)
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that waits for 100 gets it before it sends the content`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        harness.expect(client, toEndWith: "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("hi")
        harness.expect(client, toEndWith: "\r\n\r\n/")
    }

    @Test(arguments: PollerKind.allCases)
    func `an answer given at the head does not wait for the content`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        harness.application.onAdmit = { _, _ in .answer(.text("no")) }
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n")
        harness.expect(client, toEndWith: "\r\n\r\nno")
        expectEqual(harness.application.outcomes, [.delivered])
        client.send("0123456789")
        client.send("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(harness.turn { client.answers == 2 }, "the content was thrown away and the connection kept")
    }

    @Test(arguments: PollerKind.allCases)
    func `a refused request is answered once and the connection closes slowly`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(harness.turn { client.sawEnd })
        #expect(client.text.hasPrefix("HTTP/1.1 400 "))
        expectEqual(harness.server.openConnections, 1, "still reading what the client may be sending")
        client.send("whatever")
        harness.settle()
        client.close()
        #expect(harness.turn { harness.server.openConnections == 0 })
        expectEqual(harness.application.log, ["refused 400", "finished delivered"])
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that ends its direction still gets its answer`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        harness.application.onRequest = { _, _ in
            .now(.steps([.text("first "), .wait(.seconds(1), .either), .text("second"), .end]))
        }
        client.get("/")
        client.endSending()
        #expect(harness.turn { client.text.contains("first") })
        harness.advance(.seconds(1))
        #expect(harness.turn { client.sawEnd })
        #expect(client.text.contains("second"))
        expectEqual(harness.application.outcomes, [.delivered])
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that leaves in mid-request interrupts the exchange`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.client()
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n01")
        #expect(harness.turn { harness.application.admitted.count == 1 })
        client.close()
        #expect(harness.turn { harness.server.openConnections == 0 })
        expectEqual(harness.application.outcomes, [.interrupted])
    }

    @Test(arguments: PollerKind.allCases)
    func `a reset while an answer waits interrupts it at once`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.liveClient()
        harness.application.onRequest = { _, _ in .later(world: 1) }
        client.get("/")
        #expect(harness.turn { harness.server.inFlightCount(world: 1) == 1 })
        client.reset()
        #expect(harness.turn { harness.application.outcomes == [.interrupted] })
        expectEqual(harness.server.openConnections, 0)
        expectEqual(harness.server.inFlightCount(world: 1), 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that closed is noticed by the write after next`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.liveClient()
        let chunks = (0..<20).flatMap { _ in [Step.text("data"), .wait(.seconds(1), .either)] }
        harness.application.onRequest = { _, _ in .now(.steps(chunks + [.end])) }
        client.get("/")
        #expect(harness.turn { client.text.contains("data") })
        client.close()
        for _ in 0..<5 {
            harness.advance(.seconds(1))
            if harness.turn(until: { !harness.application.records.isEmpty }, turns: 20) { break }
        }
        expectEqual(harness.application.outcomes, [.interrupted])
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `the peer is named by its number`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try harness.liveClient()
        client.get("/")
        harness.expect(client, toEndWith: "/")
        expectEqual(harness.application.peers.map(\.host), ["127.0.0.1"])
        expectEqual(harness.application.peers.first.map { $0.port > 0 && $0.listener == 0 }, true)
    }
}

extension String {
    /// The parts between the separators.
    func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
