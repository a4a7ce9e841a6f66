import Foundation
import JSON
import TestSupport
import Testing

/// `understudy health` (transport contract, section 2).
@Suite(.serialized) struct HealthTests {
    /// The answer of a backend that writes bytes as they stand.
    private static func raw(_ status: String, _ body: String, fields: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)\r\n\(body)"
    }

    private static func problem(_ slug: String) -> String {
        #"{"type":"/__admin/problems/\#(slug)","title":"t","status":0,"detail":"d"}"#
    }

    @Test func `2 a server that serves is 0, and its answer is one line`() throws {
        let served = try Served()
        for address in [
            "http://127.0.0.1:\(served.hub)", "http://localhost:\(served.api)/", "HTTP://127.0.0.1:\(served.hub)/@main",
        ] {
            let result = try Program.run(["health", address])
            expectEqual(result.status, 0, "\(address) \(result.errors)")
            expectEqual(result.json["status"], "ok")
            expectEqual(result.output.split(separator: "\n", omittingEmptySubsequences: false).count, 2)
            #expect(result.errors.isEmpty)
        }
    }

    @Test func `2 without a URL it asks UNDERSTUDY_URL, else the port that serve would choose`() throws {
        let served = try Served()
        let file = try Folder(["understudy.json": #"{"port":\#(served.hub)}"#])
        let named = try Folder(["ci.json": #"{"port":\#(served.hub)}"#])
        let asked = try [
            Program.run(["health"], environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]),
            Program.run(["health"], environment: ["UNDERSTUDY_PORT": "\(served.hub)"]),
            Program.run(["health"], in: file),
            Program.run(["health"], environment: ["UNDERSTUDY_CONFIG": "ci.json"], in: named),
            // The URL wins over the port.
            Program.run(
                ["health"],
                environment: ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)", "UNDERSTUDY_PORT": "1"]
            ),
        ]
        let flag = try Program.run(["health", "--url", "http://127.0.0.1:\(served.hub)", "--json", "--no-color"])
        expectEqual(flag.json["status"], "ok", "\(flag.errors)")
        try expectEqual(Program.run(["health", "--url", "http://127.0.0.1:1", "http://127.0.0.1:1"]).status, 2)
        for result in asked { expectEqual(result.status, 0, "\(result.errors)") }
        let elsewhere = try Program.run(["health"], environment: ["UNDERSTUDY_PORT": "1"], in: file)
        expectEqual(elsewhere.status, 1)
        expectEqual(elsewhere.errors, "understudy: http://127.0.0.1:1: Connection refused\n")
        // The default port, on which another program may listen here.
        let standard = try Program.run(["health", "--timeout", "0.2"])
        #expect(standard.status == 0 || standard.errors.hasPrefix("understudy: http://127.0.0.1:4680: "))
        let secure = try Program.run(["health"], environment: ["UNDERSTUDY_PORT": "1", "UNDERSTUDY_TLS": "required"])
        #expect(secure.errors.hasPrefix("understudy: https://127.0.0.1:1: "))
    }

    @Test func `2 the admin token is sent if it is set, and a refusal for want of it shows that the process serves`()
        throws
    {
        let served = try Served(environment: ["UNDERSTUDY_ADMIN_TOKEN": "s3cret"])
        let address = "http://127.0.0.1:\(served.hub)"
        let known = try Program.run(["health", address], environment: ["UNDERSTUDY_ADMIN_TOKEN": "s3cret"])
        expectEqual(known.status, 0)
        expectEqual(known.json["status"], "ok")
        for environment in [[:], ["UNDERSTUDY_ADMIN_TOKEN": "other"]] {
            let refused = try Program.run(["health", address], environment: environment)
            expectEqual(refused.status, 0)
            expectEqual(refused.json["type"], "/__admin/problems/unauthorized")
            #expect(!(refused.output + refused.errors).contains("s3cret"))
        }
    }

    @Test func `2 only Understudy's own refusals count, and no other answer does`() throws {
        let backend = try SilentBackend([
            "ok": Self.raw("200 OK", #"{"status":"ok"}"#), "down": Self.raw("200 OK", #"{"status":"down"}"#),
            "text": Self.raw("200 OK", "ok"), "empty": Self.raw("200 OK", ""),
            "own401": Self.raw("401 Unauthorized", Self.problem("unauthorized")),
            "foreign401": Self.raw("401 Unauthorized", #"{"type":"about:blank"}"#),
            "own426": Self.raw("426 Upgrade Required", Self.problem("tls-required")),
            "mixed426": Self.raw("426 Upgrade Required", Self.problem("unauthorized")),
            "foreignHost": Self.raw("421 Misdirected Request", Self.problem("foreign-host")),
            "created": Self.raw("201 Created", #"{"status":"ok"}"#),
            "moved": Self.raw("302 Found", #"{"status":"ok"}"#, fields: "Location: /raw/ok\r\n"),
            "noHTTP": "hello\r\n", "cut": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"status\":\"ok\"}",
            "long": Self.raw("200 OK", #"{"status":"ok","x":""# + String(repeating: "x", count: 65_536) + #""}"#),
        ])
        for (name, status) in [
            ("ok", 0), ("own401", 0), ("own426", 0), ("down", 1), ("text", 1), ("empty", 1), ("foreign401", 1),
            ("mixed426", 1), ("foreignHost", 1), ("created", 1), ("moved", 1), ("noHTTP", 1), ("cut", 1), ("long", 1),
        ] {
            let result = try Program.run(["health", "\(backend.url)/raw/\(name)", "--timeout", "30"])
            expectEqual(Int(result.status), status, "\(name): \(result.output)\(result.errors)")
            expectEqual(result.output.isEmpty, status == 1, "\(name)")
            expectEqual(result.errors.split(separator: "\n").count, status, "\(name): \(result.errors)")
        }
        // A redirect is not followed: there was one request for it.
        try expectEqual(backend.seen(), 14)
        #expect(
            try backend.head(1).hasPrefix("GET /raw/ok/__admin/health HTTP/1.1\r\nHost: 127.0.0.1:\(backend.port)\r\n")
        )
    }

    @Test func `2 no connection, and no answer in time, are 1`() throws {
        let none = try Program.run(["health", "http://127.0.0.1:1"])
        expectEqual(none.status, 1)
        #expect(none.output.isEmpty)
        #expect(none.errors.contains("refused"))
        try expectEqual(Program.run(["health", "http://no-such-host.invalid:4680"]).status, 1)
        let backend = try SilentBackend()
        let start = Date()
        let silent = try Program.run(["health", backend.url, "--timeout", "0.3"])
        expectEqual(silent.status, 1)
        #expect(Date().timeIntervalSince(start) >= 0.3)
        #expect(silent.errors.hasPrefix("understudy: \(backend.url): "))
        // An answer that never ends is none.
        try expectEqual(Program.run(["health", "\(backend.url)/begin", "--timeout", "0.3"]).status, 1)
    }

    @Test func `2 an https URL is verified, and its host must match`() throws {
        let backend = try Backend(certificateFor: "DNS:localhost")
        let trusting = ["SSL_CERT_FILE": backend.authority]
        let other = try Folder()
        let authority = try Folder(["root.pem": try String(contentsOfFile: backend.authority, encoding: .utf8)])
        func ask(_ host: String, _ environment: [String: String]) throws -> String {
            let variables = ["UNDERSTUDY_CA": other.url.path].merging(environment) { $1 }
            let result = try Program.run(["health", backend.url(host: host)], environment: variables)
            expectEqual(result.status, 1)
            return result.errors
        }
        // It verifies, and is another program.
        #expect(try ask("localhost", trusting).contains("the response is 200"))
        #expect(try ask("localhost", ["UNDERSTUDY_CA": authority.url.path]).contains("the response is 200"))
        #expect(try ask("127.0.0.1", trusting).contains("does not verify"))
        #expect(try ask("localhost", [:]).contains("does not verify"))
    }

    @Test(arguments: [
        ["ftp://127.0.0.1"], ["127.0.0.1:4680"], ["http://"], ["http://a b"], ["http://127.0.0.1:0"],
        ["http://user@127.0.0.1"], ["http://127.0.0.1/?x"], ["http://127.0.0.1/#x"], [""],
        ["http://127.0.0.1", "http://127.0.0.1"], ["--timeout"], ["--timeout", "0"], ["--timeout", "-1"],
        ["--timeout", "1e3"], ["--timeout", "3600.1"], ["--timeout", "0.0009"], ["--timeout", "x"], ["--port", "1"],
    ])
    func `2 a mistake in the command line is 2`(words: [String]) throws {
        let result = try Program.run(["health"] + words, environment: ["UNDERSTUDY_URL": "http://127.0.0.1:1"])
        expectEqual(result.status, 2, "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test func `2 a mistake in the environment or the file is 2, and the limits of the time are taken`() throws {
        for environment in [
            ["UNDERSTUDY_URL": "here"], ["UNDERSTUDY_PORT": "0"], ["UNDERSTUDY_PORT": "65536"],
            ["UNDERSTUDY_PORT": "x"],
        ] {
            let result = try Program.run(["health"], environment: environment)
            expectEqual(result.status, 2)
            #expect(result.errors.contains(environment.keys.first ?? "none"))
        }
        try expectEqual(Program.run(["health"], in: Folder(["understudy.json": "{"])).status, 2)
        for limit in ["0.001", "3600", "3600.0"] {
            try expectEqual(Program.run(["health", "http://127.0.0.1:1", "--timeout", limit]).status, 1)
        }
    }

    @Test func `2 it makes no file`() throws {
        let folder = try Folder()
        let variables = ["HOME": folder.url.path, "XDG_DATA_HOME": folder.url.path]
        for address in ["http://127.0.0.1:1", "https://127.0.0.1:1"] {
            _ = try Program.run(["health", address], environment: variables, in: folder)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
