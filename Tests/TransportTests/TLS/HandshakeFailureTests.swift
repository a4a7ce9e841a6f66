import COpenSSL
import Certificates
import CivilTime
import Handshakes
import TestSupport
import Testing

@testable import Transport

/// Failed handshakes with their reasons and advice (transport contract, section 7).
@Suite struct HandshakeFailureTests {
    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `7 a client that does not trust the root is told which, and what to do`(version: Int32) throws {
        let stranger = try Authority.make(owner: "x@y", now: TimeSource.system.wall())
        let pair = TLSPair {
            $0.root = stranger.root
            $0.versions = (version, version)
        }
        pair.run()
        let failure = try #require(pair.failure)
        expectEqual(failure.reason, .clientAlert)
        expectEqual(failure.alert, HandshakeFailure.Alert(.unknownCA, from: .client))
        expectEqual(failure.alert?.alert.name, "unknown_ca")
        expectEqual(failure.alert?.alert.number, 48)
        #expect(failure.advice.contains(TLSPair.authority.root.subject))
        #expect(failure.advice.contains("`understudy trust`"))
        expectEqual(failure.serverName, "checkout.localhost")
        expectEqual(failure.protocols, ["h2", "http/1.1"])
        expectEqual(failure.versions, [TLSVersion(rawValue: UInt16(version))])
        expectEqual(failure.api, "sawaed")
        expectEqual(failure.peer, "127.0.0.1")
        expectNil(failure.fault)
        expectEqual(pair.server.log.counts.failed, 1)
        expectEqual(pair.server.log.counts.completed, 0)
    }

    @Test func `7 an alert right after the handshake and before the first byte is a failure`() {
        let pair = TLSPair()
        pair.run()
        pair.engine.noted(.certificateUnknown, from: .client, isFatal: true)
        pair.engine.received([21, 3, 3, 0, 2, 2, 46], now: pair.now)
        pair.turn()
        expectEqual(pair.failure?.reason, .clientAlert)
        expectEqual(pair.failure?.advice.contains("pins another key"), true)
        expectEqual(pair.server.log.counts, HandshakeLog.Counts(completed: 1, failed: 1))
    }

    @Test func `7 an alert after the first byte is none`() {
        let pair = TLSPair()
        pair.run()
        pair.client.send("GET")
        pair.run()
        pair.engine.noted(.certificateUnknown, from: .client, isFatal: true)
        pair.engine.received([21, 3, 3, 0, 2, 2, 46], now: pair.now)
        pair.turn()
        expectEqual(pair.steps, [.established, .broken])
        expectEqual(pair.server.log.counts.failed, 0)
    }

    @Test func `7 a client that goes away in the middle is client-closed`() {
        for isReset in [false, true] {
            let pair = TLSPair()
            pair.client.take([])
            pair.engine.received(pair.client.output()[...], now: pair.now)
            pair.turn()
            if isReset {
                pair.engine.lost(at: .init(monotonic: pair.now, wall: pair.now))
            } else {
                pair.engine.peerClosed()
                pair.turn()
            }
            expectEqual(pair.failure?.reason, .clientClosed)
            expectEqual(pair.failure?.advice.contains("pins another key"), true)
        }
    }

    @Test func `7 a connection without a first byte, or closed in order before a request, is no failure`() {
        let silent = TLSPair()
        silent.engine.peerClosed()
        silent.turn()
        expectEqual(silent.steps, [.end])
        expectEqual(silent.server.log.counts.failed, 0)
        let gone = TLSPair()
        gone.engine.lost(at: .init(monotonic: gone.now, wall: gone.now))
        expectEqual(gone.server.log.counts.failed, 0)
        let ended = TLSPair()
        ended.run()
        ended.client.endWriting()
        ended.run()
        expectEqual(ended.steps, [.established, .end])
        expectEqual(ended.server.log.counts.failed, 0)
    }

    @Test func `7 a reset right after the handshake is client-closed`() {
        let pair = TLSPair()
        pair.run()
        pair.engine.lost(at: .init(monotonic: pair.now, wall: pair.now))
        expectEqual(pair.failure?.reason, .clientClosed)
    }

    @Test(arguments: [
        [22, 3, 1, 0, 0], [22, 3, 1, 0, 5, 2, 0, 0, 1, 0], [22, 4], [22, 3, 1, 64, 1], [22, 3, 1, 0, 4, 1, 0, 64, 1],
        [22, 3, 1, 0, 4, 1, 0, 0, 0], [22, 3, 1, 0, 1, 1, 23], Array("\u{16}GET / HTTP/1.1\r\n".utf8),
    ])
    func `7 what begins like TLS and is none is not-tls`(bytes: [UInt8]) {
        let pair = TLSPair()
        pair.engine.received(bytes[...], now: pair.now)
        pair.turn()
        expectEqual(pair.failure?.reason, .notTLS)
        expectEqual(pair.steps, [.failed(.close)])
        #expect(pair.sent.count == 7 && pair.sent[0] == 21)
    }

    @Test func `7 bytes that break off the handshake are not-tls`() {
        let pair = TLSPair()
        pair.client.take([])
        pair.engine.received(pair.client.output()[...], now: pair.now)
        pair.turn()
        pair.engine.received([0x47, 0x45, 0x54, 0x20, 0x2F, 0x20, 0x48, 0x54, 0x54, 0x50][...], now: pair.now)
        pair.turn()
        expectEqual(pair.failure?.reason, .notTLS)
    }

    @Test func `7 the last 256 are kept, newest first`() {
        let server = TLSPair.server()
        func fail(_ place: Int) {
            let engine = TLSEngine(server, TLSEngine.Route(api: "a\(place)", peer: "127.0.0.1"))
            engine.received([22, 4], now: .epoch)
            var buffer = [UInt8](repeating: 0, count: 16)
            _ = buffer.withUnsafeMutableBytes { engine.step(into: $0, at: .init(monotonic: .epoch, wall: .epoch)) }
        }
        for place in 0..<256 { fail(place) }
        expectEqual(server.log.failures.map(\.api), (0..<256).reversed().map { "a\($0)" })
        fail(256)
        expectEqual(server.log.failures.map(\.api), (1...256).reversed().map { "a\($0)" })
        expectEqual(server.log.counts.failed, 257)
        server.clearFailures()
        #expect(server.log.failures.isEmpty && server.log.counts.failed == 257)
        fail(257)
        expectEqual(server.log.failures.map(\.api), ["a257"])
    }

    @Test func `7 each failure is passed on for the log`() {
        let server = TLSPair.server()
        var seen: [HandshakeFailure] = []
        server.onFailure = { seen.append($0) }
        let pair = TLSPair(server) { $0.protocols = ["h2"] }
        pair.run()
        expectEqual(seen.map(\.reason), [.noCommonALPN])
    }

    @Test func `7 every reason has an advice of one sentence`() {
        let context = HandshakeAdvice.Context(
            root: "CN=Root",
            serverName: "a.test",
            versions: [.tls10],
            protocols: ["h2"]
        )
        for reason in HandshakeFailure.Reason.allCases {
            for (number, _) in TLSAlert.names {
                let alert = HandshakeFailure.Alert(TLSAlert(number: number), from: .client)
                let sentence = HandshakeAdvice.sentence(reason, alert, context)
                #expect(sentence.hasSuffix(".") && !sentence.dropLast().contains(". "), "\(sentence)")
            }
        }
        let expired = HandshakeFailure.Alert(.certificateExpired, from: .client)
        #expect(HandshakeAdvice.sentence(.clientAlert, expired, context).contains("clock"))
        var own = context
        own.root = nil
        let unknown = HandshakeFailure.Alert(.unknownCA, from: .client)
        #expect(HandshakeAdvice.sentence(.clientAlert, unknown, own).contains("--cert"))
    }

    @Test func `7 alerts have the names of RFC 8446`() {
        for (number, name) in TLSAlert.names {
            expectEqual(TLSAlert(name: name), TLSAlert(number: number))
            expectEqual(TLSAlert(number: number).name, name)
        }
        expectNil(TLSAlert(name: "no_such_alert"))
        expectEqual(TLSAlert(number: 200).name, "alert_200")
    }
}
