import Backend
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 18: access control.
@Suite struct SafetyTests {
    @Test(arguments: [
        ("192.168.1.7:4680", true), ("[fe80::1]:4680", true), ("10.0.0.1", true), ("evil.example", false),
        ("1.2.3.4.evil.example", false), ("256.1.1.1", false), ("localhost", true),
    ])
    func `18 listening everywhere, numeric hosts are ours and names are not`(host: String, isOurs: Bool) throws {
        let safety = ControlSafety(acceptsNumericHosts: true)
        let answer = try Harness(safety: safety).call(.get, "/health", host: host)
        expectEqual(answer.status, isOurs ? 200 : 421)
        if host != "localhost" { try expectEqual(Harness().call(.get, "/health", host: host).status, 421) }
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:4680", "127.0.0.2:4680", "127.255.255.254", "[::1]", "[::1]:4680", "localhost",
        "localhost:4680", "LOCALHOST:1", "main.localhost", "main.localhost:4680", "localhost.", "localhost.:4680",
        "127.0.0.1.", "main.localhost.",
    ])
    func `a loopback host is answered`(host: String) throws {
        try expectEqual(Harness().call(.get, "/health", host: host).status, 200)
    }

    @Test(arguments: [
        "example.com", "rebound.example.com:4680", "127.0.0.1.example.com", "localhost.example.com", "127.0.0.1.nip.io",
        "notlocalhost", "evil-localhost", "0.0.0.0", "0.0.0.0:4680", "192.168.1.5", "10.0.0.1:4680", "[::]",
        "[::2]:4680",
        "[fe80::1]", "[::ffff:127.0.0.1]", "128.0.0.1", "126.0.0.1", "127.1", "127.0.0.256", "127.+1.0.1",
        "127.0.0.0x1",
        "2130706433", "127.0.0.1@example.com", "", ":4680", "a:b:c", "understudy.invalid",
    ])
    func `a foreign host is 421, against DNS rebinding`(host: String) throws {
        let answer = try Harness().call(.get, "/health", host: host)
        expectEqual(answer.problem, "421 foreign-host")
        #expect(answer.text.contains("Call 127.0.0.1 or localhost"))
        try expectEqual(Harness().call(.post, "/reset", host: host).problem, "421 foreign-host")
    }

    @Test func `a configured host is answered`() throws {
        let harness = try Harness(safety: ControlSafety(hosts: ["devbox.lan"]))
        try expectEqual(harness.call(.get, "/health", host: "DevBox.lan:4680").status, 200)
        try expectEqual(harness.call(.get, "/health", host: "devbox.lan.").status, 200)
        try expectEqual(harness.call(.get, "/health", host: "other.lan").problem, "421 foreign-host")
        try expectEqual(harness.call(.get, "/health", host: "x.devbox.lan").problem, "421 foreign-host")
    }

    @Test(arguments: [
        "http://127.0.0.1:4680", "http://localhost:4680", "http://[::1]:4680", "http://main.localhost:4680",
        "HTTP://LOCALHOST:4680",
    ])
    func `an own origin is answered`(origin: String) throws {
        try expectEqual(Harness().call(.get, "/health", headers: [(.origin, origin)]).status, 200)
    }

    @Test(arguments: [
        "https://example.com", "http://example.com:4680", "null", "", "https://127.0.0.1:4680", "http://127.0.0.1:4681",
        "http://127.0.0.1:4683", "http://[::1]:4683",
        "http://127.0.0.1", "http://localhost:80", "http://127.0.0.1:4680/", "http://127.0.0.1:4680@example.com",
        "http://example.com@127.0.0.1:4680", "file://", "http://localhost.example.com:4680",
        "http://127.0.0.1:4680.example.com",
        "chrome-extension://abc",
    ])
    func `a foreign origin is 403`(origin: String) throws {
        let answer = try Harness().call(.get, "/health", headers: [(.origin, origin)])
        expectEqual(answer.problem, "403 foreign-origin")
    }

    @Test func `one foreign origin among several is 403`() throws {
        let own: FieldName = .origin
        let answer = try Harness().call(
            .get,
            "/health",
            headers: [(own, "http://127.0.0.1:4680"), (own, "http://example.com")]
        )
        expectEqual(answer.problem, "403 foreign-origin")
    }

    @Test(arguments: [
        ("cross-site", "navigate", "document", 403, 403), ("Cross-Site", "cors", "empty", 403, 403),
        ("same-site", "no-cors", "empty", 403, 403), ("same-site", "navigate", "iframe", 403, 403),
        ("same-site", "navigate", "document", 200, 403), ("same-site", "websocket", "", 403, 403),
        ("same-origin", "cors", "empty", 200, 403), ("same-origin", "navigate", "document", 200, 403),
        ("same-origin", "same-origin", "sharedworker", 200, 403), ("none", "navigate", "document", 200, 200),
        ("elsewhere", "cors", "empty", 403, 403),
    ])
    func `18 the hub takes its own pages, an API's port none`(
        site: String,
        mode: String,
        destination: String,
        onHub: Int,
        onPort: Int
    ) throws {
        let harness = try Harness()
        let said: [(FieldName, String)] = [
            (.secFetchSite, site), (.secFetchMode, mode), (.secFetchDest, destination),
        ]
        try expectEqual(harness.call(.get, "/health", headers: said).status, onHub)
        try expectEqual(harness.call(.get, "/health", headers: said, entryPoint: .api(0)).status, onPort)
    }

    @Test func `18 a form of another port is no link`() throws {
        let said: [(FieldName, String)] = [
            (.secFetchSite, "same-site"), (.secFetchMode, "navigate"), (.secFetchDest, "document"),
        ]
        try expectEqual(Harness().call(.post, "/reset", headers: said).problem, "403 cross-site")
    }

    @Test(arguments: [
        ("http://127.0.0.1:4680/", 200), ("http://127.0.0.1:4680/docs/omnichat?x=/omnichat/", 200),
        ("http://127.0.0.1:4680/@w/docs/", 200), ("http://127.0.0.1:4680/omnichat/__admin/docs", 200),
        ("http://127.0.0.1:4680/@w", 200), ("http://127.0.0.1:4680/omnichat/files/a.html", 403),
        ("http://127.0.0.1:4680/@w/omnichat/", 403), ("http://127.0.0.1:4683/", 403), ("about:client", 403),
        ("http://127.0.0.1:4683/__admin/docs", 403), ("https://example.com/docs/", 403), ("", 403),
    ])
    func `18 a page that a browser names has to be ours`(address: String, status: Int) throws {
        let harness = try Harness()
        try expectEqual(harness.call(.get, "/health", headers: [(.referer, address)]).status, status)
        try expectEqual(harness.call(.get, "/health", headers: [(.referer, address)], entryPoint: .api(0)).status, 403)
    }

    @Test func `the admin token is asked for with reads too`() throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "s3cret-Token"))
        for (method, path) in [
            (HTTPMessage.HTTPMethod.get, "/health"), (.get, "/requests"), (.post, "/reset"), (.get, "/no-such"),
        ] {
            let answer = try harness.call(method, path)
            expectEqual(answer.problem, "401 unauthorized")
            expectEqual(answer["WWW-Authenticate"], "Bearer realm=\"understudy\"")
        }
    }

    @Test(arguments: [
        "Bearer s3cret-Toke", "Bearer s3cret-Token2", "Bearer S3CRET-TOKEN", "Bearer ", "Bearer", "s3cret-Token",
        "Basic s3cret-Token", "Bearer  s3cret-Token", "Bearer s3cret-Token ", "",
    ])
    func `a wrong admin token is 401, a prefix of the right one too`(value: String) throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "s3cret-Token"))
        let answer = try harness.call(.get, "/health", headers: [(.authorization, value)])
        expectEqual(answer.problem, "401 unauthorized")
        #expect(!answer.text.contains("s3cret"), "the answer must not hold the token")
    }

    @Test func `the right admin token is taken, the scheme in any case`() throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "s3cret-Token"))
        for scheme in ["Bearer", "bearer", "BEARER"] {
            try expectEqual(
                harness.call(.get, "/health", headers: [(.authorization, "\(scheme) s3cret-Token")]).status,
                200
            )
        }
        let twice = [(FieldName.authorization, "Bearer s3cret-Token"), (.authorization, "Bearer s3cret-Token")]
        try expectEqual(harness.call(.get, "/health", headers: twice).problem, "401 unauthorized")
    }

    @Test func `the host is looked at before the origin, and both before the token`() throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "s3cret"))
        let foreign = [(FieldName.origin, "http://example.com")]
        try expectEqual(
            harness.call(.get, "/health", headers: foreign, host: "example.com").problem,
            "421 foreign-host"
        )
        try expectEqual(harness.call(.get, "/health", headers: foreign).problem, "403 foreign-origin")
    }

    @Test func `no CORS field is ever sent`() throws {
        let harness = try Harness()
        let preflight: [(FieldName, String)] = [
            (.origin, "http://127.0.0.1:4680"), ("Access-Control-Request-Method", "PUT"),
        ]
        let answers = [
            try harness.call(.get, "/health", headers: [(.origin, "http://127.0.0.1:4680")]),
            try harness.call(.options, "/clock", headers: preflight),
            try harness.call(.get, "/health", headers: [(.origin, "http://example.com")]),
            try harness.call(.put, "/settings", "{}", headers: [(.origin, "http://127.0.0.1:4680")]),
        ]
        for answer in answers {
            #expect(!String(decoding: answer.fields.wire, as: UTF8.self).lowercased().contains("access-control"))
        }
    }

    @Test func `a refused call changes nothing`() throws {
        let harness = try Harness()
        let body = #"{"mode":"frozen","now":"2030-01-01T00:00:00Z"}"#
        try expectEqual(harness.call(.put, "/clock", body, host: "example.com").status, 421)
        try expectEqual(harness.call(.put, "/clock", body, headers: [(.origin, "null")]).status, 403)
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:00:00.000Z")
        #expect(harness.host.calls.isEmpty)
    }

    @Test func `no detail holds a stack trace, a source file or a token`() throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "s3cret-Token"))
        let right: [(FieldName, String)] = [(.authorization, "Bearer s3cret-Token")]
        let answers = [
            try harness.call(.get, "/nowhere", headers: right),
            try harness.call(.put, "/clock", "{", headers: right),
            try harness.call(.post, "/tokens?api=omnichat", #"{"user":"nobody","kind":"access"}"#, headers: right),
            try harness.call(.get, "/health", headers: [(.authorization, "Bearer wrong-Token")]),
        ]
        for answer in answers {
            #expect(answer.status >= 400)
            for word in ["s3cret", "wrong-Token", ".swift", "0x0", "Optional(", "Control."] {
                #expect(!answer.text.contains(word), "\(answer.text) holds \(word)")
            }
        }
    }
}
