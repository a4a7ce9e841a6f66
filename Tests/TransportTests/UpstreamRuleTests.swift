import TestSupport
import Testing

@testable import Transport

@Suite struct UpstreamRuleTests {
    @Test func `13 an upstream is a scheme, a host and a port`() throws {
        let plain = try #require(UpstreamOrigin("HTTP://API.example.com/"))
        expectEqual(plain.text, "http://api.example.com")
        expectEqual(plain.port, 80)
        expectEqual(UpstreamOrigin("https://x:8443")?.authority, "x:8443")
        expectEqual(UpstreamOrigin("https://[::1]:8443")?.authority, "[::1]:8443")
        for text in [
            "", "x", "ftp://x", "https://", "https://x/path", "https://x?q", "https://user@x", "https://x:0",
            "https://x:99999", "https://x:", "https://[x]", "https://a b", "https://[::1]x",
        ] {
            expectNil(UpstreamOrigin(text), "\(text)")
        }
    }

    @Test(
        arguments: [
            ([169, 254, 169, 254], false), ([169, 254, 0, 1], false), ([0, 0, 0, 0], false), ([224, 0, 0, 1], false),
            ([255, 255, 255, 255], false), ([100, 100, 100, 200], false), ([127, 0, 0, 1], false),
            ([10, 0, 0, 1], true),
            ([93, 184, 216, 34], true),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 169, 254, 169, 254], false),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1], false),
            ([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 169, 254, 169, 254], false),
            ([0x20, 0x02, 169, 254, 169, 254, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
            ([0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
            ([0xFF, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], false),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], false),
            ([0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54], false),
            ([0x26, 0x06, 0x28, 0, 0x02, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1], true),
        ] as [([UInt8], Bool)]
    )
    func `13 link-local, metadata and this machine are refused in every spelling`(address: [UInt8], isAllowed: Bool) {
        let rule = AddressRule(allowsLoopback: false, ownPorts: [4680])
        expectEqual(rule.objection(to: address, port: 443, isOwn: false) == nil, isAllowed)
    }

    /// Numeric addresses in the words of the registries of special-purpose addresses, and of clouds.
    @Test(
        arguments: [
            ("0.1.2.3", false), ("192.0.0.192", false), ("192.0.0.8", false), ("192.88.99.1", false),
            ("168.63.129.16", false), ("168.63.129.17", true), ("240.0.0.1", false), ("239.255.255.255", false),
            ("10.255.255.255", true), ("172.16.0.1", true), ("192.168.0.1", true), ("100.64.0.1", true),
            ("100.100.100.201", true), ("192.0.1.1", true), ("198.18.0.1", true), ("223.255.255.255", true),
            ("::a9fe:a9fe", false), ("::127.0.0.1", false), ("::2", false), ("::168.63.129.16", false),
            ("::8.8.8.8", true), ("::192.168.1.1", true), ("::ffff:168.63.129.16", false),
            ("::ffff:192.168.1.1", true), ("::ffff:0:169.254.169.254", false), ("::ffff:0:8.8.8.8", true),
            ("64:ff9b::192.0.0.192", false), ("64:ff9b::8.8.8.8", true), ("64:ff9b:1::8.8.8.8", false),
            ("64:ff9b:1:ffff::1", false), ("2002:a9fe:a9fe::1", false), ("2002:808:808::1", true),
            ("2001::1", false), ("2001:0:1:2::3", false), ("2001:4860:4860::8888", true), ("100::1", false),
            ("fe80::1", false), ("febf::1", false), ("fec0::1", true), ("ff05::1", false),
            ("fd00:ec2::254", false), ("fd20:ce::254", false), ("fd00:42::42", false), ("fd00:c1::a9fe:a9fe", false),
            ("fd00:42::43", true), ("fd12:3456::1", true), ("fd12:3456::5efe:a9fe:a9fe", false),
            ("2606:2800:220:1:0:5efe:7f00:1", false), ("2606:2800:220:1:200:5efe:8.8.8.8", true),
        ]
    )
    func `13 no spelling of a special address is connected to, and every private network is`(
        text: String,
        isAllowed: Bool
    ) throws {
        let rule = AddressRule(allowsLoopback: false, ownPorts: [4680])
        let bytes = AddressLookup.bytes(of: text)
        #expect([4, 16].contains(bytes.count))
        expectEqual(rule.objection(to: bytes, port: 443, isOwn: false) == nil, isAllowed)
    }

    /// Proxy contract, section 5.
    @Test(
        arguments: [
            ("127.0.0.1", false, false), ("::1", false, false), ("::ffff:127.0.0.1", false, false),
            ("::127.0.0.1", false, false), ("64:ff9b::7f00:1", false, false), ("2002:7f00:1::", false, false),
            ("fd12:3456::5efe:7f00:1", false, false), ("10.0.0.1", false, true), ("10.255.255.255", false, true),
            ("11.0.0.0", true, true), ("9.255.255.255", true, true), ("172.15.255.255", true, true),
            ("172.16.0.0", false, true), ("172.31.255.255", false, true), ("172.32.0.0", true, true),
            ("192.167.255.255", true, true), ("192.168.0.0", false, true), ("192.169.0.0", true, true),
            ("100.63.255.255", true, true), ("100.64.0.0", false, true), ("100.127.255.255", false, true),
            ("100.128.0.0", true, true), ("100.100.100.200", false, false), ("169.254.169.254", false, false),
            ("0.0.0.0", false, false), ("224.0.0.1", false, false), ("255.255.255.255", false, false),
            ("8.8.8.8", true, true), ("::ffff:10.0.0.1", false, true), ("::ffff:8.8.8.8", true, true),
            ("64:ff9b::a00:1", false, true), ("2002:a00:1::", false, true), ("2002:808:808::1", true, true),
            ("fc00::1", false, true), ("fdff::1", false, true), ("fe00::1", true, true), ("fe80::1", false, false),
            ("fec0::1", false, true), ("ff02::1", false, false), ("fd00:ec2::254", false, false), ("::", false, false),
            ("2606:4700::1111", true, true), ("64:ff9b:1::8.8.8.8", false, false), ("2001::1", false, false),
        ]
    )
    func `5 the forward proxy reaches the internet alone, and private addresses that were named`(
        text: String,
        isOpen: Bool,
        isOpenByName: Bool
    ) {
        let bytes = AddressLookup.bytes(of: text)
        for (allows, expected) in [(false, isOpen), (true, isOpenByName)] {
            let rule = AddressRule(allowsLoopback: false, ownPorts: [4680], reach: .internet(allowsPrivate: allows))
            expectEqual(rule.objection(to: bytes, port: 443, isOwn: false) == nil, expected, "\(allows)")
        }
    }

    @Test func `5 the forward proxy never reaches our own ports, and this machine only by name`() {
        let named = AddressRule(allowsLoopback: true, ownPorts: [4680], reach: .internet(allowsPrivate: true))
        let open = AddressRule(allowsLoopback: false, ownPorts: [4680], reach: .internet(allowsPrivate: false))
        for address in [[127, 0, 0, 1], [192, 168, 1, 5], [8, 8, 8, 8]] as [[UInt8]] {
            #expect(named.objection(to: address, port: 4680, isOwn: true) != nil)
            expectNil(named.objection(to: address, port: 443, isOwn: true))
            #expect(open.objection(to: address, port: 443, isOwn: true) != nil)
        }
    }

    @Test func `13 this machine is reached when the user names it, but never our own ports`() {
        let rule = AddressRule(allowsLoopback: true, ownPorts: [4680])
        expectNil(rule.objection(to: [127, 0, 0, 1], port: 8080, isOwn: true))
        #expect(rule.objection(to: [127, 0, 0, 1], port: 4680, isOwn: true) != nil)
        #expect(rule.objection(to: [192, 168, 1, 5], port: 4680, isOwn: true) != nil)
        expectNil(rule.objection(to: [192, 168, 1, 5], port: 4680, isOwn: false))
        #expect(rule.objection(to: [169, 254, 169, 254], port: 80, isOwn: false) != nil)
    }
}
