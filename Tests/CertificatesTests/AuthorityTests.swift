import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Certificates

/// The certificates of the authority (transport contract, section 4).
@Suite struct AuthorityTests {
    static let now = Instant(seconds: Int64(Date().timeIntervalSince1970))

    private func text(_ certificate: Certificate) throws -> Tool {
        try Tool.openssl("x509", "-noout", "-text", "-nameopt", "RFC2253", input: Array(certificate.pem.utf8))
    }

    @Test func `4 the root has the form of the table`() throws {
        let authority = try Authority.make(owner: "ana@mac.local", now: Self.now)
        let root = authority.root
        let digits = try Tool.openssl("x509", "-noout", "-pubkey", input: Array(root.pem.utf8))
        let key = try Tool.openssl(
            "pkey",
            "-pubin",
            "-outform",
            "DER",
            "-out",
            "/dev/stdout",
            input: Array(digits.output.utf8)
        )
        expectEqual(key.status, 0)
        #expect(root.subject.hasPrefix("CN=Understudy CA ana@mac.local ("))
        #expect(root.subject.hasSuffix("), O=Understudy"))
        expectEqual(root.notBefore, Self.now - .hours(24))
        expectEqual(root.notAfter - root.notBefore, .days(3_650))
        let text = try text(root)
        for line in [
            "Version: 3 (0x2)", "Signature Algorithm: ecdsa-with-SHA256", "ASN1 OID: prime256v1",
            "X509v3 Basic Constraints: critical", "CA:TRUE, pathlen:1", "X509v3 Key Usage: critical",
            "Certificate Sign, CRL Sign", "X509v3 Subject Key Identifier:",
        ] {
            #expect(text.lines.contains(line), "\(line)")
        }
        for word in ["Name Constraints", "Extended Key Usage", "Authority Key Identifier"] {
            #expect(!text.output.contains(word), "\(word)")
        }
        #expect(root.isIssued(by: root))
        expectNil(root.encodedNameConstraints)
    }

    @Test func `4 the eight digits are of the SHA-256 of the root's public key`() throws {
        let scratch = try Scratch()
        let root = try Authority.make(owner: "a@b", now: Self.now).root
        let path = try scratch.write(root.pem, to: "root.pem")
        let key = try scratch.write(try Tool.openssl("x509", "-in", path, "-noout", "-pubkey").output, to: "key.pem")
        let der = "\(scratch.path)/key.der"
        try expectEqual(Tool.openssl("pkey", "-pubin", "-in", key, "-outform", "DER", "-out", der).status, 0)
        let digest = try #require(try Tool.openssl("dgst", "-sha256", "-r", der).output.split(separator: " ").first)
        expectEqual(root.subject, "CN=Understudy CA a@b (\(digest.prefix(8))), O=Understudy")
    }

    @Test func `4 the issuer has the form of the table`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        expectEqual(authority.issuer.notAfter, authority.root.notAfter)
        #expect(authority.issuer.isIssued(by: authority.root))
        let text = try text(authority.issuer)
        for line in [
            "ASN1 OID: prime256v1", "CA:TRUE, pathlen:0", "X509v3 Basic Constraints: critical",
            "Certificate Sign, CRL Sign", "TLS Web Server Authentication, TLS Web Client Authentication",
            "X509v3 Name Constraints: critical", "Permitted:", "DNS:localhost", "DNS:local", "DNS:test", "DNS:internal",
            "DNS:home.arpa", "DNS:understudy", "IP:127.0.0.0/255.0.0.0", "IP:10.0.0.0/255.0.0.0",
            "IP:172.16.0.0/255.240.0.0", "IP:192.168.0.0/255.255.0.0", "IP:169.254.0.0/255.255.0.0",
            "IP:100.64.0.0/255.192.0.0",
            "IP:0:0:0:0:0:0:0:1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF", "IP:FC00:0:0:0:0:0:0:0/FE00:0:0:0:0:0:0:0",
            "IP:FE80:0:0:0:0:0:0:0/FFC0:0:0:0:0:0:0:0", "X509v3 Subject Key Identifier:",
            "X509v3 Authority Key Identifier:",
        ] {
            #expect(text.lines.contains(line), "\(line)")
        }
        #expect(!text.output.contains("Excluded"))
    }

    @Test func `4 a leaf has the form of the table and verifies strictly`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        let leaf = try LeafCache(authority).identity(for: .init(serverName: "checkout.localhost"), now: Self.now)
        expectEqual(leaf.certificate.notBefore, Self.now - .hours(24))
        expectEqual(leaf.certificate.notAfter - leaf.certificate.notBefore, .days(397))
        expectEqual(leaf.certificate.subject, "CN=checkout.localhost, O=Understudy")
        let text = try text(leaf.certificate)
        for line in [
            "CA:FALSE", "X509v3 Basic Constraints: critical", "X509v3 Key Usage: critical", "Digital Signature",
            "TLS Web Server Authentication", "DNS:checkout.localhost", "X509v3 Authority Key Identifier:",
        ] {
            #expect(text.lines.contains(line), "\(line)")
        }
        #expect(leaf.certificate.belongs(to: authority.leafKey))
        try expectEqual(Verification(authority).code(of: leaf, host: "checkout.localhost"), 0)
    }

    @Test func `4 serial numbers are positive and differ`() throws {
        let authority = try Authority.make(owner: "a@b", now: Self.now)
        var numbers: Set<[UInt8]> = [authority.root.serialNumber, authority.issuer.serialNumber]
        let cache = LeafCache(authority)
        for place in 0..<20 {
            let leaf = try cache.identity(for: .init(serverName: "n\(place).test"), now: Self.now)
            numbers.insert(leaf.certificate.serialNumber)
        }
        expectEqual(numbers.count, 22)
        // Tag, length, then sixteen bytes of which the first is neither zero nor negative.
        #expect(numbers.allSatisfy { $0.count == 18 && (0x40...0x7F).contains($0[2]) })
    }

    @Test(arguments: ["ana@" + String(repeating: "x", count: 200), "ana\u{7}@mac", ""])
    func `4 a long or strange owner fits in the subject`(owner: String) throws {
        let subject = try Authority.make(owner: owner, now: Self.now).root.subject
        let name = try #require(subject.split(separator: ",").first)
        #expect(name.count <= 64 + "CN=".count)
        #expect(name.hasSuffix(")"))
    }

    @Test func `4 names that are allowed are permitted, with those below`() throws {
        var options = Authority.Options()
        options.names = [DNSName("Api.Example.com"), DNSName("localhost")].compactMap(\.self)
        expectEqual(options.warning?.contains("api.example.com, localhost"), true)
        let authority = try Authority.make(owner: "a@b", options: options, now: Self.now)
        expectEqual(authority.permitted.count, 6 + 1 + 9)
        let read = try Authority(
            root: authority.root,
            issuer: authority.issuer,
            issuerKey: authority.issuerKey,
            leafKey: authority.leafKey
        )
        expectEqual(read.permitted, authority.permitted)
        let cache = LeafCache(read)
        for (host, code) in [("api.example.com", 0), ("eu.api.example.com", 0), ("example.com", 62)] {
            let leaf = try cache.identity(for: .init(serverName: host), now: Self.now)
            try expectEqual(Verification(read).code(of: leaf, host: host), code, "\(host)")
        }
    }

    @Test func `4 an authority without constraints signs every name`() throws {
        var options = Authority.Options()
        options.isUnconstrained = true
        expectEqual(options.warning?.contains("any server on the internet"), true)
        let authority = try Authority.make(owner: "a@b", options: options, now: Self.now)
        expectEqual(authority.permitted, [])
        let leaf = try LeafCache(authority).identity(for: .init(serverName: "example.org"), now: Self.now)
        try expectEqual(Verification(authority).code(of: leaf, host: "example.org"), 0)
        expectNil(Authority.Options().warning)
    }

    @Test func `4 foreign or broken name constraints are refused`() {
        let own = NameConstraints.local
        expectEqual(NameConstraints(encoded: own.encoded), own)
        for count in 0..<own.encoded.count {
            expectNil(NameConstraints(encoded: Array(own.encoded.prefix(count))))
        }
        expectNil(NameConstraints(encoded: own.encoded + [0]))
        // Excluded names.
        expectNil(NameConstraints(encoded: DER.sequence(DER.tagged(1, DER.sequence()))))
        // A mask with a hole.
        let hole = DER.sequence(DER.element(0x87, [10, 0, 0, 0, 255, 0, 255, 0]))
        expectNil(NameConstraints(encoded: DER.sequence(DER.tagged(0, hole))))
    }
}
