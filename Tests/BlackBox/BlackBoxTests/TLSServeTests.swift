import Foundation
import JSON
import TestSupport
import Testing

/// Transport contract, sections 3 to 5: TLS on the ports of a running server, looked at by foreign clients.
@Suite(.serialized) struct TLSServeTests {
    @Test func `3 with on every port answers both, and links have the scheme of the request`() throws {
        let secure = try SecureServed()
        let ready = secure.served.ready
        expectEqual(ready["hub"]?.stringValue?.hasPrefix("http://127.0.0.1:"), true)
        expectEqual(ready["tls"]?["mode"], "on")
        expectEqual(ready["tls"]?["ca"], .string(secure.root))
        let state = try secure.served.control("GET", "/tls").json
        expectEqual(ready["tls"]?["sha256"], state["authority"]?["sha256"])
        expectEqual(ready["tls"]?["sha256"]?.stringValue?.utf8.count, 64)
        let plain = try secure.served.control("POST", "/worlds", #"{"name":"plain"}"#).json
        expectEqual(plain["urls"]?["omnichat"], .string("http://127.0.0.1:\(secure.served.api)/@plain"))
        let answer = try #require(
            try secure.curl(
                "127.0.0.1",
                "/__admin/worlds",
                [
                    "-d", #"{"name":"secret"}"#, "-H", "Content-Type: application/json", "-H",
                    "X-Forwarded-Proto: http",
                ]
            )
        )
        let made = try JSONReader.read(text: answer.output)
        expectEqual(made["urls"]?["omnichat"], .string("https://127.0.0.1:\(secure.served.api)/@secret"))
        let apis = try #require(try secure.curl("localhost", "/__admin/apis"))
        #expect(apis.output.contains("\"https://localhost:\(secure.served.api)\""))
        let document = try #require(try secure.curl("localhost", "/__admin/openapi/omnichat.json"))
        try expectEqual(
            JSONReader.read(text: document.output)["servers"]?[0]?["url"]?.stringValue?.hasPrefix("https:"),
            true
        )
        #expect(try secure.served.control("GET", "/openapi/omnichat.json").text.contains("\"url\":\"http://"))
    }

    @Test func `3 the journal and the archive tell the way of a request`() throws {
        let secure = try SecureServed()
        _ = try secure.served.chat("GET", "/conversations")
        _ = try secure.curl("checkout.localhost", "/api/v1/nowhere?a=1", port: secure.served.api)
        _ = try secure.curl("mac.local", "/omnichat/api/v1/nowhere")
        let entries = try secure.served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        // The world checkout is unknown: its request is in no journal.
        expectEqual(entries.count, 2)
        let secret = try #require(entries.first)
        guard case .object(let object) = secret else { throw TestError(description: "no entry") }
        expectEqual(object.members.last?.name, "transport")
        expectEqual(
            secret["transport"],
            [
                "scheme": "https", "httpVersion": "HTTP/1.1",
                "tls": [
                    "version": "TLSv1.3", "cipher": secret["transport"]?["tls"]?["cipher"] ?? .null, "sni": "mac.local",
                    "alpn": "http/1.1", "resumed": false,
                ],
            ]
        )
        expectNil(entries[1]["transport"])
        let archive = try secure.served.control("GET", "/requests.har").json["log"]?["entries"]?.arrayValue ?? []
        expectEqual(archive[0]["request"]?["url"]?.stringValue?.hasPrefix("http://127.0.0.1:"), true)
        expectNil(archive[0]["_tls"])
        let port = secure.served.api
        expectEqual(archive[1]["request"]?["url"], .string("https://mac.local:\(port)/api/v1/nowhere"))
        expectEqual(archive[1]["_tls"], secret["transport"]?["tls"])
    }

    @Test func `3 with required plain requests are 426, but for the root`() throws {
        let secure = try SecureServed(["--tls", "required"])
        let hub = try #require(secure.served.ready["hub"]?.stringValue)
        #expect(hub.hasPrefix("https://127.0.0.1:"))
        for (port, path) in [(secure.hub, "/__admin/health"), (secure.served.api, "/api/v1/conversations")] {
            let wire = try Wire(port: port)
            try wire.send(Wire.request("GET", path, fields: ["X-Understudy-World: nobody"]))
            let answer = try wire.answer()
            expectEqual(answer.status, 426)
            expectEqual(answer["Upgrade"], "TLS/1.2, HTTP/1.1")
            expectEqual(answer["Connection"], "Upgrade, close")
            expectEqual(answer["Content-Type"], "application/problem+json")
            expectEqual(answer.json["type"], "/__admin/problems/tls-required")
            expectEqual(answer.json["detail"]?.stringValue?.contains("https://127.0.0.1"), true)
            try wire.waitForEnd()
        }
        let noise = try Wire(port: secure.hub)
        try noise.send(Array("noise\r\n\r\n".utf8))
        try expectEqual(noise.answer().status, 426)
        for file in ["ca.pem", "ca.crt", "ca.mobileconfig"] {
            for prefix in ["", "/omnichat"] {
                try expectEqual(Wire(port: secure.hub).ask("GET", "\(prefix)/__admin/\(file)").status, 200)
            }
        }
        let answer = try #require(try secure.curl("127.0.0.1", "/__admin/requests"))
        expectEqual(answer.output, #"{"items":[]}"#)
        let health = try Program.run(["health", hub], environment: ["UNDERSTUDY_CA": secure.folder.url.path + "/ca"])
        expectEqual(health.status, 0, "\(health.errors)")
    }

    @Test func `3 without TLS a client of it gets 400, and the log names the flag`() throws {
        let served = try Served(Served.frozen, log: [])
        let wire = try Wire(port: served.hub)
        try wire.send([0x16, 0x03, 0x01, 0x00, 0x05, 1, 0, 0, 1, 0])
        try expectEqual(wire.answer().status, 400)
        try wire.waitForEnd()
        try Deadline().wait(for: "the line of the log") { try served.child.errors().contains("--tls") }
        try expectEqual(served.control("GET", "/tls").json["mode"], "off")
        try expectEqual(served.control("GET", "/ca.pem").status, 404)
    }

    @Test func `4 what is wrong with the folder is a sentence, and nothing is replaced`() throws {
        let folder = try Folder()
        func start(_ flags: [String]) throws -> Program.Result {
            try Program.run(["serve", "--port", "0"] + flags, in: folder)
        }
        let made = try Program.run(
            ["trust", "--store", "java", "--ca", "ca"],
            environment: ["JAVA_HOME": ""],
            in: folder
        )
        expectEqual(made.status, 0, "\(made.errors)")
        let files = folder.url.appendingPathComponent("ca")
        func mode(_ name: String) throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: files.appendingPathComponent(name).path)
            return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        }
        #expect(try mode("issuer.key") == 0o600 && mode("leaf.key") == 0o600 && mode("root.pem") == 0o644)
        let key = files.appendingPathComponent("leaf.key")
        let secret = try String(contentsOf: key, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key.path)
        let exposed = try start(["--tls", "on", "--ca", "ca"])
        expectEqual(exposed.status, 2)
        #expect(exposed.errors.contains("others can read this key"))
        #expect(!exposed.errors.contains(secret.split(separator: "\n")[1]))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
        try FileManager.default.removeItem(at: files.appendingPathComponent("issuer.pem"))
        let missing = try start(["--tls", "required", "--ca", "ca"])
        expectEqual(missing.status, 2)
        #expect(missing.errors.contains("issuer.pem is missing"))
        let nowhere = try start(["--tls", "--ca", "/proc/nowhere/ca"])
        expectEqual(nowhere.status, 2)
        #expect(nowhere.errors.contains("--ca"))
        for flags in [["--tls", "maybe"], ["--cert", "a.pem"], ["--tls", "on", "--cert", "a.pem", "--key", "b.pem"]] {
            let refused = try start(flags)
            expectEqual(refused.status, 2, "\(flags)")
            #expect(refused.errors.contains("a.pem") || refused.errors.contains("--"), "\(refused.errors)")
        }
    }

    @Test func `4 two processes that start at once agree on one authority`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--api", "trendy", "--tls", "on", "--ca", "ca"]
        let children = try (0..<4).map { _ in try Child(["serve", "--port", "0", "--quiet"] + flags, in: folder) }
        var digests: Set<String> = []
        for child in children {
            var line = ""
            try Deadline().wait(for: "a ready line") {
                line = try child.output()
                return line.hasSuffix("\n") || !child.isRunning
            }
            digests.insert(try JSONReader.read(text: String(line.dropLast()))["tls"]?["sha256"]?.stringValue ?? "none")
        }
        #expect(digests.count == 1 && !digests.contains("none"))
    }

    @Test func `5 a program of exec verifies the connection without any setup`() throws {
        let folder = try Folder(["extra.pem": "# what was trusted before\n"])
        let script = """
            echo $UNDERSTUDY_URL $UNDERSTUDY_OMNICHAT_URL; grep -c BEGIN "$UNDERSTUDY_CA_FILE"
            grep -l 'trusted before' "$CURL_CA_BUNDLE"; dirname "$SSL_CERT_FILE"
            curl -sS --noproxy '*' --fail "$UNDERSTUDY_URL/__admin/health" >/dev/null && echo verified
            """
        let run = try Program.run(
            ["exec", "--tls", "--ca", "ca", "--", "sh", "-c", script],
            environment: ["CURL_CA_BUNDLE": folder.url.path + "/extra.pem", "SSL_CERT_FILE": ""],
            in: folder
        )
        expectEqual(run.status, 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map(String.init)
        expectEqual(lines.first?.split(separator: " ").allSatisfy { $0.hasPrefix("https://127.0.0.1:") }, true)
        #expect(lines.contains("verified"))
        let temporary = try #require(lines.first { $0.contains("/understudy-exec-") && !$0.hasSuffix(".pem") })
        #expect(!FileManager.default.fileExists(atPath: temporary))
        #expect(lines.contains { $0.hasSuffix("/CURL_CA_BUNDLE.pem") })
    }

    @Test func `5 trust plans, checks and bundles, and untrust removes`() throws {
        let folder = try Folder(["roots.pem": "# roots\n"])
        let environment = ["HOME": folder.url.path, "JAVA_HOME": "", "SSL_CERT_FILE": folder.url.path + "/roots.pem"]
        func run(_ words: [String]) throws -> Program.Result {
            try Program.run(words, environment: environment, in: folder)
        }
        let plan = try run(["trust", "--ca", "ca"])
        expectEqual(plan.status, 0)
        #expect(plan.output.contains("created a certificate authority"))
        let bundle = try run(["trust", "--bundle", "--ca", "ca"])
        expectEqual(bundle.output, folder.url.path + "/ca/bundle.pem\n")
        let text = try String(contentsOfFile: folder.url.path + "/ca/bundle.pem", encoding: .utf8)
        #expect(text.hasPrefix("# roots\n-----BEGIN CERTIFICATE-----"))
        let again = try run(["trust", "--allow-name", "api.example.com", "--ca", "ca"])
        expectEqual(again.status, 2)
        try expectEqual(run(["trust", "--allow-name", "10.0.0.1", "--ca", "other"]).status, 2)
        let wide = try run(["trust", "--unconstrained", "--store", "java", "--ca", "wide"])
        #expect(wide.status == 0 && wide.errors.contains("any server on the internet"))
        try expectEqual(run(["trust", "--store", "nobody"]).status, 2)
        for words in [["--store", ""], ["--allow-name", "", "--ca", "none"]] {
            let empty = try run(["trust"] + words)
            #expect(empty.status == 2 && empty.errors.contains("names no"), "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/none"))
        let check = try run(["trust", "--check", "--ca", "ca"])
        let names = check.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        for tool in ["curl", "python3", "node", "openssl"] {
            expectEqual(names.contains(Substring(tool)), TLSTool.path(tool) != nil, "\(check.output)")
        }
        let kept = try run(["untrust", "--remove", "--store", "java", "--ca", "ca"])
        #expect(kept.status == 0 && FileManager.default.fileExists(atPath: folder.url.path + "/ca/root.pem"))
        try expectEqual(run(["untrust", "--yes", "--remove", "--store", "java", "--ca", "ca"]).status, 0)
        #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/ca"))
        try expectEqual(run(["untrust", "--yes", "--remove", "--store", "java", "--ca", "ca"]).status, 0)
    }

    @Test func `5 the root verifies strictly, and a profile holds the same`() throws {
        let secure = try SecureServed()
        let pem = try secure.served.control("GET", "/ca.pem")
        expectEqual(pem.text, try String(contentsOfFile: secure.root, encoding: .utf8))
        let client = try TLSTool([
            "openssl", "s_client", "-connect", "127.0.0.1:\(secure.hub)", "-servername", "checkout.localhost",
            "-verify_hostname", "checkout.localhost", "-CAfile", secure.root, "-x509_strict", "-verify_return_error",
        ])
        let said = try #require(client)
        #expect(said.status == 0 && said.output.contains("Verify return code: 0 (ok)"), "\(said.errors)")
        let profile = try secure.served.control("GET", "/ca.mobileconfig")
        let list = try PropertyListSerialization.propertyList(from: Data(profile.bytes), format: nil) as? [String: Any]
        let payload = (list?["PayloadContent"] as? [[String: Any]])?.first
        expectEqual(payload?["PayloadContent"] as? Data, Data(try secure.served.control("GET", "/ca.crt").bytes))
    }

    @Test func `4 own certificates are chosen by name, and there is no authority then`() throws {
        _ = try #require(TLSTool.path("openssl"), "make test-deps installs openssl")
        let folder = try Folder()
        func make(_ name: String) throws {
            let made = try TLSTool([
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "30",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-keyout",
                folder.url.path + "/\(name).key", "-out", folder.url.path + "/\(name).pem",
            ])
            expectEqual(made?.status, 0, "\(made?.errors ?? "")")
        }
        try make("one.test")
        try make("two.test")
        let served = try Served(
            [
                "--tls", "required", "--cert", "one.test.pem", "--key", "one.test.key", "--cert", "two.test.pem",
                "--key",
                "two.test.key", "--ca", "ca",
            ],
            in: folder
        )
        expectEqual(served.ready["tls"], ["mode": "required"])
        for name in ["one.test", "two.test"] {
            let answer = try #require(
                try TLSTool([
                    "curl", "-sS", "--noproxy", "*", "--cacert", folder.url.path + "/\(name).pem", "--resolve",
                    "\(name):\(served.hub):127.0.0.1", "-o", "/dev/null", "-w", "%{http_code}",
                    "https://\(name):\(served.hub)/__admin/ca.pem",
                ])
            )
            // The host is not allowed: the connection is what counts here.
            expectEqual(answer.output, "421", "\(answer.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/ca"))
        let crossed = try Program.run(
            ["serve", "--port", "0", "--tls", "on", "--cert", "one.test.pem", "--key", "two.test.key"],
            in: folder
        )
        #expect(crossed.status == 2 && crossed.errors.contains("is not the key of"))
    }
}
