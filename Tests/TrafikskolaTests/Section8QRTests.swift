import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Section 8: QR payloads.
struct Section8QRTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func members(_ payload: JSON) -> [String] { payload.objectValue?.members.map(\.name) ?? [] }

    @Test func `8.1 the payloads have these members in this order`() throws {
        try expectEqual(
            harness.payload().text,
            #"{"type":"school_config","domain":"dev.dintrafikskolahlm.se","version":1}"#
        )
        let session = try harness.payload("type=session_login&user=student@example.com")
        expectEqual(members(session), ["type", "token", "userId", "domain", "version"])
        expectEqual(session["userId"]?.stringValue, Harness.otherID)
        expectEqual(session["domain"], "dev.dintrafikskolahlm.se")
        let quick = try harness.payload("type=quick_login&user=usr_123")
        expectEqual(members(quick), ["type", "token", "expires", "version"])
        expectEqual(quick["expires"], .integer(Harness.noon.seconds + 300))
        for (payload, prefix) in [(session, "sqr_"), (quick, "qlt_")] {
            let token = payload["token"]?.stringValue ?? ""
            #expect(token.hasPrefix(prefix))
            expectEqual(token.count, 68)
            #expect(token.dropFirst(4).allSatisfy { "0123456789abcdef".contains($0) })
        }
    }

    @Test func `8.2 the typo is in every payload with a domain, and nothing else changes`() throws {
        try harness.activate("qr-domain-typo")
        try expectEqual(harness.payload()["domain"], "dev.dintrafikskolahm.se")
        let session = try harness.payload("type=session_login&user=usr_123")
        expectEqual(session["domain"], "dev.dintrafikskolahm.se")
        let login = try harness.post("/api/mobile/auth/quick-login", json: ["token": session["token"] ?? .null])
        expectEqual(login.status, 200)
        try expectEqual(harness.get("/api/mobile/config?domain=dev.dintrafikskolahm.se").error, "404 SCHOOL_NOT_FOUND")
        try expectEqual(harness.payload("domain=here")["domain"], "dev.dintrafikskolahm.se")
        try harness.deactivate("qr-domain-typo")
        try expectEqual(harness.payload()["domain"], "dev.dintrafikskolahlm.se")
        try expectEqual(harness.payload("typo=1")["domain"], "dev.dintrafikskolahm.se")
    }

    @Test func `8.3 the seed's token is its document's, and lives 300 s from the reset`() throws {
        func login(_ harness: Harness) throws -> Played {
            try harness.post("/api/mobile/auth/quick-login", json: ["token": "sqr_9cc68b962854d67303c804aad5389506"])
        }
        try harness.advance(.seconds(299))
        try expectEqual(login(harness).text(at: "data.user.id"), Harness.otherID)
        try expectEqual(login(harness).error, "401 INVALID_QUICK_LOGIN_TOKEN")
        let late = try Harness()
        try late.advance(.seconds(300))
        try expectEqual(login(late).error, "401 INVALID_QUICK_LOGIN_TOKEN")
    }

    @Test func `8.4 domain and user are taken, and what does not fit is refused`() throws {
        try expectEqual(harness.payload("domain=here")["domain"], "127.0.0.1:4684")
        try expectEqual(harness.payload("domain=a.test:1")["domain"], "a.test:1")
        try expectEqual(harness.payload("type=session_login")["userId"], "usr_123")
        for query in ["type=x", "typo=2", "type=quick_login&user=nobody"] {
            #expect(throws: Problem.self, "\(query)") { try harness.payload(query) }
        }
        let offers = try harness.emulator.apis[0].qrOffers(harness.hosted().world, 0)
        expectEqual(offers.count, 6)
        expectEqual(offers[1].query, "type=session_login&user=usr_123")
    }

    @Test func `8.4 the website's generator answers the payload itself`() throws {
        let path = "/api/student/generate-quick-login-qr"
        let reply = try harness.post(path, token: try harness.logIn().access)
        expectEqual(reply.keys(), ["type", "token", "expires", "version"])
        let login = try harness.post("/api/mobile/auth/quick-login", json: ["token": reply.json["token"] ?? .null])
        expectEqual(login.text(at: "data.user.id"), "usr_123")
        try expectEqual(harness.post(path, token: try harness.logIn(Harness.erik).access).error, "403 FORBIDDEN")
    }
}
