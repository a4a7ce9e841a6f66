import Testing
import Transport

@Suite struct UpstreamRuleTests {
    @Test func `13 an upstream is a scheme, a host and a port`() throws {
        let plain = try #require(UpstreamOrigin("HTTP://API.example.com/"))
        #expect(plain.text == "http://api.example.com")
        #expect(plain.port == 80)
        #expect(UpstreamOrigin("https://x:8443")?.authority == "x:8443")
        #expect(UpstreamOrigin("https://[::1]:8443")?.authority == "[::1]:8443")
        for text in [
            "", "x", "ftp://x", "https://", "https://x/path", "https://x?q", "https://user@x", "https://x:0",
            "https://x:99999", "https://x:", "https://[x]", "https://a b", "https://[::1]x",
        ] {
            #expect(UpstreamOrigin(text) == nil, "\(text)")
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
        #expect((rule.objection(to: address, port: 443, isOwn: false) == nil) == isAllowed)
    }

    @Test func `13 this machine is reached when the user names it, but never our own ports`() {
        let rule = AddressRule(allowsLoopback: true, ownPorts: [4680])
        #expect(rule.objection(to: [127, 0, 0, 1], port: 8080, isOwn: true) == nil)
        #expect(rule.objection(to: [127, 0, 0, 1], port: 4680, isOwn: true) != nil)
        #expect(rule.objection(to: [192, 168, 1, 5], port: 4680, isOwn: true) != nil)
        #expect(rule.objection(to: [192, 168, 1, 5], port: 4680, isOwn: false) == nil)
        #expect(rule.objection(to: [169, 254, 169, 254], port: 80, isOwn: false) != nil)
    }
}
