import Backend
import CivilTime
import EngineTesting
import Foundation
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Sawaed

/// Section 8: chat.
struct Section8ChatTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
        try harness.set(["rateLimits": "off"])
    }

    // MARK: 8.1

    @Test func `8.1 a send answers a session and a conversation, never to be cached`() throws {
        let reply = try harness.chat("__start__", token: token)
        expectEqual(reply.keys, ["sessionId", "conversationId"])
        expectEqual(reply.text(at: "conversationId"), "conversation_0001")
        let id = reply.text(at: "sessionId")
        let parts = id.split(separator: "_")
        #expect(parts.count == 3 && parts[0] == "sess" && parts[2] == "1735732800000")
        #expect(
            parts[1].utf8.count == 11 && parts[1].allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz".contains($0) }
        )
        expectEqual(reply[.cacheControl], "no-store, no-cache, must-revalidate")
        expectEqual(reply["Pragma"], "no-cache")
        expectEqual(reply["Expires"], "0")
        #expect(try harness.chat("x", token: token).text(at: "sessionId") != id)
    }

    @Test(arguments: [
        "{}", "{", "", "[]", "null", #"{"skillId":"s"}"#, #"{"message":"m"}"#, #"{"skillId":"","message":"m"}"#,
        #"{"skillId":"s","message":""}"#, #"{"skillId":1,"message":"m"}"#, #"{"skillId":"s","message":null}"#,
    ])
    func `8.1 a send without skill or message is 400 with an empty session`(body: String) throws {
        let reply = try harness.post("/api/chat/send", token: token, text: body)
        expectEqual(reply.status, 400)
        expectEqual(reply.text, #"{"sessionId":""}"#)
        expectNil(reply[.cacheControl])
    }

    @Test func `8.1 an unusable locale or conversation is ignored`() throws {
        let body = #"{"skillId":"aiskill_data","message":"x","locale":7,"conversationId":{},"more":[1]}"#
        let reply = try harness.post("/api/chat/send", token: token, text: body)
        expectEqual(reply.text(at: "conversationId"), "conversation_0001")
        let other = try harness.mint(Harness.omar)
        let foreign = try harness.chat("x", token: other, conversation: "conversation_0001")
        expectEqual(foreign.text(at: "conversationId"), "conversation_0002")
        let again = try harness.chat("x", token: token, conversation: "conversation_0002")
        expectEqual(again.text(at: "conversationId"), "conversation_0001")
        let elsewhere = try harness.chat("x", skill: "aiskill_problem", token: token, conversation: "conversation_0001")
        expectEqual(elsewhere.text(at: "conversationId"), "conversation_0003")
    }

    @Test func `8.1 without a bearer, with a bad one, or with an unknown skill nothing is stored`() throws {
        for reply in [
            try harness.chat("x"), try harness.chat("x", token: "bad"),
            try harness.chat("x", skill: "no", token: token),
        ] {
            expectEqual(reply.status, 200)
            expectEqual(reply.json["conversationId"], .null)
            try harness.advance(.milliseconds(600))
            let text = try harness.poll(reply.text(at: "sessionId")).text(at: "text")
            #expect(text.hasPrefix("## ") && text.contains("\n- ") && text.contains("\n> ") && !text.contains("```"))
        }
        try harness.state { state, _ in
            #expect(state.conversations.isEmpty && state.messages.isEmpty)
        }
    }

    @Test func `8.1 any role has conversations`() throws {
        let admin = try harness.mint(Harness.admin)
        try expectEqual(harness.chat("x", token: admin).text(at: "conversationId"), "conversation_0001")
    }

    // MARK: 8.2

    @Test func `8.2 the language: body, x-locale, Accept-Language, query, user, English`() throws {
        func isArabic(
            _ body: String?,
            _ headers: [(FieldName, String)],
            _ query: String = "",
            token: String? = nil
        ) throws -> Bool {
            var object: JSONObject = ["skillId": "aiskill_data", "message": "__start__"]
            object["locale"] = body.map { .string($0) }
            let reply = try harness.post(
                "/api/chat/send\(query)",
                token: token,
                json: .object(object),
                headers: headers
            )
            try harness.advance(.milliseconds(600))
            return try harness.poll(reply.text(at: "sessionId")).text.contains("ا")
        }
        let english: [(FieldName, String)] = [("X-Locale", "en"), ("Accept-Language", "ar")]
        #expect(try isArabic("ar", english, "?locale=en", token: token))
        #expect(try !isArabic("fr", english, "?locale=ar", token: token))
        #expect(try isArabic(nil, [("Accept-Language", "ar-OM")], "?locale=en", token: token))
        #expect(try !isArabic(nil, [("Accept-Language", "fr")], "?locale=en", token: token))
        #expect(try isArabic(nil, [], token: token))
        #expect(try !isArabic(nil, []))
    }

    // MARK: 8.3

    @Test func `control 4 a poll without a bearer leads back to the world that the token of the send had chosen`()
        throws
    {
        try harness.makeWorld("w1")
        harness.world = "w1"
        let token = try harness.mint(Harness.layla)
        harness.world = "main"
        for path in ["/api/chat", "\(Harness.v1)/chat"] {
            let body: JSON = ["skillId": "aiskill_data", "message": "x"]
            let id = try harness.post("\(path)/send", token: token, json: body).text(at: "sessionId")
            let own = try harness.post("\(path)/send", json: body).text(at: "sessionId")
            #expect(id.wholeMatch(of: /sess_[0-9a-z]{11}_[0-9]+/) != nil)
            try expectEqual(harness.get("\(path)/status?sessionId=\(id)").text(at: "status"), "queued")
            try expectEqual(harness.get("/@w1\(path)/status?sessionId=\(id)").status, 200)
            // A name goes before the handle, and an anonymous session is of main.
            try expectEqual(harness.get("/@main\(path)/status?sessionId=\(id)").status, 404)
            try expectEqual(harness.get("\(path)/status?sessionId=\(own)").status, 200)
            try expectEqual(harness.get("/@w1\(path)/status?sessionId=\(own)").status, 404)
        }
        for odd in ["sess_", "sess_abcdefghijk", "sess_abcdefghijk_1", "sess_ABCDEFGHIJK_1"] {
            try expectEqual(harness.get("/api/chat/status?sessionId=\(odd)").status, 404)
        }
    }

    @Test func `8.3 the life of a session, at every boundary`() throws {
        let id = try harness.chat("__start__", token: token).text(at: "sessionId")
        let greeting = ChatScript.greeting(
            try #require(try harness.state { state, _ in state.aiSkills["aiskill_data"] }),
            try #require(try harness.state { state, _ in state.users["user_layla"] }),
            .en
        )
        let pieces = ChatScript.pieces(of: greeting)
        expectEqual(pieces.joined(), greeting)
        expectEqual(pieces.count, 5)
        var expected: [(Int64, String, Int, Int64)] = [
            (0, "queued", 0, 0), (39, "queued", 0, 0), (40, "running", 0, 40), (119, "running", 0, 40),
        ]
        for step in 1...4 {
            expected.append((Int64(120 * step), "partial", step, Int64(120 * step)))
            expected.append((Int64(120 * step + 119), "partial", step, Int64(120 * step)))
        }
        expected += [(600, "done", 5, 600), (200_000, "done", 5, 600)]
        for (time, status, count, updatedAt) in expected {
            try harness.setClock(Harness.noon + .milliseconds(time))
            let reply = try harness.poll(id)
            expectEqual(reply.text(at: "status"), status, "\(time)")
            expectEqual(reply.text(at: "text"), pieces.prefix(count).joined(), "\(time)")
            expectEqual(reply.json["updatedAt"], .integer(Harness.noon.milliseconds + updatedAt), "\(time)")
            expectEqual(reply.keys, ["sessionId", "status", "text", "updatedAt"])
        }
    }

    @Test(arguments: ["", "a", "abcdef", "أهلاً وسهلاً متأخراً", "👩‍👩‍👧‍👦🏳️‍🌈e\u{301}xyz"])
    func `8.3 pieces are equal to a character, and never cut one`(text: String) {
        let pieces = ChatScript.pieces(of: text)
        #expect(pieces.count == 5 && pieces.joined() == text)
        let sizes = pieces.map(\.count)
        #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
        expectEqual(sizes.reduce(0, +), text.count)
    }

    @Test func `8.3 a stuck session times out after 180000 ms`() throws {
        try harness.set(["chatOutcome": "stuck"])
        let id = try harness.chat("x", token: token).text(at: "sessionId")
        try harness.advance(.milliseconds(180_040))
        try expectEqual(harness.poll(id).text(at: "status"), "running")
        try harness.advance(.milliseconds(1))
        let late = try harness.poll(id)
        expectEqual(late.text(at: "status"), "error")
        expectEqual(late.text(at: "error"), "timeout")
        expectEqual(late.text(at: "text"), "")
        let time = try #require(late.json["updatedAt"]?.intValue)
        expectEqual(time, Harness.noon.milliseconds + 180_041)
        try harness.advance(.seconds(300))
        try expectEqual(harness.poll(id).json["updatedAt"], .integer(time))
        try harness.advance(.milliseconds(1))
        try expectEqual(harness.poll(id).status, 404)
    }

    @Test func `8.3 sessions are forgotten after 300000 ms, and beyond 200 the oldest go`() throws {
        let first = try harness.chat("x").text(at: "sessionId")
        try harness.advance(.milliseconds(300_600))
        try expectEqual(harness.poll(first).status, 200)
        try harness.advance(.milliseconds(1))
        let gone = try harness.poll(first)
        expectEqual(gone.status, 404)
        var ids: [String] = []
        for _ in 0..<201 {
            ids.append(try harness.chat("x").text(at: "sessionId"))
            try harness.advance(.milliseconds(1))
        }
        try expectEqual(harness.poll(ids[0]).status, 404)
        try expectEqual(harness.poll(ids[1]).status, 200)
    }

    // MARK: 8.4

    @Test func `8.4 the ETag is the time and the length in UTF-16 units; 304 until it changes or ends`() throws {
        let id = try harness.chat("__start__", token: token, locale: "ar").text(at: "sessionId")
        try harness.advance(.milliseconds(250))
        let reply = try harness.poll(id)
        let length = reply.text(at: "text").utf16.count
        #expect(length > 0 && length != reply.text(at: "text").utf8.count)
        let etag = try #require(reply["ETag"])
        expectEqual(etag, "\"1735732800240-\(length)\"")
        expectEqual(reply[.cacheControl], "no-cache")
        let same = try harness.poll(id, etag: etag)
        #expect(same.status == 304 && same.bytes.isEmpty)
        expectEqual(same["ETag"], etag)
        expectEqual(same[.cacheControl], "no-cache")
        expectNil(same[.contentType])
        for other in ["*", "W/\(etag)", "\(etag), \"x\"", String(etag.dropFirst().dropLast()), "\"x\""] {
            try expectEqual(harness.poll(id, etag: other).status, 200, "\(other)")
        }
        try harness.advance(.seconds(1))
        let done = try harness.poll(id)
        let final = try harness.poll(id, etag: done["ETag"])
        expectEqual(final.status, 200)
        expectEqual(final.text, done.text)
    }

    @Test func `8.4 the errors have the shape of a status and no ETag`() throws {
        for query in ["", "?sessionId=", "?session=x"] {
            let reply = try harness.get("/api/chat/status\(query)")
            expectEqual(
                reply.text,
                #"{"sessionId":"","status":"error","text":"","updatedAt":1735732800000,"error":"missing_sessionId"}"#
            )
            expectEqual(reply.status, 400)
            expectNil(reply["ETag"])
        }
        let unknown = try harness.get("/api/chat/status?sessionId=nope")
        expectEqual(unknown.status, 404)
        expectEqual(unknown.text(at: "sessionId"), "nope")
        expectEqual(unknown.text(at: "error"), "session_not_found")
    }

    // MARK: 8.5

    private static let right = ["B", "c", " A", "د)", "ب"]

    /// Walks the script; answers the text of the last reply.
    private func assess(_ answers: [String], skill: String = "aiskill_data", locale: String = "en") throws -> String {
        _ = try harness.say("__start__", skill: skill, token: token, locale: locale)
        var text = try harness.say("go", skill: skill, token: token, locale: locale)
        for answer in answers { text = try harness.say(answer, skill: skill, token: token, locale: locale) }
        return text
    }

    @Test func `8.5 the greeting and the questions are these`() throws {
        try expectEqual(
            harness.say("__start__", token: token),
            "Welcome Layla. This is the assessment for Data literacy. You will get five multiple-choice questions. Send any message to begin."
        )
        try expectEqual(
            harness.say("__start__", token: token, locale: "ar"),
            "أهلاً ليلى. هذا تقييم الثقافة البياناتية. ستجيب عن خمسة أسئلة اختيار من متعدد. أرسل أي رسالة للبدء."
        )
        let fresh = try harness.mint(Harness.fresh)
        #expect(try harness.say("__start__", token: fresh).hasPrefix("Welcome. This"))
        try expectEqual(
            harness.say("hi", token: token),
            "Question 1/5\n\nWhat comes first in a new task in Data literacy?\n\nA) waiting\nB) understanding the goal\nC) copying\nD) skipping it"
        )
        try expectEqual(
            harness.say("B", token: token, locale: "ar"),
            "السؤال 2 من 5\n\nأي مصدر تعتمد عليه؟\n\nأ) إشاعة\nب) أي منشور\nج) مصدر موثوق\nد) لا شيء"
        )
        // The greeting leaves the count alone.
        _ = try harness.say("__start__", token: token)
        #expect(try harness.say("x", token: token).hasPrefix("Question 3/5"))
        #expect(try harness.say("x", token: token).hasPrefix("Question 4/5\n\nHow do you work with others?"))
        #expect(try harness.say("x", token: token).hasSuffix("B) against earlier results\nC) never\nD) by guessing"))
    }

    @Test func `8.5 five right answers make level 5, a block and a new path`() throws {
        let text = try assess(Self.right)
        let parts = text.components(separatedBy: "\n\n```json\n")
        expectEqual(parts.count, 2)
        expectEqual(parts[0], "Assessment complete. Your level in Data literacy is 5.")
        let block = try JSONReader.read(text: try #require(parts.last?.components(separatedBy: "\n```").first))
        expectEqual(block.keys, ["skill", "level", "confidence", "learningModules"])
        expectEqual(block.string("skill"), "Data literacy")
        expectEqual(block["level"], 5)
        expectEqual(block["confidence"], 1)
        let path = try harness.get("\(Harness.v1)/ai/path?aiSkillId=aiskill_data", token: token).json
        expectEqual(path.string("id"), "learningpath_0001")
        expectEqual(path.string("assessmentId"), "assessment_0001")
        expectEqual(path["assessmentLevel"], 5)
        expectEqual(path["completedModuleIds"], [])
        expectEqual(path["modules"], block["learningModules"])
        try expectEqual(harness.get("\(Harness.v1)/ai/path/active", token: token).text(at: "id"), "learningpath_0001")
        // The count begins anew.
        #expect(try harness.say("again", token: token).hasPrefix("Question 1/5"))
    }

    @Test(arguments: [(0, 1, 0.5), (1, 1, 0.6), (2, 2, 0.7), (3, 3, 0.8), (4, 4, 0.9)])
    func `8.5 the level is the number of right answers, at least 1`(right: Int, level: Int, confidence: Double) throws {
        let answers = Self.right.enumerated().map { $0.offset < right ? $0.element : "?" }
        let text = try assess(answers, locale: "ar")
        #expect(text.hasPrefix("اكتمل التقييم. مستواك في الثقافة البياناتية هو \(level).\n\n```json\n"))
        #expect(text.contains(#""level":\#(level),"confidence":\#(confidence),"#))
        #expect(text.contains("الثقافة البياناتية: أسس المستوى \(level)"))
    }

    @Test func `8.5 a new path archives the active one of that skill only`() throws {
        _ = try assess(Self.right, skill: "aiskill_digital")
        try harness.state { state, _ in
            expectEqual(state.learningPaths["path_layla_digital"]?.status, .archived)
            expectEqual(state.learningPaths["path_layla_critical"]?.status, .completed)
        }
    }

    @Test func `8.5 the path is there before the status is done, also when nobody polls`() throws {
        _ = try harness.say("go", token: token)
        for answer in Self.right.dropLast() { _ = try harness.say(answer, token: token) }
        _ = try harness.chat("B", token: token)
        try harness.advance(.milliseconds(599))
        let path = "\(Harness.v1)/ai/path?aiSkillId=aiskill_data"
        try expectEqual(harness.get(path, token: token).text, "null")
        try harness.advance(.milliseconds(1))
        let made = try harness.get(path, token: token)
        expectEqual(made.text(at: "id"), "learningpath_0001")
        expectEqual(made.json["createdAt"], .integer(try harness.now.milliseconds))
    }

    @Test func `8.5 who is no YOUTH sees the block and gets no path`() throws {
        let admin = try harness.mint(Harness.admin)
        _ = try harness.say("go", token: admin)
        var text = ""
        for answer in Self.right { text = try harness.say(answer, token: admin) }
        #expect(text.contains("```json"))
        try harness.state { state, _ in #expect(state.learningPaths.count == 3 && state.assessments.count == 3) }
    }

    @Test func `8.5 modules of every skill, level and language are valid`() throws {
        let skills = try harness.state { state, _ in state.aiSkills.rows }
        for skill in skills {
            for level in 1...5 {
                for language in Language.allCases {
                    let modules = LearningContent.modules(for: skill, level: level, language: language)
                    expectEqual(modules.map(\.id), ["m1", "m2", "m3", "m4"])
                    for module in modules {
                        #expect((1...2_000).contains(module.description.count))
                        #expect((2...4).contains(module.objectives.count) && (3...5).contains(module.outline.count))
                        #expect(module.searchKeywords.count <= 8)
                        #expect(module.duration.hasSuffix(" min"))
                        #expect(module.title.contains(skill.name.text(language)))
                        for keyword in module.searchKeywords { #expect(keyword.contains(skill.name.text(language))) }
                    }
                }
            }
        }
    }

    @Test func `8.6 row 52 has what is stored: no trigger, no block, numbers of questions`() throws {
        _ = try assess(Self.right)
        let path = "\(Harness.v1)/chat/history?conversationId=conversation_0001"
        let items = try harness.get(path, token: token).json["items"]?.arrayValue ?? []
        expectEqual(items.count, 13)
        expectEqual(items[0].keys, ["id", "role", "content", "questionNumber", "createdAt"])
        expectEqual(items.map { $0.string("role") }.prefix(3), ["assistant", "user", "assistant"])
        #expect(items[0]["questionNumber"] == 0 && items[1]["questionNumber"] == .null)
        #expect(items[2]["questionNumber"] == 1 && items[10]["questionNumber"] == 5)
        expectEqual(items[12]["questionNumber"], .null)
        expectEqual(items[12].string("content"), "Assessment complete. Your level in Data literacy is 5.")
        #expect(items.allSatisfy { $0.string("content") != "__start__" })
        let omar = try harness.mint(Harness.omar)
        try expectEqual(harness.get(path, token: omar).error, "404 not_found")
        try expectEqual(harness.get("\(Harness.v1)/chat/history", token: token).error, "400 validation_error")
    }
}
