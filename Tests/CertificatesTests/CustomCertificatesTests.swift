import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Certificates

/// Certificates that the user brings (transport contract, section 4).
@Suite struct CustomCertificatesTests {
    private static let now = AuthorityTests.now
    private let scratch: Scratch
    private let authority: Authority

    init() throws {
        scratch = try Scratch()
        authority = try Authority.make(owner: "a@b", now: Self.now)
    }

    /// Writes a pair of files for a name of our own authority.
    private func pair(_ name: String, days: Int64 = 30) throws -> (certificate: String, key: String) {
        let names = CertificateForm.Names(names: [DNSName(name)].compactMap(\.self), addresses: [])
        var form = LeafForm.form(names, now: Self.now)
        form.notAfter = Self.now + .days(days)
        let leaf = try form.signed(authority.leafKey, by: authority.signer)
        return (
            try scratch.write(leaf.pem + authority.issuer.pem, to: "\(name).pem"),
            try scratch.write(authority.leafKey.pem, to: "\(name).key")
        )
    }

    private func refusal(_ certificate: String, _ key: String) -> CertificateError? {
        do {
            _ = try CustomCertificates([(certificate, key)], now: Self.now)
            return nil
        } catch {
            return error
        }
    }

    /// Makes a pair of files by `openssl`, signed by its own key.
    private func made(_ arguments: [String], name: String) throws -> (certificate: String, key: String) {
        let (certificate, key) = ("\(scratch.path)/\(name).pem", "\(scratch.path)/\(name).key")
        let tool = try Tool.openssl(
            ["req", "-x509", "-noenc", "-days", "9", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:*.\(name)"]
                + arguments + ["-keyout", key, "-out", certificate, "-config", "/dev/null"]
        )
        try #require(tool.status == 0, "\(tool.output)")
        return (certificate, key)
    }

    @Test func `4 a chain is read in order and sent`() throws {
        let own = try CustomCertificates([pair("a.test")], now: Self.now)
        expectEqual(own.warnings, [])
        expectEqual(own.identities[0].chain.map(\.der), [authority.issuer.der])
        try expectEqual(Verification(authority).code(of: own.identities[0], host: "a.test"), 0)
    }

    @Test func `4 the pair is chosen by the name, wildcards too, else the first`() throws {
        let wild = try made(["-newkey", "rsa:2048"], name: "example.com")
        let own = try CustomCertificates([pair("a.test"), pair("b.test"), wild], now: Self.now)
        let places = [
            nil, "a.test", "B.test", "x.example.com", "x.y.example.com", "example.com", "other.test", "127.0.0.1",
        ].map { name in own.identities.firstIndex { $0 === own.identity(for: name) } }
        expectEqual(places, [0, 0, 1, 2, 0, 0, 0, 0])
    }

    @Test(arguments: [
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["-newkey", "rsa:2048"],
    ])
    func `4 EC and RSA keys of 2,048 bits are taken`(arguments: [String]) throws {
        let (certificate, key) = try made(arguments, name: "x.test")
        expectNil(refusal(certificate, key))
    }

    @Test func `4 keys in the forms of PKCS 1 and SEC 1 are read`() throws {
        let rsa = try made(["-newkey", "rsa:2048"], name: "rsa.test")
        let old = "\(scratch.path)/old.key"
        try expectEqual(Tool.openssl("rsa", "-in", rsa.key, "-traditional", "-out", old).status, 0)
        #expect(try String(contentsOfFile: old, encoding: .utf8).contains("BEGIN RSA PRIVATE KEY"))
        expectNil(refusal(rsa.certificate, old))
        let own = try pair("a.test")
        try expectEqual(Tool.openssl("ec", "-in", own.key, "-out", old).status, 0)
        #expect(try String(contentsOfFile: old, encoding: .utf8).contains("BEGIN EC PRIVATE KEY"))
        let parameters = try Tool.openssl("ecparam", "-name", "prime256v1").output
        try scratch.write(parameters + String(contentsOfFile: old, encoding: .utf8), to: "both.key")
        expectNil(refusal(own.certificate, "\(scratch.path)/both.key"))
    }

    @Test func `4 the form of an authority's keys is read as any other, and a point off the curve is none`() throws {
        let key = try PrivateKey.makeP256()
        let der = try PEM.read(Array(key.pem.utf8))[0].content
        #expect(P256Key(der)?.made() != nil)
        let read = try #require(PrivateKey(der: der))
        expectEqual(read.pem, key.pem)
        expectEqual(read.kind, .ellipticCurve(bits: 256))
        expectEqual(read.publicKeyInfo, key.publicKeyInfo)
        expectNil(PrivateKey(der: der + [0])?.pem)
        var broken = der
        broken[broken.count - 1] ^= 1
        expectNil(PrivateKey(der: broken)?.pem)
    }

    @Test func `4 a smaller RSA key and other kinds are refused`() throws {
        let small = try made(["-newkey", "rsa:2047"], name: "small.test")
        let refused = try #require(refusal(small.certificate, small.key))
        #expect(refused.kind == .weak && refused.description.contains("2047 bits; at least 2048"))
        let edwards = try made(["-newkey", "ed25519"], name: "edwards.test")
        expectEqual(refusal(edwards.certificate, edwards.key)?.kind, .weak)
    }

    @Test func `4 a certificate signed with SHA-1 is taken, and sent with settings of its own`() throws {
        var form = LeafForm.form(.init(names: [DNSName("a.test")].compactMap(\.self), addresses: []), now: Self.now)
        form.digest = .sha1
        let leaf = try form.signed(authority.leafKey, by: authority.signer)
        let certificate = try scratch.write(leaf.pem + authority.issuer.pem + authority.root.pem, to: "sha1.pem")
        let key = try scratch.write(authority.leafKey.pem, to: "sha1.key")
        #expect(try CustomCertificates([(certificate, key)], now: Self.now).identities[0].isWeak)
        #expect(try !CustomCertificates([pair("b.test")], now: Self.now).identities[0].isWeak)
    }

    @Test func `4 an encrypted key is refused, in both forms`() throws {
        let rsa = try made(["-newkey", "rsa:2048"], name: "rsa.test")
        for form in [["pkcs8", "-topk8"], ["rsa", "-traditional", "-aes128"]] {
            let locked = "\(scratch.path)/locked.key"
            let tool = try Tool.openssl(form + ["-in", rsa.key, "-passout", "pass:secret", "-out", locked])
            expectEqual(tool.status, 0, "\(tool.output)")
            let refused = try #require(refusal(rsa.certificate, locked))
            expectEqual(refused.kind, .encrypted)
            #expect(refused.description.contains("openssl pkey -in \(locked)"))
        }
    }

    @Test func `4 a pair that does not match is refused`() throws {
        let own = try pair("a.test")
        let other = try scratch.write(try PrivateKey.makeP256().pem, to: "other.key")
        expectEqual(refusal(own.certificate, other)?.kind, .mismatch)
    }

    @Test func `4 a chain out of order is refused`() throws {
        let own = try pair("a.test")
        let blocks = try String(contentsOfFile: own.certificate, encoding: .utf8)
        let root = try scratch.write(blocks + authority.issuer.pem, to: "twice.pem")
        expectEqual(refusal(root, own.key)?.kind, .mismatch)
        let whole = try scratch.write(blocks + authority.root.pem, to: "whole.pem")
        expectNil(refusal(whole, own.key))
        let swapped = try scratch.write(authority.issuer.pem + blocks, to: "swapped.pem")
        expectEqual(refusal(swapped, own.key)?.kind, .mismatch)
    }

    @Test func `4 what can't be read is refused with its path`() throws {
        let own = try pair("a.test")
        let empty = try scratch.write("", to: "empty")
        let broken = try scratch.write("-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n", to: "broken")
        for (certificate, key, kind) in [
            ("\(scratch.path)/none", own.key, CertificateError.Kind.unreadable), (scratch.path, own.key, .unreadable),
            (empty, own.key, .malformed), (broken, own.key, .malformed), (own.key, own.key, .malformed),
            (own.certificate, own.certificate, .malformed), (own.certificate, empty, .malformed),
        ] {
            let refused = try #require(refusal(certificate, key))
            expectEqual(refused.kind, kind)
            #expect(refused.description.hasPrefix(scratch.path))
        }
    }

    @Test func `4 an expired certificate is a warning, and so is one that has not begun`() throws {
        let own = try CustomCertificates([pair("a.test", days: -1)], now: Self.now)
        #expect(own.warnings.count == 1 && own.warnings[0].contains("has expired"))
        let (certificate, key) = try pair("b.test")
        let early = try CustomCertificates([(certificate, key)], now: Self.now - .days(2))
        #expect(early.warnings.count == 1 && early.warnings[0].contains("begins on"))
    }
}
