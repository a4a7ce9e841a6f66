import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Sawaed

/// Section 6: the profile.
struct Section6ProfileTests {
    private let harness: Harness
    private let token: String
    private static let base = "\(Harness.v1)/profile"

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
    }

    private func save(_ path: String, _ body: JSON, token: String? = nil) throws -> Played {
        try harness.post("\(Self.base)/\(path)", token: token ?? self.token, json: body)
    }

    private func completion(_ token: String? = nil) throws -> Int64? {
        try harness.profile(token ?? self.token)["profile"]?["completionPercentage"]?.intValue
    }

    // MARK: 6.1

    @Test func `6.1 every key is there, in the order of the table`() throws {
        let me = try harness.profile(token, query: "?locale=en")
        expectEqual(
            me.keys,
            [
                "user", "profile", "skills", "interests", "education", "experiences", "projects", "awards",
                "activities",
            ]
        )
        let user = try #require(me["user"])
        expectEqual(
            user.text,
            #"{"id":"user_layla","email":"layla@sawaed.test","firstNameAr":"ليلى","lastNameAr":"تجريبية","firstNameEn":"Layla","lastNameEn":"Sample","firstName":"Layla","lastName":"Sample","phone":"+968912345678","gender":"female","pictureUrl":null}"#
        )
        let profile = try #require(me["profile"])
        expectEqual(
            profile.text,
            #"{"id":"profile_layla","headline":"مهتمة بالتقنية والتطوع","bio":"أتعلم تطوير التطبيقات.","regionId":"region_muscat","cityId":"city_seeb","region":"Muscat","city":"Seeb","pictureUrl":null,"collaborationStatus":"open","completionPercentage":90}"#
        )
        expectEqual(
            me["skills"]?.arrayValue?.map { $0.string("name") },
            ["Programming", "Interface design", "Teamwork"]
        )
        expectEqual(me["education"]?[0]?.string("endYear"), "Present")
        expectEqual(me["education"]?[0]?.keys.prefix(2), ["id", "_id"])
        expectEqual(me["experiences"]?[0]?["startDate"], .null)
        expectEqual(me["awards"], [])
        let activity = try #require(me["activities"]?.arrayValue?.first { $0.string("id") == "registration_layla_acc" })
        expectEqual(activity.keys, ["id", "eventId", "timestamp", "quantity", "status", "notes", "decidedAt"])
        expectEqual(activity["notes"], .null)
        expectEqual(activity["decidedAt"], .null)
        expectEqual(activity["quantity"], 1)
    }

    @Test func `6.1 a new user has no profile, empty lists and empty localised names`() throws {
        let me = try harness.profile(try harness.mint(Harness.fresh))
        expectEqual(me["profile"], .null)
        expectEqual(me["user"]?["firstName"], "")
        expectEqual(me["user"]?["firstNameAr"], .null)
        for list in ["skills", "interests", "education", "experiences", "projects", "awards", "activities"] {
            expectEqual(me[list], [])
        }
    }

    @Test func `6.1 activities are newest first`() throws {
        _ = try harness.register("event_open_unlimited", token, ["notes": "مرحبا"])
        try harness.advance(.seconds(1))
        _ = try harness.register("event_lastseat_barka", token)
        let activities = try harness.profile(token)["activities"]?.arrayValue ?? []
        expectEqual(
            activities.map { $0.string("eventId") },
            [
                "event_lastseat_barka", "event_open_unlimited", "event_rejected_buraimi", "event_registered_rustaq",
            ]
        )
        expectEqual(activities[1].string("notes"), "مرحبا")
        expectEqual(activities[0]["timestamp"], .integer(Harness.noon.milliseconds + 1_000))
    }

    // MARK: 6.2

    @Test func `6.2 the percentage is the formula's`() throws {
        let token = try harness.mint(Harness.fresh)
        try expectEqual(save("basics", ["headline": "h"], token: token).keys, ["id"])
        try expectEqual(completion(token), 3)
        try expectEqual(save("basics", ["bio": ""], token: token).json["completion"], 0)
        try expectEqual(save("basics", ["bio": "b"], token: token).json["completion"], 3)
        try expectEqual(save("basics", ["regionId": "region_dhofar"], token: token).json["completion"], 7)
        _ = try save("education", ["institution": "i", "degree": "d"], token: token)
        try expectEqual(completion(token), 22)
        for (path, body, wanted) in [
            ("projects", ["title": "t"], 32), ("experience", ["title": "t", "organization": "o"], 42),
            ("awards", ["title": "t"], 52),
        ] as [(String, JSON, Int64)] {
            _ = try save(path, body, token: token)
            try expectEqual(completion(token), wanted)
        }
        _ = try save("phone", ["phone": "+968912345678"], token: token)
        _ = try save("gender", ["gender": "male"], token: token)
        try expectEqual(completion(token), 52)
        try expectEqual(harness.delete("\(Self.base)/awards/award_0001", token: token).status, 200)
        try expectEqual(completion(token), 42)
    }

    @Test func `6.2 rounding is half up over all inputs`() throws {
        try harness.state { state, _ in
            for names in 0...4 {
                for rest in 0..<64 {
                    var user = User(
                        id: "user_x",
                        email: "x@y.zz",
                        role: .youth,
                        languagePreference: .ar,
                        createdAt: .sinceT0(.zero)
                    )
                    if names > 0 { user.firstNameAr = "a" }
                    if names > 1 { user.lastNameAr = "a" }
                    if names > 2 { user.firstNameEn = "a" }
                    if names > 3 { user.lastNameEn = "a" }
                    var profile = Profile(id: "profile_x", userId: "user_x", completionPercentage: 0)
                    if rest & 1 != 0 { profile.bio = "b" }
                    if rest & 2 != 0 { profile.cityId = "city_sur" }
                    if rest & 4 != 0 { user.skillIds = ["skill_design"] }
                    if rest & 8 != 0 { user.interestIds = ["interest_football"] }
                    let identity = Double(names + (rest & 1) + (rest & 2) / 2) / 6
                    let sum = 20 * identity + (rest & 4 != 0 ? 20 : 0) + (rest & 8 != 0 ? 15 : 0)
                    expectEqual(state.completion(of: user, profile), Int((sum + 0.5).rounded(.down)))
                }
            }
        }
    }

    // MARK: 6.3

    @Test func `6.3 absent keys stay, empty texts are stored, nothing returns to null`() throws {
        try expectEqual(save("basics", ["headline": ""]).text, #"{"id":"profile_layla","completion":90}"#)
        let profile = try harness.profile(token)["profile"]
        expectEqual(profile?.string("bio"), "أتعلم تطوير التطبيقات.")
        expectEqual(profile?["headline"], "")
        for wrong: JSON in [
            ["headline": .null], ["regionId": "none"], ["cityId": ""], ["pictureUrl": "x"], ["pictureUrl": "/x.png"],
            ["collaborationStatus": "maybe"], ["bio": 3],
        ] {
            try expectEqual(save("basics", wrong).error, "400 validation_error", "\(wrong)")
        }
    }

    @Test(arguments: [
        ("https://x.test:65535/a", true), ("https://x.test:65536/a", false), ("https://x.test:port/", false),
        ("https://:80/", false), ("https://a@x.test:/", true), ("https://a@/", false), ("http://[::1]:80/", true),
        ("http://[::1]80/", false), ("http://[::1", false), ("http://a:1:2/", false), ("http://x", true),
    ])
    func `6.3 a picture's address has a host, and a port only as a number to 65535`(url: String, fits: Bool) throws {
        let reply = try harness.post(
            "\(Harness.v1)/profile/basics",
            token: try harness.mint(Harness.layla),
            json: ["pictureUrl": .string(url)]
        )
        #expect((reply.status == 200) == fits && (fits || reply.error == "400 validation_error"))
    }

    @Test func `6.3 a picture's address and the status are kept`() throws {
        try expectEqual(
            save("basics", ["pictureUrl": "https://img.test/a.png", "collaborationStatus": "looking"]).status,
            200
        )
        let me = try harness.profile(token)
        expectEqual(me["profile"]?.string("pictureUrl"), "https://img.test/a.png")
        expectEqual(me["user"]?.string("pictureUrl"), "https://img.test/a.png")
        expectEqual(me["profile"]?.string("collaborationStatus"), "looking")
    }

    // MARK: 6.4 and 6.5

    @Test(arguments: [
        ("+968912345678", "200"), ("+96891234567", "400 invalid_phone"), ("+9689123456789", "400 invalid_phone"),
        ("968912345678", "400 invalid_phone"), ("+968 91234567", "400 invalid_phone"),
        ("+968٩١٢٣٤٥٦٧٨", "400 invalid_phone"), ("", "400 validation_error"),
    ])
    func `6.4 a phone has nine digits after +968`(phone: String, result: String) throws {
        let reply = try save("phone", ["phone": .string(phone)])
        expectEqual(reply.status == 200 ? "200" : reply.error, result)
        try expectEqual(save("phone", ["phone": 968]).error, "400 validation_error")
    }

    @Test func `6.5 a gender is one of two`() throws {
        try expectEqual(save("gender", ["gender": "male"]).text, #"{"ok":true}"#)
        try expectEqual(harness.profile(token)["user"]?.string("gender"), "male")
        for wrong: JSON in [[:], ["gender": "Male"], ["gender": .null]] {
            try expectEqual(save("gender", wrong).error, "400 validation_error")
        }
    }

    // MARK: 6.6

    private static let kinds: [(path: String, list: String, kind: String, body: JSON, required: [String])] = [
        (
            "education", "education", "education",
            [
                "institution": "جامعة", "degree": "BSc", "field": "f", "description": "d", "startYear": 2_020,
                "endYear": "Present",
            ], ["institution", "degree"]
        ),
        (
            "experience", "experiences", "experience",
            ["title": "عمل", "organization": "o", "description": "d", "startDate": 1, "endDate": 2.5],
            ["title", "organization"]
        ),
        (
            "projects", "projects", "project", ["title": "t", "period": "p", "description": "d", "url": "not a url"],
            ["title"]
        ),
        ("awards", "awards", "award", ["title": "t", "issuer": "i", "year": 2_024], ["title"]),
    ]

    @Test func `6.6 a row is added, shown, changed and removed, in every list`() throws {
        let token = try harness.mint(Harness.fresh)
        for (path, list, kind, body, required) in Self.kinds {
            let added = try save(path, body, token: token)
            expectEqual(added.text, #"{"id":"\#(kind)_0001"}"#)
            _ = try save(path, body, token: token)
            try harness.advance(.milliseconds(5))
            let url = "\(Self.base)/\(path)/\(kind)_0001"
            let before = try #require(try harness.profile(token)[list]?[0])
            for member in body.objectValue?.members ?? [] { expectEqual(before[member.name], member.value) }
            expectEqual(before.string("id"), before.string("_id"))
            expectEqual(before["createdAt"], before["updatedAt"])
            try expectEqual(harness.patch(url, token: token, json: [:]).text, #"{"ok":true}"#)
            let blanked = JSON.object(JSONObject(required.map { JSONObject.Member(name: $0, value: "") }))
            try expectEqual(harness.patch(url, token: token, json: blanked).status, 200)
            let after = try #require(try harness.profile(token)[list]?[0])
            expectEqual(after.string("id"), "\(kind)_0001")
            for name in required { expectEqual(after[name], "") }
            expectEqual(after["updatedAt"]?.intValue ?? 0, (after["createdAt"]?.intValue ?? 0) + 5)
            try expectEqual(harness.delete(url, token: token).text, #"{"ok":true}"#)
            try expectEqual(harness.delete(url, token: token).error, "404 not_found")
            try expectEqual(harness.patch(url, token: token, json: [:]).error, "404 not_found")
            try expectEqual(harness.profile(token)[list]?.arrayValue?.count, 1)
        }
    }

    @Test func `6.6 required texts must not be blank on creation, nulls and wrong types never fit`() throws {
        for (path, _, kind, body, required) in Self.kinds {
            for name in required {
                for value: JSON? in [nil, "", "  \u{3000}", .null, 1] {
                    var object = body.objectValue ?? [:]
                    object[name] = value
                    try expectEqual(save(path, .object(object)).error, "400 validation_error", "\(path) \(name)")
                }
            }
            let id = "\(Self.base)/\(path)/\(kind)_layla1"
            for name in body.keys {
                try expectEqual(
                    harness.patch(id, token: token, json: .object([name: .null])).error,
                    "400 validation_error"
                )
            }
        }
        let education = "\(Self.base)/education/education_layla1"
        for value: JSON in ["present", "2024", true, []] {
            let reply = try harness.patch(education, token: token, json: ["endYear": value])
            expectEqual(reply.error, "400 validation_error")
        }
        try expectEqual(harness.patch(education, token: token, json: ["endYear": 2_024.5]).status, 200)
        try expectEqual(harness.profile(token)["education"]?[0]?["endYear"]?.doubleValue, 2_024.5)
        try expectEqual(
            harness.post("\(Self.base)/awards", token: token, text: #"{"title":"t","year":1e999}"#).status,
            400
        )
    }

    @Test func `6.6 another user's row and another kind's id are 404`() throws {
        let other = try harness.mint(Harness.fresh)
        for (path, kind) in [
            ("education", "education_layla1"), ("experience", "experience_layla1"), ("projects", "project_layla1"),
        ] {
            try expectEqual(harness.delete("\(Self.base)/\(path)/\(kind)", token: other).error, "404 not_found")
            try expectEqual(
                harness.patch("\(Self.base)/\(path)/\(kind)", token: other, json: [:]).error,
                "404 not_found"
            )
            try expectEqual(harness.delete("\(Self.base)/awards/\(kind)", token: token).error, "404 not_found")
        }
        try expectEqual(harness.profile(token)["education"]?.arrayValue?.count, 1)
    }

    // MARK: 6.7

    private func upload(_ url: String, _ bytes: [UInt8], type: String? = "image/png") throws -> Played {
        let path = try #require(url.split(separator: "4681", maxSplits: 1).last)
        return try harness.send(
            .post,
            String(path),
            body: bytes,
            headers: type.map { [(FieldName.contentType, $0)] } ?? []
        )
    }

    private func address() throws -> String {
        try harness.get("\(Self.base)/picture/upload-url", token: token).text(at: "uploadUrl")
    }

    @Test func `6.7 address, upload, complete: the picture is shown and served`() throws {
        let url = try address()
        #expect(url.hasPrefix("http://127.0.0.1:4681/api/storage/upload?token="))
        let stored = try upload(url, [1, 2, 3], type: "image/x-any")
        expectEqual(stored.text, #"{"storageId":"storage_0001"}"#)
        try expectEqual(upload(url, [1]).error, "403 forbidden")
        let done = try save("picture/complete", ["storageId": "storage_0001"])
        expectEqual(done.text, #"{"id":"profile_layla","completion":90}"#)
        let picture = "http://127.0.0.1:4681/api/storage/storage_0001"
        let me = try harness.profile(token)
        expectEqual(me["user"]?.string("pictureUrl"), picture)
        expectEqual(me["profile"]?.string("pictureUrl"), picture)
        let served = try harness.get("/api/storage/storage_0001")
        expectEqual(served.bytes, [1, 2, 3])
        expectEqual(served[.contentType], "image/x-any")
        try expectEqual(harness.get("/api/storage/storage_9999").error, "404 not_found")
    }

    @Test func `6.7 a new picture takes the former one's place, which is deleted`() throws {
        for _ in 0..<2 {
            let id = try upload(try address(), [9]).text(at: "storageId")
            _ = try save("picture/complete", ["storageId": .string(id)])
        }
        try expectEqual(harness.get("/api/storage/storage_0001").status, 404)
        try expectEqual(harness.get("/api/storage/storage_0002").status, 200)
        _ = try save("picture/complete", ["storageId": "storage_0002"])
        try expectEqual(harness.get("/api/storage/storage_0002").status, 200)
    }

    @Test func `6.7 a picture has at most 5 MiB, at least a byte, and a token that is alive`() throws {
        let most = 5 * 1024 * 1024
        let url = try address()
        try expectEqual(upload(url, [UInt8](repeating: 1, count: most + 1)).error, "413 body_too_large")
        try expectEqual(upload(url, []).error, "400 validation_error")
        try expectEqual(upload(url, [UInt8](repeating: 1, count: most)).status, 200)
        try expectEqual(harness.send(.post, "/api/storage/upload", body: [1]).error, "403 forbidden")
        try expectEqual(harness.send(.post, "/api/storage/upload?token=x", body: [1]).error, "403 forbidden")
        let late = try address()
        try harness.advance(.hours(1) - .microseconds(1))
        let other = try harness.mint(Harness.layla)
        try expectEqual(upload(late, [1], type: nil).status, 200)
        try expectEqual(harness.get("/api/storage/storage_0002")[.contentType], "application/octet-stream")
        let next = try harness.get("\(Self.base)/picture/upload-url", token: other).text(at: "uploadUrl")
        try harness.advance(.hours(1))
        try expectEqual(upload(next, [1]).error, "403 forbidden")
    }

    @Test func `6.7 an unknown storage id is 404, a first profile answers only its id`() throws {
        try expectEqual(save("picture/complete", ["storageId": "storage_0404"]).error, "404 not_found")
        try expectEqual(save("picture/complete", ["storageId": ""]).error, "400 validation_error")
        let fresh = try harness.mint(Harness.fresh)
        _ = try upload(try address(), [7])
        let done = try save("picture/complete", ["storageId": "storage_0001"], token: fresh)
        expectEqual(done.text, #"{"id":"profile_0001"}"#)
    }

    @Test func `6.7 row 51 does both steps`() throws {
        let url = try save("picture", [:]).text(at: "uploadUrl")
        let id = try upload(url, [5]).text(at: "storageId")
        try expectEqual(save("picture", ["storageId": .string(id)]).keys, ["id", "completion"])
        try expectEqual(save("picture", ["storageId": .null]).error, "400 validation_error")
    }

    @Test func `6.7 the upload token leads back to its world without prefix or header`() throws {
        try harness.makeWorld("fork")
        harness.world = "fork"
        let forked = try harness.mint(Harness.layla)
        let url = try harness.get("\(Self.base)/picture/upload-url", token: forked).text(at: "uploadUrl")
        #expect(url.hasPrefix("http://127.0.0.1:4681/api/storage/upload?token="))
        try expectEqual(upload(url, [1]).text(at: "storageId"), "storage_0001")
        try harness.state { state, _ in #expect(state.files.contains("storage_0001")) }
        let refresh = try harness.mint(Harness.layla, .refresh)
        let pair = try harness.refresh(refresh)
        expectEqual(TokenText.payload(of: pair.text(at: "token"))?["iss"], "https://understudy.invalid/@fork")
        let prefixed = try harness.get("/@fork\(Self.base)/picture/upload-url", token: forked).text(at: "uploadUrl")
        #expect(prefixed.hasPrefix("http://127.0.0.1:4681/@fork/api/storage/upload?token="))
        let cookie: [(FieldName, String)] = [("Cookie", "__convexAuthJWT=\(forked)")]
        try expectEqual(harness.get("\(Self.base)/me", headers: cookie).status, 200)
    }

    @Test func `6.7 the address of a picture leads back to its world where the token alone had chosen it`() throws {
        try harness.makeWorld("fork")
        harness.world = "fork"
        let forked = try harness.mint(Harness.layla)
        func picture(_ prefix: String = "", _ headers: [(FieldName, String)] = []) throws -> String {
            try harness.get("\(prefix)\(Self.base)/me", token: forked, headers: headers).text(at: "profile.pictureUrl")
        }
        let url = try harness.get("\(Self.base)/picture/upload-url", token: forked).text(at: "uploadUrl")
        let id = try upload(url, [1, 2]).text(at: "storageId")
        _ = try harness.post("\(Self.base)/picture/complete", token: forked, json: ["storageId": .string(id)])
        let link = try picture()
        expectEqual(link, "http://127.0.0.1:4681/@fork/api/storage/storage_0001")
        try expectEqual(harness.get(String(link.dropFirst("http://127.0.0.1:4681".count))).bytes, [1, 2])
        try expectEqual(picture("/@fork"), link)
        try expectEqual(picture("", [(.world, "fork")]), "http://127.0.0.1:4681/api/storage/storage_0001")
        harness.entryPoint = .hub
        try expectEqual(picture("/sawaed"), "http://127.0.0.1:4681/@fork/sawaed/api/storage/storage_0001")
    }

    @Test func `6.7 the address of a picture of main names it where every request has to lead to its world`() throws {
        let harness = try Harness(
            SawaedAPI.definition,
            seed: 42,
            start: Harness.noon,
            wall: Harness.noon,
            isWorldRequired: true
        )
        let token = try harness.mint(Harness.layla)
        func picture(_ prefix: String = "") throws -> String {
            try harness.get("\(prefix)\(Self.base)/me", token: token).text(at: "profile.pictureUrl")
        }
        let url = try harness.get("\(Self.base)/picture/upload-url", token: token).text(at: "uploadUrl")
        let target = String(url.dropFirst("http://127.0.0.1:4681".count))
        let type: [(FieldName, String)] = [(.contentType, "image/png")]
        let id = try harness.send(.post, target, body: [1, 2], headers: type).text(at: "storageId")
        _ = try harness.post("\(Self.base)/picture/complete", token: token, json: ["storageId": .string(id)])
        let link = "http://127.0.0.1:4681/@main/api/storage/\(id)"
        try expectEqual(picture(), link)
        try expectEqual(picture("/@main"), link)
        try expectEqual(harness.get("/@main/api/storage/\(id)").bytes, [1, 2])
        let events = try harness.get("\(Harness.v1)/events?q=coding&locale=en", token: token)
        expectEqual(events.text(at: "items.0.posterUrl"), "http://127.0.0.1:4681/@main/api/storage/poster_default")
    }

    @Test func `6.7 an uploaded page keeps its type and can't run on the service's own origin`() throws {
        let url = try harness.get("\(Self.base)/picture/upload-url", token: try harness.mint(Harness.layla))
            .text(at: "uploadUrl")
        let target = String(url.dropFirst("http://127.0.0.1:4681".count))
        let type: [(FieldName, String)] = [(.contentType, "text/html")]
        let id = try harness.send(.post, target, body: [1], headers: type).text(at: "storageId")
        let page = try harness.get("/api/storage/\(id)")
        expectEqual(page[.contentType], "text/html")
        expectEqual(page["Content-Security-Policy"], "sandbox")
    }
}
