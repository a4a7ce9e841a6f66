import COpenSSL
import Certificates
import CivilTime
import Handshakes
import TestSupport
import Testing

@testable import Transport

/// The server's side of TLS (transport contract, section 3).
@Suite struct TLSEngineTests {
    @Test(arguments: [(TLS1_2_VERSION, TLSVersion.tls12), (TLS1_3_VERSION, TLSVersion.tls13)])
    func `3 TLS 1.2 and 1.3 are spoken, and bytes pass in both directions`(version: Int32, expected: TLSVersion) throws
    {
        let pair = TLSPair { $0.versions = (version, version) }
        pair.run()
        #expect(pair.client.isConnected)
        expectEqual(pair.client.verification, 0)
        let facts = try #require(pair.engine.facts)
        expectEqual(facts.version, expected)
        #expect(facts.cipher.hasPrefix("TLS_"))
        expectEqual(facts.serverName, "checkout.localhost")
        expectEqual(facts.applicationProtocol, "http/1.1")
        #expect(!facts.isResumed && facts.clientCertificate == nil && facts.fault == nil)
        pair.client.send("question")
        pair.run()
        pair.reply("answer")
        pair.run()
        expectEqual(pair.text, "question")
        expectEqual(pair.client.text, "answer")
        expectEqual(pair.server.log.counts, HandshakeLog.Counts(completed: 1))
        #expect(pair.engine.covers("checkout.localhost") && !pair.engine.covers("other.localhost"))
    }

    @Test(arguments: [1, 2, 3, 7, 100, 1_000])
    func `3 it does not matter how the bytes are cut`(piece: Int) {
        for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
            let pair = TLSPair { $0.versions = (version, version) }
            pair.run(piece: piece)
            pair.client.send("question")
            pair.run(piece: piece)
            expectEqual(pair.text, "question")
        }
    }

    @Test func `3 long content passes in both directions`() {
        let pair = TLSPair()
        pair.run()
        let long = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        pair.client.send(long)
        #expect(pair.engine.write(long[...]))
        pair.run(piece: 65_536)
        expectEqual(pair.received, long)
        expectEqual(pair.client.received, long)
    }

    @Test(arguments: [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305",
    ])
    func `3 ECDHE with AEAD is taken`(suite: String) throws {
        let pair = TLSPair {
            $0.versions = (TLS1_2_VERSION, TLS1_2_VERSION)
            $0.suites = suite
        }
        pair.run()
        #expect(pair.client.isConnected)
    }

    @Test(arguments: [
        "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-RSA-AES128-SHA", "AES128-GCM-SHA256",
        "DHE-RSA-AES128-GCM-SHA256",
    ])
    func `3 other cipher suites are refused`(suite: String) {
        let pair = TLSPair {
            $0.versions = (TLS1_2_VERSION, TLS1_2_VERSION)
            $0.suites = suite
            $0.securityLevel = 0
        }
        pair.run()
        expectEqual(pair.failure?.reason, .noCommonCipher)
        expectEqual(pair.failure?.alert, HandshakeFailure.Alert(.handshakeFailure, from: .server))
        expectEqual(pair.steps, [.failed(.close)])
    }

    @Test(arguments: [("X25519", true), ("P-256", true), ("P-384:P-256", true), ("P-384", false), ("X448", false)])
    func `3 X25519 and P-256 are taken, also behind another group`(groups: String, isTaken: Bool) {
        for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
            // In TLS 1.2 the groups are also those that the certificate's key may be of.
            let groups = version == TLS1_2_VERSION && groups == "X25519" ? "X25519:P-256" : groups
            let pair = TLSPair {
                $0.groups = groups
                $0.versions = (version, version)
            }
            pair.run()
            expectEqual(pair.client.isConnected, isTaken)
            expectEqual(pair.failure?.reason, isTaken ? nil : .noCommonCipher)
        }
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func `3 TLS 1.0 and 1.1 are refused`(version: Int32) {
        let pair = TLSPair {
            $0.versions = (version, version)
            $0.securityLevel = 0
            $0.suites = "ALL:@SECLEVEL=0"
        }
        pair.run()
        expectEqual(pair.failure?.reason, .noCommonVersion)
        expectEqual(pair.failure?.alert, HandshakeFailure.Alert(.protocolVersion, from: .server))
        expectEqual(pair.failure?.versions, [TLSVersion(rawValue: UInt16(version))])
    }

    @Test(arguments: [
        ([], nil), (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"),
        (["http/1.0", "http/1.1"], "http/1.1"),
    ])
    func `3 http/1.1 is picked from the offer, and no offer means it`(offer: [String], picked: String?) {
        let pair = TLSPair { $0.protocols = offer }
        pair.run()
        #expect(pair.client.isConnected)
        expectEqual(pair.engine.facts?.applicationProtocol, picked)
    }

    @Test(arguments: [["h2"], ["http/1.0"], ["http/1.11", "ttp/1.1"]])
    func `3 nothing in common is no_application_protocol`(offer: [String]) {
        let pair = TLSPair { $0.protocols = offer }
        pair.run()
        expectEqual(pair.failure?.reason, .noCommonALPN)
        expectEqual(pair.failure?.alert?.alert.name, "no_application_protocol")
        expectEqual(pair.failure?.protocols, offer)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `3 a session is resumed with its ticket, in this process only`(version: Int32) throws {
        let first = TLSPair { $0.versions = (version, version) }
        first.run()
        let session = try #require(first.client.session)
        let second = TLSPair(first.server) {
            $0.versions = (version, version)
            $0.session = session
        }
        second.run()
        #expect(second.client.isConnected && second.client.isResumed)
        expectEqual(second.engine.facts?.isResumed, true)
        expectEqual(first.server.log.counts, HandshakeLog.Counts(completed: 2, resumed: 1))
        let other = TLSPair {
            $0.versions = (version, version)
            $0.session = session
        }
        other.run()
        #expect(other.client.isConnected && !other.client.isResumed)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `3 an end in order has close_notify, in both directions`(version: Int32) {
        let pair = TLSPair { $0.versions = (version, version) }
        pair.run()
        pair.client.send("bye")
        pair.client.endWriting()
        pair.run()
        expectEqual(pair.text, "bye")
        expectEqual(pair.steps, [.established, .end])
        // The other direction is still open.
        pair.reply("so long")
        pair.endWriting()
        pair.run()
        #expect(pair.client.text == "so long" && pair.client.sawNotify)
        #expect(!pair.engine.write([1]), "nothing can be written behind it")
        expectEqual(pair.server.log.counts.failed, 0)
    }

    @Test func `3 the end of the connection without close_notify is an end too`() {
        let pair = TLSPair()
        pair.run()
        pair.client.send("bye")
        pair.run()
        pair.engine.peerClosed()
        pair.turn()
        expectEqual(pair.text, "bye")
        expectEqual(pair.steps, [.established, .end])
    }

    @Test func `3 renegotiation is refused`() {
        let pair = TLSPair { $0.versions = (TLS1_2_VERSION, TLS1_2_VERSION) }
        pair.run()
        pair.client.send("first")
        pair.run()
        let before = pair.server.log.counts
        expectEqual(SSL_renegotiate(pair.client.ssl), 1)
        SSL_do_handshake(pair.client.ssl)
        pair.run()
        expectEqual(pair.server.log.counts, before)
        #expect(pair.client.failure != nil)
    }

    @Test func `3 compression is not offered, early data is not taken`() throws {
        let pair = TLSPair()
        pair.run()
        expectNil(SSL_get_current_compression(pair.client.ssl))
        let session = try #require(SSL_get1_session(pair.client.ssl))
        defer { SSL_SESSION_free(session) }
        expectEqual(SSL_SESSION_get_max_early_data(session), 0)
    }

    @Test func `3 the handshake takes a bounded number of steps`() {
        for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
            let pair = TLSPair { $0.versions = (version, version) }
            pair.run()
            #expect(pair.handshakeSteps <= 3, "\(version)")
        }
    }

    @Test func `3 a handshake has its time from the first byte on`() {
        let pair = TLSPair()
        pair.now = pair.now + .hours(1)
        pair.turn()
        expectNil(pair.engine.deadline, "no byte has come")
        pair.engine.received([22], now: pair.now)
        let end = pair.now + .seconds(10)
        expectEqual(pair.engine.deadline, end)
        pair.now = end - .microseconds(1)
        pair.engine.received([3], now: pair.now)
        pair.turn()
        expectEqual(pair.steps, [], "more bytes do not begin the time again, and it is not over")
        pair.now = end
        pair.turn()
        expectEqual(pair.steps, [.failed(.close)])
        expectEqual(pair.failure?.reason, .timeout)
        expectNil(pair.engine.deadline)
    }

    @Test func `3 an open connection has no deadline`() {
        let pair = TLSPair()
        pair.run()
        pair.now = pair.now + .days(1)
        pair.client.send("late")
        pair.run()
        expectEqual(pair.text, "late")
        expectNil(pair.engine.deadline)
    }

    @Test func `3 random bytes behind a handshake break the connection, and nothing else`() {
        var random = SeededGenerator.announced()
        for _ in 0..<200 {
            let pair = TLSPair()
            pair.run()
            pair.client.send("question")
            var bytes = pair.client.output()
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] ^= UInt8.random(in: 1...255, using: &random)
            pair.engine.received(bytes[...], now: pair.now)
            pair.turn()
            #expect(pair.text == "" && (pair.steps == [.established] || pair.steps == [.established, .broken]))
        }
    }
}
