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

/// Sections 9, 10 and 12: settings, seed, and the flow of a client.
struct Section10SeedTests {
    @Test func `9 the settings have these names, values and defaults`() throws {
        let harness = try Harness()
        let settings = harness.emulator.apis[0].readSettings(try harness.hosted().world, 0)
        let wanted: [(String, JSON, [JSON])] = [
            ("refreshMode", "rotating", ["reusable", "single-use"]), ("refreshLifetimeSeconds", 7_776_000, [1]),
            ("accessLifetimeSeconds", 3_600, [1]), ("reuseGraceSeconds", 0, [1]),
            ("reuseScope", "rotated", ["any-revoked"]), ("appSecret", "lenient", ["required"]),
            ("config", "ok", ["error500", "html"]), ("flags", "complete", ["incomplete", "none"]),
            ("images", "png", ["html"]), ("i18n", "on", ["off"]), ("qrDomain", "right", ["typo"]),
            ("apiBaseUrl", "mobile", ["short"]), ("avatarUrl", "absolute", ["html", "relative"]),
            ("errors", "json", ["html", "object"]), ("maintenance", "off", ["flag", "503"]),
            ("appEnabled", true, [false]),
            ("minVersion", "1.0.0", ["9.9.9"]), ("latestVersion", "1.0.0", ["9.9.9"]), ("otpLimits", "off", ["on"]),
            ("bookings", "wrapped", ["unwrapped"]), ("payment", "completes", ["fails", "stuck"]),
            ("rateLimits", "on", ["off"]), ("publicOrigin", .null, ["https://a.test"]),
        ]
        for (name, usual, others) in wanted {
            expectEqual(settings[name], usual, "\(name)")
            for value in others + [usual] { try harness.set(.object([name: value])) }
            #expect(throws: Harness.TestError.self, "\(name)") { try harness.set(.object([name: [1]])) }
        }
        expectEqual(settings["otp"], ["codes": "fixed"])
    }

    @Test func `10 the users are these`() throws {
        let harness = try Harness()
        for (email, id, first, last) in [
            ("anna@example.com", "usr_123", "Anna", "Svensson"),
            ("student@example.com", Harness.otherID, "Anna", "Svensson"),
            ("erik@example.com", "instr_1", "Erik", "Johansson"),
        ] {
            let reply = try harness.post(
                "/api/mobile/auth/login",
                json: ["email": .string(email), "password": "understudy-tfx"]
            )
            expectEqual(
                reply.data["user"],
                [
                    "id": .string(id), "email": .string(email), "firstName": .string(first),
                    "lastName": .string(last),
                ]
            )
        }
    }

    @Test func `10 bookings are relative to the day of the reset`() throws {
        let harness = try Harness(start: Instant(seconds: 1_740_787_199))
        let reply = try harness.get("/api/mobile/bookings", token: try harness.mint(Harness.anna))
        let starts = (reply.value(at: "data.bookings")?.arrayValue ?? []).compactMap { $0["startTime"]?.stringValue }
        expectEqual(
            starts,
            [
                "2025-02-21T10:00:00.000Z", "2025-02-28T15:00:00.000Z", "2025-03-01T10:00:00.000Z",
                "2025-03-03T14:00:00.000Z",
            ]
        )
    }

    @Test(arguments: [
        ("users.json", #"[{"id":"a"}]"#, "email"), ("bookings.json", "{", "$"),
        (
            "users.json", #"[{"id":"a","email":"A@b.c","firstName":"","lastName":"","role":"student","password":""}]"#,
            "lower case"
        ),
        ("courses.json", #"[{"id":"c","title":"","description":"","updatedAt":"T0","students":["x"]}]"#, "no user"),
        (
            "questions.json", #"[{"id":"q","owner":"quiz_1","text":"","type":"single","options":[],"correct":["a"]}]"#,
            "no option"
        ),
        ("avatars.json", #"[{"id":"usr_123.jpg","contentType":"image/jpeg","data":"*"}]"#, "base64"),
        ("quick-logins.json", #"[{"id":"t","userId":"x","expiresAt":"T0"}]"#, "no user"),
    ])
    func `10 a seed that does not fit is refused with its place`(file: String, text: String, word: String) throws {
        let files = try SeedFolder.files(of: "trafikskola", replacing: file, with: text)
        let error = #expect(throws: SeedError.self) { _ = try AnyAPI(TrafikskolaAPI.definition, seed: files) }
        let texts = try #require(error?.items.map(\.text))
        #expect(texts.contains { $0.hasPrefix("seeds/trafikskola/\(file):") && $0.contains(word) }, "\(texts)")
    }

    @Test func `13 a client signs in, waits, is refused, refreshes once and goes on`() throws {
        let harness = try Harness()
        var tokens = try harness.logIn(device: "phone")
        let register: JSON = ["deviceId": "phone", "platform": "ios"]
        try expectEqual(harness.post("/api/mobile/device/register", token: tokens.access, json: register).status, 200)
        for _ in 0..<30 {
            try harness.advance(.days(3))
            try expectEqual(harness.check(tokens.access), 401)
            let reply = try harness.refresh(tokens.refresh)
            expectEqual(reply.status, 200)
            tokens = Tokens(
                access: reply.text(at: "data.accessToken"),
                refresh: reply.text(at: "data.refreshToken")
            )
            try expectEqual(harness.check(tokens.access), 200)
        }
        try harness.advance(.days(90))
        try expectEqual(harness.refresh(tokens.refresh).error, "401 INVALID_REFRESH_TOKEN")
        try expectEqual(harness.check(try harness.logIn(device: "phone").access), 200)
    }

    @Test func `12 the same seed, clock and requests give the same bytes`() throws {
        func transcript() throws -> [String] {
            let harness = try Harness()
            let tokens = try harness.logIn(device: "phone")
            return try [
                tokens.access, tokens.refresh, harness.refresh(tokens.refresh).text,
                harness.payload("type=quick_login").text,
                harness.post("/api/mobile/auth/request-otp", json: ["email": "anna@example.com"]).text,
                harness.get("/api/mobile/i18n")[.eTag] ?? "",
            ]
        }
        try expectEqual(transcript(), transcript())
    }

    @Test func `9 a token of one world is none of another, and its issuer leads back`() throws {
        let harness = try Harness()
        try harness.makeWorld("other")
        harness.world = "other"
        let token = try harness.mint(Harness.anna)
        _ = try harness.put("/api/mobile/student/profile", token: token, json: ["firstName": "Eva"])
        try expectEqual(
            harness.get("/@other/api/mobile/student/profile", token: token).text(at: "data.firstName"),
            "Eva"
        )
        try expectEqual(
            harness.get("/@other/api/mobile/student/profile", token: token).text(at: "data.profileImageUrl"),
            "http://127.0.0.1:4684/@other/avatars/usr_123.jpg"
        )
        try expectEqual(harness.get("/@main/api/mobile/student/profile", token: token).error, "401 INVALID_TOKEN")
    }

    @Test func `2.1 every link works for the client, also for one that its token alone leads to its world`() throws {
        let harness = try Harness()
        try harness.makeWorld("other")
        harness.world = "other"
        let token = try harness.mint(Harness.anna)
        func link(_ headers: [(FieldName, String)] = []) throws -> String {
            try harness.get("/api/mobile/student/profile", token: token, headers: headers)
                .text(at: "data.profileImageUrl")
        }
        try expectEqual(link(), "http://127.0.0.1:4684/@other/avatars/usr_123.jpg")
        try expectEqual(link([("X-Understudy-World", "other")]), "http://127.0.0.1:4684/avatars/usr_123.jpg")
        harness.host = "other.localhost:4684"
        try expectEqual(link(), "http://other.localhost:4684/avatars/usr_123.jpg")
        harness.host = "127.0.0.1:4684"
        let pay = "/api/mobile/invoices/inv_1/payment/initiate"
        let code = try harness.post(pay, token: token, json: ["method": "swish"]).text(at: "data.qrCode")
        #expect(code.hasPrefix("http://127.0.0.1:4684/@other/avatars/pay_"))
        try expectEqual(harness.get(String(code.dropFirst(Harness.origin.count)))[.contentType], "image/png")
        harness.entryPoint = .hub
        try expectEqual(
            harness.get("/trafikskola/api/mobile/student/profile", token: token).text(at: "data.profileImageUrl"),
            "http://127.0.0.1:4684/@other/trafikskola/avatars/usr_123.jpg"
        )
        try harness.set(["publicOrigin": "https://skola.test"])
        try expectEqual(
            harness.get("/trafikskola/api/mobile/student/profile", token: token).text(at: "data.profileImageUrl"),
            "https://skola.test/avatars/usr_123.jpg"
        )
    }

    @Test func `2.1 a link to a picture of main names it where every request has to lead to its world`() throws {
        let harness = try Harness(
            TrafikskolaAPI.definition,
            seed: 42,
            start: Harness.noon,
            wall: Harness.noon,
            isWorldRequired: true
        )
        let token = try harness.mint(Harness.anna)
        func link(_ prefix: String = "", _ headers: [(FieldName, String)] = []) throws -> String {
            try harness.get("\(prefix)/api/mobile/student/profile", token: token, headers: headers)
                .text(at: "data.profileImageUrl")
        }
        try expectEqual(link(), "\(Harness.origin)/@main/avatars/usr_123.jpg")
        try expectEqual(harness.get("/@main/avatars/usr_123.jpg").status, 200)
        try expectEqual(link("/@main"), "\(Harness.origin)/@main/avatars/usr_123.jpg")
        try expectEqual(link("", [(.world, "main")]), "\(Harness.origin)/avatars/usr_123.jpg")
        let look = try harness.get("/api/app-config", token: token)
        for (name, file) in [("logoUrl", "logo"), ("iconUrl", "icon"), ("splashImageUrl", "splash")] {
            expectEqual(look.text(at: "data.branding.\(name)"), "\(Harness.origin)/@main/\(file).png")
        }
        try expectEqual(harness.get("/@main/logo.png").status, 200)
        // A call sends its token to the base, so that leads to the world by itself.
        expectEqual(look.text(at: "data.apiBaseUrl"), "\(Harness.origin)/api/mobile")
        harness.host = "main.localhost:4684"
        try expectEqual(link(), "http://main.localhost:4684/avatars/usr_123.jpg")
        harness.host = "127.0.0.1:4684"
        harness.entryPoint = .hub
        try expectEqual(link("/trafikskola"), "\(Harness.origin)/@main/trafikskola/avatars/usr_123.jpg")
        try harness.set(["publicOrigin": "https://skola.test"])
        try expectEqual(link("/trafikskola"), "https://skola.test/avatars/usr_123.jpg")
    }

    @Test func `2.1 the school's real hosts stand in no link that a client has to fetch`() throws {
        let harness = try Harness()
        let token = try harness.logIn().access
        for path in [
            "/lms/courses", "/lms/courses/course_1/structure", "/lms/lessons/lesson_1", "/lms/lessons/lesson_2",
            "/lms/lessons/lesson_3", "/korklar", "/invoices", "/bookings", "/student/profile", "/student/feedback",
        ] {
            let reply = try harness.get(Harness.mobile + path, token: token)
            expectEqual(reply.status, 200)
            #expect(!reply.text.contains("dintrafikskola"), "\(path): \(reply.text)")
        }
    }
}
