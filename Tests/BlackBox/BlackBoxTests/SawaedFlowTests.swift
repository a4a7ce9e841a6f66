import Foundation
import JSON
import TestSupport
import Testing

/// The journey of a Sawaed app from sign-in to sign-out, over real requests (Sawaed contract, sections 3 to 9).
@Suite(.serialized) struct SawaedFlowTests {
    private static let auth = "/api/mobile/auth"
    private static let v1 = "/api/mobile/v1"

    private func client(_ served: Served) throws -> AppClient {
        let client = try AppClient(served, "sawaed", AppClient.sawaed)
        client.language = "ar"
        client.wait = { try served.advance("PT\($0)S") }
        return client
    }

    private func signIn(_ app: AppClient, _ served: Served, _ mail: String) throws {
        let asked = try app.call("POST", Self.auth + "/request-otp", ["email": .string(mail)])
        expectEqual(asked.text, #"{"ok":true,"code":"user_unverified"}"#)
        let letter = try served.control("GET", "/outbox?to=\(mail)").json.value(at: "items.0")
        let code = try #require(letter?["code"]?.stringValue)
        let answer = try app.call("POST", Self.auth + "/verify-otp", ["email": .string(mail), "code": .string(code)])
        expectEqual(answer.status, 200, "\(answer.text)")
        app.take(answer)
    }

    @Test func `3 4 a code by mail, an hour, a rotation whose answer is lost, and thirty days`() throws {
        let served = try Served()
        let app = try client(served)
        // A mistyped code costs nothing but the attempt.
        _ = try app.call("POST", Self.auth + "/request-otp", ["email": "layla@sawaed.test"])
        let wrong = try app.call("POST", Self.auth + "/verify-otp", ["email": "layla@sawaed.test", "code": "000000"])
        expectEqual(wrong.status, 400)
        expectEqual(wrong.json.text(at: "error.code"), "invalid_code")
        try served.advance("PT61S")
        try signIn(app, served, "layla@sawaed.test")
        // The access token is good until its hour is over.
        try served.advance("PT3599S")
        #expect(try app.call("GET", Self.v1 + "/profile/me").status == 200 && app.refreshes == 0)
        try served.advance("PT1S")
        let first = app.refresh
        #expect(try app.call("GET", Self.v1 + "/profile/me").status == 200 && app.refreshes == 1)
        #expect(app.refresh != first)
        // The rotation happens, nobody hears of it, and the same token brings the same child.
        try served.advance("PT1H")
        try served.fault("sawaed", Self.auth + "/refresh", phase: "after", #"{"connection":"reset"}"#)
        let saved = try app.call("POST", Self.v1 + "/profile/basics", ["bio": "أحب البرمجة"])
        expectEqual(saved.status, 200, "\(saved.text)")
        expectEqual(app.refreshes, 2, "\(saved.text)")
        expectEqual(app.repeats, 1, "\(saved.text)")
        try expectEqual(app.call("GET", Self.v1 + "/profile/me").json.text(at: "profile.bio"), "أحب البرمجة")
        // A session ends after thirty days however often it was refreshed, and a refusal is 400.
        for _ in 0..<3 {
            try served.advance("P9D")
            try expectEqual(app.call("GET", Self.v1 + "/onboarding/status").status, 200)
        }
        try served.advance("P3D")
        #expect(try app.call("GET", Self.v1 + "/onboarding/status").status == 401 && app.isSignedOut)
        // Everything is there for whoever signs in again.
        let again = try client(served)
        try signIn(again, served, "layla@sawaed.test")
        try expectEqual(again.call("GET", Self.v1 + "/profile/me").json.text(at: "profile.bio"), "أحب البرمجة")
    }

    @Test func `8 9 a conversation by polling over an expiry, a seat whose answer is lost, and a sign-out`() throws {
        let served = try Served()
        let app = try client(served)
        try signIn(app, served, "omar@sawaed.test")
        // The send meets the end of the token and comes back; the polls need none.
        try served.advance("PT1H")
        let sent = try app.call(
            "POST",
            Self.v1 + "/chat/send",
            ["skillId": "aiskill_creativity", "message": "__start__", "locale": "ar"]
        )
        let session = try #require(sent.json.text(at: "sessionId"))
        #expect(sent.status == 200 && sent.json.text(at: "conversationId") == nil && app.refreshes == 0)
        // Chat never answers 401, so the app looks at the conversation instead: none means nobody was signed in.
        try app.exchange()
        let stored = try app.call(
            "POST",
            Self.v1 + "/chat/send",
            ["skillId": "aiskill_creativity", "message": "__start__", "locale": "ar"]
        )
        let conversation = try #require(stored.json.text(at: "conversationId"))
        var tag: String?
        var text = ""
        var statuses: [String] = []
        for _ in 0..<12 {
            let id = stored.json.text(at: "sessionId") ?? ""
            let fields = tag.map { ["If-None-Match: \($0)"] } ?? []
            let poll = try app.call("GET", "/api/chat/status?sessionId=\(id)", fields: fields)
            if poll.status == 304 {
                #expect(poll["ETag"] == tag && poll.bytes.isEmpty)
            } else {
                let now = poll.json.text(at: "text") ?? ""
                #expect(now.hasPrefix(text))
                text = now
                tag = poll["ETag"]
                statuses.append(poll.json.text(at: "status") ?? "")
            }
            if statuses.last == "done" { break }
            try served.advance("PT0.06S")
        }
        #expect(statuses.last == "done" && text.hasPrefix("أهلاً"))
        let history = try app.call("GET", Self.v1 + "/chat/history?conversationId=\(conversation)")
        expectEqual(history.json.text(at: "items.0.content"), text)
        try expectEqual(app.call("GET", "/api/chat/status?sessionId=\(session)").status, 200)
        // The seat is taken, its answer lost; the repeat says that it is taken already.
        let seat = Self.v1 + "/events/event_open_hackathon/register"
        try served.fault("sawaed", seat, phase: "after", #"{"connection":"reset"}"#)
        let taken = try app.call("POST", seat, ["notes": "شكراً"])
        expectEqual(taken.status, 409, "\(taken.text)")
        expectEqual(taken.json.text(at: "error.code"), "already_registered", "\(taken.text)")
        expectEqual(app.repeats, 1)
        let mine = try app.call("GET", Self.v1 + "/profile/me").json["activities"]?.arrayValue ?? []
        #expect(mine.contains { $0["notes"] == "شكراً" })
        // After the sign-out the refresh token is worth nothing.
        try expectEqual(app.call("POST", Self.auth + "/signout").text, #"{"ok":true}"#)
        try app.exchange()
        #expect(app.isSignedOut)
    }
}
