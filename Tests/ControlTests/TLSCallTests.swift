import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import Handshakes
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// The calls about TLS, its failures and its root.
@Suite struct TLSCallTests {
    @Test func `3 the state names the mode, the authority and the handshakes`() throws {
        let harness = try Harness()
        let authority: JSON = [
            "subject": "CN=Understudy CA me@here (01234567), O=Understudy",
            "sha256": .string(String(repeating: "0a", count: 32)), "notBefore": "2025-01-01T12:00:00.000Z",
            "notAfter": "2034-12-30T12:00:00.000Z", "permitted": ["localhost", "127.0.0.0/8"], "folder": "/home/me/ca",
        ]
        try expectEqual(
            harness.call(.get, "/tls").json,
            [
                "mode": "on", "authority": authority, "handshakes": ["completed": 3, "resumed": 2, "failed": 1],
            ]
        )
        harness.host.fakeTLS = nil
        try expectEqual(
            harness.call(.get, "/tls").json,
            [
                "mode": "off", "handshakes": ["completed": 0, "resumed": 0, "failed": 0],
            ]
        )
    }

    @Test func `5 the root has three forms, which need no token and no name`() throws {
        let harness = try Harness(safety: ControlSafety(adminToken: "secret"))
        for (path, type, text) in [
            ("/ca.pem", "application/x-pem-file", "PEM"), ("/ca.crt", "application/x-x509-ca-cert", "0\u{0}"),
            ("/ca.mobileconfig", "application/x-apple-aspen-config", "<plist/>"),
        ] {
            for host in ["127.0.0.1:4680", "192.168.1.9:4680", "[fe80::1]:4680"] {
                let answer = try harness.call(.get, path, host: host)
                expectEqual(answer.status, 200, "\(path) \(host)")
                expectEqual(answer.fields[.contentType], type)
                expectEqual(answer.text, text)
            }
            try expectEqual(harness.call(.get, path, host: "evil.example:4680").status, 421)
            try expectEqual(harness.call(.post, path, host: "127.0.0.1:4680").status, 405)
        }
        try expectEqual(harness.call(.get, "/tls").status, 401)
        try expectEqual(harness.call(.get, "/tls/failures").status, 401)
        harness.host.fakeTLS?.authority = nil
        try expectEqual(harness.call(.get, "/ca.pem").status, 404)
        harness.host.fakeTLS = nil
        try expectEqual(harness.call(.get, "/ca.pem").status, 404)
    }

    @Test func `7 a failure has every member that is known, and can be cleared`() throws {
        let harness = try Harness()
        harness.host.fakeTLS?.failures = [
            HandshakeFailure(
                at: Harness.noon,
                api: "omnichat",
                peer: "127.0.0.1",
                serverName: "a.localhost",
                protocols: ["h2", "http/1.1"],
                versions: [.tls13, .tls12],
                reason: .clientAlert,
                alert: HandshakeFailure.Alert(.unknownCA, from: .client),
                advice: "Trust it.",
                fault: "cfl_1"
            ),
            HandshakeFailure(at: Harness.noon, api: "hub", peer: "::1", reason: .timeout, advice: "Wait."),
        ]
        let first: JSON = [
            "at": "2025-01-01T12:00:00.000Z", "api": "omnichat", "peer": "127.0.0.1", "sni": "a.localhost",
            "alpn": ["h2", "http/1.1"], "versions": ["TLSv1.3", "TLSv1.2"], "reason": "client-alert",
            "alert": ["name": "unknown_ca", "number": 48, "from": "client"], "advice": "Trust it.", "fault": "cfl_1",
        ]
        let second: JSON = [
            "at": "2025-01-01T12:00:00.000Z", "api": "hub", "peer": "::1", "reason": "timeout", "advice": "Wait.",
        ]
        let answer = try harness.call(.get, "/tls/failures")
        expectEqual(answer.json, ["items": [first, second]])
        expectEqual(answer.fields["X-Total-Count"], "2")
        try expectEqual(harness.call(.get, "/tls/failures?api=omnichat").json, ["items": [first]])
        try expectEqual(harness.call(.delete, "/tls/failures").status, 204)
        try expectEqual(harness.call(.get, "/tls/failures").json, ["items": []])
    }

    @Test func `7 the metrics count the handshakes, where the ports speak TLS`() throws {
        let harness = try Harness()
        #expect(
            try harness.call(.get, "/metrics").text.contains("understudy_tls_handshakes_total{result=\"resumed\"} 2\n")
        )
        harness.host.fakeTLS = nil
        #expect(try !harness.call(.get, "/metrics").text.contains("understudy_tls"))
    }
}
