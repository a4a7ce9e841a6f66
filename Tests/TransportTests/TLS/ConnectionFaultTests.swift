import COpenSSL
import Certificates
import CivilTime
import Handshakes
import TestSupport
import Testing

@testable import Transport

/// Connection faults and ready names (transport contract, section 6).
@Suite struct ConnectionFaultTests {
    private func pair(
        _ effect: ConnectionFault.Effect,
        _ change: (inout TLSClient.Settings) -> Void = { _ in }
    ) -> TLSPair {
        let pair = TLSPair(nil, change)
        pair.server.withFaults { _ = $0.add(ConnectionFault(effect)) }
        return pair
    }

    private static let codes: [(CertificateCase, Int)] = [
        (.expired, 10), (.notYetValid, 9), (.wrongHost, 62), (.untrustedRoot, 19), (.selfSigned, 18),
        (.incompleteChain, 20), (.noServerAuth, 26), (.outsideConstraints, 47), (.sha1, 68), (.rsa1024, 66),
        (.noSAN, 0),
        (.tooLong, 0), (.revoked, 0), (.otherKey, 0),
    ]

    @Test(arguments: codes)
    func `6 CASE is shown by a fault, and a client sees its code`(kind: CertificateCase, code: Int) throws {
        for version in [TLS1_2_VERSION, TLS1_3_VERSION] {
            let pair = pair(.certificate(kind)) { $0.versions = (version, version) }
            pair.run()
            expectEqual(pair.client.verification, code, "\(kind)")
            expectEqual(pair.client.isConnected, code == 0, "\(kind)")
            guard code != 0 else {
                expectEqual(pair.engine.facts?.fault, "cfl_1")
                continue
            }
            let failure = try #require(pair.failure)
            expectEqual(failure.reason, .clientAlert)
            expectEqual(failure.fault, "cfl_1")
            #expect(failure.advice.contains("cfl_1"))
        }
    }

    @Test(arguments: codes)
    func `6 CASE has a ready name`(kind: CertificateCase, code: Int) throws {
        let host = "\(kind.rawValue).bad.localhost"
        let pair = TLSPair { $0.host = host }
        pair.server.withFaults { _ = $0.add(ConnectionFault(.handshake(.reset))) }
        pair.run()
        expectEqual(pair.client.verification, code)
        expectEqual(pair.engine.facts?.fault ?? pair.failure?.fault, host)
        expectEqual(pair.server.faults.entries[0].hits, 0, "a ready name is no fault's hit")
    }

    @Test func `6 CASE revoked is told by the stapled answer, to those who ask`() {
        for wantsStaple in [true, false] {
            let pair = TLSPair {
                $0.host = "revoked.bad.localhost"
                $0.wantsStaple = wantsStaple
            }
            pair.run()
            #expect(pair.client.isConnected)
            expectEqual(pair.client.staple?.count ?? 0 > 100, wantsStaple)
        }
        let plain = TLSPair { $0.wantsStaple = true }
        plain.run()
        #expect(plain.client.isConnected && plain.client.staple == nil)
    }

    @Test func `6 stall reads the ClientHello and ends after its time, or at the handshake's limit`() {
        for (time, end) in [(Interval.milliseconds(300), Interval.milliseconds(300)), (nil, .seconds(10))] {
            let pair = pair(.handshake(.stall(time)))
            pair.run()
            expectEqual(pair.sent, [])
            expectEqual(pair.steps, [])
            #expect(!pair.engine.wantsRead)
            let began = pair.now
            expectEqual(pair.engine.deadline, began + end)
            pair.now = began + end - .microseconds(1)
            pair.turn()
            expectEqual(pair.steps, [])
            pair.now = began + end
            pair.turn()
            expectEqual(pair.steps, [.failed(.close)])
            expectEqual(pair.sent, [])
            expectEqual(pair.failure?.reason, .injected)
            expectEqual(pair.failure?.fault, "cfl_1")
        }
    }

    @Test func `6 slow waits before the ServerHello`() {
        let pair = pair(.handshake(.slow(.milliseconds(700))))
        pair.run()
        expectEqual(pair.sent, [])
        pair.now = pair.now + .milliseconds(700) - .microseconds(1)
        pair.run()
        expectEqual(pair.sent, [])
        pair.now = pair.now + .microseconds(1)
        pair.run()
        #expect(pair.client.isConnected)
        expectEqual(pair.engine.facts?.fault, "cfl_1")
    }

    @Test func `6 reset and close come in place of the ServerHello`() {
        for (disturbance, ending) in [
            (ConnectionFault.Disturbance.reset, TLSEngine.Ending.reset), (.close, .close),
        ] {
            let pair = pair(.handshake(disturbance))
            pair.run()
            expectEqual(pair.steps, [.failed(ending)])
            expectEqual(pair.sent, [])
            expectEqual(pair.failure?.reason, .injected)
        }
    }

    @Test func `6 garbage is 512 seeded bytes that are no TLS`() {
        let first = pair(.handshake(.garbage))
        first.run()
        #expect(first.sent.count == 512 && first.sent[0] >= 0x80)
        #expect(first.client.failure != nil)
        let second = pair(.handshake(.garbage))
        second.run()
        expectEqual(second.sent, first.sent, "the same seed")
        let third = TLSPair(first.server)
        third.run()
        #expect(third.sent.count == 512 && third.sent != first.sent)
    }

    @Test(arguments: ["handshake_failure", "internal_error", "unrecognized_name", "protocol_version"])
    func `6 alert is this fatal alert`(name: String) throws {
        let alert = try #require(TLSAlert(name: name))
        let pair = pair(.handshake(.alert(alert)))
        pair.run()
        expectEqual(pair.sent, [21, 3, 3, 0, 2, 2, alert.number])
        #expect(pair.client.failure != nil)
        expectEqual(pair.failure?.alert, HandshakeFailure.Alert(alert, from: .server))
        expectEqual(pair.failure?.reason, .injected)
    }

    @Test(arguments: [(TLSVersion.tls10, "tls1-0"), (.tls11, "tls1-1"), (.tls12, "tls1-2")])
    func `6 protocol makes the server speak this version only`(version: TLSVersion, label: String) {
        let old = pair(.version(version)) {
            $0.versions = (TLS1_VERSION, TLS1_3_VERSION)
            $0.suites = "ALL:@SECLEVEL=0"
            $0.securityLevel = 0
        }
        old.run()
        expectEqual(old.engine.facts?.version, version)
        let ready = TLSPair { $0.host = "\(label).bad.localhost" }
        ready.run()
        expectEqual(ready.client.isConnected, version == .tls12)
        expectEqual(ready.failure?.reason, version == .tls12 ? nil : .noCommonVersion)
        let new = pair(.version(version)) { $0.versions = (TLS1_3_VERSION, TLS1_3_VERSION) }
        new.run()
        expectEqual(new.failure?.reason, .noCommonVersion)
    }

    @Test func `6 alpn none ignores the offer, http1.1 is picked`() {
        for effect in [ConnectionFault.Effect.selection(.none), .selection(.http1)] {
            let pair = pair(effect)
            pair.run()
            #expect(pair.client.isConnected)
            expectEqual(pair.engine.facts?.applicationProtocol, effect == .selection(.none) ? nil : "http/1.1")
        }
        let ready = TLSPair {
            $0.host = "no-alpn.bad.localhost"
            $0.protocols = ["h2"]
        }
        ready.run()
        #expect(ready.client.isConnected && ready.engine.facts?.applicationProtocol == nil)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `6 clientCertificate takes any and shows it; required and none is an alert`(version: Int32) throws {
        let stranger = try LeafCache(try Authority.make(owner: "x@y", now: TimeSource.system.wall()))
            .identity(for: .init(serverName: "client.test"), now: TimeSource.system.wall())
        for demand in ConnectionFault.Demand.allCases {
            let with = pair(.clientCertificate(demand)) {
                $0.identity = stranger
                $0.versions = (version, version)
            }
            with.run()
            let shown = try #require(with.engine.facts?.clientCertificate)
            expectEqual(shown.subject, "CN=client.test, O=Understudy")
            expectEqual(shown.fingerprint, stranger.certificate.fingerprint)
            let without = pair(.clientCertificate(demand)) { $0.versions = (version, version) }
            without.run()
            guard demand == .required else {
                #expect(without.engine.facts?.clientCertificate == nil && without.client.isConnected)
                continue
            }
            expectEqual(without.failure?.reason, .clientCertificateMissing)
            let alert = version == TLS1_3_VERSION ? "certificate_required" : "handshake_failure"
            expectEqual(without.failure?.alert?.alert.name, alert)
            expectEqual(without.failure?.alert?.from, .server)
        }
    }

    @Test func `6 a certificate of the client is never asked for without a fault`() {
        let pair = TLSPair {
            $0.identity = try? LeafCache(TLSPair.authority).identity(for: .init(), now: TimeSource.system.wall())
        }
        pair.run()
        #expect(pair.client.isConnected && pair.engine.facts?.clientCertificate == nil)
    }

    @Test func `6 no-notify ends without close_notify`() {
        for host in ["checkout.localhost", "no-notify.bad.localhost"] {
            let pair = TLSPair { $0.host = host }
            pair.run()
            pair.client.send("x")
            pair.run()
            pair.reply("y")
            let before = pair.sent.count
            pair.endWriting()
            expectEqual(pair.sent.count == before, host == "no-notify.bad.localhost")
            pair.run()
            expectEqual(pair.client.text, "y")
            expectEqual(pair.client.sawNotify, host == "checkout.localhost")
        }
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
    func `6 a connection that a fault acts on never resumes and gives no ticket`(version: Int32) throws {
        let first = TLSPair { $0.versions = (version, version) }
        first.run()
        let session = try #require(first.client.session)
        for effect in [ConnectionFault.Effect.certificate(.otherKey), .endWithoutNotify, .selection(.http1)] {
            first.server.withFaults {
                $0.removeAll()
                _ = $0.add(ConnectionFault(effect))
            }
            let second = TLSPair(first.server) {
                $0.versions = (version, version)
                $0.session = session
            }
            second.run()
            #expect(second.client.isConnected && !second.client.isResumed)
            expectNil(second.client.session, "no ticket")
        }
        first.server.withFaults { $0.removeAll() }
        let last = TLSPair(first.server) {
            $0.versions = (version, version)
            $0.session = session
        }
        last.run()
        #expect(last.client.isResumed)
    }

    @Test func `6 other connections don't reach the settings of weak cases`() {
        let server = TLSPair.server()
        let weak = TLSPair(server) {
            $0.host = "tls1-0.bad.localhost"
            $0.versions = (TLS1_VERSION, TLS1_VERSION)
            $0.suites = "ALL:@SECLEVEL=0"
            $0.securityLevel = 0
        }
        weak.run()
        #expect(weak.client.isConnected)
        let other = TLSPair(server) {
            $0.versions = (TLS1_VERSION, TLS1_VERSION)
            $0.suites = "ALL:@SECLEVEL=0"
            $0.securityLevel = 0
        }
        other.run()
        expectEqual(other.failure?.reason, .noCommonVersion)
    }

    @Test(arguments: ["stall", "reset", "close", "garbage"])
    func `6 handshake faults have ready names`(label: String) {
        let pair = TLSPair { $0.host = "\(label).BAD.localhost" }
        pair.run()
        pair.now = pair.now + .seconds(10)
        pair.turn()
        expectEqual(pair.steps, [.failed(label == "reset" ? .reset : .close)])
        expectEqual(pair.failure?.reason, .injected)
        expectEqual(pair.failure?.fault, "\(label).bad.localhost")
    }

    @Test func `6 client-certificate has a ready name, and requires one`() {
        let pair = TLSPair { $0.host = "client-certificate.bad.localhost" }
        pair.run()
        expectEqual(pair.failure?.reason, .clientCertificateMissing)
    }

    @Test(arguments: ["bad.localhost", "expired.bad.localhost.", "expired.bad", "expired.bad.localhost.example", ""])
    func `6 other names are not ready`(name: String) { expectNil(ReadyName(name)) }

    @Test(arguments: [
        ("expried.bad.localhost", "did you mean expired.bad.localhost?"),
        ("Stal.bad.localhost", "did you mean stall.bad.localhost?"),
        ("quite-another.bad.localhost", "there are expired, not-yet-valid,"),
        ("a.revoked.bad.localhost", "There is no name a.revoked.bad.localhost;"),
    ])
    func `6 a name below bad.localhost that is none ends in an alert`(name: String, advice: String) {
        let pair = TLSPair { $0.host = name }
        pair.run()
        expectEqual(pair.steps, [.failed(.close)])
        expectEqual(pair.failure?.reason, .injected)
        expectEqual(pair.failure?.alert, HandshakeFailure.Alert(.unrecognizedName, from: .server))
        let said = pair.failure?.advice ?? ""
        #expect(said.contains(advice), "\(said)")
    }

    @Test func `6 with certificates of one's own there are none of CASE, but those of handshakes`() throws {
        let identity = try LeafCache(TLSPair.authority).identity(for: .init(), now: TimeSource.system.wall())
        let own = CustomCertificates(identities: [identity], warnings: [])
        let server = TLSServer(.own(own), seed: 1)
        #expect(!server.supports(.certificate(.expired)) && server.supports(.handshake(.reset)))
        let pair = TLSPair(server) {
            $0.host = "expired.bad.localhost"
            $0.root = nil
        }
        pair.run()
        #expect(pair.client.isConnected && pair.engine.facts?.fault == nil)
        let reset = TLSPair(server) { $0.host = "reset.bad.localhost" }
        reset.run()
        expectEqual(reset.steps, [.failed(.reset)])
    }
}
