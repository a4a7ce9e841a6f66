import CivilTime
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

@testable import Sawaed

/// A client's way from sign-in to a seat, and the promise that the same requests give the same bytes.
struct JourneyTests {
    /// A client that keeps its tokens, refreshes once on 401 and repeats the request.
    private final class Client {
        let harness: Harness
        var access = ""
        var refresh = ""
        var refreshes = 0

        init(_ harness: Harness) { self.harness = harness }

        func take(_ reply: Played) {
            access = reply.text(at: "token")
            refresh = reply.text(at: "refreshToken")
        }

        func call(_ method: HTTPMessage.HTTPMethod, _ path: String, _ body: JSON? = nil) throws -> Played {
            let bytes = body?.serialized() ?? []
            let reply = try harness.send(method, path, token: access, body: bytes)
            guard reply.status == 401 else { return reply }
            refreshes += 1
            take(try harness.refresh(refresh))
            return try harness.send(method, path, token: access, body: bytes)
        }
    }

    /// Everything that a new user does in a first week; answers what came back.
    private func journey(_ harness: Harness) throws -> (client: Client, log: [String]) {
        let client = Client(harness)
        var log: [String] = []
        let v1 = Harness.v1
        func step(_ method: HTTPMessage.HTTPMethod, _ path: String, _ body: JSON? = nil) throws -> Played {
            let reply = try client.call(method, path, body)
            log.append("\(method.rawValue) \(path) \(reply.status) \(reply.fields.pairs) \(reply.text)")
            return reply
        }
        client.take(try harness.signIn("journey@example.com"))
        log.append(client.refresh)
        try expectEqual(step(.get, "\(v1)/onboarding/draft").status, 403)
        let regions = try step(.get, "\(v1)/locations/regions?locale=ar").json["items"]?[0]
        let region = try #require(regions).string("id")
        let city = try #require(
            try step(.get, "\(v1)/locations/cities?regionId=\(region)&locale=ar").json["items"]?[3]
        )
        _ = try step(
            .post,
            "\(v1)/onboarding/save-draft-details",
            [
                "firstNameAr": "سالم", "lastNameAr": "تجريبي", "firstNameEn": "Salim", "lastNameEn": "Sample",
                "gender": "male", "regionId": .string(region), "cityId": .string(city.string("id")),
            ]
        )
        try harness.advance(.minutes(61))
        let skills = try step(.get, "\(v1)/taxonomies/skills").json["items"]
        expectEqual(client.refreshes, 1)
        let skill = try #require(skills?[0]).string("id")
        _ = try step(
            .post,
            "\(v1)/onboarding/save-draft-taxonomies",
            ["skillIds": [.string(skill)], "interestIds": []]
        )
        try expectEqual(step(.post, "\(v1)/onboarding/complete").status, 200)
        try expectEqual(step(.post, "\(v1)/profile/basics", ["bio": "أحب البرمجة"]).json["completion"], 40)
        let upload = try step(.get, "\(v1)/profile/picture/upload-url").text(at: "uploadUrl")
        let query = try #require(upload.split(separator: "?").last)
        let stored = try harness.send(.post, "/api/storage/upload?\(query)", body: [0x89, 0x50])
        _ = try step(.post, "\(v1)/profile/picture/complete", ["storageId": stored.json["storageId"] ?? .null])
        for message in ["__start__", "هيا", "ب", "ج", "أ", "د", "ب"] {
            let sent = try step(
                .post,
                "/api/chat/send",
                ["skillId": "aiskill_creativity", "message": .string(message), "locale": "ar"]
            )
            for _ in 0..<4 {
                try harness.advance(.milliseconds(200))
                log.append(try harness.poll(sent.text(at: "sessionId")).text)
            }
        }
        let path = try step(.get, "\(v1)/ai/path/active")
        #expect(path.json["assessmentLevel"] == 5 && path.text.contains("الإبداع: أسس المستوى 5"))
        for module in ["m1", "m2", "m3", "m4"] {
            _ = try step(
                .post,
                "\(v1)/ai/path/complete-module",
                ["aiSkillId": "aiskill_creativity", "moduleId": .string(module)]
            )
        }
        let seat = try step(.post, "\(v1)/events/event_lastseat_barka/register", ["notes": "شكراً"])
        expectEqual(seat.text(at: "status"), "accepted")
        let me = try step(.get, "\(v1)/profile/me?locale=ar")
        expectEqual(me.text(at: "user.firstName"), "سالم")
        expectEqual(me.text(at: "profile.city"), "السيب")
        expectEqual(me.text(at: "profile.bio"), "أحب البرمجة")
        expectEqual(me.json["activities"]?[0]?.string("notes"), "شكراً")
        _ = try step(.post, "\(Harness.auth)/signout")
        try expectEqual(harness.refresh(client.refresh).error, "400 invalid_refresh")
        return (client, log)
    }

    @Test func `a new user comes all the way, Arabic intact, refreshing once`() throws {
        let (client, _) = try journey(Harness())
        expectEqual(client.refreshes, 1)
    }

    @Test func `the same requests give the same bytes, in two emulators and after a reset of this API alone`() throws {
        let harness = try Harness()
        let first = try journey(harness).log
        try expectEqual(journey(Harness()).log, first)
        let hosted = try harness.hosted()
        hosted.world.reset(harness.emulator.apis, only: 0, keepClock: false, at: harness.hostTime)
        func withoutRequestIDs(_ log: [String]) -> [String] {
            // The world's own counter goes on when one API is reset.
            log.map { $0.replacing(#/"req_\d+"/#, with: "req") }
        }
        expectEqual(withoutRequestIDs(try journey(harness).log), withoutRequestIDs(first))
    }

    @Test func `another seed gives other tokens`() throws {
        let tokens = try [UInt64(1), 2].map { try Harness(seed: $0).signIn(Harness.layla).text(at: "refreshToken") }
        #expect(tokens[0] != tokens[1])
    }

    @Test func `a world and its fork share nothing, and tokens of one are none of the other`() throws {
        let harness = try Harness()
        let pair = try harness.signIn(Harness.layla)
        try harness.makeWorld("fork", from: "main")
        _ = try harness.delete("\(Harness.v1)/profile/education/education_layla1", token: pair.text(at: "token"))
        let crossed = try harness.get("/@fork\(Harness.v1)/profile/me", token: pair.text(at: "token"))
        expectEqual(crossed.error, "401 unauthorized")
        harness.world = "fork"
        let forked = try harness.mint(Harness.layla)
        try expectEqual(harness.profile(forked)["education"]?.arrayValue?.count, 1)
        let unpathed = try harness.get("\(Harness.v1)/profile/me", token: forked)
        expectEqual(unpathed.json["education"]?.arrayValue?.count, 1)
    }

    @Test func `control contract, section 4, refresh tokens and upload addresses are none of a fork's`() throws {
        let harness = try Harness()
        let pair = try harness.signIn(Harness.layla)
        let refresh = pair.text(at: "refreshToken")
        let token = pair.text(at: "token")
        let url = try harness.get("\(Harness.v1)/profile/picture/upload-url", token: token).text(at: "uploadUrl")
        let upload = String(url.dropFirst("http://127.0.0.1:4681".count))
        try harness.makeWorld("fork", from: "main")
        let crossed = try harness.post("/@fork\(Harness.auth)/refresh", json: ["refreshToken": .string(refresh)])
        expectEqual(crossed.error, "400 invalid_refresh")
        try expectEqual(harness.send(.post, "/@fork\(upload)", body: [1, 2, 3]).error, "403 forbidden")
        try expectEqual(harness.refresh(refresh).status, 200)
        try expectEqual(harness.send(.post, upload, body: [1, 2, 3]).status, 200)
    }
}
