import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: a replay of a recording of ourselves is not to be told from the original.
@Suite(.serialized) struct ReplayFidelityTests {
    /// One request of a scripted client.
    struct Step: Sendable {
        var method: String
        var target: String
        var body: [UInt8]
        var type: String
        var fields: [String]
        /// Texts of the answer that later steps use as `{name}`, by their paths.
        var keeps: [String: String]

        init(
            _ method: String,
            _ target: String,
            _ body: String = "",
            bytes: [UInt8]? = nil,
            type: String = "application/json",
            fields: [String] = [],
            keeps: [String: String] = [:]
        ) {
            self.method = method
            self.target = target
            self.body = bytes ?? Array(body.utf8)
            self.type = type
            self.fields = fields
            self.keeps = keeps
        }
    }

    private static let auth = "Authorization: Bearer {token}"

    private static let png = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        ) ?? Data()
    )

    private static func multipart(_ name: String) -> [UInt8] {
        Array(
            "--edge\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
                .utf8
        ) + png + Array("\r\n--edge--\r\n".utf8)
    }

    static let scripts: [(api: String, steps: [Step])] = [
        (
            "omnichat",
            [
                Step("POST", "/api/v1/auth/apple", #"{"idToken":"mock_apple_token"}"#, keeps: ["token": "accessToken"]),
                Step("GET", "/api/v1/conversations", fields: [auth]),
                Step("GET", "/api/v1/conversations", fields: [auth, "Accept-Encoding: gzip"]),
                Step("HEAD", "/api/v1/conversations", fields: [auth]),
                Step("OPTIONS", "/api/v1/conversations"),
                Step(
                    "POST",
                    "/api/v1/conversations/conv_welcome_00000001/messages",
                    #"{"content":"Hello, write me a long reply"}"#,
                    fields: [auth]
                ),
                Step("GET", "/api/v1/conversations/conv_welcome_00000001/messages?limit=1", fields: [auth]),
                Step("GET", "/api/v1/nothing", fields: [auth]), Step("GET", "/api/v1/conversations"),
                Step("POST", "/api/v1/conversations", "{", fields: [auth]),
                Step("DELETE", "/api/v1/conversations/none", fields: [auth]), Step("GET", "/api/v1//conversations/"),
            ]
        ),
        (
            "sawaed",
            [
                Step("POST", "/api/mobile/auth/request-otp", #"{"email":"layla@sawaed.test"}"#),
                Step(
                    "POST",
                    "/api/mobile/auth/verify-otp",
                    #"{"email":"layla@sawaed.test","code":"123456"}"#,
                    keeps: ["token": "token", "refresh": "refreshToken"]
                ),
                Step("POST", "/api/mobile/auth/refresh", #"{"refreshToken":"{refresh}"}"#, keeps: ["token": "token"]),
                Step("GET", "/api/mobile/v1/profile/me?locale=ar", fields: [auth]),
                Step(
                    "GET",
                    "/api/mobile/v1/locations/cities?regionId=region_wusta",
                    fields: [auth, "Accept-Language: ar"]
                ),
                Step("GET", "/api/mobile/v1/events?q=robot&locale=en", fields: [auth]),
                Step("GET", "/api/mobile/v1/profile/me"),
                Step("POST", "/api/mobile/v1/profile/phone", "[]", fields: [auth]),
                Step("GET", "/api/openapi.json"), Step("GET", "/api/mobile/v1/none", fields: [auth]),
            ]
        ),
        (
            "carbscan",
            [
                Step(
                    "POST",
                    "/api/mobile/v1/auth/apple",
                    #"{"identityToken":"mock_apple:essentials@carbscan.test","authorizationCode":"x"}"#,
                    keeps: ["token": "data.accessToken"]
                ),
                Step("GET", "/api/mobile/v1/auth/me", fields: [auth]),
                Step("GET", "/api/mobile/v1/meals?limit=1", fields: [auth]),
                Step("GET", "/api/mobile/v1/meals?limit=1", fields: [auth, "Accept-Encoding: gzip, deflate"]),
                Step(
                    "POST",
                    "/api/mobile/v1/analyze",
                    #"{"imageBase64":"\#(Data(png).base64EncodedString())"}"#,
                    fields: [auth]
                ),
                Step("GET", "/api/mobile/v1/subscriptions/status", fields: [auth]),
                Step("GET", "/api/mobile/v1/auth/me"),
                Step("GET", "/login"), Step("GET", "/"), Step("GET", "/api/mobile/v1/none", fields: [auth]),
                Step("POST", "/api/mobile/v1/auth/apple", #"{"identityToken":7}"#),
            ]
        ),
        (
            "trafikskola",
            [
                Step(
                    "POST",
                    "/api/mobile/auth/login",
                    #"{"email":"anna@example.com","password":"understudy-tfx","deviceInfo":{"deviceId":"phone","platform":"ios"}}"#,
                    keeps: ["token": "data.accessToken"]
                ),
                Step("GET", "/api/mobile/config?domain=dev.dintrafikskolahm.se"),
                Step("GET", "/api/mobile/bookings", fields: [auth]),
                Step("GET", "/api/mobile/bookings/available-slots?type=lt_45&date=2025-01-04", fields: [auth]),
                Step("GET", "/icon.png"), Step("GET", "/icon.png", fields: ["Range: bytes=0-9"]),
                Step("HEAD", "/icon.png"),
                Step(
                    "POST",
                    "/api/mobile/student/avatar",
                    bytes: multipart("avatar"),
                    type: "multipart/form-data; boundary=edge",
                    fields: [auth],
                    keeps: ["avatar": "data.avatarUrl"]
                ),
                Step("GET", "/api/mobile/student/profile", fields: [auth]),
                Step("GET", "/api/mobile/none", fields: [auth]),
                Step("GET", "/api/mobile/bookings"),
                Step("POST", "/api/mobile/auth/login", #"{"email":"anna@example.com","password":"wrong"}"#),
            ]
        ),
        (
            "trendy",
            [
                Step(
                    "POST",
                    "/auth/v1/token?grant_type=password",
                    #"{"email":"tracker@trendy.example","password":"trendy-pass-1"}"#,
                    keeps: ["token": "access_token"]
                ),
                Step("GET", "/api/v1/users/onboarding", fields: [auth]),
                Step("GET", "/api/v1/users/onboarding/", fields: [auth]),
                Step("PATCH", "/api/v1/users/onboarding", #"{"location_status":"denied"}"#, fields: [auth]),
                Step("GET", "/api/v1/event-types", fields: [auth, "Accept-Encoding: gzip"], keeps: ["kind": "0.id"]),
                Step("GET", "/api/v1/changes?since=64", fields: [auth]),
                Step("POST", "/api/v1/events", #"{"timestamp":"yesterday"}"#, fields: [auth]),
                Step("GET", "/api/v1/nothing", fields: [auth]), Step("GET", "/api/v1/event-types"),
                Step(
                    "OPTIONS",
                    "/api/v1/events",
                    fields: ["Origin: http://localhost:3000", "Access-Control-Request-Method: POST"]
                ),
            ]
        ),
    ]

    /// One API of one process.
    private final class Running {
        let child: Child
        let port: Int

        init(_ command: [String], api: String, in folder: Folder) throws {
            child = try Child(
                command + ["--api", api, "--port", "0", "--quiet", "--clock", "frozen:2025-01-01T12:00:00Z"],
                in: folder
            )
            let child = child
            try Deadline().wait(for: "the ready line of \(command[0])") {
                guard child.isRunning else { throw TestError(description: try child.errors()) }
                return try child.output().hasSuffix("\n")
            }
            let ready = try JSONReader.read(text: String(try child.output().dropLast()))
            let origin = ready["apis"]?[api]?.stringValue ?? ""
            port = try #require(origin.split(separator: ":").last.flatMap { Int($0) })
        }

        func stop() throws {
            child.signal(SIGINT)
            _ = try child.waitForExit()
        }
    }

    /// Plays a script; the answers, whole but for the places where chunks are cut.
    private static func play(_ steps: [Step], port: Int, host: String) throws -> [(
        name: String, head: String, body: [UInt8]
    )] {
        var known: [String: String] = [:]
        func filled(_ text: String) -> String {
            known.reduce(text) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
        }
        return try steps.map { step in
            var body = step.body
            if let text = String(validating: body, as: UTF8.self) { body = Array(filled(text).utf8) }
            var head = "\(step.method) \(filled(step.target)) HTTP/1.1\r\nHost: \(host)\r\n"
            for field in step.fields { head += filled(field) + "\r\n" }
            if !body.isEmpty { head += "Content-Type: \(step.type)\r\nContent-Length: \(body.count)\r\n" }
            let wire = try Wire(port: port)
            try wire.send(Array((head + "\r\n").utf8) + body)
            let answer = try wire.answer(toHead: step.method == "HEAD")
            for (name, path) in step.keeps {
                let found = path.split(separator: ".").reduce(answer.json as JSON?) { json, key in
                    Int(key).map { json?[$0] } ?? json?[String(key)]
                }
                known[name] = try #require(found?.stringValue, "\(step.target): \(path) of \(answer.text)")
            }
            let fields = answer.fields.map { "\($0.name): \($0.value)\n" }.joined()
            return ("\(step.method) \(step.target)", "\(answer.status)\n\(fields)", answer.bytes)
        }
    }

    @Test(arguments: scripts.map(\.api))
    func `13 a replay of a recording of ourselves is the original: status, fields in their order, every byte`(
        api: String
    ) throws {
        let steps = try #require(Self.scripts.first { $0.api == api }).steps
        let folder = try Folder()
        let original = try Running(["serve"], api: api, in: folder)
        let upstream = "127.0.0.1:\(original.port)"
        let recorder = try Running(
            ["record", "--upstream", "http://\(upstream)", "--out", "own.har", "--no-redact"],
            api: api,
            in: folder
        )
        let recorded = try Self.play(steps, port: recorder.port, host: upstream)
        try recorder.stop()
        try original.stop()
        // What a client gets that talks to another original.
        let fresh = try Running(["serve"], api: api, in: folder)
        let direct = try Self.play(steps, port: fresh.port, host: upstream)
        try fresh.stop()
        let replay = try Running(["replay", "own.unredacted.har"], api: api, in: folder)
        let replayed = try Self.play(steps, port: replay.port, host: upstream)
        #expect(direct.count == steps.count && replayed.count == steps.count)
        for (place, left) in direct.enumerated() {
            expectEqual(recorded[place].head, left.head, "recorded: \(left.name)")
            expectEqual(recorded[place].body, left.body, "recorded: \(left.name)")
            expectEqual(replayed[place].head, left.head, "replayed: \(left.name)")
            expectEqual(replayed[place].body, left.body, "replayed: \(left.name)")
        }
        try replay.stop()
        // Seen from another address, links lead there.
        let moved = try Running(["replay", "own.unredacted.har"], api: api, in: folder)
        let elsewhere = try Self.play(steps, port: moved.port, host: "127.0.0.1:9")
        for (left, right) in zip(direct, elsewhere) {
            #expect(!right.head.contains(upstream) && !String(decoding: right.body, as: UTF8.self).contains(upstream))
            let expected = String(decoding: left.body, as: UTF8.self).replacingOccurrences(
                of: upstream,
                with: "127.0.0.1:9"
            )
            expectEqual(String(decoding: right.body, as: UTF8.self), expected, "\(left.name)")
        }
        try moved.stop()
        let drift = try Program.run(["diff", "own.unredacted.har", "--api", api], in: folder)
        expectEqual(drift.status, 0, "\(drift.output)")
    }
}
