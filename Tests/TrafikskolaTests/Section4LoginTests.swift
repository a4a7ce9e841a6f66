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

/// Section 4: logins, logout, devices, the dashboard.
struct Section4LoginTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func requestCode(_ email: String = Harness.anna) throws -> Played {
        try harness.post("/api/mobile/auth/request-otp", json: ["email": .string(email)])
    }

    private func verify(_ code: JSON = "123456", id: String? = nil, email: String = Harness.anna) throws -> Played {
        var body: JSONObject = ["email": .string(email), "otpCode": code]
        if let id { body["otpId"] = .string(id) }
        return try harness.post("/api/mobile/auth/verify-otp", json: .object(body))
    }

    private func quickLogin(_ token: JSON) throws -> Played {
        try harness.post("/api/mobile/auth/quick-login", json: ["token": token])
    }

    @Test func `4 all four logins answer the same data`() throws {
        _ = try requestCode()
        let replies = [
            try harness.post(
                "/api/mobile/auth/login",
                json: ["email": " ANNA@Example.com ", "password": "understudy-tfx"]
            ),
            try verify(),
            try quickLogin("sqr_9cc68b962854d67303c804aad5389506"),
            try quickLogin(try harness.payload("type=quick_login&user=usr_123")["token"] ?? .null),
        ]
        for reply in replies {
            expectEqual(reply.status, 200)
            expectEqual(reply.keys(), ["success", "data"])
            expectEqual(reply.keys("data"), ["accessToken", "refreshToken", "expiresIn", "user"])
            expectEqual(reply.keys("data.user"), ["id", "email", "firstName", "lastName"])
            expectEqual(reply.data["expiresIn"], 3_600)
            try expectEqual(harness.check(reply.text(at: "data.accessToken")), 200)
            try expectEqual(harness.refresh(reply.text(at: "data.refreshToken")).status, 200)
        }
        expectEqual(
            replies[0].data["user"],
            [
                "id": "usr_123", "email": "anna@example.com", "firstName": "Anna", "lastName": "Svensson",
            ]
        )
        expectEqual(replies[2].text(at: "data.user.id"), Harness.otherID)
    }

    // MARK: One-time codes

    @Test func `4.14 a code is requested by a known address`() throws {
        let reply = try requestCode(" ANNA@example.COM ")
        expectEqual(reply.keys("data"), ["message", "expiresIn", "otpId"])
        expectEqual(reply.data["expiresIn"], 300)
        #expect(!reply.text(at: "data.otpId").isEmpty)
        try expectEqual(requestCode("nobody@example.com").error, "400 EMAIL_NOT_FOUND")
        for odd in ["", "anna", "anna@", "@example.com", "a b@example.com", "anna@example"] {
            try expectEqual(requestCode(odd).error, "400 VALIDATION_ERROR", "\(odd)")
        }
        try expectEqual(harness.post("/api/mobile/auth/request-otp", json: ["email": 1]).faulty, ["email"])
        let outbox = try harness.hosted().world.core.outbox.messages
        expectEqual(outbox.count, 1)
        expectEqual(outbox[0].kind, .otp)
        expectEqual(outbox[0].code, "123456")
        expectEqual(outbox[0].to, "anna@example.com")
        expectEqual(outbox[0].expiresAt, Harness.noon + .seconds(300))
    }

    @Test func `4.15 a code works once, for 300 s, until a newer one`() throws {
        let first = try requestCode().text(at: "data.otpId")
        try harness.advance(.seconds(299))
        try expectEqual(verify(id: first).status, 200)
        try expectEqual(verify(id: first).error, "400 INVALID_OTP")
        let second = try requestCode().text(at: "data.otpId")
        let third = try requestCode().text(at: "data.otpId")
        try expectEqual(verify(id: second).error, "400 INVALID_OTP")
        try expectEqual(
            harness.post("/api/mobile/auth/verify-otp", json: ["email": "anna@example.com", "otp": "123456"]).status,
            200
        )
        try expectEqual(verify(id: third).error, "400 INVALID_OTP")
        _ = try requestCode()
        try harness.advance(.seconds(300))
        try expectEqual(verify().error, "400 INVALID_OTP")
        try expectEqual(verify(email: "nobody@example.com").error, "400 INVALID_OTP")
        try expectEqual(verify(id: "otp_unknown").error, "400 INVALID_OTP")
        try expectEqual(verify(1).error, "400 VALIDATION_ERROR")
    }

    @Test func `4.15 after five wrong codes every further try is refused`() throws {
        let id = try requestCode().text(at: "data.otpId")
        for _ in 0..<5 { try expectEqual(verify("000000", id: id).error, "400 INVALID_OTP") }
        try expectEqual(verify("000000", id: id).error, "401 OTP_ATTEMPTS_EXCEEDED")
        try expectEqual(verify("123456", id: id).error, "401 OTP_ATTEMPTS_EXCEEDED")
        _ = try requestCode()
        for _ in 0..<4 { _ = try verify("000000") }
        try expectEqual(verify().status, 200)
    }

    @Test func `4.14 codes are distinct when asked for`() throws {
        try harness.set(["otp": ["codes": "distinct"]])
        for _ in 0..<3 { _ = try requestCode() }
        let codes = try harness.hosted().world.core.outbox.messages.compactMap(\.code)
        expectEqual(Set(codes).count, 3)
        #expect(codes.allSatisfy { $0.count == 6 && $0.allSatisfy(\.isNumber) })
        try expectEqual(verify(.string(codes[2])).status, 200)
    }

    @Test func `4.14 with limits there are 60 s between codes and three an hour`() throws {
        try harness.activate("otp-rate-limited")
        try expectEqual(requestCode().status, 200)
        try harness.advance(.seconds(59))
        let early = try requestCode()
        expectEqual(early.error, "429 RATE_LIMITED")
        expectEqual(early[.retryAfter], "1")
        try harness.advance(.seconds(1))
        try expectEqual(requestCode().status, 200)
        try harness.advance(.seconds(60))
        try expectEqual(requestCode().status, 200)
        try harness.advance(.seconds(60))
        let fourth = try requestCode()
        expectEqual(fourth[.retryAfter], "3420")
        try expectEqual(requestCode(Harness.other).status, 200)
        try harness.advance(.seconds(3_419))
        try expectEqual(requestCode().status, 429)
        try harness.advance(.seconds(1))
        try expectEqual(requestCode().status, 200)
        try harness.set(["rateLimits": "off"])
        try expectEqual(requestCode().status, 200)
    }

    // MARK: Password and quick login

    @Test func `4.16 a wrong pair and an unknown address answer alike`() throws {
        func login(_ body: JSON) throws -> Played { try harness.post("/api/mobile/auth/login", json: body) }
        let wrong = try login(["email": "anna@example.com", "password": "x"])
        let unknown = try login(["email": "nobody@example.com", "password": "understudy-tfx"])
        expectEqual(wrong.error, "401 INVALID_CREDENTIALS")
        expectEqual(wrong.text, unknown.text)
        try expectEqual(login(["email": "anna@example.com"]).faulty, ["password"])
        try expectEqual(login([:]).faulty, ["email", "password"])
        let good: JSONObject = ["email": "anna@example.com", "password": "understudy-tfx"]
        for (domain, status) in [
            ("dintrafikskolahlm.se", 200), ("127.0.0.1", 200), (.null, 200), ("elsewhere.se", 404), (1, 400), ("", 400),
        ] as [(JSON, Int)] {
            var body = good
            body["domain"] = domain
            try expectEqual(login(.object(body)).status, status, "\(domain)")
        }
    }

    @Test func `4.2 a QR token signs in once within 300 s`() throws {
        let token = try #require(try harness.payload("type=session_login&user=usr_123")["token"])
        try harness.advance(.seconds(299))
        try expectEqual(
            harness.post("/api/mobile/auth/quick-login", json: ["quickToken": token]).text(at: "data.user.id"),
            "usr_123"
        )
        try expectEqual(quickLogin(token).error, "401 INVALID_QUICK_LOGIN_TOKEN")
        let late = try #require(try harness.payload("type=quick_login")["token"])
        try harness.advance(.seconds(300))
        try expectEqual(quickLogin(late).error, "401 INVALID_QUICK_LOGIN_TOKEN")
        try expectEqual(quickLogin("sqr_unknown").error, "401 INVALID_QUICK_LOGIN_TOKEN")
        for odd in ["", 1, .null, []] as [JSON] {
            let reply = try quickLogin(odd)
            expectEqual(reply.error, "400 VALIDATION_ERROR")
            expectEqual(reply.faulty, ["token"])
        }
    }

    @Test func `4.2 the session of a quick login has no device`() throws {
        let token = try quickLogin("sqr_9cc68b962854d67303c804aad5389506").text(at: "data.accessToken")
        let reply = try harness.get("/api/mobile/devices", token: token)
        expectEqual(
            reply.keys("data.devices.0"),
            [
                "id", "deviceId", "platform", "deviceName", "deviceModel", "osVersion", "appVersion", "isCurrent",
                "registeredAt", "lastActiveAt", "expiresAt",
            ]
        )
        expectEqual(reply.value(at: "data.devices.0.deviceId"), .null)
        expectEqual(reply.value(at: "data.devices.0.isCurrent"), true)
        expectEqual(reply.text(at: "data.devices.0.expiresAt"), "2025-04-01T12:00:00.000Z")
        expectEqual(reply.data["total"], 1)
    }

    // MARK: Devices

    @Test func `4.17 to 4.19 registration, its end, and a logout that comes again`() throws {
        let tokens = try harness.logIn(device: "phone")
        let path = "/api/mobile/device/register"
        for push in ["p1", "p2"] as [JSON] {
            try expectEqual(
                harness.post(path, token: tokens.access, json: ["deviceId": "phone", "pushToken": push]).status,
                200
            )
        }
        try harness.state { state, _ in
            expectEqual(state.devices.count, 1)
            expectEqual(state.devices.rows[0].info.pushToken, "p2")
            expectEqual(state.devices.rows[0].info.platform, "ios")
        }
        try expectEqual(harness.post(path, token: tokens.access, json: [:]).faulty, ["deviceId"])
        try expectEqual(harness.post(path, token: tokens.access, json: ["deviceId": 7]).error, "400 VALIDATION_ERROR")
        try expectEqual(harness.delete(path, token: tokens.access, json: [:]).error, "400 VALIDATION_ERROR")
        try expectEqual(harness.delete(path, token: tokens.access).error, "400 INVALID_JSON")
        for id in ["phone", "unknown"] as [JSON] {
            try expectEqual(
                harness.delete(path, token: tokens.access, json: ["deviceId": id]).text,
                #"{"success":true}"#
            )
        }
        try harness.state { state, _ in expectNil(state.devices.rows[0].info.pushToken) }
        try expectEqual(harness.check(tokens.access), 200)
        try expectEqual(harness.send(.post, "/api/mobile/auth/logout", token: tokens.access).status, 200)
        try expectEqual(harness.send(.post, "/api/mobile/auth/logout", token: tokens.access).error, "401 INVALID_TOKEN")
        try expectEqual(
            harness.delete(path, token: tokens.access, json: ["deviceId": "phone"]).error,
            "401 INVALID_TOKEN"
        )
    }

    @Test func `4.50 and 4.51 sessions are listed newest activity first and revoked by device or id`() throws {
        let phone = try harness.logIn(device: "phone")
        try harness.advance(.seconds(1))
        let tablet = try harness.logIn(device: "tablet")
        try harness.advance(.seconds(1))
        let nameless = try harness.logIn()
        try harness.advance(.seconds(1))
        _ = try harness.refresh(phone.refresh)
        let list = try harness.get("/api/mobile/devices", token: tablet.access).data["devices"]?.arrayValue ?? []
        expectEqual(list.map { $0["deviceId"]?.stringValue }, ["phone", nil, "tablet"])
        expectEqual(list.map { $0["isCurrent"] == true }, [false, false, true])
        let other = try harness.logIn(Harness.other)
        try expectEqual(harness.delete("/api/mobile/devices/tablet", token: other.access).error, "404 NOT_FOUND")
        let id = list[1]["id"]?.stringValue ?? ""
        try expectEqual(harness.delete("/api/mobile/devices/\(id)", token: phone.access).text, #"{"success":true}"#)
        try expectEqual(harness.check(nameless.access), 401)
        try expectEqual(harness.delete("/api/mobile/devices/\(id)", token: phone.access).error, "404 NOT_FOUND")
        // A session with a device goes by that, not by its own id.
        let own = list[2]["id"]?.stringValue ?? ""
        try expectEqual(harness.delete("/api/mobile/devices/\(own)", token: phone.access).error, "404 NOT_FOUND")
        try expectEqual(harness.delete("/api/mobile/devices/tablet", token: tablet.access).status, 200)
        try expectEqual(harness.check(tablet.access), 401)
        try expectEqual(harness.refresh(tablet.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(phone.access), 200)
    }

    // MARK: The dashboard

    @Test func `4.45 and 4.46 the school lists and ends sessions`() throws {
        let erik = try harness.logIn(Harness.erik).access
        let path = "/api/admin/app-dashboard/sessions"
        for number in 0..<30 { _ = try harness.logIn(device: "d\(number)") }
        let page = try harness.get(path, token: erik)
        expectEqual(page.keys("data"), ["sessions", "total", "page", "limit", "totalPages"])
        expectEqual(page.data["total"], 31)
        expectEqual(page.data["totalPages"], 2)
        expectEqual(page.data["sessions"]?.arrayValue?.count, 25)
        expectEqual(
            page.keys("data.sessions.0"),
            [
                "id", "userId", "userName", "userEmail", "deviceId", "platform", "ipAddress", "createdAt",
                "lastActiveAt", "expiresAt", "isActive",
            ]
        )
        try expectEqual(harness.get(path + "?page=2", token: erik).data["sessions"]?.arrayValue?.count, 6)
        try expectEqual(harness.get(path + "?limit=100", token: erik).status, 200)
        for query in ["limit=101", "limit=0", "page=0", "page=x", "status=odd"] {
            try expectEqual(harness.get("\(path)?\(query)", token: erik).error, "400 VALIDATION_ERROR", "\(query)")
        }
        try expectEqual(harness.get(path + "?search=ERIK", token: erik).data["total"], 1)
        try expectEqual(harness.get(path + "?platform=ios", token: erik).data["total"], 30)
        let victim = try harness.logIn(device: "victim")
        let id = try harness.get(path + "?search=victim", token: erik).text(at: "data.sessions.0.id")
        let ended = try harness.delete(path, token: erik, json: ["sessionId": .string(id)])
        expectEqual(ended.data, ["sessionId": .string(id), "userId": "usr_123", "userName": "Anna Svensson"])
        try expectEqual(harness.check(victim.access), 401)
        let push = try #require(try harness.hosted().world.core.outbox.messages.last)
        expectEqual(push.kind, .push)
        expectEqual(push.data, ["notificationType": "session_terminated", "action": "force_logout"])
        try expectEqual(harness.get(path + "?status=expired", token: erik).data["total"], 1)
        try expectEqual(harness.delete(path, token: erik, json: [:]).error, "400 VALIDATION_ERROR")
        try expectEqual(harness.delete(path, token: erik, json: ["sessionId": "x"]).error, "404 NOT_FOUND")
    }

    @Test func `4.47 and 4.48 the school lists and switches off devices`() throws {
        let erik = try harness.logIn(Harness.erik).access
        let path = "/api/admin/app-dashboard/devices"
        let phone = try harness.logIn(device: "phone")
        let list = try harness.get(path, token: erik)
        expectEqual(list.data["total"], 1)
        expectEqual(
            list.keys("data.devices.0"),
            [
                "id", "userId", "userName", "deviceId", "platform", "deviceName", "deviceModel", "osVersion",
                "appVersion", "pushToken", "isActive", "lastActiveAt", "registeredAt",
            ]
        )
        func change(_ body: JSON) throws -> Played {
            try harness.send(.patch, path, token: erik, body: body.serialized())
        }
        try expectEqual(change(["deviceId": "phone", "isActive": true]).text, #"{"success":true}"#)
        try expectEqual(harness.check(phone.access), 200)
        try expectEqual(change(["deviceId": "phone", "isActive": false]).status, 200)
        try expectEqual(harness.check(phone.access), 401)
        try expectEqual(change(["deviceId": "phone"]).error, "400 VALIDATION_ERROR")
        try expectEqual(change(["deviceId": "unknown", "isActive": false]).error, "404 NOT_FOUND")
    }

    @Test func `4.49 the school sends notifications`() throws {
        let erik = try harness.logIn(Harness.erik).access
        let anna = try harness.logIn(device: "phone").access
        func push(_ body: JSON) throws -> Played {
            try harness.post("/api/admin/app-dashboard/push", token: erik, json: body)
        }
        try expectEqual(push(["title": "T", "body": "B", "targetType": "all"]).data, ["sent": 3, "failed": 0])
        let one = try push([
            "title": "T2", "body": "B2", "targetType": "user", "targetId": "usr_123",
            "data": ["notificationType": "system_update", "k": "v"],
        ])
        expectEqual(one.data, ["sent": 1, "failed": 0])
        let list = try harness.get("/api/mobile/notifications", token: anna)
        expectEqual(list.text(at: "data.notifications.0.notificationType"), "system_update")
        expectEqual(list.text(at: "data.notifications.0.data.k"), "v")
        expectEqual(list.text(at: "data.notifications.1.notificationType"), "admin_broadcast")
        try expectEqual(
            push(["title": "T", "body": "B", "targetType": "platform", "targetPlatform": "ios"]).data["sent"],
            1
        )
        try expectEqual(push(["title": "T", "body": "B", "targetType": "device", "targetId": "phone"]).data["sent"], 1)
        try expectEqual(
            push(["title": "T", "body": "B", "targetType": "user", "targetId": "x"]).data,
            [
                "sent": 0, "failed": 1,
            ]
        )
        for body in [
            [:], ["title": "T", "body": "B", "targetType": "user"], ["title": "T", "body": "B", "targetType": "x"],
            ["title": "T", "body": "B", "targetType": "platform"],
            ["title": "T", "body": "B", "targetType": "all", "data": ["k": 1]],
        ] as [JSON] { try expectEqual(push(body).error, "400 VALIDATION_ERROR") }
        try expectEqual(harness.post("/api/admin/app-dashboard/push", token: anna, json: [:]).error, "403 FORBIDDEN")
    }
}
