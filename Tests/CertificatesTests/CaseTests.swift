import CivilTime
import Foundation
import Handshakes
import TestSupport
import Testing

@testable import Certificates

/// The certificates that a correct client refuses, with OpenSSL's verification codes (transport contract, section 6).
@Suite struct CaseTests {
    private static let now = AuthorityTests.now
    private static let host = "checkout.localhost"
    private static let codes: [(CertificateCase, Int)] = [
        (.expired, 10), (.notYetValid, 9), (.wrongHost, 62), (.untrustedRoot, 19), (.selfSigned, 18),
        (.incompleteChain, 20), (.noServerAuth, 26), (.outsideConstraints, 47), (.sha1, 68), (.rsa1024, 66),
        (.noSAN, 0),
        (.tooLong, 0), (.revoked, 0), (.otherKey, 0),
    ]

    private func identity(_ kind: CertificateCase, _ authority: Authority, host: String? = host) throws
        -> ServerIdentity
    {
        try LeafCache(authority).identity(for: .init(serverName: host, kind: kind), now: Self.now)
    }

    @Test func `6 every case has a code in the table`() {
        expectEqual(Self.codes.map(\.0), CertificateCase.allCases)
    }

    @Test(arguments: codes)
    func `6 CASE gives the code of the table`(kind: CertificateCase, code: Int) throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        let identity = try identity(kind, authority)
        try expectEqual(Verification(authority).code(of: identity, host: Self.host), code)
        // The key that is used belongs to the certificate that is shown.
        #expect(identity.certificate.belongs(to: identity.key))
    }

    @Test(arguments: codes)
    func `6 CASE gives the same code for an address`(kind: CertificateCase, code: Int) throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        let identity = try identity(kind, authority, host: nil)
        // An address is looked for among the alternative names alone; its mismatch has a code of its own.
        let expected = kind == .noSAN || kind == .wrongHost ? 64 : code
        try expectEqual(Verification(authority).code(of: identity, host: "127.0.0.1"), expected)
    }

    @Test func `6 CASE expired ended yesterday, not-yet-valid begins tomorrow`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        try expectEqual(identity(.expired, authority).certificate.notAfter, Self.now - .days(1))
        try expectEqual(identity(.notYetValid, authority).certificate.notBefore, Self.now + .days(1))
    }

    @Test func `6 CASE wrong-host names wrong-host.test only`() throws {
        let leaf = try identity(.wrongHost, try Authority.make(owner: "a@b", now: Self.now)).certificate
        #expect(leaf.covers("wrong-host.test"))
        #expect(!leaf.covers(Self.host) && !leaf.covers("127.0.0.1"))
    }

    @Test func `6 CASE untrusted-root sends its root along`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        let chain = try identity(.untrustedRoot, authority).chain
        expectEqual(chain.count, 2)
        #expect(chain[1].isIssued(by: chain[1]))
        #expect(chain[1].fingerprint != authority.root.fingerprint)
    }

    @Test func `6 CASE outside-constraints has this name and example.com`() throws {
        let leaf = try identity(.outsideConstraints, try Authority.make(owner: "a@b", now: Self.now)).certificate
        #expect(leaf.covers(Self.host) && leaf.covers("example.com"))
    }

    @Test func `6 CASE too-long lasts 900 days`() throws {
        let leaf = try identity(.tooLong, try Authority.make(owner: "a@b", now: Self.now)).certificate
        expectEqual(leaf.notAfter - leaf.notBefore, .days(900))
    }

    @Test func `6 CASE rsa1024 has such a key, and other-key another than all leaves`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        try expectEqual(identity(.rsa1024, authority).key.kind, .rsa(bits: 1_024))
        let other = try identity(.otherKey, authority).key
        expectEqual(other.kind, .ellipticCurve(bits: 256))
        #expect(other.publicKeyInfo != authority.leafKey.publicKeyInfo)
        for kind in CertificateCase.allCases where kind != .rsa1024 && kind != .otherKey {
            #expect(try identity(kind, authority).key === authority.leafKey, "\(kind)")
        }
    }

    @Test func `6 CASE sha1 and rsa1024 need settings of their own`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        let weak = try CertificateCase.allCases.filter { try identity($0, authority).isWeak }
        expectEqual(weak, [.sha1, .rsa1024])
    }

    @Test func `6 CASE revoked has a stapled answer that verifies and says revoked`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        let identity = try identity(.revoked, authority)
        let scratch = try Scratch()
        let root = try scratch.write(authority.root.pem, to: "root.pem")
        let issuer = try scratch.write(authority.issuer.pem, to: "issuer.pem")
        let leaf = try scratch.write(identity.certificate.pem, to: "leaf.pem")
        let answer = "\(scratch.path)/answer.der"
        try Data(try #require(identity.staple)).write(to: URL(filePath: answer))
        let tool = try Tool.openssl(
            "ocsp",
            "-respin",
            answer,
            "-issuer",
            issuer,
            "-cert",
            leaf,
            "-CAfile",
            root,
            "-no_nonce"
        )
        #expect(tool.output.contains("Response verify OK"), "\(tool.output)")
        #expect(tool.output.contains("leaf.pem: revoked"))
        #expect(tool.output.contains("Reason: keyCompromise"))
    }

    @Test func `6 a case is made again before it stops being one`() throws {
        let cache = LeafCache(try Authority.make(owner: "a@b", now: Self.now))
        let later = Self.now + .days(2)
        for kind in [CertificateCase.notYetValid, .revoked, .expired] {
            let request = LeafCache.Request(serverName: Self.host, kind: kind)
            let first = try cache.identity(for: request, now: Self.now)
            #expect(try cache.identity(for: request, now: Self.now + .minutes(59)) === first)
            let second = try cache.identity(for: request, now: later)
            if kind == .notYetValid { expectEqual(second.certificate.notBefore, later + .days(1)) }
            if kind == .expired { #expect(second === first) }
        }
        let request = LeafCache.Request(serverName: Self.host, kind: .revoked)
        let first = try cache.identity(for: request, now: Self.now)
        #expect(try cache.identity(for: request, now: Self.now + .days(6)) !== first)
    }
}
