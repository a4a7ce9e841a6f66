import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Transport contract, section 1: hosts besides loopback under which control calls are answered.
@Suite struct AllowedHostTests {
    private func hosts(_ texts: String...) throws -> [AllowedHost] { try texts.map { try AllowedHost($0) } }

    private func harness(_ texts: String..., token: String? = nil) throws -> Harness {
        try Harness(safety: ControlSafety(allowedHosts: texts.map { try AllowedHost($0) }, adminToken: token))
    }

    @Test(arguments: [
        ("understudy", "understudy", true), ("understudy", "understudy:4680", true),
        ("understudy", "UnderStudy.", true),
        ("understudy", "understudy.:1", true), ("UNDERSTUDY.", "understudy", true),
        ("understudy", "x.understudy", false),
        ("understudy", "understudy.x", false), ("understudy", "notunderstudy", false),
        (".svc.cluster.local", "a.svc.cluster.local", true), (".svc.cluster.local", "a.b.SVC.cluster.local.:80", true),
        (".svc.cluster.local", "svc.cluster.local", false), (".svc.cluster.local", ".svc.cluster.local", false),
        (".svc.cluster.local", "xsvc.cluster.local", false), (".Svc.Cluster.Local.", "a.svc.cluster.local", true),
        ("a_b-c.example", "a_b-c.example", true), ("127.0.0.1.nip.io", "127.0.0.1.nip.io", true),
        ("understudy", "192.168.1.7", false),
    ])
    func `1 a name is itself, and a suffix is what lies below it`(allowed: String, host: String, isOurs: Bool) throws {
        let answer = try harness(allowed).call(.get, "/health", host: host)
        expectEqual(answer.status, isOurs ? 200 : 421)
    }

    @Test(arguments: [
        ("", "names no host"), (".", "names no host"), ("*", "has a *"), ("*.example.com", "has a *"),
        ("http://understudy", "is a URL"), ("understudy/x", "is a URL"), ("understudy:4680", "has a port"),
        ("127.0.0.1", "is an address"), ("127.0.0.1:4680", "is an address"), ("10.0.0.1.", "is an address"),
        ("127.1", "is an address"), ("2130706433", "is an address"), ("0x7f.1", "is an address"),
        ("0x7f000001", "is an address"), ("::1", "is an address"), ("[::1]", "is an address"),
        ("[::1]:4680", "is an address"), ("fe80::1", "is an address"), (".local", "is a suffix of one label"),
        (".com.", "is a suffix of one label"), ("..example.com", "is no DNS name"), ("a..b", "is no DNS name"),
        ("a b", "is no DNS name"), ("-a", "is no DNS name"), ("a-", "is no DNS name"), ("ü", "is no DNS name"),
        ("a@b", "is no DNS name"), ("a,b", "is no DNS name"),
    ])
    func `1 what is no name and no suffix is refused with the reason`(text: String, reason: String) throws {
        let refusal = #expect(throws: AllowedHost.Refusal.self) { try AllowedHost(text) }
        expectEqual(refusal?.reason.hasPrefix(reason), true, "\(refusal?.reason ?? "none")")
    }

    @Test func `1 the limits of a DNS name are 63 bytes a label and 253 in all`() throws {
        let label = String(repeating: "a", count: 63)
        #expect(throws: Never.self) { try AllowedHost(label) }
        #expect(throws: AllowedHost.Refusal.self) { try AllowedHost(label + "a") }
        let whole = "\(label).\(label).\(label).\(String(repeating: "b", count: 61))"
        #expect(throws: Never.self) { try AllowedHost(whole) }
        #expect(throws: AllowedHost.Refusal.self) { try AllowedHost(whole + "b") }
    }

    @Test(arguments: [
        ("http://understudy:4680", true), ("https://understudy:4680", true), ("HTTPS://UnderStudy:4680", true),
        ("https://a.svc.cluster.local:4680", true), ("http://understudy:4681", false), ("http://understudy", false),
        ("https://understudy", false), ("https://other:4680", false), ("https://127.0.0.1:4680", false),
        ("ftp://understudy:4680", false), ("http://understudy:4680/", false), ("http://x.understudy:4680", false),
    ])
    func `1 an origin with an allowed name and the port of the hub is our own`(origin: String, isOwn: Bool) throws {
        let harness = try harness("understudy", ".svc.cluster.local")
        let answer = try harness.call(.get, "/health", headers: [(.origin, origin)], host: "understudy:4680")
        expectEqual(answer.status, isOwn ? 200 : 403)
    }

    @Test func `1 port 443 is the one that an https origin leaves out`() throws {
        let harness = try harness("understudy")
        harness.origins.ports = [443, 80]
        for (origin, status) in [
            ("https://understudy", 200), ("http://understudy", 403), ("http://understudy:443", 200),
        ] {
            try expectEqual(harness.call(.get, "/health", headers: [(.origin, origin)]).status, status)
        }
        harness.origins.ports = [443]
        try expectEqual(harness.call(.get, "/health", headers: [(.origin, "http://understudy")]).status, 403)
    }

    @Test func `1 labels below an allowed name choose no world`() throws {
        let harness = try harness(".example.test")
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"checkout"}"#).status, 201)
        let reset = try harness.call(.post, "/reset", host: "checkout.example.test")
        expectEqual(reset.json.string("world"), "main")
        try expectEqual(harness.call(.post, "/reset", host: "checkout.localhost").json.string("world"), "checkout")
    }

    @Test func `1 a foreign host is 421, and its detail names the flag`() throws {
        let answer = try harness("understudy").call(.get, "/health", host: "evil.example")
        expectEqual(answer.problem, "421 foreign-host")
        #expect(answer.text.contains("--allow-host"))
        #expect(answer.text.contains("Call 127.0.0.1 or localhost"))
    }

    @Test func `1 the token is needed under an allowed name too`() throws {
        let harness = try harness("understudy", token: "s3cret")
        try expectEqual(harness.call(.get, "/health", host: "understudy").problem, "401 unauthorized")
        let right: [(FieldName, String)] = [(.authorization, "Bearer s3cret")]
        try expectEqual(harness.call(.get, "/health", headers: right, host: "understudy").status, 200)
    }

    // MARK: Addresses that are handed out

    @Test(arguments: [
        ("127.0.0.1:4680", "http://127.0.0.1:4683"), ("understudy:9999", "http://understudy:4683"),
        ("UNDERSTUDY.", "http://understudy:4683"), ("localhost", "http://localhost:4683"),
        ("[::1]:4680", "http://[::1]:4683"), ("a.svc.cluster.local:80", "http://a.svc.cluster.local:4683"),
    ])
    func `1 the addresses of an answer have the host that was asked and the API's port`(host: String, url: String)
        throws
    {
        let harness = try harness("understudy", ".svc.cluster.local")
        let made = try harness.call(.post, "/worlds", #"{"name":"w"}"#, host: host)
        expectEqual(made.text, #"{"name":"w","urls":{"omnichat":"\#(url)/@w"}}"#)
        try expectEqual(harness.call(.get, "/apis", host: host).json["items"]?[0]?.string("url"), url)
    }

    @Test func `1 a host that names a world keeps it, but for the addresses of another world`() throws {
        let harness = try Harness()
        try expectEqual(harness.call(.post, "/worlds", #"{"name":"a"}"#).status, 201)
        let made = try harness.call(.post, "/worlds", #"{"name":"b"}"#, host: "a.localhost:4680")
        expectEqual(made.json["urls"]?.string("omnichat"), "http://localhost:4683/@b")
        let apis = try harness.call(.get, "/apis", host: "a.localhost:4680")
        expectEqual(apis.json["items"]?[0]?.string("url"), "http://a.localhost:4683")
    }
}
