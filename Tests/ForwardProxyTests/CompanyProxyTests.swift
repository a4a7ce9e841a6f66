import ForwardProxy
import TestSupport
import Testing

/// Proxy contract, section 6: the proxies of companies, and the hosts that none is used for.
@Suite struct CompanyProxyTests {
    private static func reason(_ text: String) -> String? {
        do throws(CompanyProxy.Refusal) {
            _ = try CompanyProxy(text)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `6 a proxy is http, credentials, a host and a port`() throws {
        let taken: [(text: String, shown: String, credentials: String?)] = [
            ("http://proxy.example:3128", "http://proxy.example:3128", nil),
            ("HTTP://Proxy.Example.:3128/", "http://proxy.example:3128", nil),
            ("http://10.0.0.1:65535", "http://10.0.0.1:65535", nil),
            ("http://[FD00::1]:80", "http://[fd00::1]:80", nil),
            ("http://proxy:1", "http://proxy:1", nil),
            // user:password, u:p@s:/%, an empty password, an empty user, ü:€
            ("http://user:password@p:1", "http://p:1", "dXNlcjpwYXNzd29yZA=="),
            ("http://u:p%40s%3a%2F%25@p:1", "http://p:1", "dTpwQHM6LyU="),
            ("http://u:p@s:@p:1", "http://p:1", "dTpwQHM6"),
            ("http://user:@p:1", "http://p:1", "dXNlcjo="), ("http://:key@p:1", "http://p:1", "OmtleQ=="),
            ("http://%C3%BC:€@p:1", "http://p:1", "w7w64oKs"),
        ]
        for (text, shown, credentials) in taken {
            let proxy = try CompanyProxy(text)
            expectEqual(proxy.text, shown, text)
            expectEqual(proxy.authorization, credentials.map { "Basic \($0)" }, text)
        }
        for text in [
            "", "none ", "proxy.example:3128", "https://s3cret:s3cret@p:1", "socks5://p:1", "http:/p:1", "http://",
            "http://p",
            "http://p:", "http://p:0", "http://p:65536", "http://p:1/s3cret", "http://p:1?s3cret", "http://p:1#s3cret",
            "http://s3cret@p:1", "http://u:s3cret@", "http://u:s3cret@p", "http://u:s3cret%@p:1",
            "http://u:s3cret%4@p:1",
            "http://u:s3cret%+4@p:1", "http://u:s3cret%0d%0a@p:1", "http://u%3As:s3cret@p:1", "http://127.1:80",
            "http://2130706433:80", "http://[::1:80", "http://a b:80", "http://u:s3cret", " http://p:1",
        ] {
            let reason = Self.reason(text)
            expectEqual(reason?.isEmpty, false, text)
            #expect(!(reason ?? "").contains("s3cret"), "\(text): \(reason ?? "")")
        }
    }

    @Test func `6 CONNECT has the credentials, and nothing more`() throws {
        func text(_ proxy: String) throws -> String {
            String(decoding: try CompanyProxy(proxy).connectRequest(to: "a.example:443"), as: UTF8.self)
        }
        let start = "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n"
        expectEqual(try text("http://p:1"), start + "\r\n")
        expectEqual(try text("http://u:p@p:1"), start + "Proxy-Authorization: Basic dTpw\r\n\r\n")
    }

    @Test func `6 NO_PROXY has names, suffixes, addresses and a star`() {
        let cases: [(list: String, host: String, port: Int, isCovered: Bool)] = [
            ("", "a.example", 443, false), ("*", "a.example", 443, true), ("*", "10.0.0.1", 443, true),
            ("x,*", "a.example", 443, true), ("a.example", "a.example", 443, true),
            ("A.Example.", "a.example", 443, true),
            ("a.example", "b.a.example", 443, true), ("a.example", "ba.example", 443, false),
            ("a.example", "example", 443, false), (".a.example", "b.a.example", 443, true),
            (".a.example", "a.example", 443, true), ("*.a.example", "b.a.example", 443, true),
            ("*.a.example", "a.example", 443, false), ("b.example, a.example", "a.example", 443, true),
            ("b.example a.example", "a.example", 443, true), (",, ,a.example,", "a.example", 443, true),
            ("a.example:443", "a.example", 443, true), ("a.example:443", "a.example", 80, false),
            ("a.example:x", "a.example", 443, false), ("a.example:", "a.example", 443, false),
            ("10.0.0.1", "10.0.0.1", 443, true), ("10.0.0.1", "10.0.0.2", 443, false),
            ("10.0.0.1:80", "10.0.0.1", 80, true), ("10.0.0.1:80", "10.0.0.1", 443, false),
            ("10.0.0.0/8", "10.255.0.1", 443, true), ("10.0.0.0/8", "11.0.0.1", 443, false),
            ("10.0.0.0/8:80", "10.255.0.1", 80, true), ("10.0.0.0/8:80", "10.255.0.1", 443, false),
            ("10.0.0.0/8:0", "10.255.0.1", 80, false), ("*:443", "a.example", 443, true),
            ("*:443", "a.example", 80, false), ("*.a.example:80", "b.a.example", 80, true),
            ("::ffff:10.0.0.0/104", "10.255.0.1", 80, true), ("::ffff:10.0.0.0/104", "11.0.0.1", 80, false),
            ("10.128.0.0/9", "10.128.0.1", 443, true), ("10.128.0.0/9", "10.127.0.1", 443, false),
            ("0.0.0.0/0", "10.127.0.1", 443, true), ("0.0.0.0/0", "fd00::1", 443, false),
            ("0.0.0.0/0", "a.example", 443, false), ("10.0.0.0/33", "10.0.0.1", 443, false),
            ("10.0.0.1/32", "10.0.0.1", 443, true), ("10.0.0.0/+8", "10.0.0.1", 443, false),
            ("0.0.1", "10.0.0.1", 443, false), (".1", "10.0.0.1", 443, false), ("fd00::1", "fd00:0::1", 443, true),
            ("[fd00::1]", "fd00::1", 443, true), ("[fd00::1]:80", "fd00::1", 443, false),
            ("[fd00::1]:443", "fd00::1", 443, true), ("fd00::/8", "fdff::1", 443, true),
            ("fd00::/8", "fc00::1", 443, false),
            ("10.0.0.1", "::ffff:10.0.0.1", 443, true), ("::ffff:10.0.0.1", "10.0.0.1", 443, true),
        ]
        for (list, host, port, isCovered) in cases {
            guard let target = ProxyTarget(host.contains(":") ? "[\(host)]" : host, standardPort: port) else {
                Issue.record("\(host)")
                continue
            }
            expectEqual(ProxyExceptions(list).cover(target.host, port: port), isCovered, "\(list): \(host):\(port)")
        }
    }

    private static func proxies(
        _ setting: String? = nil,
        _ environment: [(name: String, value: String)] = []
    ) throws -> CompanyProxies {
        try CompanyProxies(setting: setting, place: "--upstream-proxy", environment: environment)
    }

    @Test func `6 the setting comes first, then the variables by scheme, in lower case first`() throws {
        let cases: [(setting: String?, environment: [(name: String, value: String)], secure: String?, clear: String?)] =
            [
                (nil, [], nil, nil), ("http://s:1", [("HTTPS_PROXY", "http://e:1")], "http://s:1", "http://s:1"),
                ("none", [("HTTPS_PROXY", "http://e:1"), ("http_proxy", "http://e:1")], nil, nil),
                (nil, [("HTTPS_PROXY", "http://e:1")], "http://e:1", nil),
                (nil, [("HTTP_PROXY", "http://e:1")], nil, "http://e:1"),
                (nil, [("https_proxy", "http://l:1"), ("HTTPS_PROXY", "http://e:1")], "http://l:1", nil),
                (nil, [("HTTPS_PROXY", "http://e:1"), ("https_proxy", "http://l:1")], "http://l:1", nil),
                (nil, [("https_proxy", ""), ("HTTPS_PROXY", "http://e:1")], "http://e:1", nil),
                (nil, [("ALL_PROXY", "http://e:1"), ("Https_Proxy", "http://e:1")], nil, nil),
                (nil, [("http_proxy", "http://a:1"), ("HTTPS_PROXY", "http://b:2")], "http://b:2", "http://a:1"),
            ]
        for (setting, environment, secure, clear) in cases {
            let proxies = try Self.proxies(setting, environment)
            let shown = "\(setting ?? "") \(environment)"
            expectEqual(proxies.proxy(for: "a.example", port: 443, isSecure: true)?.text, secure, shown)
            expectEqual(proxies.proxy(for: "a.example", port: 80, isSecure: false)?.text, clear, shown)
            expectEqual(proxies.warnings, [], shown)
        }
        #expect(throws: CompanyProxy.Refusal.self) { try Self.proxies("http://s") }
        #expect(throws: CompanyProxy.Refusal.self) { try Self.proxies("") }
    }

    @Test func `6 a variable that is no proxy is a warning, and not used`() throws {
        let proxies = try Self.proxies(
            nil,
            [
                ("https_proxy", "socks5://u:s3cret@p:1"), ("HTTPS_PROXY", "http://e:1"),
                ("HTTP_PROXY", "http://u:s3cret@p"),
            ]
        )
        expectEqual(
            proxies.warnings.map { String($0.prefix { $0 != ":" }) },
            ["https_proxy is not used", "HTTP_PROXY is not used"]
        )
        #expect(!proxies.warnings.joined().contains("s3cret"))
        expectNil(proxies.text)
        // With a setting nobody needs them.
        expectEqual(try Self.proxies("none", [("HTTPS_PROXY", "x")]).warnings, [])
    }

    @Test func `6 loopback and what NO_PROXY has goes directly`() throws {
        let proxies = try Self.proxies("http://p:1", [("no_proxy", "b.example,10.0.0.0/8"), ("NO_PROXY", "*")])
        for host in [
            "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "127.255.0.1", "::1", "0:0::1",
            "::ffff:127.0.0.1", "b.example", "B.Example.", "a.b.example", "10.1.2.3",
        ] { expectNil(proxies.proxy(for: host, port: 443, isSecure: true)?.text, host) }
        for host in ["a.example", "128.0.0.1", "11.0.0.1", "::2", "fd00::1", "localhost.example"] {
            expectEqual(proxies.proxy(for: host, port: 443, isSecure: true)?.text, "http://p:1", host)
        }
    }

    @Test func `6 a variable that names a port of ours is ignored with a warning, a setting is refused`() throws {
        var proxies = try Self.proxies(
            nil,
            [("HTTPS_PROXY", "http://u:s3cret@localhost:4679"), ("HTTP_PROXY", "http://a:4679")]
        )
        expectNil(proxies.leaveOut { $0.isLoopback && $0.port == 4_679 }?.place)
        expectEqual(
            proxies.warnings,
            ["HTTPS_PROXY is not used: it names a port of this process, localhost:4679"]
        )
        expectEqual(proxies.text, "http://a:4679 for http")
        var named = try Self.proxies("http://localhost:4679")
        expectEqual(named.leaveOut { $0.isLoopback }?.place, "--upstream-proxy")
        var both = try Self.proxies(nil, [("HTTPS_PROXY", "http://localhost:1"), ("HTTP_PROXY", "http://localhost:1")])
        expectNil(both.leaveOut { $0.isLoopback }?.place)
        expectEqual(both.warnings.count, 2)
        expectNil(both.text)
        expectEqual(try Self.proxies("http://u:p@p:1").text, "http://p:1")
        expectEqual(
            try Self.proxies(nil, [("HTTPS_PROXY", "http://a:1"), ("HTTP_PROXY", "http://b:2")]).text,
            "http://a:1 for https, http://b:2 for http"
        )
    }
}
