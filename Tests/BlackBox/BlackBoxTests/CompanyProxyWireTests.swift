import Foundation
import JSON
import TestSupport
import Testing

/// Proxy contract, section 6: connections to backends and other hosts through the proxy of a company.
@Suite(.serialized) struct CompanyProxyWireTests {
    private static let secret = "s3cret@word"

    private func served(
        _ flags: [String],
        environment: [String: String] = [:],
        log: [String] = []
    ) throws -> Served {
        try Served(
            Served.frozen + flags,
            log: log,
            environment: environment,
            in: try Folder(["recordings/none": ""])
        )
    }

    private func set(_ served: Served, _ mode: String, _ upstream: String) throws {
        let body = #"{"api":"omnichat","mode":"\#(mode)","upstream":"\#(upstream)"}"#
        let answer = try served.control("PUT", "/mode", body)
        guard answer.status == 200 else { throw TestError(description: answer.text) }
    }

    private func connect(_ port: Int, _ target: String) throws -> WireAnswer {
        let wire = try Wire(port: port)
        try wire.send(Array("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        return try wire.answer()
    }

    private func port(_ served: Served) throws -> Int {
        guard let url = served.ready["proxy"]?["url"]?.stringValue, let port = url.split(separator: ":").last,
            let number = Int(port)
        else { throw TestError(description: "no proxy: \(served.ready.text)") }
        return number
    }

    @Test(arguments: ["", "slow"])
    func `6 https goes by CONNECT, and its password is shown nowhere`(deed: String) throws {
        let backend = try Backend(certificateFor: "DNS:backend.test")
        let company = try CompanyServer(to: backend.port, doing: deed)
        let address = "http://user:s3cret%40word@127.0.0.1:\(company.port)"
        let served = try served([
            "--upstream-proxy", address, "--upstream-ca", backend.authority, "--proxy", "--ca", "ca", "--map",
            "api.example.com=omnichat",
        ])
        var entries = ""
        for mode in ["spy", "record", "diff"] {
            try set(served, mode, "https://backend.test:8443")
            let answer = try Wire(port: served.api).ask("POST", "/echo?a=1", body: Array("hello".utf8))
            if mode != "diff" {
                expectEqual(answer.status, 200, mode)
                expectEqual(answer.json["body"]?.stringValue, "hello", mode)
                let fields = answer.json["headers"]?.text.lowercased() ?? ""
                #expect(fields.contains("backend.test:8443") && !fields.contains("proxy-"), "\(fields)")
            }
            entries += answer.text
        }
        let seen = try company.seen()
        expectEqual(seen.count, 3)
        let credentials = Data("user:\(Self.secret)".utf8).base64EncodedString()
        for head in seen {
            expectEqual(
                head,
                "CONNECT backend.test:8443 HTTP/1.1\r\nHost: backend.test:8443\r\nProxy-Authorization: Basic \(credentials)"
            )
        }
        for path in ["/mode", "/requests?view=whole", "/requests.har", "/proxy", "/hosts", "/health", "/coverage"] {
            entries += try served.control("GET", path).text
        }
        served.child.signal(2)
        _ = try served.child.waitForExit()
        entries += try served.child.errors() + served.child.output()
        for word in ["s3cret", credentials] { #expect(!entries.contains(word), "\(entries)") }
    }

    @Test func `6 http goes in absolute form, with the proxy's credentials alone`() throws {
        let backend = try Backend()
        let company = try CompanyServer(to: backend.port)
        let served = try served(["--upstream-proxy", "http://u:p@127.0.0.1:\(company.port)"])
        try set(served, "spy", "http://backend.test:8080")
        let wire = try Wire(port: served.api)
        try wire.send(
            Array("GET /echo?a=1 HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic b3duOm93bg==\r\n\r\n".utf8)
        )
        try expectEqual(wire.answer().json["path"]?.stringValue, "http://backend.test:8080/echo?a=1")
        let head = try company.seen().first ?? ""
        #expect(head.hasPrefix("GET http://backend.test:8080/echo?a=1 HTTP/1.1\r\n"), "\(head)")
        let lines = head.split(separator: "\r\n").map(String.init)
        expectEqual(lines.filter { $0.hasPrefix("Proxy-") }, ["Proxy-Authorization: Basic dTpw"])
        #expect(lines.contains("Host: backend.test:8080"), "\(head)")
    }

    @Test(arguments: ["407", "403", "502", "garbage", "close", "cut", "behind"])
    func `6 a proxy that refuses is 502 that names it`(deed: String) throws {
        let backend = try Backend(certificateFor: "DNS:backend.test")
        let company = try CompanyServer(to: backend.port, doing: deed)
        let served = try served(
            [
                "--upstream-proxy", "http://u:s3cret@127.0.0.1:\(company.port)", "--upstream-ca", backend.authority,
                "--proxy", "--ca", "ca", "--unmapped", "tunnel",
            ],
            log: ["--quiet"]
        )
        let port = try port(served)
        var answers: [(String, WireAnswer)] = []
        try set(served, "spy", "https://backend.test")
        answers.append(("https", try Wire(port: served.api).ask("GET", "/echo")))
        // Bytes behind the answer are the host's in a blind tunnel.
        if deed != "behind" { answers.append(("tunnel", try connect(port, "other.example:443"))) }
        if !["403", "502", "behind"].contains(deed) {
            // A status other than 407 can be the backend's.
            try set(served, "spy", "http://backend.test")
            answers.append(("http", try Wire(port: served.api).ask("GET", "/echo")))
            let wire = try Wire(port: port)
            try wire.send(Array("GET http://other.example/ HTTP/1.1\r\nHost: other.example\r\n\r\n".utf8))
            answers.append(("passed", try wire.answer()))
        }
        for (way, answer) in answers {
            expectEqual(answer.status, 502, way)
            #expect(answer.text.contains("upstream-unreachable"), "\(way): \(answer.text)")
            #expect(answer.text.contains(company.address), "\(way): \(answer.text)")
            #expect(!answer.text.contains("s3cret"), "\(way): \(answer.text)")
        }
        if deed != "behind" {
            let item = try served.control("GET", "/hosts").json["items"]?.arrayValue?.first {
                $0["port"]?.intValue == 443
            }
            expectEqual(item?["outcome"]?.stringValue, "unreachable")
        }
    }

    @Test func `6 a proxy that can't be reached is 502 that names it`() throws {
        for address in ["http://127.0.0.1:1", "http://nowhere.invalid:3128"] {
            let served = try served(
                ["--upstream-proxy", address, "--proxy", "--ca", "ca", "--unmapped", "tunnel"],
                log: ["--quiet"]
            )
            let answer = try connect(try port(served), "other.example:443")
            expectEqual(answer.status, 502)
            #expect(answer.text.contains(address), "\(answer.text)")
            try set(served, "spy", "https://backend.test")
            let spied = try Wire(port: served.api).ask("GET", "/echo")
            expectEqual(spied.status, 502)
            #expect(spied.text.contains(address), "\(spied.text)")
        }
    }

    @Test func `6 tunnels and clear text to other hosts go by it, numeric addresses are checked before`() throws {
        let backend = try Backend(certificateFor: "DNS:backend.test")
        let plain = try Backend()
        let company = try CompanyServer(to: backend.port)
        let clear = try CompanyServer(to: plain.port)
        let served = try served(
            [
                "--proxy", "--ca", "ca", "--unmapped", "tunnel", "--tunnel", "127.0.0.1:\(plain.port)",
                "127.0.0.1:\(backend.port)",
            ],
            environment: ["https_proxy": company.address, "HTTP_PROXY": clear.address, "NO_PROXY": "direct.invalid"],
            log: ["--quiet"]
        )
        let port = try port(served)
        let run = try TLSTool([
            "curl", "-sSk", "--max-time", "60", "--proxy", "http://127.0.0.1:\(port)", "-d", "hello",
            "https://backend.test/echo",
        ])
        if let run {
            expectEqual(run.errors, "")
            #expect(run.output.contains("hello"))
            expectEqual(try company.seen().first?.split(separator: "\r\n").first, "CONNECT backend.test:443 HTTP/1.1")
        }
        func ask(_ target: String) throws -> WireAnswer {
            let wire = try Wire(port: port)
            try wire.send(Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            return try wire.answer()
        }
        try expectEqual(ask("http://backend.test/echo").json["path"]?.stringValue, "http://backend.test/echo")
        let count = try company.seen().count + clear.seen().count
        // Loopback goes directly, and what may not be reached is not asked for.
        try expectEqual(ask("http://127.0.0.1:\(plain.port)/echo").json["path"]?.stringValue, "/echo")
        try expectEqual(connect(port, "127.0.0.1:\(backend.port)").status, 200)
        for host in ["10.0.0.1", "169.254.169.254", "[fd00::1]", "[::ffff:192.168.0.1]", "0.0.0.0", "224.0.0.1"] {
            let answer = try connect(port, "\(host):443")
            expectEqual(answer.status, 403, host)
            #expect(answer.text.contains("forbidden-address"), "\(answer.text)")
            try expectEqual(ask("http://\(host)/").status, 403, host)
        }
        // A host of NO_PROXY is looked up here.
        try expectEqual(connect(port, "direct.invalid:443").status, 502)
        expectEqual(try company.seen().count + clear.seen().count, count)
        // A public address is asked for.
        try expectEqual(connect(port, "192.0.2.1:443").status, 200)
        expectEqual(try company.seen().last?.split(separator: "\r\n").first, "CONNECT 192.0.2.1:443 HTTP/1.1")
    }

    @Test func `6 mistakes are exit code 2 or a warning, config shows no password`() throws {
        for (flags, environment, place) in [
            (["--upstream-proxy", "http://u:s3cret@p"], [:], "--upstream-proxy"),
            (["--upstream-proxy", "https://u:s3cret@p:1"], [:], "--upstream-proxy"),
            (["--upstream-proxy", "p:1"], [:], "--upstream-proxy"),
            (["--upstream-proxy", ""], [:], "--upstream-proxy"),
            ([], ["UNDERSTUDY_UPSTREAM_PROXY": "socks5://u:s3cret@p:1"], "UNDERSTUDY_UPSTREAM_PROXY"),
        ] as [([String], [String: String], String)] {
            let result = try Program.run(["serve", "--port", "0"] + flags, environment: environment)
            expectEqual(result.status, 2, "\(flags)")
            #expect(result.errors.contains(place), "\(result.errors)")
            #expect(!result.errors.contains("s3cret"), "\(result.errors)")
        }
        let variables = ["HTTPS_PROXY": "http://u:s3cret@p:1", "http_proxy": "socks5://u:s3cret@p:1"]
        let config = try Program.run(["config", "--json"], environment: variables)
        func value(_ result: Program.Result) -> String? {
            result.json.arrayValue?.first { $0["name"]?.stringValue == "upstreamProxy" }?.text
        }
        expectEqual(
            value(config),
            #"{"name":"upstreamProxy","value":"http://p:1 for https","origin":"environment"}"#
        )
        #expect(config.errors.contains("http_proxy is not used"), "\(config.errors)")
        let off = try Program.run(["config", "--json", "--upstream-proxy", "none"], environment: variables)
        expectEqual(value(off), #"{"name":"upstreamProxy","value":"none","origin":"flag"}"#)
        let folder = try Folder(["understudy.json": #"{"upstreamProxy":"http://u:s3cret@file:1"}"#])
        let file = try Program.run(["config", "--json"], environment: variables, in: folder)
        let shown = value(file) ?? ""
        #expect(shown.contains("http://file:1"), "\(shown)")
        for result in [config, off, file] {
            expectEqual(result.status, 0)
            #expect(!(result.output + result.errors).contains("s3cret"))
        }
    }

    @Test func `6 a variable that names a port of ours is ignored with a warning`() throws {
        let backend = try Backend()
        // A port that was free a moment ago.
        let free = try { try SilentBackend().port }()
        let served = try served(
            ["--proxy", "\(free)", "--ca", "ca", "--unmapped", "tunnel"],
            environment: ["HTTP_PROXY": "http://u:s3cret@localhost:\(free)", "https_proxy": "http://127.0.0.1:\(free)"]
        )
        let errors = try served.child.errors()
        for name in ["HTTP_PROXY", "https_proxy"] { #expect(errors.contains("\(name) is not used"), "\(errors)") }
        #expect(!errors.contains("s3cret"))
        try set(served, "spy", "http://localhost:\(backend.port)")
        try expectEqual(Wire(port: served.api).ask("GET", "/echo").status, 200)
        served.child.signal(2)
        _ = try served.child.waitForExit()
        let refused = try Program.run([
            "serve", "--port", "0", "--ca", "ca", "--proxy", "\(free)", "--upstream-proxy", "http://[::1]:\(free)",
        ])
        expectEqual(refused.status, 2)
        #expect(refused.errors.contains("--upstream-proxy"), "\(refused.errors)")
    }
}
