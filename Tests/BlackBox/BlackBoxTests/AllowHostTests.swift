import Foundation
import JSON
import TestSupport
import Testing

/// Transport contract, section 1: `--allow-host` and the addresses that are handed out.
@Suite(.serialized) struct AllowHostTests {
    private func get(_ port: Int, _ path: String, host: String, token: String?) throws -> WireAnswer {
        let wire = try Wire(port: port)
        let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try wire.send(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(authorization)\r\n".utf8))
        return try wire.answer()
    }

    private func madeToken(_ served: Served) throws -> String {
        var errors = ""
        try Deadline().wait(for: "the token") {
            errors = try served.child.errors()
            return errors.contains("admin token ")
        }
        let line = errors.split(separator: "\n").first { $0.contains("  admin token ") }
        return String(try #require(line?.split(separator: " ").last))
    }

    @Test
    func `1 a name that is allowed is answered with a token that is made, and the emulated APIs under every host`()
        throws
    {
        let served = try Served(Served.frozen + ["--allow-host", "understudy", ".svc.cluster.local"], log: [])
        let token = try madeToken(served)
        #expect(try served.child.errors().contains("also accepted under understudy, .svc.cluster.local"))
        // It listens on loopback as before.
        #expect(try !served.child.errors().contains("EXPOSED"))
        for host in ["understudy:80", "a.svc.cluster.local", "127.0.0.1"] {
            try expectEqual(get(served.hub, "/__admin/health", host: host, token: token).status, 200)
            try expectEqual(get(served.hub, "/__admin/health", host: host, token: nil).status, 401)
            try expectEqual(get(served.hub, "/", host: host, token: nil).status, 200)
        }
        for path in ["/__admin/health", "/"] {
            let foreign = try get(served.hub, path, host: "evil.example", token: token)
            expectEqual(foreign.status, 421)
            #expect(foreign.text.contains("--allow-host"))
        }
        try expectEqual(get(served.api, "/api/v1/conversations", host: "evil.example", token: nil).status, 401)
        try expectEqual(get(served.api, "/api/v1/auth/none", host: "anything.example", token: nil).status, 404)
    }

    @Test func `console 11 the page without script shows the addresses of whoever asks`() throws {
        let served = try Served(Served.frozen + ["--allow-host", "understudy"])
        #expect(
            try get(served.hub, "/", host: "understudy", token: nil).text.contains("http://understudy:\(served.api)")
        )
    }

    @Test func `1 the environment and the file name hosts too, and a token of the user's own is kept`() throws {
        let folder = try Folder(["understudy.json": #"{"allowHost":["file.example"]}"#])
        let served = try Served(environment: ["UNDERSTUDY_ADMIN_TOKEN": "s3cret"], in: folder)
        try expectEqual(get(served.hub, "/__admin/health", host: "file.example", token: "s3cret").status, 200)
        #expect(try !served.child.errors().contains("s3cret"))
        let variables = ["UNDERSTUDY_ALLOW_HOST": "one.example,.two.example"]
        let other = try Served(environment: variables, in: folder)
        let token = try madeToken(other)
        for (host, status) in [("one.example", 200), ("a.two.example", 200), ("file.example", 421)] {
            try expectEqual(get(other.hub, "/__admin/health", host: host, token: token).status, status)
        }
    }

    @Test(arguments: [
        ("127.0.0.1", "is an address"), ("[::1]", "is an address"), ("*", "has a *"), ("http://a.example", "is a URL"),
        ("understudy:4680", "has a port"), (".local", "is a suffix of one label"), ("", "names no host"),
        ("a_b,*", "has a *"),
    ])
    func `1 a name that can't be allowed is 2 with the reason`(name: String, reason: String) throws {
        for (words, environment) in [(["--allow-host", name], [:]), ([], ["UNDERSTUDY_ALLOW_HOST": name])] {
            let result = try Program.run(["serve", "--port", "0"] + words, environment: environment)
            expectEqual(result.status, 2)
            #expect(result.errors.contains(reason), "\(result.errors)")
            #expect(result.errors.contains(words.isEmpty ? "UNDERSTUDY_ALLOW_HOST" : "--allow-host"))
        }
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func `1 listening everywhere, nobody is told an address that can't be connected to`(host: String) throws {
        let served = try Served(Served.frozen + ["--host", host], log: [])
        let token = try madeToken(served)
        expectEqual(served.ready["hub"]?.stringValue, "http://127.0.0.1:\(served.hub)")
        expectEqual(served.ready["apis"]?["omnichat"]?.stringValue, "http://127.0.0.1:\(served.api)")
        try expectEqual(get(served.hub, "/__admin/health", host: "127.0.0.1", token: token).status, 200)
        let errors = try served.child.errors()
        #expect(errors.contains("hub           http://127.0.0.1:\(served.hub)"))
        #expect(!errors.contains("http://0.0.0.0") && !errors.contains("http://[::]"))
        // Every other address of the machine is listed, and works.
        let others = errors.split(separator: "\n").filter { $0.hasPrefix("    also at http://") }
        for line in others {
            let address = String(line.split(separator: " ")[2])
            let answer = try Program.run(["health", address], environment: ["UNDERSTUDY_ADMIN_TOKEN": token])
            expectEqual(answer.status, 0, "\(line): \(answer.errors)")
            #expect(line.hasSuffix(")"))
        }
        let asked = try get(served.hub, "/__admin/apis", host: "10.1.2.3:\(served.hub)", token: token)
        expectEqual(asked.json["items"]?[2]?["url"]?.stringValue, "http://10.1.2.3:\(served.api)")
    }
}
