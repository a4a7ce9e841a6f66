import Foundation
import JSON
import TestSupport
import Testing

/// Arabic text over every way in and out of the process: nothing is lost, reordered, normalised or escaped twice.
@Suite(.serialized) struct ArabicWireTests {
    /// Letters with marks, a joiner, Arabic digits, a sign from the right-to-left block and one beyond the first plane.
    private static let text = "مَرْحَبًا بِكُمْ — ١٢٣ لا‍ﷺ «قهوة ☕️ 🧑🏽‍💻»"
    private static let base = "/api/mobile/v1"

    private func token(_ served: Served, _ api: String, _ user: String) throws -> String {
        let answer = try served.control("POST", "/tokens", #"{"api":"\#(api)","user":"\#(user)","kind":"access"}"#)
        return try #require(answer.json["token"]?.stringValue, "\(answer.text)")
    }

    private func layla(_ served: Served) throws -> (wire: () throws -> Wire, token: String) {
        let port = try served.port(of: "sawaed")
        return ({ try Wire(port: port) }, try token(served, "sawaed", "layla@sawaed.test"))
    }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// The texts are the same byte for byte, not only canonically.
    private func isSame(_ found: String?, _ text: String = ArabicWireTests.text) -> Bool {
        found.map { Array($0.utf8) == Array(text.utf8) } ?? false
    }

    @Test func `2.2 6 a profile keeps Arabic, plain and escaped, and shows it by header and by query`() throws {
        let served = try Served()
        let (wire, token) = try layla(served)
        let escaped = Self.text.utf16.map { String(format: "\\u%04x", $0) }.joined()
        for body in [#"{"bio":"\#(Self.text)"}"#, #"{"bio":"\#(escaped)"}"#] {
            let saved = try wire().ask("POST", Self.base + "/profile/basics", body: Array(body.utf8), token: token)
            expectEqual(saved.status, 200, "\(saved.text)")
            let me = try wire().ask("GET", Self.base + "/profile/me", token: token)
            #expect(isSame(me.json.text(at: "profile.bio")))
            // As it is, not as escapes.
            #expect(me.text.contains(Self.text))
        }
        for (query, field, name) in [
            ("?locale=ar", "X-None: 1", "السيب"), ("?locale=en", "Accept-Language: ar-OM,ar;q=0.9", "السيب"),
            ("?locale=ar", "Accept-Language: en", "Seeb"),
        ] {
            let connection = try wire()
            try connection.send(
                Wire.request(
                    "GET",
                    Self.base + "/locations/cities\(query)&regionId=region_muscat",
                    token: token,
                    fields: [field]
                )
            )
            let names = try connection.answer().json["items"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
            #expect(names.contains(name), "\(query) \(field): \(names)")
        }
    }

    @Test func `9.1 a search finds Arabic, percent-encoded in either case or with plus, and pages keep it`() throws {
        let served = try Served()
        let (wire, token) = try layla(served)
        let word = "عطلة البرمجة"
        let encoded = Self.encoded(word)
        for query in [encoded, encoded.lowercased(), encoded.replacingOccurrences(of: "%20", with: "+")] {
            let found = try wire().ask("GET", Self.base + "/events?locale=ar&q=\(query)", token: token)
            let ids = found.json["items"]?.arrayValue?.compactMap { $0["id"]?.stringValue }
            expectEqual(ids, ["event_open_hackathon"], "\(query): \(found.text)")
            #expect(found.text.contains(word))
        }
    }

    @Test func `8 a conversation keeps Arabic, and its ETag counts UTF-16 units`() throws {
        let served = try Served()
        let (wire, token) = try layla(served)
        func say(_ message: String) throws -> WireAnswer {
            let body: JSON = ["skillId": "aiskill_creativity", "message": .string(message), "locale": "ar"]
            return try wire().ask("POST", "/api/chat/send", body: body.serialized(), token: token)
        }
        _ = try say("__start__")
        let sent = try say(Self.text)
        // Every state on the way cuts between characters.
        for _ in 0..<12 {
            try served.advance("PT0.06S")
            let poll = try wire().ask("GET", "/api/chat/status?sessionId=\(sent.json.text(at: "sessionId") ?? "")")
            let text = poll.json.text(at: "text") ?? ""
            let updated = poll.json["updatedAt"]?.intValue ?? 0
            #expect(poll["ETag"] == "\"\(updated)-\(text.utf16.count)\"" && !text.contains("\u{FFFD}"))
        }
        let id = sent.json.text(at: "conversationId") ?? ""
        let history = try wire().ask("GET", Self.base + "/chat/history?conversationId=\(id)", token: token)
        let mine = history.json["items"]?.arrayValue?.first { $0["role"] == "user" }
        #expect(isSame(mine?["content"]?.stringValue), "\(history.text)")
    }

    @Test func `7.13 7.14 CarbScan keeps Arabic in meals, in questions and in the names of an account`() throws {
        let served = try Served()
        let port = try served.port(of: "carbscan")
        let order: JSON = [
            "identityToken": "mock_apple:noura@carbscan.test", "authorizationCode": "code",
            "user": ["firstName": "نُورة", "lastName": "العامري"],
        ]
        let signedIn = try Wire(port: port).ask("POST", Self.base + "/auth/apple", body: order.serialized())
        let token = try #require(signedIn.json.text(at: "data.accessToken"), "\(signedIn.text)")
        let me = try Wire(port: port).ask("GET", Self.base + "/auth/me", token: token)
        #expect(isSame(me.json.text(at: "data.firstName"), "نُورة"))
        #expect(isSame(me.json.text(at: "data.lastName"), "العامري"))
        let upload: JSON = [
            "localMeals": [
                [
                    "localId": "وجبة-١", "name": .string(Self.text), "carbEstimate": 30,
                    "createdAt": "2025-01-01T08:00:00.000Z",
                ]
            ]
        ]
        let synced = try Wire(port: port).ask(
            "POST",
            Self.base + "/meals/sync",
            body: upload.serialized(),
            token: token
        )
        #expect(isSame(synced.json.text(at: "data.syncedLocalMeals.0.localId"), "وجبة-١"), "\(synced.text)")
        let meals = try Wire(port: port).ask("GET", Self.base + "/meals", token: token)
        #expect(isSame(meals.json.text(at: "data.meals.0.name")))
        let question: JSON = ["message": .string(Self.text)]
        let asked = try Wire(port: port).ask("POST", Self.base + "/chat", body: question.serialized(), token: token)
        expectEqual(asked.status, 200)
        let history = try Wire(port: port).ask("GET", Self.base + "/chat/history", token: token)
        #expect(isSame(history.json.text(at: "data.messages.0.message")))
    }

    @Test func `OmniChat 7.1 the name of an uploaded file keeps Arabic, and so does the file`() throws {
        let served = try Served()
        let token = try served.token()
        let name = "تقرير ٢٠٢٥ 🧾.txt"
        let body = """
            --b\r
            Content-Disposition: form-data; name="conversationId"\r
            \r
            conv_welcome_00000001\r
            --b\r
            Content-Disposition: form-data; name="file"; filename="\(name)"\r
            Content-Type: text/plain\r
            \r
            \(Self.text)\r
            --b--\r\n
            """
        let wire = try Wire(port: served.api)
        try wire.send(
            Wire.request(
                "POST",
                "/api/v1/upload",
                body: Array(body.utf8),
                token: token,
                type: "multipart/form-data; boundary=b"
            )
        )
        let stored = try wire.answer()
        #expect(isSame(stored.json.text(at: "fileName"), name), "\(stored.text)")
        let path = try #require(stored.json.text(at: "url"))
        let file = try Wire(port: served.api).ask("GET", path, token: token)
        expectEqual(file.status, 200)
        expectEqual(file.bytes, Array(Self.text.utf8))
    }

    @Test func `control 4 8 11 the journal, its archive, a match and an exported world keep Arabic`() throws {
        let served = try Served()
        let (wire, token) = try layla(served)
        let body = #"{"bio":"\#(Self.text)"}"#
        let query = Self.encoded(Self.text)
        let connection = try wire()
        try connection.send(
            Wire.request(
                "POST",
                Self.base + "/profile/basics?note=\(query)",
                body: Array(body.utf8),
                token: token,
                fields: ["X-Note: \(Self.text)", "X-Request-Id: arabic"]
            )
        )
        try expectEqual(connection.answer().status, 200)
        // The entry has what was sent: the header's text, the raw query, the body.
        let entry = try served.control("GET", "/requests/arabic").json
        #expect(isSame(entry.text(at: "body.text"), body))
        #expect(isSame(entry["query"]?.stringValue, "note=\(query)"))
        let note = entry["headers"]?.arrayValue?.first { $0[0] == "X-Note" }
        #expect(isSame(note?[1]?.stringValue), "\(entry.text)")
        let archive = try served.control("GET", "/requests.har").json
        let archived = archive.value(at: "log.entries")?.arrayValue?.first {
            $0.text(at: "request.postData.text").map { $0.utf8.elementsEqual(body.utf8) } ?? false
        }
        let asked = archived?.value(at: "request.queryString")?.arrayValue?.first { $0["name"] == "note" }
        #expect(isSame(asked?["value"]?.stringValue), "\(asked?.text ?? "no such entry")")
        // A match by body, by query and by header finds it; one letter more does not.
        func count(_ match: String) throws -> JSON? {
            try served.control("POST", "/requests/count", #"{"match":\#(match)}"#).json["count"]
        }
        for match in [
            body.wrapped("body"), #"{"note":"\#(Self.text)"}"#.wrapped("query"),
            #"{"X-Note":"\#(Self.text)"}"#.wrapped("headers"),
        ] { try expectEqual(count(match), 1, "\(match)") }
        try expectEqual(count(#"{"bio":"\#(Self.text)ا"}"#.wrapped("body")), 0)
        // A fault can be aimed at it, and speak it.
        let fault = #"{"match":\#(body.wrapped("body")),"effect":{"status":500,"message":"\#(Self.text)"}}"#
        try expectEqual(served.control("POST", "/faults", fault).status, 201)
        let hit = try wire().ask("POST", Self.base + "/profile/basics", body: Array(body.utf8), token: token)
        #expect(hit.status == 500 && isSame(hit.json.text(at: "error.message")), "\(hit.text)")
        // The world goes out as a document and comes back in another process.
        let state = try served.control("GET", "/state")
        #expect(state.text.contains(Self.text))
        let other = try Served()
        let imported = try other.control("PUT", "/state", state.text)
        expectEqual(imported.status, 200, "\(imported.text.prefix(400))")
        let me = try Wire(port: try other.port(of: "sawaed")).ask("GET", Self.base + "/profile/me", token: token)
        #expect(isSame(me.json.text(at: "profile.bio")))
        #expect(try other.control("GET", "/state").text.contains(Self.text))
    }

    @Test func `control 4 a store keeps Arabic over a restart`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--state", folder.url.path]
        var token = ""
        do {
            let served = try Served(flags)
            token = try layla(served).token
            let body = #"{"bio":"\#(Self.text)"}"#
            let wire = try layla(served).wire()
            let saved = try wire.ask("POST", Self.base + "/profile/basics", body: Array(body.utf8), token: token)
            expectEqual(saved.status, 200)
            served.child.signal(SIGKILL)
            _ = try served.child.waitForExit()
        }
        let served = try Served(flags)
        let me = try Wire(port: try served.port(of: "sawaed")).ask("GET", Self.base + "/profile/me", token: token)
        #expect(isSame(me.json.text(at: "profile.bio")), "\(me.text)")
    }
}

extension String {
    /// A JSON object of that one member, whose value this text is.
    fileprivate func wrapped(_ name: String) -> String { #"{"\#(name)":\#(self)}"# }
}
