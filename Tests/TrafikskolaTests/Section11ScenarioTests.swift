import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import Imaging
import JSON
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Section 11: each scenario on, its effect, and off again.
struct Section11ScenarioTests {
    private let harness: Harness
    private let mobile = "/api/mobile"

    init() throws { harness = try Harness() }

    private func code(_ reply: Played) -> String { "\(reply.status) \(reply.text(at: "errorCode"))" }
    private func config() throws -> Played { try harness.get("/api/mobile/config?domain=localhost") }
    private func app() throws -> Played { try harness.get("/api/app-config") }
    private func isPage(_ reply: Played, _ status: Int) -> Bool {
        reply.status == status && reply[.contentType] == "text/html; charset=utf-8"
            && reply.text.hasPrefix("<!DOCTYPE html>") && reply["Access-Control-Allow-Origin"] == "*"
    }

    @Test func `11 every scenario goes on and off and leaves its settings as they were`() throws {
        let before = harness.emulator.apis[0].readSettings(try harness.hosted().world, 0)
        let names = harness.emulator.scenarioNames
        expectEqual(names.count, 51)
        for name in names.map({ String($0.dropFirst("trafikskola/".count)) }) {
            try harness.activate(name)
            try harness.deactivate(name)
            expectEqual(harness.emulator.apis[0].readSettings(try harness.hosted().world, 0), before, "\(name)")
            try expectEqual(harness.get("/logo.png").status, 200, "\(name)")
            try expectEqual(harness.refresh(try harness.logIn().refresh).status, 200, "\(name)")
        }
    }

    @Test func `11 access-token-expired`() throws {
        let tokens = try harness.logIn()
        try harness.activate("access-token-expired")
        try expectEqual(harness.check(tokens.access), 401)
        let reply = try harness.refresh(tokens.refresh)
        try expectEqual(harness.check(reply.text(at: "data.accessToken")), 200)
    }

    @Test func `11 refresh-token-expired`() throws {
        let tokens = try harness.logIn()
        try harness.activate("refresh-token-expired")
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(tokens.access), 200)
        try expectEqual(harness.refresh(try harness.logIn().refresh).status, 200)
    }

    @Test func `11 refresh-reuse-theft, for sessions of before and of after`() throws {
        let phone = try harness.logIn(device: "phone")
        let tablet = try harness.logIn(device: "tablet")
        try harness.activate("refresh-reuse-theft")
        let late = try harness.logIn(Harness.other)
        try expectEqual(harness.refresh(phone.refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.check(tablet.access), 401)
        try expectEqual(harness.refresh(try harness.logIn().refresh).status, 200)
        try expectEqual(harness.refresh(late.refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.refresh(try harness.logIn(Harness.other).refresh).status, 200)
    }

    @Test func `11 refresh-response-lost`() throws {
        let tokens = try harness.logIn()
        try harness.activate("refresh-response-lost")
        let lost = try harness.refresh(tokens.refresh)
        expectEqual(lost.ending, .aborted)
        try expectEqual(harness.refresh(tokens.refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.refresh(try harness.logIn().refresh).ending, .ended)
    }

    @Test func `11 refresh-500`() throws {
        let tokens = try harness.logIn()
        try harness.activate("refresh-500")
        try expectEqual(harness.refresh(tokens.refresh).error, "500 INTERNAL_ERROR")
        try expectEqual(harness.check(tokens.access), 200)
        try harness.deactivate("refresh-500")
        try expectEqual(harness.refresh(tokens.refresh).status, 200)
    }

    @Test func `11 tokens-lost-on-restart`() throws {
        let tokens = try harness.logIn()
        try harness.activate("tokens-lost-on-restart")
        try expectEqual(harness.check(tokens.access), 401)
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.deactivate("tokens-lost-on-restart")?.count, 1)
        try expectEqual(harness.check(try harness.logIn().access), 200)
    }

    @Test func `11 device-revoked`() throws {
        let old = try harness.logIn(device: "old")
        try harness.advance(.seconds(1))
        let new = try harness.logIn(device: "new")
        try harness.activate("device-revoked")
        try expectEqual(harness.check(new.access), 401)
        try expectEqual(harness.refresh(new.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(old.access), 200)
    }

    @Test func `11 logout-kills-all`() throws {
        try harness.activate("logout-kills-all")
        let phone = try harness.logIn(device: "phone")
        let tablet = try harness.logIn(device: "tablet")
        _ = try harness.post("/api/mobile/auth/logout", token: phone.access)
        try expectEqual(harness.refresh(phone.refresh).error, "401 REFRESH_TOKEN_REUSED")
        try expectEqual(harness.check(tablet.access), 401)
    }

    @Test func `11 session-kicked tells the sessions that exist, not later ones`() throws {
        let old = try harness.logIn()
        try harness.activate("session-kicked")
        let new = try harness.logIn()
        let kicked = try harness.get("/api/mobile/notifications", token: old.access)
        expectEqual(kicked.data["hasKick"], true)
        expectEqual(kicked.text(at: "data.notifications.0.notificationType"), "session_kicked")
        try expectEqual(harness.get("/api/mobile/notifications", token: new.access).data["hasKick"], false)
        try expectEqual(
            harness.get("/api/mobile/notifications?since=2025-01-02T00:00:00Z", token: old.access).data["hasKick"],
            false
        )
        let id = kicked.text(at: "data.notifications.0.id")
        try expectEqual(harness.deactivate("session-kicked"), ["notifications/\(id)"])
        _ = try harness.post("/api/mobile/notifications", token: old.access, json: ["notificationIds": [.string(id)]])
        try expectEqual(harness.get("/api/mobile/notifications", token: old.access).data["hasKick"], false)
    }

    @Test(arguments: ["quick-login-used", "quick-login-expired"])
    func `11 quick-login-used, quick-login-expired`(name: String) throws {
        try harness.activate(name)
        let bad = try #require(try harness.payload("type=quick_login")["token"])
        try expectEqual(
            harness.post("/api/mobile/auth/quick-login", json: ["token": bad]).error,
            "401 INVALID_QUICK_LOGIN_TOKEN"
        )
        try harness.deactivate(name)
        try expectEqual(harness.post("/api/mobile/auth/quick-login", json: ["token": bad]).status, 401)
        let good = try #require(try harness.payload("type=quick_login")["token"])
        try expectEqual(harness.post("/api/mobile/auth/quick-login", json: ["token": good]).status, 200)
    }

    @Test func `11 quick-login-html, config-html, config-500`() throws {
        try harness.activate("quick-login-html")
        #expect(isPage(try harness.post("/api/mobile/auth/quick-login", json: ["token": "x"]), 200))
        try harness.activate("config-html")
        #expect(isPage(try config(), 200))
        try harness.deactivate("config-html")
        try harness.activate("config-500")
        try expectEqual(harness.get("/api/mobile/config").error, "500 INTERNAL_ERROR")
        try expectEqual(app().status, 200)
        try harness.deactivate("config-500")
        try expectEqual(config().status, 200)
    }

    @Test func `11 qr-legacy-fields`() throws {
        try harness.activate("qr-legacy-fields")
        let payload = try harness.payload("type=quick_login&user=usr_123")
        expectEqual(payload.objectValue?.members.map(\.name), ["type", "token", "expiresAt", "studentId"])
        expectEqual(payload["studentId"], "usr_123")
    }

    @Test func `11 logo-html`() throws {
        try harness.activate("logo-html")
        for name in ["logo", "icon", "splash"] { #expect(isPage(try harness.get("/\(name).png"), 200)) }
    }

    @Test func `11 flags-incomplete, flags-none, flags-contradict`() throws {
        try harness.activate("flags-incomplete")
        try expectEqual(
            app().data["features"],
            ["enableQuiz": false, "enableLessons": true, "enableCertificates": false, "enableKorklar": false]
        )
        try expectEqual(app().json["enabledFeatures"], ["bookings", "invoices", "lms", "profile"])
        try harness.deactivate("flags-incomplete")
        try harness.activate("flags-none")
        try expectEqual(app().data["features"], [:])
        try expectEqual(app().keys(), ["success", "data"])
        try expectEqual(config().data["features"], [:])
        try harness.deactivate("flags-none")
        try harness.activate("flags-contradict")
        try expectEqual(config().value(at: "data.features.korklar"), true)
        try expectEqual(app().value(at: "data.features.enableKorklar"), false)
    }

    @Test func `11 maintenance, force-update, update-available, app-disabled, api-base-url-short`() throws {
        let token = try harness.logIn().access
        try harness.activate("maintenance")
        try expectEqual(config().data["maintenanceMode"], true)
        try expectEqual(harness.check(token), 200)
        try harness.deactivate("maintenance")
        try harness.activate("force-update")
        try expectEqual(config().data["minVersion"], ["ios": "2.0.0", "android": "2.0.0"])
        try expectEqual(config().data["latestVersion"], ["ios": "2.0.0", "android": "2.0.0"])
        #expect(try config().text(at: "data.branding.iosAppStoreUrl").hasPrefix("https://"))
        #expect(try config().text(at: "data.branding.androidPlayStoreUrl").hasPrefix("https://"))
        try harness.deactivate("force-update")
        try harness.activate("update-available")
        try expectEqual(config().data["minVersion"]?["ios"], "1.0.0")
        try expectEqual(config().data["latestVersion"]?["ios"], "1.1.0")
        try harness.deactivate("update-available")
        try harness.activate("app-disabled")
        try expectEqual(config().data["appEnabled"], false)
        try harness.activate("api-base-url-short")
        try expectEqual(app().text(at: "data.apiBaseUrl"), "http://127.0.0.1:4684/api")
    }

    @Test func `11 maintenance-503`() throws {
        let tokens = try harness.logIn()
        try harness.activate("maintenance-503")
        try expectEqual(config().data["maintenanceMode"], true)
        for path in ["/bookings", "/i18n", "/nowhere", "/translations/sv"] {
            try expectEqual(harness.get(mobile + path).error, "503 MAINTENANCE", "\(path)")
        }
        try expectEqual(harness.refresh(tokens.refresh).error, "503 MAINTENANCE")
        try expectEqual(app().status, 200)
        try harness.deactivate("maintenance-503")
        try expectEqual(harness.refresh(tokens.refresh).status, 200)
    }

    @Test(arguments: [JSON.string("503"), 503])
    func `9 the setting maintenance takes 503 as a text and as a number`(value: JSON) throws {
        let harness = try Harness()
        try harness.set(["maintenance": value])
        try expectEqual(harness.get("/api/mobile/i18n").error, "503 MAINTENANCE")
        try harness.set(["maintenance": "flag"])
        try expectEqual(harness.get("/api/mobile/i18n").status, 200)
        #expect(throws: (any Error).self) { try harness.set(["maintenance": 500]) }
    }

    @Test func `11 server-502, html-errors, error-object`() throws {
        try harness.activate("server-502")
        for path in ["/logo.png", "/nowhere", "/api/mobile/bookings", "/api/app-config"] {
            #expect(isPage(try harness.get(path), 502))
        }
        #expect(isPage(try harness.send(.put, "/api/app-config"), 502))
        try harness.deactivate("server-502")
        try harness.activate("html-errors")
        #expect(isPage(try harness.get("/nowhere"), 404))
        try expectEqual(harness.get("/api/mobile/bookings").error, "401 INVALID_TOKEN")
        try harness.set(["config": "error500"])
        #expect(isPage(try config(), 500))
        try harness.deactivate("html-errors")
        try harness.activate("error-object")
        let reply = try harness.get("/nowhere")
        expectEqual(reply.keys("error"), ["code", "message"])
        expectEqual(reply.text(at: "error.code"), "NOT_FOUND")
    }

    @Test func `11 avatar-html-url, avatar-relative-url, avatar-too-large`() throws {
        let token = try harness.logIn().access
        func url() throws -> String {
            try harness.get("/api/mobile/student/profile", token: token).text(at: "data.profileImageUrl")
        }
        try harness.activate("avatar-html-url")
        #expect(isPage(try harness.get(String(try url().dropFirst(Harness.origin.count))), 200))
        try harness.deactivate("avatar-html-url")
        try harness.activate("avatar-relative-url")
        try expectEqual(url(), "/avatars/usr_123.jpg")
        let small = try #require(Bitmap(width: 4, height: 4, pixels: [UInt8](repeating: 9, count: 64))).png()
        #expect(
            try harness.upload([Part(content: small)], token: token).text(at: "data.avatarUrl").hasPrefix(
                "/avatars/usr_123_"
            )
        )
        try harness.deactivate("avatar-relative-url")
        try harness.activate("avatar-too-large")
        let fits = small + [UInt8](repeating: 0, count: 10_240 - small.count)
        try expectEqual(harness.upload([Part(content: fits)], token: token).status, 200)
        try expectEqual(harness.upload([Part(content: fits + [0])], token: token).error, "400 FILE_TOO_LARGE")
    }

    @Test func `11 i18n-404, i18n-not-modified, app-secret-required`() throws {
        try harness.activate("i18n-404")
        try expectEqual(harness.get("/api/mobile/i18n").error, "404 NOT_FOUND")
        try expectEqual(harness.get("/api/mobile/translations/sv").error, "404 NOT_FOUND")
        try harness.deactivate("i18n-404")
        try harness.activate("i18n-not-modified")
        try expectEqual(harness.get("/api/mobile/i18n", headers: [(.ifNoneMatch, "\"other\"")]).status, 304)
        try expectEqual(harness.get("/api/mobile/i18n").status, 200)
        try harness.activate("app-secret-required")
        try expectEqual(config().error, "401 INVALID_APP_SECRET")
        try harness.deactivate("app-secret-required")
        try expectEqual(config().status, 200)
    }

    @Test func `11 rate-limited: windows of two seconds`() throws {
        let token = try harness.logIn().access
        try harness.activate("rate-limited")
        for _ in 0..<2 {
            for path in ["/bookings", "/config?domain=localhost", "/nowhere"] {
                let reply = try harness.get(mobile + path, token: token)
                expectEqual(reply.error, "429 RATE_LIMITED")
                expectEqual(reply[.retryAfter], "2")
            }
            try expectEqual(app().status, 200)
            try harness.advance(.milliseconds(1_999))
            try expectEqual(harness.check(token), 429)
            try harness.advance(.milliseconds(1))
            try expectEqual(harness.check(token), 200)
            try harness.advance(.seconds(2))
        }
        try harness.set(["rateLimits": "off"])
        try expectEqual(harness.check(token), 200)
        try harness.set(["rateLimits": "on"])
        try harness.deactivate("rate-limited")
        try expectEqual(harness.check(token), 200)
    }

    @Test func `11 slot-taken, bookings-unwrapped, booking-location-string`() throws {
        let token = try harness.logIn().access
        let order: JSON = [
            "type": "driving_lesson", "lessonTypeId": "lt_45", "startTime": "2025-01-02T09:00:00Z", "duration": 45,
        ]
        try harness.activate("slot-taken")
        try expectEqual(
            harness.post("/api/mobile/bookings", token: token, json: order).error,
            "409 BOOKING_UNAVAILABLE"
        )
        try expectEqual(harness.post("/api/mobile/bookings", token: token, json: order).status, 201)
        try harness.activate("bookings-unwrapped")
        let list = try harness.get("/api/mobile/bookings", token: token)
        expectEqual(list.keys(), ["success", "bookings"])
        try harness.deactivate("bookings-unwrapped")
        try harness.activate("booking-location-string")
        try expectEqual(
            harness.get("/api/mobile/bookings", token: token).text(at: "data.bookings.0.location"),
            "Skolans parkering, Storgatan 10, Stockholm"
        )
    }

    @Test func `11 payment-failed, payment-stuck`() throws {
        let token = try harness.logIn().access
        func pay() throws -> String {
            let reply = try harness.post(
                "/api/mobile/invoices/inv_1/payment/initiate",
                token: token,
                json: ["method": "swish"]
            )
            return "/api/mobile/invoices/inv_1/payment/\(reply.text(at: "data.paymentId"))/status"
        }
        try harness.activate("payment-failed")
        let failed = try pay()
        try harness.advance(.seconds(6))
        try expectEqual(harness.get(failed, token: token).text(at: "data.status"), "failed")
        try harness.deactivate("payment-failed")
        try harness.activate("payment-stuck")
        let stuck = try pay()
        try harness.advance(.seconds(600))
        try expectEqual(harness.get(stuck, token: token).text(at: "data.status"), "pending")
        try harness.deactivate("payment-stuck")
        try expectEqual(harness.get(stuck, token: token).text(at: "data.status"), "completed")
    }
}
