import Backend
import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Section 2: origin, envelopes, order of checks, secret, bearer, bodies, CORS.
struct Section2ConventionTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func logo(_ headers: [(FieldName, String)] = [], path: String = "/api/app-config") throws -> String {
        try harness.get(path, headers: headers).text(at: "data.branding.logoUrl")
    }

    @Test func `2.1 links begin where the client reached us`() throws {
        try expectEqual(logo(), "http://127.0.0.1:4684/logo.png")
        try expectEqual(
            logo([("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "tfx.test")]),
            "https://tfx.test/logo.png"
        )
        harness.host = "10.0.2.2:4684"
        try expectEqual(logo(), "http://10.0.2.2:4684/logo.png")
        harness.host = nil
        try expectEqual(logo(), "http://127.0.0.1:4684/logo.png")
        harness.host = "127.0.0.1:4680"
        harness.entryPoint = .hub
        try expectEqual(logo(path: "/trafikskola/api/app-config"), "http://127.0.0.1:4680/trafikskola/logo.png")
        try expectEqual(
            logo(path: "/@main/trafikskola/api/app-config"),
            "http://127.0.0.1:4680/@main/trafikskola/logo.png"
        )
        try harness.set(["publicOrigin": "https://school.test/"])
        try expectEqual(logo(path: "/trafikskola/api/app-config"), "https://school.test/logo.png")
    }

    @Test func `2.2 every failure has the envelope`() throws {
        try expectEqual(harness.get("/nowhere").error, "404 NOT_FOUND")
        let other = try harness.send(.patch, "/api/mobile/student/profile")
        expectEqual(other.error, "405 METHOD_NOT_ALLOWED")
        expectEqual(other[.allow], "GET, PUT")
        let refused = Played(immediate: TrafikskolaAPI.refusal(.contentTooLarge, detail: ""))
        expectEqual(refused.error, "413 PAYLOAD_TOO_LARGE")
        expectEqual(Played(immediate: TrafikskolaAPI.refusal(.badRequest, detail: "")).error, "400 BAD_REQUEST")
    }

    @Test(arguments: [
        "", "{", "[]", "null", "\"x\"", "\u{FEFF}{}", "{} x",
        String(repeating: "{\"a\":", count: 65) + "1"
            + String(repeating: "}", count: 65),
    ])
    func `2.2 a body that is no JSON object is INVALID_JSON`(body: String) throws {
        let reply = try harness.send(.post, "/api/mobile/auth/login", body: Array(body.utf8))
        expectEqual(reply.error, "400 INVALID_JSON")
        try expectEqual(
            harness.send(.post, "/api/mobile/auth/refresh", body: [0x7B, 0xFF, 0x7D]).error,
            "400 INVALID_JSON"
        )
    }

    @Test func `2.2 a body may be 64 deep`() throws {
        let deep = String(repeating: "{\"a\":", count: 63) + "{}" + String(repeating: "}", count: 63)
        try expectEqual(
            harness.send(.post, "/api/mobile/auth/login", body: Array(deep.utf8)).error,
            "400 VALIDATION_ERROR"
        )
    }

    @Test func `2.2 JSON bodies may have 1 MiB and not a byte more`() throws {
        func login(_ size: Int) throws -> Played {
            let head = #"{"email":"anna@example.com","password":"understudy-tfx","x":""#
            let padding = String(repeating: "x", count: size - head.utf8.count - 2)
            return try harness.send(.post, "/api/mobile/auth/login", body: Array((head + padding + "\"}").utf8))
        }
        try expectEqual(login(1_048_576).status, 200)
        try expectEqual(login(1_048_577).error, "413 PAYLOAD_TOO_LARGE")
    }

    @Test func `2.2 the order of checks is method, secret, bearer, role, size, form, fields, state`() throws {
        let path = "/api/mobile/bookings"
        let huge = [UInt8](repeating: 0x20, count: 1_048_577)
        let secret: [(FieldName, String)] = [("X-App-Secret", "sk_trafikskola_test")]
        try harness.set(["appSecret": "required"])
        try expectEqual(harness.send(.put, path, body: huge).error, "405 METHOD_NOT_ALLOWED")
        try expectEqual(harness.send(.post, path, body: huge).error, "401 INVALID_APP_SECRET")
        try expectEqual(harness.send(.post, path, body: huge, headers: secret).error, "401 INVALID_TOKEN")
        let admin = "/api/admin/app-dashboard/push"
        let student = try harness.mint(Harness.anna)
        try expectEqual(harness.send(.post, admin, token: student, body: huge, headers: secret).error, "403 FORBIDDEN")
        let erik = try harness.mint(Harness.erik)
        try expectEqual(
            harness.send(.post, admin, token: erik, body: huge, headers: secret).error,
            "413 PAYLOAD_TOO_LARGE"
        )
        try expectEqual(
            harness.send(.post, path, token: student, body: [0x7B], headers: secret).error,
            "400 INVALID_JSON"
        )
        try harness.set(["appSecret": "lenient"])
        let unknown: JSON = ["type": "driving_lesson", "lessonTypeId": "nope", "startTime": "2025-01-02T09:00:00Z"]
        try expectEqual(harness.post(path, token: student, json: unknown).error, "400 VALIDATION_ERROR")
        guard case .object(var whole) = unknown else { return }
        whole["duration"] = 45
        try expectEqual(harness.post(path, token: student, json: .object(whole)).error, "404 NOT_FOUND")
    }

    @Test
    func `2.3 the secret is asked for in strict mode only, and not on config of the school, fallback and pictures`()
        throws
    {
        try expectEqual(harness.get("/api/mobile/config?domain=localhost").status, 200)
        try harness.set(["appSecret": "required"])
        for path in ["/api/mobile/config?domain=localhost", "/api/mobile/i18n", "/api/mobile/bookings"] {
            try expectEqual(harness.get(path).error, "401 INVALID_APP_SECRET", "\(path)")
            let odd = try harness.get(path, headers: [("X-App-Secret", "sk_other_")])
            expectEqual(odd.error, "401 INVALID_APP_SECRET")
            let good = try harness.get(path, headers: [("X-App-Secret", "sk_trafikskola_")])
            #expect(good.error != "401 INVALID_APP_SECRET")
        }
        for path in ["/api/app-config", "/api/mobile/translations/sv", "/logo.png", "/avatars/usr_123.jpg"] {
            try expectEqual(harness.get(path).status, 200, "\(path)")
        }
    }

    @Test func `2.3 the journal shows the first 15 characters of the secret`() throws {
        _ = try harness.get("/logo.png", headers: [("X-App-Secret", "sk_trafikskola_made_up"), ("Accept", "a/b")])
        let entry = try #require(try harness.hosted().world.journal[1])
        expectEqual(entry.headers["X-App-Secret"], "sk_trafikskola_")
        expectEqual(entry.headers["Accept"], "a/b")
    }

    @Test(arguments: ["bearer", "Bearer", "BEARER"])
    func `2.4 the scheme is taken in any case`(scheme: String) throws {
        let token = try harness.mint(Harness.anna)
        let reply = try harness.get("/api/mobile/bookings", headers: [(.authorization, "\(scheme) \(token)")])
        expectEqual(reply.status, 200)
    }

    @Test func `2.4 anything else is INVALID_TOKEN, and public endpoints do not look`() throws {
        let token = try harness.mint(Harness.anna)
        let refresh = try harness.mint(Harness.anna, .refresh)
        for value in [
            "", token, "Bearer", "Bearer  \(token)", "Basic \(token)", "Bearer \(token)x", "Bearer \(refresh)",
        ] {
            let reply = try harness.get("/api/mobile/bookings", headers: [(.authorization, value)])
            expectEqual(reply.error, "401 INVALID_TOKEN", "\(value)")
            try expectEqual(harness.get("/api/mobile/i18n", headers: [(.authorization, value)]).status, 200)
        }
    }

    @Test func `2.5 JSON is read whatever its type, and bodies on GET and DELETE are taken`() throws {
        let body = Array(#"{"email":"anna@example.com","password":"understudy-tfx"}"#.utf8)
        let login = try harness.send(
            .post,
            "/api/mobile/auth/login",
            body: body,
            headers: [(.contentType, "text/plain")]
        )
        expectEqual(login.status, 200)
        let token = login.text(at: "data.accessToken")
        try expectEqual(harness.send(.get, "/api/mobile/bookings", token: token, body: [0x7B]).status, 200)
        try expectEqual(harness.send(.delete, "/api/mobile/bookings/bk_2", token: token, body: [0x7B]).status, 200)
        try expectEqual(harness.send(.put, "/api/mobile/student/profile", token: token).status, 200)
        try expectEqual(harness.send(.post, "/api/mobile/auth/logout", token: token).status, 200)
    }

    @Test func `2.6 a device says what it is, or nothing`() throws {
        func login(_ device: JSON) throws -> Played {
            try harness.post(
                "/api/mobile/auth/login",
                json: ["email": "anna@example.com", "password": "understudy-tfx", "deviceInfo": device]
            )
        }
        try expectEqual(login(.null).status, 200)
        try expectEqual(
            login(["deviceId": .string(String(repeating: "x", count: 255)), "platform": "web"]).status,
            200
        )
        for (device, field) in [
            ("x", "deviceInfo"), ([1], "deviceInfo"),
            (["deviceId": .string(String(repeating: "x", count: 256))], "deviceInfo.deviceId"),
            (["deviceId": ""], "deviceInfo.deviceId"), (["platform": "windows"], "deviceInfo.platform"),
            (["deviceId": "d", "deviceName": 1], "deviceInfo.deviceName"),
        ] as [(JSON, String)] {
            let reply = try login(device)
            expectEqual(reply.error, "400 VALIDATION_ERROR")
            expectEqual(reply.faulty, [field])
        }
    }

    @Test func `2.7 every answer may be read by other origins, OPTIONS is answered anywhere, HEAD where GET is`() throws
    {
        let token = try harness.mint(Harness.anna)
        for path in ["/logo.png", "/nowhere", "/api/mobile/bookings", "/api/mobile/i18n"] {
            let reply = try harness.get(path, token: token)
            expectEqual(reply["Access-Control-Allow-Origin"], "*", "\(path)")
            expectEqual(reply["Access-Control-Expose-Headers"], "ETag, Retry-After", "\(path)")
            let preflight = try harness.send(.options, path)
            expectEqual(preflight.status, 204)
            #expect(preflight.bytes.isEmpty)
            expectEqual(preflight["Access-Control-Allow-Origin"], "*")
            expectEqual(preflight["Access-Control-Allow-Methods"], "GET, POST, PUT, PATCH, DELETE, OPTIONS")
            expectEqual(
                preflight["Access-Control-Allow-Headers"],
                "Authorization, Content-Type, Accept, If-None-Match, X-App-Secret"
            )
            try expectEqual(harness.send(.head, path, token: token).status, reply.status, "\(path)")
        }
    }
}
