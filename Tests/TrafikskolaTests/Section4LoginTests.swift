import CivilTime
import Emulation
import EmulationTesting
import HTTPMessage
import JSON
import Testing

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
            #expect(reply.status == 200)
            #expect(reply.keys() == ["success", "data"])
            #expect(reply.keys("data") == ["accessToken", "refreshToken", "expiresIn", "user"])
            #expect(reply.keys("data.user") == ["id", "email", "firstName", "lastName"])
            #expect(reply.data["expiresIn"] == 3_600)
            #expect(try harness.check(reply.text(at: "data.accessToken")) == 200)
            #expect(try harness.refresh(reply.text(at: "data.refreshToken")).status == 200)
        }
        #expect(
            replies[0].data["user"] == [
                "id": "usr_123", "email": "anna@example.com", "firstName": "Anna", "lastName": "Svensson",
            ]
        )
        #expect(replies[2].text(at: "data.user.id") == Harness.otherID)
    }

    // MARK: One-time codes

    @Test func `4.14 a code is requested by a known address`() throws {
        let reply = try requestCode(" ANNA@example.COM ")
        #expect(reply.keys("data") == ["message", "expiresIn", "otpId"])
        #expect(reply.data["expiresIn"] == 300)
        #expect(!reply.text(at: "data.otpId").isEmpty)
        #expect(try requestCode("nobody@example.com").error == "400 EMAIL_NOT_FOUND")
        for odd in ["", "anna", "anna@", "@example.com", "a b@example.com", "anna@example"] {
            #expect(try requestCode(odd).error == "400 VALIDATION_ERROR", "\(odd)")
        }
        #expect(try harness.post("/api/mobile/auth/request-otp", json: ["email": 1]).faulty == ["email"])
        let outbox = try harness.hosted().world.core.outbox.messages
        #expect(outbox.count == 1)
        #expect(outbox[0].kind == .otp)
        #expect(outbox[0].code == "123456")
        #expect(outbox[0].to == "anna@example.com")
        #expect(outbox[0].expiresAt == Harness.noon + .seconds(300))
    }

    @Test func `4.15 a code works once, for 300 s, until a newer one`() throws {
        let first = try requestCode().text(at: "data.otpId")
        try harness.advance(.seconds(299))
        #expect(try verify(id: first).status == 200)
        #expect(try verify(id: first).error == "400 INVALID_OTP")
        let second = try requestCode().text(at: "data.otpId")
        let third = try requestCode().text(at: "data.otpId")
        #expect(try verify(id: second).error == "400 INVALID_OTP")
        #expect(
            try harness.post("/api/mobile/auth/verify-otp", json: ["email": "anna@example.com", "otp": "123456"]).status
                == 200
        )
        #expect(try verify(id: third).error == "400 INVALID_OTP")
        _ = try requestCode()
        try harness.advance(.seconds(300))
        #expect(try verify().error == "400 INVALID_OTP")
        #expect(try verify(email: "nobody@example.com").error == "400 INVALID_OTP")
        #expect(try verify(id: "otp_unknown").error == "400 INVALID_OTP")
        #expect(try verify(1).error == "400 VALIDATION_ERROR")
    }

    @Test func `4.15 after five wrong codes every further try is refused`() throws {
        let id = try requestCode().text(at: "data.otpId")
        for _ in 0..<5 { #expect(try verify("000000", id: id).error == "400 INVALID_OTP") }
        #expect(try verify("000000", id: id).error == "401 OTP_ATTEMPTS_EXCEEDED")
        #expect(try verify("123456", id: id).error == "401 OTP_ATTEMPTS_EXCEEDED")
        _ = try requestCode()
        for _ in 0..<4 { _ = try verify("000000") }
        #expect(try verify().status == 200)
    }

    @Test func `4.14 codes are distinct when asked for`() throws {
        try harness.set(["otp": ["codes": "distinct"]])
        for _ in 0..<3 { _ = try requestCode() }
        let codes = try harness.hosted().world.core.outbox.messages.compactMap(\.code)
        #expect(Set(codes).count == 3)
        #expect(codes.allSatisfy { $0.count == 6 && $0.allSatisfy(\.isNumber) })
        #expect(try verify(.string(codes[2])).status == 200)
    }

    @Test func `4.14 with limits there are 60 s between codes and three an hour`() throws {
        try harness.activate("otp-rate-limited")
        #expect(try requestCode().status == 200)
        try harness.advance(.seconds(59))
        let early = try requestCode()
        #expect(early.error == "429 RATE_LIMITED")
        #expect(early[.retryAfter] == "1")
        try harness.advance(.seconds(1))
        #expect(try requestCode().status == 200)
        try harness.advance(.seconds(60))
        #expect(try requestCode().status == 200)
        try harness.advance(.seconds(60))
        let fourth = try requestCode()
        #expect(fourth[.retryAfter] == "3420")
        #expect(try requestCode(Harness.other).status == 200)
        try harness.advance(.seconds(3_419))
        #expect(try requestCode().status == 429)
        try harness.advance(.seconds(1))
        #expect(try requestCode().status == 200)
        try harness.set(["rateLimits": "off"])
        #expect(try requestCode().status == 200)
    }

    // MARK: Password and quick login

    @Test func `4.16 a wrong pair and an unknown address answer alike`() throws {
        func login(_ body: JSON) throws -> Played { try harness.post("/api/mobile/auth/login", json: body) }
        let wrong = try login(["email": "anna@example.com", "password": "x"])
        let unknown = try login(["email": "nobody@example.com", "password": "understudy-tfx"])
        #expect(wrong.error == "401 INVALID_CREDENTIALS")
        #expect(wrong.text == unknown.text)
        #expect(try login(["email": "anna@example.com"]).faulty == ["password"])
        #expect(try login([:]).faulty == ["email", "password"])
        let good: JSONObject = ["email": "anna@example.com", "password": "understudy-tfx"]
        for (domain, status) in [
            ("dintrafikskolahlm.se", 200), ("127.0.0.1", 200), (.null, 200), ("elsewhere.se", 404), (1, 400), ("", 400),
        ] as [(JSON, Int)] {
            var body = good
            body["domain"] = domain
            #expect(try login(.object(body)).status == status, "\(domain)")
        }
    }

    @Test func `4.2 a QR token signs in once within 300 s`() throws {
        let token = try #require(try harness.payload("type=session_login&user=usr_123")["token"])
        try harness.advance(.seconds(299))
        #expect(
            try harness.post("/api/mobile/auth/quick-login", json: ["quickToken": token]).text(at: "data.user.id")
                == "usr_123"
        )
        #expect(try quickLogin(token).error == "401 INVALID_QUICK_LOGIN_TOKEN")
        let late = try #require(try harness.payload("type=quick_login")["token"])
        try harness.advance(.seconds(300))
        #expect(try quickLogin(late).error == "401 INVALID_QUICK_LOGIN_TOKEN")
        #expect(try quickLogin("sqr_unknown").error == "401 INVALID_QUICK_LOGIN_TOKEN")
        for odd in ["", 1, .null, []] as [JSON] {
            let reply = try quickLogin(odd)
            #expect(reply.error == "400 VALIDATION_ERROR")
            #expect(reply.faulty == ["token"])
        }
    }

    @Test func `4.2 the session of a quick login has no device`() throws {
        let token = try quickLogin("sqr_9cc68b962854d67303c804aad5389506").text(at: "data.accessToken")
        let reply = try harness.get("/api/mobile/devices", token: token)
        #expect(
            reply.keys("data.devices.0")
                == [
                    "id", "deviceId", "platform", "deviceName", "deviceModel", "osVersion", "appVersion", "isCurrent",
                    "registeredAt", "lastActiveAt", "expiresAt",
                ]
        )
        #expect(reply.value(at: "data.devices.0.deviceId") == .null)
        #expect(reply.value(at: "data.devices.0.isCurrent") == true)
        #expect(reply.text(at: "data.devices.0.expiresAt") == "2025-04-01T12:00:00.000Z")
        #expect(reply.data["total"] == 1)
    }

    // MARK: Devices

    @Test func `4.17 to 4.19 registration, its end, and a logout that comes again`() throws {
        let tokens = try harness.logIn(device: "phone")
        let path = "/api/mobile/device/register"
        for push in ["p1", "p2"] as [JSON] {
            #expect(
                try harness.post(path, token: tokens.access, json: ["deviceId": "phone", "pushToken": push]).status
                    == 200
            )
        }
        try harness.state { state, _ in
            #expect(state.devices.count == 1)
            #expect(state.devices.rows[0].info.pushToken == "p2")
            #expect(state.devices.rows[0].info.platform == "ios")
        }
        #expect(try harness.post(path, token: tokens.access, json: [:]).faulty == ["deviceId"])
        #expect(try harness.post(path, token: tokens.access, json: ["deviceId": 7]).error == "400 VALIDATION_ERROR")
        #expect(try harness.delete(path, token: tokens.access, json: [:]).error == "400 VALIDATION_ERROR")
        #expect(try harness.delete(path, token: tokens.access).error == "400 INVALID_JSON")
        for id in ["phone", "unknown"] as [JSON] {
            #expect(try harness.delete(path, token: tokens.access, json: ["deviceId": id]).text == #"{"success":true}"#)
        }
        try harness.state { state, _ in #expect(state.devices.rows[0].info.pushToken == nil) }
        #expect(try harness.check(tokens.access) == 200)
        #expect(try harness.send(.post, "/api/mobile/auth/logout", token: tokens.access).status == 200)
        #expect(try harness.send(.post, "/api/mobile/auth/logout", token: tokens.access).error == "401 INVALID_TOKEN")
        #expect(
            try harness.delete(path, token: tokens.access, json: ["deviceId": "phone"]).error == "401 INVALID_TOKEN"
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
        #expect(list.map { $0["deviceId"]?.stringValue } == ["phone", nil, "tablet"])
        #expect(list.map { $0["isCurrent"] == true } == [false, false, true])
        let other = try harness.logIn(Harness.other)
        #expect(try harness.delete("/api/mobile/devices/tablet", token: other.access).error == "404 NOT_FOUND")
        let id = list[1]["id"]?.stringValue ?? ""
        #expect(try harness.delete("/api/mobile/devices/\(id)", token: phone.access).text == #"{"success":true}"#)
        #expect(try harness.check(nameless.access) == 401)
        #expect(try harness.delete("/api/mobile/devices/\(id)", token: phone.access).error == "404 NOT_FOUND")
        // A session with a device goes by that, not by its own id.
        let own = list[2]["id"]?.stringValue ?? ""
        #expect(try harness.delete("/api/mobile/devices/\(own)", token: phone.access).error == "404 NOT_FOUND")
        #expect(try harness.delete("/api/mobile/devices/tablet", token: tablet.access).status == 200)
        #expect(try harness.check(tablet.access) == 401)
        #expect(try harness.refresh(tablet.refresh).error == "401 INVALID_REFRESH_TOKEN")
        #expect(try harness.check(phone.access) == 200)
    }

    // MARK: The dashboard

    @Test func `4.45 and 4.46 the school lists and ends sessions`() throws {
        let erik = try harness.logIn(Harness.erik).access
        let path = "/api/admin/app-dashboard/sessions"
        for number in 0..<30 { _ = try harness.logIn(device: "d\(number)") }
        let page = try harness.get(path, token: erik)
        #expect(page.keys("data") == ["sessions", "total", "page", "limit", "totalPages"])
        #expect(page.data["total"] == 31)
        #expect(page.data["totalPages"] == 2)
        #expect(page.data["sessions"]?.arrayValue?.count == 25)
        #expect(
            page.keys("data.sessions.0")
                == [
                    "id", "userId", "userName", "userEmail", "deviceId", "platform", "ipAddress", "createdAt",
                    "lastActiveAt", "expiresAt", "isActive",
                ]
        )
        #expect(try harness.get(path + "?page=2", token: erik).data["sessions"]?.arrayValue?.count == 6)
        #expect(try harness.get(path + "?limit=100", token: erik).status == 200)
        for query in ["limit=101", "limit=0", "page=0", "page=x", "status=odd"] {
            #expect(try harness.get("\(path)?\(query)", token: erik).error == "400 VALIDATION_ERROR", "\(query)")
        }
        #expect(try harness.get(path + "?search=ERIK", token: erik).data["total"] == 1)
        #expect(try harness.get(path + "?platform=ios", token: erik).data["total"] == 30)
        let victim = try harness.logIn(device: "victim")
        let id = try harness.get(path + "?search=victim", token: erik).text(at: "data.sessions.0.id")
        let ended = try harness.delete(path, token: erik, json: ["sessionId": .string(id)])
        #expect(ended.data == ["sessionId": .string(id), "userId": "usr_123", "userName": "Anna Svensson"])
        #expect(try harness.check(victim.access) == 401)
        let push = try #require(try harness.hosted().world.core.outbox.messages.last)
        #expect(push.kind == .push)
        #expect(push.data == ["notificationType": "session_terminated", "action": "force_logout"])
        #expect(try harness.get(path + "?status=expired", token: erik).data["total"] == 1)
        #expect(try harness.delete(path, token: erik, json: [:]).error == "400 VALIDATION_ERROR")
        #expect(try harness.delete(path, token: erik, json: ["sessionId": "x"]).error == "404 NOT_FOUND")
    }

    @Test func `4.47 and 4.48 the school lists and switches off devices`() throws {
        let erik = try harness.logIn(Harness.erik).access
        let path = "/api/admin/app-dashboard/devices"
        let phone = try harness.logIn(device: "phone")
        let list = try harness.get(path, token: erik)
        #expect(list.data["total"] == 1)
        #expect(
            list.keys("data.devices.0")
                == [
                    "id", "userId", "userName", "deviceId", "platform", "deviceName", "deviceModel", "osVersion",
                    "appVersion", "pushToken", "isActive", "lastActiveAt", "registeredAt",
                ]
        )
        func change(_ body: JSON) throws -> Played {
            try harness.send(.patch, path, token: erik, body: body.serialized())
        }
        #expect(try change(["deviceId": "phone", "isActive": true]).text == #"{"success":true}"#)
        #expect(try harness.check(phone.access) == 200)
        #expect(try change(["deviceId": "phone", "isActive": false]).status == 200)
        #expect(try harness.check(phone.access) == 401)
        #expect(try change(["deviceId": "phone"]).error == "400 VALIDATION_ERROR")
        #expect(try change(["deviceId": "unknown", "isActive": false]).error == "404 NOT_FOUND")
    }

    @Test func `4.49 the school sends notifications`() throws {
        let erik = try harness.logIn(Harness.erik).access
        let anna = try harness.logIn(device: "phone").access
        func push(_ body: JSON) throws -> Played {
            try harness.post("/api/admin/app-dashboard/push", token: erik, json: body)
        }
        #expect(try push(["title": "T", "body": "B", "targetType": "all"]).data == ["sent": 3, "failed": 0])
        let one = try push([
            "title": "T2", "body": "B2", "targetType": "user", "targetId": "usr_123",
            "data": ["notificationType": "system_update", "k": "v"],
        ])
        #expect(one.data == ["sent": 1, "failed": 0])
        let list = try harness.get("/api/mobile/notifications", token: anna)
        #expect(list.text(at: "data.notifications.0.notificationType") == "system_update")
        #expect(list.text(at: "data.notifications.0.data.k") == "v")
        #expect(list.text(at: "data.notifications.1.notificationType") == "admin_broadcast")
        #expect(
            try push(["title": "T", "body": "B", "targetType": "platform", "targetPlatform": "ios"]).data["sent"] == 1
        )
        #expect(try push(["title": "T", "body": "B", "targetType": "device", "targetId": "phone"]).data["sent"] == 1)
        #expect(
            try push(["title": "T", "body": "B", "targetType": "user", "targetId": "x"]).data == [
                "sent": 0, "failed": 1,
            ]
        )
        for body in [
            [:], ["title": "T", "body": "B", "targetType": "user"], ["title": "T", "body": "B", "targetType": "x"],
            ["title": "T", "body": "B", "targetType": "platform"],
            ["title": "T", "body": "B", "targetType": "all", "data": ["k": 1]],
        ] as [JSON] { #expect(try push(body).error == "400 VALIDATION_ERROR") }
        #expect(try harness.post("/api/admin/app-dashboard/push", token: anna, json: [:]).error == "403 FORBIDDEN")
    }
}
