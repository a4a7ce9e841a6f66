import Foundation
import JSON
import TestSupport
import Testing

/// Proxy contract: the port of the forward proxy, over the wire.
@Suite(.serialized) struct ForwardProxyWireTests {
    /// A server with a forward proxy, with its authority in a folder of its own.
    private struct Proxied {
        let served: Served
        let folder: Folder
        let port: Int

        init(_ flags: [String] = [], map: String = "api.example.com=omnichat", log: [String] = ["--quiet"]) throws {
            folder = try Folder()
            let unmapped = flags.contains("--unmapped") ? [] : ["--unmapped", "refuse"]
            served = try Served(
                Served.frozen + ["--proxy", "--ca", "ca", "--map", map] + unmapped + flags,
                log: log,
                in: folder
            )
            let url = served.ready["proxy"]?["url"]?.stringValue ?? ""
            guard let port = url.split(separator: ":").last.flatMap({ Int($0) }) else {
                throw TestError(description: "no proxy: \(served.ready.text)")
            }
            self.port = port
        }

        var root: String { folder.url.appendingPathComponent("ca/root.pem").path }

        func ask(_ text: String) throws -> WireAnswer { try ask([text])[0] }

        /// Sends requests on one connection, each when the former was answered.
        func ask(_ texts: [String]) throws -> [WireAnswer] {
            let wire = try Wire(port: port)
            return try texts.map { text in
                try wire.send(Array(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
                return try wire.answer()
            }
        }
    }

    private static func type(_ answer: WireAnswer) -> String {
        answer.json["type"]?.stringValue?.split(separator: "/").last.map(String.init) ?? ""
    }

    @Test func `1 without --proxy nothing is there`() throws {
        let served = try Served()
        expectNil(served.ready["proxy"])
        let answer = try served.control("GET", "/proxy")
        expectEqual("\(answer.status) \(Self.type(answer))", "409 proxy-off")
        for path in ["/hosts", "/hosts?other=true"] { expectEqual(try served.control("GET", path).status, 409) }
        let wire = try Wire(port: served.hub)
        try wire.send(Array("CONNECT api.example.com:443 HTTP/1.1\r\nHost: api.example.com:443\r\n\r\n".utf8))
        expectEqual(try wire.answer().status, 501)
        expectNil(try served.control("POST", "/worlds", #"{"name":"w"}"#).json["proxy"])
    }

    @Test func `2 mapped hosts are answered as on the API's port, others refused`() throws {
        let proxied = try Proxied(["--tunnel", "t.example:8443"])
        let own = try proxied.served.chat("GET", "/conversations")
        let cases: [(String, Int, String)] = [
            ("GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: x\n\n", own.status, ""),
            ("GET http://API.example.com.:80/api/v1/conversations HTTP/1.1\nHost: api.example.com\n\n", own.status, ""),
            ("GET https://api.example.com:9/api/v1/conversations HTTP/1.1\nHost: api.example.com\n\n", own.status, ""),
            ("GET http://other.example/ HTTP/1.1\nHost: other.example\n\n", 403, "unmapped-host"),
            ("CONNECT other.example:443 HTTP/1.1\nHost: other.example:443\n\n", 403, "unmapped-host"),
            ("CONNECT other.example:443 HTTP/1.0\n\n", 403, "unmapped-host"),
            ("CONNECT t.example:443 HTTP/1.1\nHost: t.example\n\n", 403, "forbidden-port"),
            ("CONNECT api.example.com HTTP/1.1\nHost: api.example.com\n\n", 400, ""),
            ("CONNECT api.example.com:0 HTTP/1.1\nHost: api.example.com\n\n", 400, ""),
            ("CONNECT 2130706433:443 HTTP/1.1\nHost: a\n\n", 400, "bad-request"),
            ("GET http://0x7f.1/ HTTP/1.1\nHost: a\n\n", 400, "bad-request"),
            ("GET http://127.1/ HTTP/1.1\nHost: a\n\n", 400, "bad-request"),
            ("CONNECT api.example.com:443 HTTP/1.1\nHost: a\nContent-Length: 1\n\nx", 400, "bad-request"),
            ("GET http://u:p@api.example.com/ HTTP/1.1\nHost: a\n\n", 400, ""),
            ("GET / HTTP/1.1\nHost: api.example.com\n\n", 404, "not-found"),
            ("GET /__admin/health HTTP/1.1\nHost: 127.0.0.1\n\n", 404, "not-found"),
            ("GET http://api.example.com/__admin/health HTTP/1.1\nHost: a\n\n", 421, "foreign-host"),
            ("GET http://api.example.com/%5f_admin/health HTTP/1.1\nHost: a\n\n", 421, "foreign-host"),
            (
                "GET http://api.example.com/ HTTP/1.1\nHost: a\nUpgrade: websocket\nConnection: Upgrade\n\n", 501,
                "not-implemented"
            ),
            ("GET http://127.0.0.1:\(proxied.port)/ HTTP/1.1\nHost: a\n\n", 403, "proxy-loop"),
            ("CONNECT localhost:\(proxied.port) HTTP/1.1\nHost: a\n\n", 403, "proxy-loop"),
            ("GET http://localhost:\(proxied.served.hub)/__admin/health HTTP/1.1\nHost: a\n\n", 200, ""),
            ("GET http://127.0.0.1:\(proxied.served.hub)/__admin/health HTTP/1.1\nHost: a\n\n", 200, ""),
            ("OPTIONS * HTTP/1.1\nHost: a\n\n", 204, ""),
        ]
        for (text, status, type) in cases {
            let answer = try proxied.ask(text)
            expectEqual(answer.status, status, text)
            if !type.isEmpty { expectEqual(Self.type(answer), type, text) }
        }
        // One connection, with alternating hosts and refusals between.
        let many = try proxied.ask(
            cases.filter { [200, 204, 401, 403, 421].contains($0.1) && !$0.0.contains("HTTP/1.0") }.map(\.0)
        )
        expectEqual(many.map(\.status).contains(400), false)
    }

    @Test func `2 WebSocket to a mapped host is 501, by every way and in every spelling`() throws {
        let proxied = try Proxied()
        func upgrade(_ target: String, _ value: String) -> String {
            "GET \(target) HTTP/1.1\nHost: api.example.com:80\nConnection: Upgrade\nUpgrade: \(value)\n\n"
        }
        for (value, status) in [
            ("websocket", 501), ("WebSocket", 501), ("websocket/13", 501), ("h2c, websocket", 501),
            ("h2c\nUpgrade: websocket", 501), ("h2c", 401), ("websockets", 401),
        ] {
            let answers = try proxied.ask([
                upgrade("http://api.example.com/api/v1/conversations", value),
                upgrade("https://api.example.com/api/v1/conversations", value),
                "CONNECT api.example.com:80 HTTP/1.1\nHost: a\n\n",
                upgrade("/api/v1/conversations", value), upgrade("/api/v1/conversations", value),
            ])
            expectEqual(answers.map(\.status), [status, status, 200, status, status], value)
            if status == 501 {
                expectEqual(Set(answers.map(Self.type)).subtracting([""]), ["not-implemented"], value)
            }
        }
    }

    @Test func `2 the fields for the proxy are seen by nobody, and the entry tells the origin`() throws {
        let proxied = try Proxied()
        let credentials = Data("w1:x".utf8).base64EncodedString()
        expectEqual(
            try proxied.served.control("POST", "/worlds", #"{"name":"w1"}"#).json["proxy"]?.stringValue,
            "http://w1:x@127.0.0.1:\(proxied.port)"
        )
        let answer = try proxied.ask(
            "GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: api.example.com\nProxy-Authorization: Basic \(credentials)\nProxy-Connection: keep-alive\nVia: 1.1 x\n\n"
        )
        expectEqual(answer.status, 401)
        let entry = try proxied.served.control("GET", "/requests?view=whole", world: "w1").json["items"]?[0]
        expectEqual(entry?["via"]?.stringValue, "proxy")
        expectEqual(entry?["origin"]?.stringValue, "http://api.example.com")
        let names = entry?["headers"]?.text.lowercased() ?? ""
        #expect(!names.contains("proxy-"))
        #expect(names.contains("via"))
        let har = try proxied.served.control("GET", "/requests.har", world: "w1").text
        #expect(har.contains("\"url\":\"http://api.example.com/api/v1/conversations\""), "\(har)")
    }

    @Test func `4 credentials name the world, and a token is asked for`() throws {
        let proxied = try Proxied(["--proxy-token", "secret-token"])
        func line(_ user: String?, _ target: String = "GET http://api.example.com/api/v1/conversations") -> String {
            let field = user.map { "Proxy-Authorization: Basic \(Data($0.utf8).base64EncodedString())\n" } ?? ""
            return "\(target) HTTP/1.1\nHost: api.example.com\n\(field)\n"
        }
        try expectEqual(proxied.served.control("POST", "/worlds", #"{"name":"w1"}"#).status, 201)
        let cases: [(String, Int)] = [
            (line(nil), 407), (line("w1:wrong"), 407), (line("w1:"), 407), (line(":secret-token"), 401),
            (line("w1:secret-token"), 401),
            (line("nope:secret-token"), 404), (line("nope:wrong"), 407),
            (line(nil, "CONNECT api.example.com:443"), 407),
            (line(nil, "CONNECT other.example:443"), 407), (line("w1:secret-token", "CONNECT other.example:443"), 403),
            (line("nope:secret-token", "CONNECT api.example.com:443"), 404), (line(nil), 407),
        ]
        // The connection stays open.
        let answers = try proxied.ask(cases.map(\.0))
        for (place, answer) in answers.enumerated() { expectEqual(answer.status, cases[place].1, cases[place].0) }
        expectEqual(answers[0]["Proxy-Authenticate"]?.hasPrefix("Basic"), true)
        expectEqual(Self.type(answers[0]), "proxy-credentials")
        expectEqual(answers[0]["X-Content-Type-Options"], "nosniff")
        let twice =
            "Proxy-Authorization: Basic \(Data("w1:secret-token".utf8).base64EncodedString())\nX-Understudy-World: main"
        for start in ["GET http://api.example.com/", "CONNECT api.example.com:443"] {
            try expectEqual(proxied.ask("\(start) HTTP/1.1\nHost: a\n\(twice)\n\n").status, 400, start)
            let unknown = twice.replacingOccurrences(of: "World: main", with: "World: nope")
            let answer = try proxied.ask("\(start) HTTP/1.1\nHost: a\n\(unknown)\n\n")
            #expect([400, 404].contains(answer.status), "\(start): \(answer.status)")
        }
    }

    @Test func `4 with --world-required a request without a world is 407`() throws {
        let proxied = try Proxied(["--world-required"])
        for target in ["CONNECT api.example.com:443", "GET http://api.example.com/"] {
            let answer = try proxied.ask("\(target) HTTP/1.1\nHost: api.example.com\n\n")
            expectEqual("\(answer.status) \(Self.type(answer))", "407 proxy-credentials", target)
        }
        try expectEqual(
            proxied.ask(
                "GET http://api.example.com/api/v1/conversations HTTP/1.1\nHost: a\nX-Understudy-World: main\n\n"
            ).status,
            401
        )
    }

    @Test func `2 CONNECT leads to the API under TLS, verified, in the world of its credentials`() throws {
        let proxied = try Proxied(map: "*.example.com=omnichat")
        try expectEqual(proxied.served.control("POST", "/worlds", #"{"name":"w1"}"#).status, 201)
        let run = try TLSTool([
            "curl", "-sS", "--max-time", "60", "--proxy", "http://w1:x@127.0.0.1:\(proxied.port)", "--cacert",
            proxied.root,
            "-w", "\n%{http_code} %{http_connect}", "https://api.example.com/api/v1/conversations",
        ])
        guard let run else { return }
        expectEqual(run.errors, "")
        #expect(run.output.hasSuffix("\n401 200"), "\(run.output)")
        let entry = try proxied.served.control("GET", "/requests?view=whole", world: "w1").json["items"]?[0]
        expectEqual(entry?["origin"]?.stringValue, "https://api.example.com")
        expectEqual(entry?["transport"]?["tls"]?["sni"]?.stringValue, "api.example.com")
        // A Host other than that of CONNECT.
        let other = try TLSTool([
            "curl", "-sS", "--max-time", "60", "--proxy", "http://127.0.0.1:\(proxied.port)", "--cacert", proxied.root,
            "-H",
            "Host: b.example.com", "-o", "/dev/null", "-w", "%{http_code}", "https://api.example.com/",
        ])
        expectEqual(other?.output, "421")
        let item = try proxied.served.control("GET", "/hosts?world=w1").json["items"]?[0]
        expectEqual(item?["host"]?.stringValue, "api.example.com")
        expectEqual(item?["outcome"]?.stringValue, "api")
        expectEqual(item?["tunnels"]?.intValue, 1)
        expectEqual(item?["requests"]?.intValue, 1)
    }

    @Test func `2 CONNECT loses no byte sent along, in clear text too`() throws {
        let proxied = try Proxied()
        let wire = try Wire(port: proxied.port)
        let text =
            "CONNECT api.example.com:80 HTTP/1.0\r\n\r\nGET /api/v1/conversations HTTP/1.1\r\nHost: api.example.com:80\r\n\r\n"
        try wire.send(Array(text.utf8))
        let connected = try wire.answer()
        expectEqual(connected.status, 200)
        expectNil(connected["Content-Length"])
        expectNil(connected["Content-Type"])
        try expectEqual(wire.answer().status, 401)
        try wire.send(Array("GET /api/v1/conversations HTTP/1.1\r\nHost: b.example.com\r\n\r\n".utf8))
        let answer = try wire.answer()
        expectEqual("\(answer.status) \(Self.type(answer))", "421 misdirected-request")
    }

    @Test func `5 no address of the machine or its networks is reached unless it was named`() throws {
        let proxied = try Proxied(["--unmapped", "tunnel"])
        for host in [
            "127.0.0.1", "127.1.2.3", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "[::ffff:7f00:1]",
            "[64:ff9b::7f00:1]",
            "[2002:7f00:1::]", "0.0.0.0", "[::]", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255", "169.254.169.254", "[::ffff:169.254.169.254]", "[fe80::1]", "[fc00::1]",
            "[fd00:ec2::254]",
            "[fec0::1]", "224.0.0.1", "255.255.255.255", "[ff02::1]", "100.100.100.200", "[64:ff9b::a00:1]",
            "[2002:a00:1::]",
            "[::ffff:192.168.0.1]", "localhost", "a.localhost",
        ] {
            let answer = try proxied.ask("CONNECT \(host):443 HTTP/1.1\nHost: a\n\n")
            expectEqual("\(answer.status) \(Self.type(answer))", "403 forbidden-address", host)
            let clear = try proxied.ask("GET http://\(host)/ HTTP/1.1\nHost: a\n\n")
            expectEqual("\(clear.status) \(Self.type(clear))", "403 forbidden-address", host)
        }
        for port in ["22", "25", "8080", "444", "81"] {
            let answer = try proxied.ask("CONNECT a.example:\(port) HTTP/1.1\nHost: a\n\n")
            expectEqual("\(answer.status) \(Self.type(answer))", "403 forbidden-port", port)
        }
        try expectEqual(proxied.ask("GET https://other.example/ HTTP/1.1\nHost: a\n\n").status, 400)
    }

    @Test func `5 a named address of this machine is a blind tunnel for TLS alone`() throws {
        let backend = try Backend(certificateFor: "IP:127.0.0.1")
        let proxied = try Proxied(["--tunnel", "127.0.0.1:\(backend.port)"])
        let wire = try Wire(port: proxied.port)
        try wire.send(Array("CONNECT 127.0.0.1:\(backend.port) HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n\r\n".utf8))
        try expectEqual(wire.answer().status, 200)
        let refused = try wire.answer()
        expectEqual("\(refused.status) \(Self.type(refused))", "403 clear-text")
        try wire.waitForEnd()
        let run = try TLSTool([
            "curl", "-sSk", "--max-time", "60", "--proxy", "http://127.0.0.1:\(proxied.port)", "-d", "hello",
            "https://127.0.0.1:\(backend.port)/echo",
        ])
        if let run {
            expectEqual(run.errors, "")
            #expect(run.output.contains("hello"))
        }
        let item = try proxied.served.control("GET", "/hosts").json["items"]?[0]
        expectEqual(item?["outcome"]?.stringValue, "tunnelled")
        expectEqual(try proxied.served.control("GET", "/hosts?other=true").json["items"]?.arrayValue?.count, 0)
    }

    @Test func `10 one tunnel more than the limit is 503`() throws {
        let backend = try Backend(certificateFor: "IP:127.0.0.1")
        let proxied = try Proxied(["--tunnel", "127.0.0.1:\(backend.port)", "--limit", "tunnels=2"])
        let request = Array("CONNECT 127.0.0.1:\(backend.port) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        var open: [Wire] = []
        for _ in 0..<2 {
            let wire = try Wire(port: proxied.port)
            try wire.send(request)
            try expectEqual(wire.answer().status, 200)
            open.append(wire)
        }
        let more = try Wire(port: proxied.port)
        try more.send(request)
        let answer = try more.answer()
        expectEqual("\(answer.status) \(Self.type(answer))", "503 too-many-tunnels")
        expectEqual(answer["Retry-After"], "1")
        // A reset of the client frees its place.
        open[0].abort()
        try Deadline().wait(for: "a free place") {
            let wire = try Wire(port: proxied.port)
            try wire.send(request)
            return try wire.answer().status == 200
        }
    }

    @Test func `5 clear text to a named host is forwarded, without our credentials`() throws {
        let backend = try Backend()
        let proxied = try Proxied(["--tunnel", "127.0.0.1:\(backend.port)"])
        let token = try proxied.served.token()
        let target = "http://127.0.0.1:\(backend.port)"
        let answers = try proxied.ask([
            "GET \(target)/echo?a=1 HTTP/1.1\nHost: x\nProxy-Connection: close\nX-Own: 1\nAuthorization: Bearer \(token)\n\n",
            "GET \(target)/echo HTTP/1.1\nHost: x\nX-Key: \(token)\n\n",
            "GET \(target)/redirect HTTP/1.1\nHost: x\n\n",
            "GET \(target)/trailers HTTP/1.1\nHost: x\n\n",
        ])
        expectEqual(answers.map(\.status), [200, 409, 302, 200])
        let seen = answers[0].json["headers"]?.text.lowercased() ?? ""
        #expect(
            seen.contains("x-own") && !seen.contains("proxy-") && !seen.contains("authorization")
                && !seen.contains("via"),
            "\(seen)"
        )
        #expect(seen.contains("\"host\",\"127.0.0.1:\(backend.port)\""), "\(seen)")
        expectEqual(Self.type(answers[1]), "own-credential")
        expectEqual(try proxied.served.control("GET", "/requests").json["items"]?.arrayValue?.count, 0)
    }

    @Test func `8 the script is there under our own Hosts alone`() throws {
        let proxied = try Proxied(map: "*.example.com=omnichat")
        for (host, status) in [
            ("127.0.0.1", 200), ("localhost:1", 200), ("api.example.com", 421), ("evil.example", 421),
        ] {
            let answer = try proxied.ask("GET /__proxy.pac HTTP/1.1\nHost: \(host)\n\n")
            expectEqual(answer.status, status, host)
            guard status == 200 else { continue }
            expectEqual(answer["Content-Type"], "application/x-ns-proxy-autoconfig")
            expectEqual(answer["Cache-Control"], "no-store")
            let name = host.split(separator: ":")[0]
            #expect(answer.text.contains("PROXY \(name):\(proxied.port)"), "\(answer.text)")
        }
        let hub = try Wire(port: proxied.served.hub).ask("GET", "/__proxy.pac")
        expectEqual(hub.status, 200)
        #expect(hub.text.contains(".example.com"))
        try expectEqual(proxied.ask("POST /__proxy.pac HTTP/1.1\nHost: 127.0.0.1\n\n").status, 405)
    }

    @Test func `7 exec fails on other hosts, and its authority is gone with the program`() throws {
        let folder = try Folder()
        let script = """
            import os, urllib.request, sys
            open("vars", "w").write("\\n".join(k + "=" + v for k, v in os.environ.items()))
            try: urllib.request.urlopen("http://tracker.example/")
            except Exception as e: print(e)
            """
        let words = ["exec", "--map", "api.example.com=omnichat", "--no-other-hosts", "--", "python3", "-c", script]
        guard TLSTool.path("python3") != nil else { return }
        let child = try Child(words, in: folder)
        try expectEqual(child.waitForExit(), 1)
        #expect(try child.errors().contains("tracker.example:80"))
        let variables = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("vars")), as: UTF8.self)
        let lines = Dictionary(
            variables.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "=").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            },
            uniquingKeysWith: { $1 }
        )
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "UNDERSTUDY_PROXY_URL"] {
            expectEqual(lines[name]?.hasPrefix("http://127.0.0.1:"), true, name)
        }
        expectEqual(lines["NO_PROXY"], "localhost,127.0.0.1,::1")
        expectEqual(lines["NODE_USE_ENV_PROXY"], "1")
        let root = lines["UNDERSTUDY_CA_FILE"] ?? ""
        #expect(!root.isEmpty && !FileManager.default.fileExists(atPath: root), "\(root)")
        let clean = try Child(["exec", "--no-other-hosts", "--", "true"], in: folder)
        try expectEqual(clean.waitForExit(), 0)
    }

    @Test func `1 mistakes of the map are exit code 2`() throws {
        for (flags, part) in [
            (["--map", "a.example=nope"], "no API"), (["--map", "a.example=omnichta"], "omnichat"),
            (["--map", "a.example"], "names no API"),
            (["--map", "a.example=omnichat", "a.example=sawaed"], "both"), (["--map", "*.com=omnichat"], "top-level"),
            (["--map", "localhost=omnichat"], "machine"), (["--map", "1.2.3.4=omnichat"], "address"),
            (["--map", "https://a.example=omnichat"], "not a host"),
            (["--map", "a.example=omnichat", "--tunnel", "a.example"], "passed on"),
            (["--unmapped", "drop"], "refuse"), (["--proxy-token", "a b"], "visible"),
            (["--tunnel", "*"], "not a host"),
        ] {
            let child = try Child(["serve", "--port", "0", "--proxy", "--ca", "ca"] + flags, in: try Folder())
            try expectEqual(child.waitForExit(), 2, "\(flags)")
            let errors = try child.errors()
            #expect(errors.contains(part), "\(flags): \(errors)")
        }
    }

    @Test func `3 an authority that lacks a mapped name is exit code 2, and renewing helps`() throws {
        let folder = try Folder()
        func run(_ words: [String]) throws -> (Int32, String) {
            let child = try Child(words, in: folder)
            let code = try child.waitForExit()
            return (code, try child.errors() + child.output())
        }
        expectEqual(try run(["trust", "--ca", "ca", "--store", "java"]).0, 0)
        let serve = ["exec", "--proxy", "--ca", "ca", "--map", "api.example.com=omnichat", "--", "true"]
        let refused = try run(serve)
        expectEqual(refused.0, 2)
        #expect(refused.1.contains("understudy trust --renew --allow-name api.example.com"), "\(refused.1)")
        expectEqual(
            try run(["trust", "--ca", "ca", "--store", "java", "--renew", "--allow-name", "api.example.com"]).0,
            0
        )
        expectEqual(try run(serve).0, 0)
        // Names that were allowed stay.
        expectEqual(try run(["trust", "--ca", "ca", "--store", "java", "--renew", "--allow-name", "b.example"]).0, 0)
        expectEqual(try run(serve).0, 0)
    }
}
