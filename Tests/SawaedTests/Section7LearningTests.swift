import CivilTime
import Emulation
import EmulationTesting
import HTTPMessage
import JSON
import Testing

@testable import Sawaed

/// Section 7: AI configuration, skills and learning paths.
struct Section7LearningTests {
    private let harness: Harness
    private let token: String
    private static let base = "\(Harness.v1)/ai"

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.layla)
    }

    private func post(_ path: String, _ body: JSON) throws -> Played {
        try harness.post("\(Self.base)/\(path)", token: token, json: body)
    }

    @Test func `7.1 a configuration that was never saved is nulls`() throws {
        let omar = try harness.mint(Harness.omar)
        #expect(
            try harness.get("\(Self.base)/config", token: omar).text
                == #"{"_id":null,"userId":"user_omar","aiSkillId":null,"systemPrompt":null,"preferredLanguage":"ar","createdAt":null,"updatedAt":null}"#
        )
        let layla = try harness.get("\(Self.base)/config", token: token)
        #expect(layla.text(at: "_id") == "aiconfig_layla" && layla.text(at: "aiSkillId") == "aiskill_digital")
    }

    @Test func `7.2 saving merges, one row for each user`() throws {
        let omar = try harness.mint(Harness.omar)
        func save(_ body: JSON) throws -> Played { try harness.post("\(Self.base)/config", token: omar, json: body) }
        #expect(try save(["preferredLanguage": "en", "systemPrompt": "كن لطيفاً"]).text == #"{"_id":"aiconfig_0001"}"#)
        try harness.advance(.seconds(1))
        #expect(try save(["preferredLanguage": "ar", "aiSkillId": "aiskill_data"]).text(at: "_id") == "aiconfig_0001")
        let config = try harness.get("\(Self.base)/config", token: omar)
        #expect(config.text(at: "systemPrompt") == "كن لطيفاً" && config.text(at: "aiSkillId") == "aiskill_data")
        #expect(config.json["updatedAt"] == .integer(Harness.noon.milliseconds + 1_000))
        for wrong: JSON in [
            [:], ["preferredLanguage": "fr"], ["preferredLanguage": "en", "aiSkillId": "none"],
            ["preferredLanguage": "en", "aiSkillId": ""], ["preferredLanguage": "en", "systemPrompt": .null],
        ] {
            #expect(try save(wrong).error == "400 validation_error", "\(wrong)")
        }
    }

    @Test func `7.3 skills come newest first, in both languages`() throws {
        let items = try harness.get("\(Self.base)/skills", token: token).json["items"]
        #expect(
            items?.arrayValue?.map { $0.string("_id") } == [
                "aiskill_digital", "aiskill_critical", "aiskill_problem", "aiskill_data", "aiskill_creativity",
            ]
        )
        let digital = try #require(items?[0])
        #expect(
            digital.keys == [
                "id", "_id", "nameEn", "nameAr", "category", "definitionEn", "definitionAr", "levels",
                "relatedSkills", "relatedInterests",
            ]
        )
        #expect(digital["levels"]?[4] == ["level": 5, "nameEn": "Expert", "nameAr": "خبير"])
        #expect(
            digital["relatedSkills"] == [["_id": "skill_programming", "nameEn": "Programming", "nameAr": "البرمجة"]]
        )
    }

    @Test func `7.4 the active path has every key, and modules with every key`() throws {
        let path = try harness.get("\(Self.base)/path/active", token: token).json
        #expect(
            path.keys == [
                "id", "_id", "aiSkillId", "status", "assessmentLevel", "assessmentId", "completedModuleIds",
                "createdAt", "updatedAt", "modules",
            ]
        )
        #expect(path.string("id") == "path_layla_digital" && path.string("_id") == "path_layla_digital")
        #expect(path["completedModuleIds"] == ["m1"] && path["assessmentLevel"] == 3)
        let modules = path["modules"]?.arrayValue ?? []
        #expect(modules.map { $0.string("type") } == ["article", "video", "quiz", "project"])
        #expect(
            modules[0].keys == [
                "id", "title", "type", "duration", "description", "objectives", "outline", "resourceUrl",
                "searchKeywords",
            ]
        )
        #expect(modules[0].string("title") == "المهارات الرقمية: أسس المستوى 3")
        #expect(modules[0].string("resourceUrl") == "https://learn.sawaed.test/aiskill_digital/level-3")
        #expect(modules[0]["searchKeywords"] == [] && modules[1]["resourceUrl"] == .null)
        #expect(modules.map { $0.string("duration") } == ["12 min", "15 min", "10 min", "45 min"])
    }

    @Test func `7.4 null where there is none, 400 without a skill`() throws {
        let omar = try harness.mint(Harness.omar)
        let none = try harness.get("\(Self.base)/path/active", token: omar)
        #expect(none.status == 200 && none.text == "null" && none[.contentType] == "application/json")
        for skill in ["aiskill_critical", "aiskill_problem", "unknown"] {
            #expect(try harness.get("\(Self.base)/path?aiSkillId=\(skill)", token: token).text == "null")
        }
        let found = try harness.get("\(Self.base)/path?aiSkillId=aiskill_digital", token: token)
        #expect(found.text(at: "id") == "path_layla_digital")
        #expect(try harness.get("\(Self.base)/path", token: token).error == "400 validation_error")
    }

    @Test func `7.5 completing is idempotent, and the last module completes the path`() throws {
        let skill: JSON = "aiskill_digital"
        for _ in 0..<2 {
            let reply = try post("path/complete-module", ["aiSkillId": skill, "moduleId": "m2"])
            #expect(reply.text == #"{"status":"active","completedModuleIds":["m1","m2"]}"#)
        }
        _ = try post("path/complete-module", ["aiSkillId": skill, "moduleId": "m4"])
        let last = try post("path/complete-module", ["aiSkillId": skill, "moduleId": "m3"])
        #expect(last.text == #"{"status":"completed","completedModuleIds":["m1","m2","m4","m3"]}"#)
        // Now only the id finds it.
        for call in ["complete-module", "incomplete-module"] {
            let bySkill = try post("path/\(call)", ["aiSkillId": skill, "moduleId": "m1"])
            #expect(bySkill.error == "404 learning_path_not_found")
        }
        let id: JSON = "path_layla_digital"
        let done = try post("path/complete-module", ["learningPathId": id, "moduleId": "no such"])
        #expect(done.text == #"{"status":"completed"}"#)
        let open = try post("path/incomplete-module", ["learningPathId": id, "moduleId": "m1"])
        #expect(open.text == #"{"status":"active","completedModuleIds":["m2","m4","m3"]}"#)
        #expect(try harness.get("\(Self.base)/path/active", token: token).text(at: "id") == "path_layla_digital")
    }

    @Test func `7.5 incomplete-module revives an archived path, unenroll archives any`() throws {
        let id: JSON = "path_layla_problem"
        #expect(
            try post("path/complete-module", ["learningPathId": id, "moduleId": "m1"]).text == #"{"status":"archived"}"#
        )
        let revived = try post("path/incomplete-module", ["learningPathId": id, "moduleId": "m1"])
        #expect(revived.text == #"{"status":"active","completedModuleIds":[]}"#)
        #expect(try post("path/unenroll", ["aiSkillId": "aiskill_problem"]).text == #"{"status":"archived"}"#)
        #expect(try post("path/unenroll", ["learningPathId": id]).text == #"{"status":"archived"}"#)
        #expect(try post("path/unenroll", ["aiSkillId": "aiskill_problem"]).error == "404 learning_path_not_found")
    }

    @Test func `7.5 what is unknown or missing has its code, the id goes before the skill`() throws {
        for call in ["complete-module", "incomplete-module"] {
            let path = "path/\(call)"
            let skill: JSON = "aiskill_digital"
            #expect(try post(path, ["aiSkillId": skill, "moduleId": "m9"]).error == "404 module_not_found")
            #expect(try post(path, ["aiSkillId": "none", "moduleId": "m1"]).error == "404 learning_path_not_found")
            #expect(try post(path, ["aiSkillId": skill]).error == "400 validation_error")
            #expect(try post(path, ["aiSkillId": skill, "moduleId": ""]).error == "400 validation_error")
            #expect(try post(path, ["moduleId": "m1"]).error == "400 validation_error")
            #expect(
                try post(path, ["aiSkillId": "", "learningPathId": "", "moduleId": "m1"]).error
                    == "400 validation_error"
            )
            #expect(
                try post(path, ["aiSkillId": skill, "learningPathId": "none", "moduleId": "m1"]).error
                    == "404 learning_path_not_found"
            )
            #expect(try post(path, ["aiSkillId": skill, "learningPathId": "", "moduleId": "m1"]).status == 200)
        }
        let other = try harness.mint(Harness.omar)
        let foreign = try harness.post(
            "\(Self.base)/path/unenroll",
            token: other,
            json: ["learningPathId": "path_layla_digital"]
        )
        #expect(foreign.error == "404 learning_path_not_found")
    }
}
