import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Section 2: conventions.
struct Section2ConventionTests {
    @Test func `2 answers keep the order of the contract's keys, and meta tells the clock`() throws {
        let harness = try Harness()
        let reply = try harness.get("/health")
        expectEqual(
            reply.text,
            #"{"success":true,"data":{"status":"healthy","serverTime":"2025-01-31T20:00:00.000Z","apiVersion":"v1"},"meta":{"timestamp":"2025-01-31T20:00:00.000Z","version":"v1"}}"#
        )
        let failure = try harness.me("x")
        expectEqual(
            failure.text,
            #"{"success":false,"error":{"code":"UNAUTHORIZED","message":"Sign in to continue"},"meta":{"timestamp":"2025-01-31T20:00:00.000Z","version":"v1"}}"#
        )
    }

    @Test func `2 a body is read only as application-json, everything else counts as an empty object`() throws {
        let harness = try Harness()
        let text = #"{"email":"a@b.c"}"#
        for type in ["application/json", "application/json; charset=utf-8", "Application/JSON"] {
            try expectEqual(harness.post("/auth/magic-link/request", text: text, type: type).status, 200)
        }
        for type in ["text/plain", "application/x-www-form-urlencoded", "application/problem+json", "nonsense", nil] {
            let reply = try harness.post("/auth/magic-link/request", text: text, type: type)
            expectEqual(reply.error, #"400 VALIDATION_ERROR {"email":"required"}"#)
        }
        try expectEqual(harness.post("/auth/revoke", text: "").status, 200)
        try expectEqual(harness.post("/auth/revoke", text: "", type: nil).status, 200)
        try expectEqual(harness.get("/health", headers: [Harness.json]).status, 200)
    }

    @Test(arguments: ["{", "nonsense", " ", "{\"a\":1,}", "\u{FEFF}{}", "{}x"])
    func `2 a body that is not JSON is 400`(text: String) throws {
        try expectEqual(
            Harness().post("/auth/revoke", text: text).error,
            #"400 VALIDATION_ERROR {"body":"malformed_json"}"#
        )
    }

    @Test(arguments: ["[]", "\"x\"", "1", "null", "true"])
    func `2 a body that is no object is 400`(text: String) throws {
        try expectEqual(
            Harness().post("/auth/revoke", text: text).error,
            #"400 VALIDATION_ERROR {"body":"wrong_type"}"#
        )
    }

    @Test func `2 nesting of 64 levels is read, of 65 is malformed`() throws {
        let harness = try Harness()
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        try expectEqual(harness.post("/auth/revoke", text: nested(64)).status, 200)
        try expectEqual(
            harness.post("/auth/revoke", text: nested(65)).error,
            #"400 VALIDATION_ERROR {"body":"malformed_json"}"#
        )
    }

    @Test func `2 a body of 20 MiB is read, one byte more is 413`() throws {
        let harness = try Harness()
        let limit = 20 * 1024 * 1024
        let start = Array(#"{"a":""#.utf8)
        func body(_ count: Int) -> [UInt8] {
            start + [UInt8](repeating: 0x61, count: count - start.count - 2) + Array(#""}"#.utf8)
        }
        let path = Harness.base + "/auth/revoke"
        try expectEqual(harness.send(.post, path, body: body(limit), headers: [Harness.json]).status, 200)
        let reply = try harness.send(.post, path, body: body(limit + 1), headers: [Harness.json])
        expectEqual(reply.error, "413 PAYLOAD_TOO_LARGE")
        // The credential comes first, the syntax after.
        let big = [UInt8](repeating: 0x7B, count: limit + 1)
        try expectEqual(harness.send(.post, Harness.base + "/chat", body: big).error, "401 UNAUTHORIZED")
        let token = try harness.mint(Harness.free)
        for path in ["/chat", "/analyze", "/meals/sync"] {
            let reply = try harness.send(.post, Harness.base + path, token: token, body: big, headers: [Harness.json])
            expectEqual(reply.error, "413 PAYLOAD_TOO_LARGE")
        }
        try expectEqual(
            harness.send(.post, Harness.base + "/auth/magic-link/verify", body: big).error,
            "501 NOT_IMPLEMENTED"
        )
        try expectEqual(harness.send(.post, Harness.base + "/nothing", body: big).error, "404 NOT_FOUND")
    }

    @Test func `2 checks come in their order, and a refused request changes nothing`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        try expectEqual(harness.post("/nothing", text: "{").error, "404 NOT_FOUND")
        try expectEqual(
            harness.send(.put, Harness.base + "/analyze", body: Array("{".utf8)).error,
            "405 METHOD_NOT_ALLOWED"
        )
        try expectEqual(harness.post("/analyze", text: "{").error, "401 UNAUTHORIZED")
        try expectEqual(
            harness.post("/analyze", token: token, text: "{").error,
            #"400 VALIDATION_ERROR {"body":"malformed_json"}"#
        )
        for _ in 1...3 { try expectEqual(harness.analyze(Harness.picture, token).status, 200) }
        // Validation before the quota.
        try expectEqual(harness.analyze("%", token).error, #"400 VALIDATION_ERROR {"imageBase64":"invalid_format"}"#)
        #expect(try harness.analyze(Harness.picture, token).error.hasPrefix("403 NO_SCANS_REMAINING"))
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 21)
    }

    @Test func `2 another method is 405 with Allow, HEAD works like GET, OPTIONS is 204 with permissive fields`() throws
    {
        let harness = try Harness()
        let reply = try harness.send(.delete, Harness.base + "/health")
        expectEqual(reply.error, "405 METHOD_NOT_ALLOWED")
        expectEqual(reply[.allow], "GET")
        try expectEqual(harness.send(.get, Harness.base + "/analyze")[.allow], "POST")
        try expectEqual(harness.send(.head, Harness.base + "/health").status, 200)
        try expectEqual(harness.send(.head, Harness.base + "/chat").status, 405)
        let options = try harness.send(.options, Harness.base + "/analyze")
        #expect(options.status == 204 && options.bytes.isEmpty)
        expectEqual(options["Access-Control-Allow-Origin"], "*")
        expectEqual(options["Access-Control-Allow-Methods"], "POST, OPTIONS")
        expectEqual(options["Access-Control-Allow-Headers"]?.contains("Authorization"), true)
        let asked = try harness.send(
            .options,
            Harness.base + "/meals",
            headers: [("Access-Control-Request-Headers", "authorization,x-app-version")]
        )
        expectEqual(asked["Access-Control-Allow-Headers"], "authorization,x-app-version")
        expectEqual(asked["Access-Control-Allow-Methods"], "GET, OPTIONS, HEAD")
        try expectEqual(harness.send(.options, Harness.base + "/nothing").error, "404 NOT_FOUND")
    }

    @Test func `2 a trailing slash is accepted, another case is not`() throws {
        let harness = try Harness()
        try expectEqual(harness.get("/health/").status, 200)
        try expectEqual(harness.get("/HEALTH").error, "404 NOT_FOUND")
    }

    @Test func `2 a refusal of the wire has the envelope too, with the time when it is known`() throws {
        let now = Instant(seconds: 1_735_732_800)
        for (status, code) in [
            (400, "VALIDATION_ERROR"), (413, "PAYLOAD_TOO_LARGE"), (431, "SERVER_ERROR"), (501, "NOT_IMPLEMENTED"),
        ] {
            let response = CarbScanAPI.refusal(Status(status), detail: "x", now: now)
            let played = Played(immediate: response)
            expectEqual(played.error, "\(status) \(code)")
        }
    }

    @Test func `2 unknown fields and parameters are ignored, null counts as absent`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        try expectEqual(harness.get("/meals?page=x&limit=1", token: token).status, 200)
        try expectEqual(harness.post("/auth/revoke", json: ["refreshToken": .null, "x": 1]).status, 200)
        try expectEqual(
            harness.post(
                "/analyze",
                token: token,
                json: ["imageBase64": .string(Harness.picture), "metadata": .null]
            ).status,
            200
        )
    }

    @Test func `3 an injected status has its code, and every code its message`() throws {
        let harness = try Harness()
        let call = Call(
            request: HTTPRequest(head: RequestHead(method: .get, target: RequestTarget(rawPath: "/", rawQuery: nil))),
            path: Path(segments: []),
            peer: "x",
            now: try harness.now,
            epoch: Epoch(start: try harness.now),
            requestID: "1"
        )
        let wanted = [
            400: "VALIDATION_ERROR", 401: "UNAUTHORIZED", 404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED",
            413: "PAYLOAD_TOO_LARGE", 429: "RATE_LIMITED", 500: "SERVER_ERROR", 501: "NOT_IMPLEMENTED",
            502: "SERVER_ERROR", 503: "SERVICE_UNAVAILABLE", 504: "SERVER_ERROR",
        ]
        for status in wanted.keys.sorted() {
            let response = try harness.state { state, _ in
                CarbScanAPI.render(APIError(Status(status), ""), state: state, call: call)
            }
            let played = Played(immediate: response)
            expectEqual(played.error, "\(status) \(wanted[status] ?? "")")
        }
        let response = try harness.state { state, _ in
            CarbScanAPI.render(APIError(.internalServerError, code: "AUTH_ERROR", "x"), state: state, call: call)
        }
        #expect(String(decoding: response.body.content, as: UTF8.self).contains(#""code":"AUTH_ERROR""#))
    }
}
