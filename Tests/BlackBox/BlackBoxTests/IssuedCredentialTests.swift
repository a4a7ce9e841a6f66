import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, own credentials stay here: what reaches a backend that keeps every byte.
@Suite(.serialized) struct IssuedCredentialTests {
    static let adminToken = "adm1n-t0ken-4711-secret"
    private static let users = [
        ("omnichat", "test@icloud.com"), ("carbscan", "free@carbscan.test"), ("sawaed", "layla@sawaed.test"),
        ("trafikskola", "anna@example.com"), ("trendy", "tracker@trendy.example"),
    ]

    private let upstream: KeepingUpstream
    private let folder: Folder

    init() throws {
        upstream = try KeepingUpstream()
        folder = try Folder()
    }

    private func served(_ flags: [String] = []) throws -> Served { try Served(flags, in: folder) }

    private static func control(_ served: Served, _ method: String, _ path: String, _ body: String = "") throws
        -> WireAnswer
    {
        try Wire(port: served.hub).ask(method, "/__admin" + path, body: Array(body.utf8), token: adminToken)
    }

    private func order(_ mode: String, _ served: Served, api: String = "omnichat", more: String = "") throws {
        let upstream = mode == "emulate" ? "" : #","upstream":"\#(upstream.url)""#
        let answer = try Self.control(
            served,
            "PUT",
            "/mode",
            #"{"api":"\#(api)","mode":"\#(mode)"\#(upstream)\#(more)}"#
        )
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    private static func token(
        _ served: Served,
        _ api: String,
        _ user: String,
        _ kind: String,
        world: String = "main",
        more: String = ""
    ) throws -> String {
        let body = #"{"api":"\#(api)","user":"\#(user)","kind":"\#(kind)"\#(more)}"#
        let answer = try Wire(port: served.hub)
            .ask("POST", "/@\(world)/__admin/tokens", body: Array(body.utf8), token: adminToken)
        guard let token = answer.json["token"]?.stringValue else { throw TestError(description: answer.text) }
        return token
    }

    /// A member of a token's payload.
    private static func claim(_ name: String, of token: String) throws -> String {
        var text = token.split(separator: ".")[1].replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let payload = try JSONReader.read(Array(Data(base64Encoded: text) ?? Data()))
        return payload[name]?.stringValue ?? ""
    }

    /// One of each kind: access, refresh and identity tokens of all five APIs, QR, handle, upload, session ids, states.
    private static func secrets(_ served: Served) throws -> [(kind: String, text: String)] {
        var secrets: [(kind: String, text: String)] = []
        for (api, user) in users {
            for kind in ["access", "refresh"] + (api == "trafikskola" ? [] : ["apple-identity"]) {
                secrets.append(("\(api) \(kind)", try token(served, api, user, kind)))
            }
        }
        for state in ["wrong-issuer", "bad-signature", "expired", "wrong-audience"] {
            let more = #","state":"\#(state)""#
            secrets.append((state, try token(served, "omnichat", "test@icloud.com", "access", more: more)))
        }
        let claims = #","claims":{"iss":"https://real.example"}"#
        secrets.append(("claims", try token(served, "omnichat", "test@icloud.com", "access", more: claims)))
        for type in ["session_login", "quick_login"] {
            let code = try control(served, "GET", "/qr.json?api=trafikskola&type=\(type)")
            secrets.append((type, code.json["token"]?.stringValue ?? ""))
        }
        let chat = try Wire(port: served.port(of: "sawaed")).ask(
            "POST",
            "/api/chat/send",
            body: Array(#"{"skillId":"aiskill_data","message":"__start__","locale":"ar"}"#.utf8)
        )
        secrets.append(("handle", chat.json["sessionId"]?.stringValue ?? ""))
        for (api, name) in [("trendy", "session_id"), ("trafikskola", "sid")] {
            let access = secrets.first { $0.kind == "\(api) access" }?.text ?? ""
            secrets.append(("session of \(api)", try claim(name, of: access)))
        }
        secrets.append(("admin token", adminToken))
        #expect(secrets.allSatisfy { $0.text.count >= 10 })
        return secrets
    }

    /// Sends it, and expects that it is refused and that nothing has reached the backend.
    private func expectRefused(_ carrier: Carrier, _ kind: String, _ secret: String, port: Int) throws {
        let before = upstream.requests.count
        let wire = try Wire(port: port)
        try wire.send(carrier.wire)
        let answer = try wire.answer()
        let isRefused = answer.status == 409 && answer.json["type"] == "/__admin/problems/own-credential"
        #expect(isRefused, "\(kind): \(carrier.name): \(answer.status)")
        #expect(!answer.text.contains(secret), "\(kind): \(carrier.name)")
        expectEqual(answer.json["errors"]?[0]?["path"]?.stringValue?.isEmpty, false)
        expectEqual(upstream.requests.count, before, "\(kind): \(carrier.name)")
    }

    // MARK: Every carrier

    @Test func `13 no secret of any kind reaches a backend, wherever and in whatever coding it stands`() throws {
        let served = try served(["--admin-token", Self.adminToken])
        let secrets = try Self.secrets(served)
        try order("spy", served)
        for (kind, secret) in secrets {
            for carrier in Carriers.all(secret) { try expectRefused(carrier, kind, secret, port: served.api) }
        }
        #expect(upstream.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("record", ""), ("diff", ""), ("record-missing", #","recording":"m.har""#),
            ("replay", #","recording":"m.har","miss":"forward""#),
        ]
    )
    func `13 it holds in every mode that asks a backend`(mode: String, more: String) throws {
        try folder.write(
            "recordings/m.har",
            #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}"#
        )
        let served = try served(["--admin-token", Self.adminToken])
        let secrets = try Self.secrets(served)
        try order(mode, served, more: more)
        for (place, secret) in secrets.enumerated() {
            // Each carrier is tried with several kinds.
            for (number, carrier) in Carriers.all(secret.text).enumerated() where (number + place) % 5 == 0 {
                try expectRefused(carrier, secret.kind, secret.text, port: served.api)
            }
        }
        #expect(upstream.requests.isEmpty)
    }

    @Test(arguments: ["", "/@main", "hub", "hub/@main"])
    func `13 only an Authorization that is as a whole one of ours is dropped`(prefix: String) throws {
        let served = try served(["--admin-token", Self.adminToken])
        let secrets = try Self.secrets(served)
        try order("spy", served)
        let isHub = prefix.hasPrefix("hub")
        let path = isHub ? String(prefix.dropFirst(3)) + "/omnichat" : prefix
        for (kind, secret) in secrets {
            for value in ["Bearer \(secret)", "bearer  \(secret)", "Token \(secret)", secret] {
                let before = upstream.requests.count
                let wire = try Wire(port: isHub ? served.hub : served.api)
                try wire.send(
                    Carrier(name: "", path: path + "/api/v1/x%2By?a=b", fields: ["Authorization: " + value]).wire
                )
                try expectEqual(wire.answer().status, 200, "\(kind): \(value)")
                let requests = upstream.requests
                expectEqual(requests.count, before + 1)
                let text = String(decoding: requests.last ?? [], as: UTF8.self)
                #expect(text.hasPrefix("GET /api/v1/x%2By?a=b HTTP/1.1\r\n"))
                #expect(!text.contains(secret) && !text.lowercased().contains("authorization"), "\(kind)")
            }
        }
    }

    @Test func `13 a secret of fewer than ten characters counts as a whole value only`() throws {
        let served = try Served(["--admin-token", "abc12"], in: folder)
        let body = #"{"api":"omnichat","mode":"spy","upstream":"\#(upstream.url)"}"#
        try expectEqual(
            Wire(port: served.hub).ask("PUT", "/__admin/mode", body: Array(body.utf8), token: "abc12").status,
            200
        )
        for carrier in [
            Carrier(name: "field", fields: ["X-Custom: abc12"]),
            Carrier(name: "scheme", fields: ["X-Custom: Bearer abc12"]),
            Carrier(name: "cookie", fields: ["Cookie: a=b; s=abc12; c=d"]),
            Carrier(name: "query", path: "/x?a=b&t=abc12"),
            Carrier(name: "segment", path: "/x/abc12/y"),
            Carrier(name: "JSON", method: "POST", body: Array(#"{"a":"abc12"}"#.utf8)),
            Carrier(name: "form", method: "POST", body: Array("a=b&t=abc12".utf8)),
        ] { try expectRefused(carrier, "short", "\"abc12\"", port: served.api) }
        for text in [#"{"a":"say abc12 twice"}"#, "xabc12", "abc123", "the abc12-bus"] {
            let carrier = Carrier(name: "", method: "POST", fields: ["X-Note: \(text)"], body: Array(text.utf8))
            let wire = try Wire(port: served.api)
            try wire.send(carrier.wire)
            try expectEqual(wire.answer().status, 200, "\(text)")
        }
    }

    // MARK: After a restart, and without end

    @Test func `13 it holds after a kill, for other worlds and APIs and those that are gone`() throws {
        var secrets: [(kind: String, text: String)] = []
        do {
            let first = try served(["--admin-token", Self.adminToken, "--state", "state"])
            secrets = try Self.secrets(first)
            for world in ["gone", "other"] {
                try expectEqual(Self.control(first, "POST", "/worlds", #"{"name":"\#(world)"}"#).status, 201)
                for (api, user) in Self.users {
                    secrets.append(("\(world) \(api)", try Self.token(first, api, user, "refresh", world: world)))
                }
            }
            try expectEqual(Self.control(first, "DELETE", "/worlds/gone").status, 204)
            try expectEqual(Self.control(first, "POST", "/reset").status, 200)
            first.child.signal(9)
            _ = try first.child.waitForExit()
        }
        let served = try served(["--admin-token", Self.adminToken, "--state", "state"])
        for (api, user) in Self.users {
            for kind in ["access", "refresh"] {
                let made = try Program.run(["token", "--api", api, "--user", user, "--kind", kind])
                secrets.append(("token \(api) \(kind)", made.output.trimmingCharacters(in: .whitespacesAndNewlines)))
            }
        }
        for api in ["sawaed", "trendy"] { try order("spy", served, api: api) }
        for (place, secret) in secrets.enumerated() {
            let port = try served.port(of: place.isMultiple(of: 2) ? "sawaed" : "trendy")
            let text = secret.text.replacingOccurrences(of: "|", with: "%7C")
            for carrier in [
                Carrier(name: "field", fields: ["X-Custom: a \(secret.text)"]),
                Carrier(name: "query", path: "/x?\(text)"),
                Carrier(name: "JSON", method: "POST", body: Array(#"{"a":"see \#(secret.text)"}"#.utf8)),
                Carrier(
                    name: "Base64",
                    method: "POST",
                    body: Array(Data("u:\(secret.text)".utf8).base64EncodedString().utf8)
                ),
                Carrier(
                    name: "long",
                    method: "POST",
                    body: Array((String(repeating: "abcdefghijkl ", count: 9_000) + secret.text).utf8)
                ),
            ] { try expectRefused(carrier, secret.kind, secret.text, port: port) }
        }
        #expect(upstream.requests.isEmpty)
    }

    // MARK: What a backend says

    @Test func `13 what was issued stays ours whatever a backend answers`() throws {
        let made = try Program.run(["token", "--api", "trendy", "--user", "tracker@trendy.example", "--kind", "access"])
        let offline = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let served = try served(["--admin-token", Self.adminToken])
        let own = try Self.token(served, "trendy", "tracker@trendy.example", "refresh")
        let payload = Data(#"{"iss":"https://understudy.invalid/@x"}"#.utf8).base64EncodedString()
            .replacingOccurrences(of: "=", with: "")
        let forged = "eyJhbGciOiJub25lIn0.\(payload).x"
        try order("spy", served)
        upstream.answers(#"{"token":"\#(own)","accessToken":"\#(own)","access_token":"\#(forged)"}"#)
        let wire = try Wire(port: served.api)
        #expect(try wire.ask("GET", "/api/v1/x").text.contains(forged))
        for secret in [own, offline] {
            let carrier = Carrier(name: "echoed", fields: ["X-Custom: \(secret)"])
            try expectRefused(carrier, "own", secret, port: served.api)
        }
        // What another Understudy has issued goes back to it, in that mode alone.
        let foreign = Carrier(name: "foreign", fields: ["Authorization: Bearer \(forged)"])
        let before = upstream.requests.count
        let again = try Wire(port: served.api)
        try again.send(foreign.wire)
        try expectEqual(again.answer().status, 200)
        #expect(String(decoding: upstream.requests[before], as: UTF8.self).contains(forged))
        try order("emulate", served)
        try order("spy", served, api: "sawaed")
        let elsewhere = Carrier(name: "elsewhere", fields: ["X-Custom: \(offline)"])
        try expectRefused(elsewhere, "own", offline, port: try served.port(of: "sawaed"))
    }

    @Test func `13 stand-ins of a recording are no credentials of a backend`() throws {
        let served = try served(["--admin-token", Self.adminToken])
        try order("spy", served)
        for standIn in ["redacted-token-1", "redacted-cookie-12", "redacted-jwt-3"] {
            try expectRefused(
                Carrier(name: "", fields: ["X-Custom: a=\(standIn)"]),
                "stand-in",
                standIn,
                port: served.api
            )
        }
        let part = Data(#"{"sub":"redacted-jwt-1"}"#.utf8).base64EncodedString()
        let jwt = "eyJhbGciOiJub25lIn0.\(part).\(Data("redacted-jwt-1".utf8).base64EncodedString().prefix(19))"
        let wire = try Wire(port: served.api)
        try wire.send(Carrier(name: "", fields: ["Authorization: Bearer \(jwt)"]).wire)
        try expectEqual(wire.answer().status, 200)
        #expect(!String(decoding: upstream.requests.last ?? [], as: UTF8.self).contains(jwt))
        try expectRefused(Carrier(name: "", fields: ["Cookie: s=\(jwt)"]), "stand-in", jwt, port: served.api)
    }

    @Test(arguments: ["spy", "replay"])
    func `13 no stand-in that redaction makes reaches a backend`(mode: String) throws {
        try folder.write(
            "recordings/m.har",
            #"{"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[]}}"#
        )
        let served = try served(["--admin-token", Self.adminToken])
        try order(mode, served, more: mode == "replay" ? #","recording":"m.har","miss":"forward""# : "")
        for kind in ["email", "phone", "person", "code", "token", "cookie", "user", "jwt"] {
            for number in [1, 9, 10, 4_711] {
                let standIn = "redacted-\(kind)-\(number)"
                let text = kind == "email" ? standIn + "@example.invalid" : standIn
                for carrier in [
                    Carrier(name: "JSON", method: "POST", body: Array(#"{"a":"\#(text)"}"#.utf8)),
                    Carrier(name: "query", path: "/x?a=b&c=\(text.replacingOccurrences(of: "@", with: "%40"))"),
                    Carrier(name: "field", fields: ["X-Custom: a \(text)."]),
                    Carrier(name: "Base64", fields: ["X-Custom: \(Data("u:\(text)".utf8).base64EncodedString())"]),
                ] { try expectRefused(carrier, "stand-in", text, port: served.api) }
            }
        }
        #expect(upstream.requests.isEmpty)
        for text in ["redacted-email", "redacted-email-x", "redacted-emails-1", "redacted phone-1", "edited-code-1"] {
            let before = upstream.requests.count
            let wire = try Wire(port: served.api)
            try wire.send(Carrier(name: "", method: "POST", body: Array(#"{"a":"\#(text)"}"#.utf8)).wire)
            try expectEqual(wire.answer().status, 200, "\(text)")
            expectEqual(upstream.requests.count, before + 1)
        }
        // What asks the emulator alone is never looked through.
        let body = Array(#"{"email":"redacted-email-1@example.invalid"}"#.utf8)
        for isOn in [true, false] {
            if !isOn { try order("emulate", served) }
            let port = try isOn ? served.port(of: "sawaed") : served.api
            try expectEqual(Wire(port: port).ask("POST", "/api/v1/x", body: body).status, 404)
        }
    }

    @Test func `13 stand-ins stay as they are when they are recorded again`() throws {
        let served = try served(["--admin-token", Self.adminToken])
        try order("record", served, more: #","recording":"again.har""#)
        let text = #"{"a":"redacted-email-7@example.invalid","b":"see redacted-phone-3, redacted-code-12"}"#
        upstream.answers(text)
        try expectEqual(Wire(port: served.api).ask("GET", "/api/v1/x").text, text)
        try order("emulate", served)
        let file = folder.url.appendingPathComponent("recordings/again.har")
        try Deadline().wait(for: "the recording") {
            let har = try? JSONReader.read(text: String(contentsOf: file, encoding: .utf8))
            return har?["log"]?["entries"]?[0]?["response"]?["content"]?["text"]?.stringValue == text
        }
    }

    @Test func `19 a secret in an answer does not reach the recording, whatever it is glued to`() throws {
        let served = try served(["--admin-token", Self.adminToken])
        let secrets = try Self.secrets(served)
        try order("record", served, more: #","recording":"echo.har""#)
        let wire = try Wire(port: served.api)
        for (kind, secret) in secrets {
            upstream.answers(
                #"{"note":"it is \#(secret)!","glued":"abc\#(secret)xyz","of":["\#(kind)","a-\#(secret)-9"],"q":"1\#(secret)2"}"#
            )
            #expect(try wire.ask("GET", "/api/v1/x").text.contains("abc\(secret)xyz"), "\(kind)")
        }
        try order("emulate", served)
        let file = folder.url.appendingPathComponent("recordings/echo.har")
        func text() throws -> String { String(decoding: try Data(contentsOf: file), as: UTF8.self) }
        try Deadline().wait(for: "the recording") { (try? JSONReader.read(text: text())) != nil }
        let written = try text()
        for (kind, secret) in secrets {
            #expect(written.contains(kind), "\(kind) was not recorded")
            #expect(!written.contains(secret), "\(kind)")
            // A token's signature is what makes it one.
            let parts = secret.split(separator: ".")
            if parts.count == 3 { #expect(!written.contains(parts[2]), "\(kind)") }
        }
    }

    // MARK: What is told of it

    @Test func `13 nothing that is told of a refused request shows the secret`() throws {
        let served = try served(["--admin-token", Self.adminToken])
        let secrets = try Self.secrets(served).filter { $0.kind != "admin token" }
        try order("record", served, more: #","recording":"r.har""#)
        let since = try Self.control(served, "GET", "/requests?limit=1").json["items"]?[0]?["seq"]?.intValue ?? 0
        for secret in secrets {
            for carrier in Carriers.all(secret.text) where !carrier.path.contains("%25") {
                let wire = try Wire(port: served.api)
                try wire.send(carrier.wire)
                try expectEqual(wire.answer().status, 409)
            }
        }
        let journal = try Self.control(served, "GET", "/requests?limit=100000&status=409").text
        #expect(journal.contains("own-credential") && since >= 0)
        let archive = try Self.control(served, "GET", "/requests.har?status=409").text
        let unmatched = try Self.control(served, "GET", "/unmatched").text
        let file = try String(contentsOf: folder.url.appendingPathComponent("recordings/r.har"), encoding: .utf8)
        for secret in secrets where secret.kind != "handle" && secret.kind != "sawaed access" {
            for text in [journal, archive, unmatched, file] { #expect(!text.contains(secret.text), "\(secret.kind)") }
        }
    }

    // MARK: The innocent

    @Test func `13 content that can't be decoded passes while nobody holds a credential`() throws {
        let served = try served()
        let body = #"{"api":"omnichat","mode":"spy","upstream":"\#(upstream.url)"}"#
        func signIn() throws -> WireAnswer {
            let body = Array(#"{"idToken":"mock_apple_token"}"#.utf8)
            return try Wire(port: served.api).ask("POST", "/api/v1/auth/apple", body: body)
        }
        try expectEqual(served.control("PUT", "/mode", body).status, 200)
        // What the emulation answers for comparison has no client.
        try expectEqual(signIn().status, 200)
        let carrier = Carrier(
            name: "br",
            method: "POST",
            fields: ["Content-Encoding: br"],
            body: [11, 2, 128, 97, 98, 99, 3]
        )
        for isHeld in [false, true] {
            if isHeld {
                // It answers in the state that it had for comparison.
                try expectEqual(served.control("PUT", "/mode", #"{"api":"omnichat","mode":"emulate"}"#).status, 200)
                let token = try signIn().json["accessToken"]?.stringValue ?? ""
                try expectEqual(served.control("PUT", "/mode", body).status, 200)
                try expectRefused(
                    Carrier(name: "field", method: "GET", fields: ["X-Thing: \(token)"], body: []),
                    "access",
                    token,
                    port: served.api
                )
            }
            let wire = try Wire(port: served.api)
            try wire.send(carrier.wire)
            try expectEqual(wire.answer().status, isHeld ? 409 : 200)
        }
        expectEqual(upstream.requests.count, 2)
    }

    /// The switch of the long form, `make credential-walks`: in a debug build each request takes long to search.
    private static let isLong = ProcessInfo.processInfo.environment["UNDERSTUDY_LONG_WALKS"] != nil

    @Test func `13 an innocent request passes byte for byte`() throws {
        let served = try served(["--admin-token", Self.adminToken])
        _ = try Self.secrets(served)
        for _ in 0..<50 { _ = try Self.token(served, "trendy", "tracker@trendy.example", "refresh") }
        try order("spy", served)
        let seed = UInt64.random(in: 0...UInt64.max)
        var walk = Innocents(seed: seed)
        for round in 0..<(Self.isLong ? 1_500 : 300) {
            let carrier = walk.request()
            let wire = try Wire(port: served.api)
            try wire.send(carrier.wire)
            let answer = try wire.answer()
            expectEqual(answer.status, 200, "seed \(seed), round \(round): \(answer.text)")
            let sent = upstream.requests.last ?? []
            let text = String(decoding: sent, as: UTF8.self)
            #expect(text.hasPrefix("\(carrier.method) \(carrier.path) HTTP/1.1\r\n"), "seed \(seed), round \(round)")
            #expect(carrier.fields.allSatisfy { text.contains($0 + "\r\n") }, "seed \(seed), round \(round)")
            #expect(sent.suffix(carrier.body.count).elementsEqual(carrier.body), "seed \(seed), round \(round)")
        }
    }
}

/// Requests with everything that looks like a credential and is none of ours.
private struct Innocents {
    private var stream: SeededGenerator

    init(seed: UInt64) { stream = SeededGenerator(seed: seed) }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &stream) }
    }

    private mutating func letters(_ count: Int) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<36, using: &stream)] })
    }

    private mutating func word() -> String {
        switch Int.random(in: 0..<9, using: &stream) {
        case 0: return letters(8) + "-" + letters(4) + "-4" + letters(3) + "-" + letters(12)
        case 1:
            let payload = #"{"iss":"https://real.example/auth","sub":"\#(letters(20))","iat":1700000000}"#
            return "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + url(Array(payload.utf8)) + "." + url(bytes(32))
        case 2: return url(bytes(Int.random(in: 1..<200, using: &stream)))
        case 3: return bytes(Int.random(in: 1..<40, using: &stream)).map { String($0, radix: 16) }.joined()
        case 4:
            return ["jacket-w-ZW4", "sofa-cover-w-aGVsbG8", "handmade-w-bWFpbg", "\(letters(9))-w-bWFpbg"][
                Int.random(in: 0..<4, using: &stream)
            ]
        case 5: return letters(12)
        case 6:
            return (Bool.random(using: &stream) ? "qlt_" : "sqr_")
                + (0..<64).map { _ in "0123456789abcdef".randomElement(using: &stream).map(String.init) ?? "" }.joined()
        case 7: return "sess_\(letters(11))_1735732800000"
        default: return "\(letters(24))-w-\(url(Array(letters(6).utf8)))|session_0001"
        }
    }

    private func url(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    mutating func request() -> Carrier {
        let word = word()
        var body: [UInt8]
        switch Int.random(in: 0..<4, using: &stream) {
        case 0: body = bytes(Int.random(in: 1..<6_000, using: &stream))
        case 1: body = Array("{\"a\":\"\(self.word())\",\"b\":[\"\(self.word())\",\"it is \(self.word())\\n\"]}".utf8)
        case 2: body = Array(Data(bytes(3_000)).base64EncodedString(options: .lineLength76Characters).utf8)
        default: body = Array("a=\(self.word())&b=\(self.word())%20%2F".utf8)
        }
        let query = self.word().replacingOccurrences(of: "|", with: "%7C")
        return Carrier(
            name: "",
            method: "POST",
            path: "/api/v1/\(word.replacingOccurrences(of: "|", with: "%7C"))/x%2By%2f?q=\(query)",
            fields: [
                "X-Custom: \(self.word())", "Cookie: a=\(self.word()); b=\(self.word())",
                "Authorization: Bearer \(self.word())",
            ],
            body: body
        )
    }
}
