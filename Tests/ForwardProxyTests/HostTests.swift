import ForwardProxy
import TestSupport
import Testing

/// Proxy contract, sections 1, 2 and 5: hosts, patterns and targets.
@Suite struct HostTests {
    @Test func `1 HOST is a DNS name, or a star and two labels`() {
        let taken = [
            "api.example.com": "api.example.com", "API.Example.COM.": "api.example.com", "*.a.example": "*.a.example",
            "*.A.Example.": "*.a.example", "host": "host", "a_b.example": "a_b.example", "1a.example": "1a.example",
        ]
        for (text, shown) in taken.sorted(by: { $0.key < $1.key }) {
            expectEqual((try? HostPattern(text))?.text, shown)
        }
        let refused = [
            "", "*", "*.", ".", "*.com", "*.com.", "a.*.example", "**.a.example", "https://api.example.com",
            "api.example.com:443", "api.example.com/", "user@api.example.com", "127.0.0.1", "127.1", "2130706433",
            "0x7f.1", "0x7f000001", "a.0x7f", "::1", "[::1]", "localhost", "LOCALHOST.", "a.localhost", "*.localhost",
            "*.a.localhost", "-a.example", "a-.example", "a..example", "ä.example", "a b.example", "a?.example",
            String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 127) + "exa",
        ]
        for text in refused { expectNil((try? HostPattern(text))?.text, "\(text)") }
        let longest = String(repeating: "a", count: 63) + ".example"
        expectEqual((try? HostPattern(longest))?.text, longest)
    }

    @Test func `1 a star takes every name below, not the name itself`() throws {
        let star = try HostPattern("*.a.example")
        for (host, isTaken) in [
            ("a.example", false), ("b.a.example", true), ("c.b.a.example", true), ("ba.example", false),
            (".a.example", false),
        ] { expectEqual(star.covers(host), isTaken, host) }
    }

    @Test func `2 a target is host and port, the host in one spelling`() {
        let read: [(String, Int?, String?)] = [
            ("api.example.com:443", nil, "api.example.com:443"), ("API.example.com.:443", nil, "api.example.com:443"),
            ("api.example.com", nil, nil), ("api.example.com", 80, "api.example.com:80"),
            ("api.example.com:", nil, nil), ("api.example.com:", 80, "api.example.com:80"),
            ("api.example.com:0", nil, nil), ("api.example.com:65535", nil, "api.example.com:65535"),
            ("api.example.com:65536", nil, nil), ("api.example.com:+1", nil, nil), ("a:b:1", nil, nil),
            ("127.0.0.1:80", nil, "127.0.0.1:80"), ("[::1]:80", nil, "[::1]:80"),
            ("[0:0:0:0:0:0:0:1]:80", nil, "[::1]:80"),
            ("[::ffff:127.0.0.1]:80", nil, "[::ffff:7f00:1]:80"), ("[::1", 80, nil), ("[::1]x", 80, nil),
            ("::1", 80, nil),
            ("[fe80::1%25eth0]:80", nil, nil), ("[fe80::1%eth0]:80", nil, nil), ("[v1.a]:80", nil, nil), ("", 80, nil),
            ("a%2eexample:80", nil, nil), ("user@a.example:80", nil, nil),
        ]
        for (text, port, found) in read { expectEqual(ProxyTarget(text, standardPort: port)?.text, found, text) }
    }

    @Test func `5 a number that is otherwise spelled is no host`() {
        for host in [
            "2130706433", "0x7f.1", "127.1", "127.0.1", "0177.0.0.1", "127.0.0.01", "127.0.0.1.", "0x7f000001",
            "017700000001",
            "127.0.0.256", "1.2.3.4.5", "0", "a.1", "1.0x", "127.0.0.0x1", "0X7F.0.0.1", "00.0.0.0",
        ] { expectNil(ProxyTarget(host, standardPort: 443)?.text, host) }
        expectEqual(ProxyTarget("1.2.3.4", standardPort: 443)?.host, .address([1, 2, 3, 4]))
        expectEqual(ProxyTarget("1.2.3.4a", standardPort: 443)?.text, "1.2.3.4a:443")
    }

    @Test func `2 the host within CONNECT is the same with and without port`() throws {
        let target = try #require(ProxyTarget("api.example.com:8443", standardPort: nil))
        for (host, isSame) in [
            ("api.example.com", true), ("API.example.com.", true), ("api.example.com:8443", true),
            ("api.example.com:443", false), ("b.example.com", false), ("", false), ("api.example.com:8443x", false),
        ] { expectEqual(target.isNamed(by: host), isSame, host) }
        expectEqual(target.origin(isSecure: true), "https://api.example.com:8443")
        expectEqual(ProxyTarget("a.example:443", standardPort: nil)?.origin(isSecure: true), "https://a.example")
        expectEqual(ProxyTarget("a.example:443", standardPort: nil)?.origin(isSecure: false), "http://a.example:443")
    }

    @Test func `5 an IPv6 address has one reading`() {
        let read: [(String, [UInt8]?)] = [
            ("::", [UInt8](repeating: 0, count: 16)), ("::1", [UInt8](repeating: 0, count: 15) + [1]),
            ("1::", [0, 1] + [UInt8](repeating: 0, count: 14)),
            ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8]),
            ("64:ff9b::1.2.3.4", [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) + [1, 2, 3, 4]),
            ("1:2:3:4:5:6:7", nil), ("1:2:3:4:5:6:7:8:9", nil), ("1::2::3", nil), (":1::", nil), ("1:", nil),
            (":1", nil),
            (":::", nil), ("12345::", nil), ("g::", nil), ("1.2.3.4", nil), ("::1.2.3", nil), ("::1.2.3.04", nil),
            ("::1.2.3.4:5", nil),
            ("1:2:3:4:5:6:7::8", nil), ("+1::", nil),
        ]
        for (text, bytes) in read { expectEqual(HostName.six(text), bytes, text) }
    }
}
