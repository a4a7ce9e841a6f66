import CivilTime
import TestSupport
import Testing

@testable import Certificates

/// The choice of leaves (transport contract, section 4).
@Suite struct LeafCacheTests {
    private static let now = AuthorityTests.now
    private let cache: LeafCache

    init() throws { cache = LeafCache(try Authority.make(owner: "a@b", now: Self.now)) }

    private func leaf(_ name: String?, address: String? = nil, now: Instant = now) throws -> ServerIdentity {
        try cache.identity(for: .init(serverName: name, address: address), now: now)
    }

    @Test(arguments: [
        "checkout.localhost", "mac.local", "api.test", "understudy", "svc.understudy", "a.b.internal", "x.home.arpa",
    ])
    func `4 a permitted name has a leaf of its own`(name: String) throws {
        let leaf = try leaf(name).certificate
        expectEqual(leaf.subject, "CN=\(name), O=Understudy")
        #expect(leaf.covers(name))
        #expect(!leaf.covers("localhost") && !leaf.covers("127.0.0.1"))
        try expectEqual(self.leaf(name.uppercased() + ".").certificate.der, leaf.der, "case and a last dot don't count")
    }

    @Test(arguments: [
        nil, "localhost", "127.0.0.1", "::1", "example.com", "notlocalhost", "localhost.example.com", "", "a..test",
        "-a.test", "a b.test", "ä.test", String(repeating: "a", count: 64) + ".test",
    ])
    func `4 no name, an address and any other name have the default leaf`(name: String?) throws {
        let leaf = try leaf(name).certificate
        for host in ["localhost", "127.0.0.1", "::1", "10.0.2.2"] { #expect(leaf.covers(host), "\(host)") }
        expectEqual(leaf.subject, "CN=localhost, O=Understudy")
        expectEqual(cache.count, 1)
    }

    @Test func `4 the default leaf has the address of the connection, if permitted`() throws {
        #expect(try leaf(nil, address: "192.168.1.23").certificate.covers("192.168.1.23"))
        #expect(try leaf("localhost", address: "fe80::1%en0").certificate.covers("fe80::1"))
        #expect(try !leaf(nil, address: "8.8.8.8").certificate.covers("8.8.8.8"))
        #expect(try leaf(nil, address: "127.0.0.1") === leaf(nil))
        #expect(try !leaf("a.test", address: "192.168.1.23").certificate.covers("192.168.1.23"))
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.255", true), ("128.0.0.0", false), ("10.0.0.0", true), ("11.0.0.0", false),
        ("172.15.255.255", false), ("172.16.0.0", true), ("172.31.255.255", true), ("172.32.0.0", false),
        ("192.168.0.1", true), ("192.169.0.0", false), ("169.254.9.9", true), ("100.63.255.255", false),
        ("100.64.0.0", true), ("100.127.255.255", true), ("100.128.0.0", false), ("::1", true), ("::2", false),
        ("fc00::1", true), ("fdff::1", true), ("fe00::1", false), ("fe80::1", true), ("febf::1", true),
        ("fec0::1", false), ("0.0.0.0", false), ("2001:db8::1", false),
    ])
    func `4 the permitted ranges end where the table says`(address: String, isPermitted: Bool) throws {
        expectEqual(cache.authority.permits(try #require(IPAddress(address))), isPermitted)
    }

    @Test func `4 a leaf is kept and made anew with less than 30 days left`() throws {
        let first = try leaf("a.test")
        let end = first.certificate.notAfter
        #expect(try leaf("a.test", now: end - .days(30) - .seconds(1)) === first)
        let second = try leaf("a.test", now: end - .days(30))
        #expect(second !== first)
        #expect(second.certificate.notAfter > end)
        expectEqual(cache.count, 1)
    }

    @Test func `4 256 leaves are kept, the least recently used goes first`() throws {
        var now = Self.now
        let first = try leaf("n0.test", now: now)
        let second = try leaf("n1.test", now: now)
        for place in 2..<256 {
            if place.isMultiple(of: 10) { now = now + .seconds(1) }
            _ = try leaf("n\(place).test", now: now)
        }
        expectEqual(cache.count, 256)
        #expect(try leaf("n0.test", now: now) === first)
        _ = try leaf("n256.test", now: now + .seconds(1))
        expectEqual(cache.count, 256)
        #expect(try leaf("n0.test", now: now) === first)
        #expect(try leaf("n1.test", now: now + .seconds(2)) !== second)
    }

    @Test func `4 20 new names a second have leaves, the next the default one`() throws {
        for place in 0..<20 {
            #expect(try leaf("n\(place).test").certificate.covers("n\(place).test"))
        }
        let beyond = try leaf("n20.test", now: Self.now + .microseconds(999_999))
        expectEqual(beyond.certificate.subject, "CN=localhost, O=Understudy")
        #expect(try leaf("n3.test").certificate.covers("n3.test"), "a name that is known")
        #expect(try leaf(nil, address: "10.1.1.1").certificate.covers("10.1.1.1"), "a default leaf")
        let ready = try cache.identity(for: .init(serverName: "x.bad.localhost", isReady: true), now: Self.now)
        #expect(ready.certificate.covers("x.bad.localhost"), "a ready name")
        #expect(try leaf("n20.test", now: Self.now + .seconds(1)).certificate.covers("n20.test"))
    }

    @Test func `4 a name beyond 64 characters has a leaf without a common name`() throws {
        let label = String(repeating: "a", count: 59)
        try expectEqual(leaf("\(label).test").certificate.subject, "CN=\(label).test, O=Understudy")
        let long = "a\(label).test"
        let identity = try leaf(long)
        expectEqual(identity.certificate.subject, "O=Understudy")
        try expectEqual(Verification(cache.authority).code(of: identity, host: long), 0)
    }

    @Test(arguments: [
        ("checkout.localhost", "checkout.localhost"), ("localhost", "localhost"), (nil, "127.0.0.1"), (nil, "::1"),
        (nil, "10.0.2.2"),
    ])
    func `4 leaves verify strictly`(name: String?, host: String) throws {
        try expectEqual(Verification(cache.authority).code(of: leaf(name), host: host), 0)
    }

    @Test func `4 all leaves have one key`() throws {
        let keys = try [nil, "a.test", "b.localhost"].map { try leaf($0).key.publicKeyInfo }
        expectEqual(Set(keys).count, 1)
    }
}
