import Backend
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Sawaed

/// Section 5: onboarding and locations.
struct Section5OnboardingTests {
    private let harness: Harness
    private let token: String
    private static let base = "\(Harness.v1)/onboarding"
    private static let details: JSON = [
        "firstNameAr": "نور", "lastNameAr": "تجريبية", "firstNameEn": "Noor", "lastNameEn": "Sample",
        "gender": "female", "regionId": "region_muscat", "cityId": "city_seeb",
    ]

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.fresh)
    }

    private var status: String { get throws { try harness.get("\(Self.base)/status", token: token).text } }

    private func save(_ path: String, _ body: JSON) throws -> Played {
        try harness.post("\(Self.base)/\(path)", token: token, json: body)
    }

    private static func details(changing name: String, to value: JSON?) -> JSON {
        guard case .object(var object) = details else { return .null }
        object[name] = value
        return .object(object)
    }

    @Test func `5.2 without a row nothing is completed and there is no step`() throws {
        try expectEqual(status, #"{"completed":false,"currentStep":null}"#)
    }

    @Test func `5.3 without a row the draft is 403, and complete too`() throws {
        try expectEqual(harness.get("\(Self.base)/draft", token: token).error, "403 forbidden")
        try expectEqual(save("complete", [:]).error, "403 forbidden")
    }

    @Test(arguments: ["profile", "skills", "interests", "location"])
    func `5.4 a step makes the row and is shown`(step: String) throws {
        try expectEqual(save("step", ["step": .string(step)]).text, #"{"ok":true}"#)
        try expectEqual(status, #"{"completed":false,"currentStep":"\#(step)"}"#)
    }

    @Test(arguments: ["welcome", "details", "Profile", "", "done"])
    func `5.4 another step is 400`(step: String) throws {
        try expectEqual(save("step", ["step": .string(step)]).error, "400 validation_error")
        try expectEqual(save("step", ["step": .null]).error, "400 validation_error")
        #expect(try status.contains("null"))
    }

    @Test func `5.5 details make the row at step profile, and leave the step of one that is there`() throws {
        try expectEqual(save("save-draft-details", Self.details).text, #"{"ok":true}"#)
        #expect(try status.contains(#""currentStep":"profile""#))
        _ = try save("step", ["step": "location"])
        _ = try save("save-draft-details", Self.details)
        #expect(try status.contains(#""currentStep":"location""#))
        let draft = try harness.get("\(Self.base)/draft", token: token)
        expectEqual(
            draft.keys,
            [
                "firstNameAr", "lastNameAr", "firstNameEn", "lastNameEn", "gender", "region", "city", "regionId",
                "cityId", "draftSkillIds", "draftInterestIds",
            ]
        )
        expectEqual(draft.text(at: "firstNameAr"), "نور")
        expectEqual(draft.text(at: "region"), "مسقط")
        expectEqual(draft.text(at: "city"), "السيب")
        expectEqual(draft.json["draftSkillIds"], [])
    }

    @Test func `5.5 a missing name is filled in the caller's language, a given one stays`() throws {
        _ = try harness.post(
            "\(Self.base)/save-draft-details?locale=en",
            token: token,
            json: Self.details(changing: "city", to: "My Town")
        )
        let draft = try harness.get("\(Self.base)/draft", token: token)
        expectEqual(draft.text(at: "region"), "Muscat")
        expectEqual(draft.text(at: "city"), "My Town")
        expectEqual(draft.text(at: "cityId"), "city_seeb")
    }

    @Test func `5.5 names alone will do, and replace ids saved before`() throws {
        _ = try save("save-draft-details", Self.details)
        var body = Self.details(changing: "regionId", to: nil).objectValue ?? [:]
        body["cityId"] = nil
        body["region"] = "Somewhere"
        body["city"] = "Else"
        try expectEqual(save("save-draft-details", .object(body)).status, 200)
        let draft = try harness.get("\(Self.base)/draft", token: token)
        expectEqual(draft.json["regionId"], .null)
        expectEqual(draft.text(at: "region"), "Somewhere")
    }

    @Test(
        arguments: [
            ("firstNameAr", ""), ("lastNameEn", nil), ("gender", "other"), ("gender", nil), ("regionId", nil),
            ("cityId", nil), ("regionId", "region_atlantis"), ("cityId", "city_none"), ("region", ""),
        ] as [(String, String?)]
    )
    func `5.5 details that do not fit are 400 and change nothing`(name: String, value: String?) throws {
        let body = Self.details(changing: name, to: value.map { .string($0) })
        try expectEqual(save("save-draft-details", body).error, "400 validation_error")
        try expectEqual(harness.get("\(Self.base)/draft", token: token).status, 403)
    }

    @Test func `5.5 a city of another region is taken`() throws {
        try expectEqual(save("save-draft-details", Self.details(changing: "cityId", to: "city_sur")).status, 200)
    }

    @Test func `5.6 taxonomies make the row at step skills and replace both lists`() throws {
        let body: JSON = ["skillIds": ["skill_design", "skill_writing"], "interestIds": ["interest_heritage"]]
        try expectEqual(save("save-draft-taxonomies", body).text, #"{"ok":true}"#)
        #expect(try status.contains(#""currentStep":"skills""#))
        _ = try save("save-draft-taxonomies", ["skillIds": [], "interestIds": ["interest_football"]])
        let draft = try harness.get("\(Self.base)/draft", token: token).json
        expectEqual(draft["draftSkillIds"], [])
        expectEqual(draft["draftInterestIds"], ["interest_football"])
        for wrong: JSON in [
            ["skillIds": []], ["interestIds": []], ["skillIds": ["nope"], "interestIds": []],
            ["skillIds": [], "interestIds": ["skill_design"]], ["skillIds": [1], "interestIds": []],
            ["skillIds": "skill_design", "interestIds": []],
        ] {
            try expectEqual(save("save-draft-taxonomies", wrong).error, "400 validation_error", "\(wrong)")
        }
    }

    @Test func `5.7 complete moves the draft to user and profile, at completion 0, and may be repeated`() throws {
        _ = try save("step", ["step": "skills"])
        try expectEqual(save("complete", [:]).error, "400 invalid_draft")
        _ = try save("save-draft-details", Self.details)
        _ = try save("save-draft-taxonomies", ["skillIds": ["skill_design"], "interestIds": ["interest_robotics"]])
        try expectEqual(harness.post("\(Self.base)/complete", token: token, text: "{broken").text, #"{"ok":true}"#)
        try expectEqual(status, #"{"completed":true,"currentStep":null}"#)
        let me = try harness.profile(token)
        expectEqual(me["user"]?.string("firstNameEn"), "Noor")
        expectEqual(me["user"]?.string("gender"), "female")
        expectEqual(me["profile"]?.string("id"), "profile_0001")
        expectEqual(me["profile"]?["completionPercentage"], 0)
        expectEqual(me["profile"]?.string("cityId"), "city_seeb")
        expectEqual(me["profile"]?.string("city"), "السيب")
        expectEqual(me["skills"], [["id": "skill_design", "name": "تصميم الواجهات"]])
        try expectEqual(save("complete", [:]).status, 200)
        try expectEqual(harness.profile(token).text, me.text)
        // The draft survives, and nothing sets completed back.
        try expectEqual(harness.get("\(Self.base)/draft", token: token).text(at: "firstNameEn"), "Noor")
        _ = try save("step", ["step": "interests"])
        try expectEqual(status, #"{"completed":true,"currentStep":"interests"}"#)
    }

    @Test func `5.7 skills and interests are added, never removed or doubled`() throws {
        let layla = try harness.mint(Harness.layla)
        _ = try harness.post(
            "\(Self.base)/save-draft-taxonomies",
            token: layla,
            json: ["skillIds": ["skill_security", "skill_design"], "interestIds": ["interest_heritage"]]
        )
        _ = try harness.post("\(Self.base)/complete", token: layla)
        let me = try harness.profile(layla)
        expectEqual(
            me["skills"]?.arrayValue?.map { $0.string("id") },
            [
                "skill_programming", "skill_design", "skill_teamwork", "skill_security",
            ]
        )
        expectEqual(me["interests"]?.arrayValue?.count, 3)
        expectEqual(me["profile"]?["completionPercentage"], 90)
    }

    @Test func `5.7 names of places without ids are kept as they are`() throws {
        var body = Self.details.objectValue ?? [:]
        for (name, value) in [("regionId", nil), ("cityId", nil), ("region", "R"), ("city", "C")] as [(String, JSON?)] {
            body[name] = value
        }
        _ = try save("save-draft-details", .object(body))
        _ = try save("complete", [:])
        let profile = try #require(try harness.profile(token)["profile"])
        expectEqual(profile["regionId"], .null)
        expectEqual(profile.string("region"), "R")
        expectEqual(profile.string("city"), "C")
    }

    @Test func `5.8 regions and cities come localised, in the order of the seed`() throws {
        let regions = try harness.get("\(Harness.v1)/locations/regions?locale=en", token: token)
        expectEqual(regions.keys, ["items"])
        expectEqual(regions.json["items"]?.arrayValue?.count, 11)
        expectEqual(regions.json["items"]?[0], ["id": "region_muscat", "name": "Muscat"])
        expectEqual(regions.json["items"]?[10], ["id": "region_wusta", "name": "Al Wusta"])
        func cities(_ query: String) throws -> JSON? {
            try harness.get("\(Harness.v1)/locations/cities\(query)", token: token).json["items"]
        }
        try expectEqual(
            cities("?regionId=region_wusta"),
            [
                ["id": "city_haima", "name": "هيما"], ["id": "city_duqm", "name": "الدقم"],
            ]
        )
        try expectEqual(cities("?regionId=region_muscat&locale=en")?.arrayValue?.count, 6)
        try expectEqual(cities(""), [])
        try expectEqual(cities("?regionId=nowhere"), [])
    }

    @Test func `8.6 row 53 lists what a user can choose`() throws {
        let skills = try harness.get("\(Harness.v1)/taxonomies/skills?locale=en", token: token).json["items"]
        expectEqual(skills?.arrayValue?.count, 8)
        expectEqual(skills?[0], ["id": "skill_programming", "name": "Programming", "category": "technical"])
        let interests = try harness.get("\(Harness.v1)/taxonomies/interests", token: token).json["items"]
        expectEqual(interests?.arrayValue?.count, 6)
        expectEqual(interests?[4], ["id": "interest_startups", "name": "ريادة الأعمال", "category": "business"])
    }

    @Test func `14.1 omar stands at skills with a saved draft`() throws {
        let omar = try harness.mint(Harness.omar)
        try expectEqual(
            harness.get("\(Self.base)/status", token: omar).text,
            #"{"completed":false,"currentStep":"skills"}"#
        )
        let draft = try harness.get("\(Self.base)/draft", token: omar)
        expectEqual(draft.text(at: "firstNameAr"), "عمر")
        expectEqual(draft.text(at: "city"), "صلالة")
        expectEqual(draft.text(at: "gender"), "male")
        expectEqual(draft.json["draftSkillIds"], [])
    }
}
