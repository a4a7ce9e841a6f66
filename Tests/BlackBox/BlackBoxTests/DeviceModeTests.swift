import Foundation
import JSON
import TestSupport
import Testing

/// Transport contract, section 8: device mode over real sockets.
@Suite(.serialized) struct DeviceModeTests {
    private let loopback = ["--lan", "127.0.0.1", "--admin-token", "s3cret"]

    private func get(_ port: Int, _ path: String, host: String, token: String? = nil) throws -> WireAnswer {
        let wire = try Wire(port: port)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try wire.send(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(authorization)\r\n".utf8))
        return try wire.answer()
    }

    /// Asks over TLS; the last line of what is returned is the status.
    private func curl(_ secure: SecureServed, _ path: String, _ words: [String] = []) throws -> (Int, JSON) {
        let url = "https://127.0.0.1:\(secure.hub)\(path)"
        let tool = try #require(
            try TLSTool(["curl", "-sS", "--cacert", secure.root, "-w", "\n%{http_code}"] + words + [url])
        )
        let lines = tool.output.split(separator: "\n", omittingEmptySubsequences: false)
        let status = try #require(lines.last.flatMap { Int($0) }, "\(tool.errors)")
        return (status, (try? JSONReader.read(text: lines.dropLast().joined(separator: "\n"))) ?? .null)
    }

    private func pair(_ secure: SecureServed, _ body: String) throws -> (Int, JSON) {
        try curl(secure, "/__device/pair", ["-H", "Content-Type: application/json", "-d", body])
    }

    private func code(_ secure: SecureServed) throws -> String {
        var errors = ""
        try Deadline().wait(for: "the code") {
            errors = try secure.served.child.errors()
            return errors.contains("#pair=")
        }
        let line = try #require(errors.split(separator: "\n").first { $0.contains("#pair=") })
        let start = try #require(line.firstRange(of: "#pair=")).upperBound
        return String(line[start...].prefix(32))
    }

    @Test func `8 the ready line has lan, TLS is on, and every control call needs the token`() throws {
        let secure = try SecureServed(loopback)
        let lan = try #require(secure.served.ready["lan"])
        expectEqual(lan["address"], "127.0.0.1")
        expectEqual(lan["device"], .string("http://127.0.0.1:\(secure.hub)/__device"))
        #expect(lan["others"]?.arrayValue != nil)
        expectEqual(secure.served.ready["tls"]?["mode"], "on")
        #expect(!secure.served.ready.text.contains("s3cret"))
        try expectEqual(get(secure.hub, "/__admin/health", host: "127.0.0.1").status, 401)
        try expectEqual(get(secure.hub, "/__admin/health", host: "127.0.0.1", token: "s3cret").status, 200)
    }

    @Test func `8 without an address it listens on all, and without a token one is made`() throws {
        let secure = try SecureServed(["--lan", "--qr"], log: [])
        var errors = ""
        try Deadline().wait(for: "what is printed") {
            errors = try secure.served.child.errors()
            return errors.contains("admin token ") && errors.contains("adb reverse") && errors.contains("\u{2580}")
        }
        #expect(errors.contains("everybody on this network can use the emulated APIs without a password"))
        #expect(errors.contains("adb reverse tcp:\(secure.hub) tcp:\(secure.hub)"))
        let device = try #require(secure.served.ready["lan"]?["device"]?.stringValue)
        #expect(errors.contains(device))
        expectEqual(secure.served.ready["hub"], .string("http://127.0.0.1:\(secure.hub)"))
        try expectEqual(get(secure.hub, "/__admin/health", host: "192.168.1.23").status, 401)
        let state = try #require(secure.served.ready["tls"]?["sha256"]?.stringValue)
        #expect(errors.replacing(":", with: "").contains(state.uppercased()))
    }

    @Test func `8 the page has a policy with one script by its hash, no token, and nothing from elsewhere`() throws {
        let secure = try SecureServed(loopback + ["--device-link", "myapp://setup?base={base}"])
        let page = try get(secure.hub, "/__device", host: "192.168.1.23:\(secure.hub)")
        expectEqual(page.status, 200)
        expectEqual(page["cache-control"], "no-store")
        let policy = try #require(page["content-security-policy"])
        #expect(policy.contains("default-src 'none'"))
        expectEqual(policy.components(separatedBy: "script-src 'sha256-").count, 2)
        #expect(!page.text.contains("s3cret"))
        #expect(page.text.contains("/__admin/ca.mobileconfig"))
        #expect(page.text.contains("/__admin/ca.crt"))
        #expect(page.text.contains("http://192.168.1.23:\(secure.served.api)"))
        #expect(page.text.contains("myapp://setup?base=http%3A%2F%2F192.168.1.23%3A\(secure.served.api)"))
        let digits = try #require(secure.served.ready["tls"]?["sha256"]?.stringValue?.uppercased())
        #expect(page.text.replacing(":", with: "").contains(digits))
        for outside in ["src=\"http", "href=\"http://cdn", "@import", "url("] { #expect(!page.text.contains(outside)) }
        let check = try get(secure.hub, "/__device/check", host: "127.0.0.1")
        expectEqual(check.json["scheme"], "http")
        expectEqual(check.json["protocol"], "http/1.1")
        expectEqual(check.json["now"]?.stringValue?.hasSuffix("Z"), true)
        try expectEqual(curl(secure, "/__device/check").1["scheme"], "https")
        let picture = try get(secure.hub, "/__device/qr.png", host: "127.0.0.1")
        expectEqual(picture["content-type"], "image/png")
        try expectEqual(get(secure.hub, "/__device", host: "evil.example").status, 421)
        try expectEqual(get(secure.hub, "/__device/none", host: "127.0.0.1").status, 404)
        try expectEqual(Wire(port: secure.hub).ask("POST", "/__device").status, 405)
    }

    @Test func `8 without TLS and device mode there is no page, and required answers it in the clear`() throws {
        let plain = try Served()
        try expectEqual(get(plain.hub, "/__device", host: "127.0.0.1").status, 404)
        let off = try SecureServed(loopback + ["--tls", "off"])
        let page = try get(off.hub, "/__device", host: "127.0.0.1")
        expectEqual(page.status, 200)
        #expect(!page.text.contains("ca.crt"))
        let required = try SecureServed(["--tls", "required"])
        try expectEqual(get(required.hub, "/__device", host: "127.0.0.1").status, 200)
        try expectEqual(get(required.hub, "/__device/check", host: "127.0.0.1").status, 200)
        try expectEqual(get(required.served.api, "/__device", host: "127.0.0.1").status, 426)
    }

    @Test func `8 HOST local is a host with lan alone`() throws {
        let name = ProcessInfo.processInfo.hostName.prefix { $0 != "." }.lowercased() + ".local"
        let secure = try SecureServed(loopback)
        let expected = name == "localhost.local" ? 421 : 200
        try expectEqual(get(secure.hub, "/__admin/health", host: name, token: "s3cret").status, expected)
        try expectEqual(get(secure.hub, "/__admin/health", host: "x" + name, token: "s3cret").status, 421)
        let plain = try Served()
        try expectEqual(get(plain.hub, "/__admin/health", host: name).status, 421)
    }

    @Test func `8 a code pairs once over TLS, and its token acts on its one world`() throws {
        let secure = try SecureServed(loopback + ["--pair", "checkout"])
        let code = try code(secure)
        #expect(!secure.served.ready.text.contains(code))
        let body = #"{"code":"\#(code)"}"#
        try expectEqual(Wire(port: secure.hub).ask("POST", "/__device/pair", body: Array(body.utf8)).status, 426)
        let wrong = try pair(secure, #"{"code":"wrong"}"#)
        expectEqual(wrong.0, 403)
        expectEqual(wrong.1["type"], "/__admin/problems/pairing-refused")
        try expectEqual(pair(secure, #"{"code":1}"#).0, 422)
        try expectEqual(pair(secure, #"{"#).0, 400)
        let paired = try pair(secure, body)
        expectEqual(paired.0, 200)
        expectEqual(paired.1["world"], "checkout")
        let token = try #require(paired.1["token"]?.stringValue)
        try expectEqual(pair(secure, body).0, 403)
        for (method, path, body, status) in [
            ("GET", "/health", "", 200), ("GET", "/apis", "", 200), ("GET", "/clock", "", 200),
            ("POST", "/reset", "{}", 200), ("GET", "/faults", "", 200), ("GET", "/requests", "", 200),
            ("GET", "/worlds", "", 403), ("GET", "/state", "", 403), ("PUT", "/mode", "{}", 403),
            ("GET", "/tls", "", 403), ("GET", "/nowhere", "", 403), ("POST", "/health", "{}", 403),
        ] {
            let answer = try Wire(port: secure.hub).ask(method, "/__admin" + path, body: Array(body.utf8), token: token)
            expectEqual(answer.status, status, "\(method) \(path): \(answer.text)")
            if status == 403 { expectEqual(answer.json["type"], "/__admin/problems/not-paired-for") }
        }
        let reset = try Wire(port: secure.hub).ask("POST", "/__admin/reset", body: Array("{}".utf8), token: token)
        expectEqual(reset.json["world"], "checkout")
        let named = try Wire(port: secure.hub).ask("GET", "/@checkout/__admin/clock", token: token)
        expectEqual(named.status, 200)
        try expectEqual(Wire(port: secure.hub).ask("GET", "/@main/__admin/clock", token: token).status, 403)
    }

    @Test func `8 nine wrong codes leave pairing open, and ten end it`() throws {
        for (wrong, status) in [(9, 200), (10, 403)] {
            let secure = try SecureServed(loopback + ["--pair"])
            for _ in 0..<wrong { try expectEqual(pair(secure, #"{"code":"wrong"}"#).0, 403) }
            try expectEqual(pair(secure, #"{"code":"\#(try code(secure))"}"#).0, status)
        }
    }

    @Test func `8 modes with an upstream are refused unless they are shared`() throws {
        for (flags, type) in [([], "upstream-not-shared"), (["--lan-upstream"], nil)] as [([String], String?)] {
            let secure = try SecureServed(loopback + flags)
            for mode in ["spy", "diff"] {
                let body = #"{"api":"trendy","mode":"\#(mode)","upstream":"http://127.0.0.1:9"}"#
                let answer = try Wire(port: secure.hub)
                    .ask("PUT", "/__admin/mode", body: Array(body.utf8), token: "s3cret")
                expectEqual(answer.status, type == nil ? 200 : 403)
                if let type { expectEqual(answer.json["type"], .string("/__admin/problems/\(type)")) }
            }
        }
        let words = ["record", "--api", "trendy", "--upstream", "http://127.0.0.1:9", "--out", "a.har", "--port", "0"]
        let refused = try Program.run(words + ["--lan", "127.0.0.1", "--tls", "off"], in: try Folder())
        expectEqual(refused.status, 2)
        #expect(refused.errors.contains("--lan-upstream"))
    }

    @Test func `8 after its time only loopback is left, which is printed`() throws {
        let secure = try SecureServed(["--lan", "--lan-for", "PT1S", "--admin-token", "s3cret"])
        try Deadline().wait(for: "the end") { try secure.served.child.errors().contains("--lan-for is over") }
        try expectEqual(get(secure.hub, "/__admin/health", host: "127.0.0.1", token: "s3cret").status, 200)
        let address = try #require(secure.served.ready["lan"]?["address"]?.stringValue)
        guard !address.hasPrefix("127.") else { return }
        let tool = try #require(try TLSTool(["curl", "-sS", "http://\(address):\(secure.hub)/"]))
        expectEqual(tool.status, 7)
    }

    @Test func `8 flags of device mode only warn without it`() throws {
        for flags in [["--lan-for", "PT1H"], ["--lan-upstream"], ["--qr"], ["--device-link", "myapp://x"]] {
            let served = try Served(flags, log: [])
            try Deadline().wait(for: "\(flags)") {
                try served.child.errors().contains("warning: \(flags[0]) has no effect without --lan")
            }
            expectNil(served.ready["lan"])
        }
        let secure = try SecureServed(["--tls", "on", "--device-link", "myapp://x?base={base}"], log: [])
        #expect(
            try get(secure.hub, "/__device", host: "127.0.0.1").text.contains("myapp://x?base=http%3A%2F%2F127.0.0.1")
        )
        #expect(try !secure.served.child.errors().contains("no effect"))
    }

    @Test(arguments: [
        (["--lan", "--host", "0.0.0.0"], "--host"), (["--lan", "203.0.113.77"], "which has"),
        (["--lan", "nowhere7"], "which has"), (["--pair"], "--lan"), (["--lan", "--lan-for", "tomorrow"], "ISO 8601"),
        (["--lan", "--lan-for", "PT0S"], "ISO 8601"), (["--lan-for", "5x"], "ISO 8601"),
        (["--lan", "--admin-token", ""], "visible"),
        (["--lan", "--qr", "upside"], "invert"), (["--lan", "--pair", "A world"], "not the name"),
        (["--lan", "--tls", "off", "--pair"], "TLS"), (["--device-link", "javascript:alert(1)"], "not a link"),
    ])
    func `8 what does not fit is 2 with the reason`(flags: [String], reason: String) throws {
        let result = try Program.run(["serve", "--port", "0"] + flags)
        expectEqual(result.status, 2)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }
}
