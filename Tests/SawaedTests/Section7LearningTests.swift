import Backend
import CivilTime
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
        try expectEqual(
            harness.get("\(Self.base)/config", token: omar).text,
            #"{"_id":null,"userId":"user_omar","aiSkillId":null,"systemPrompt":null,"preferredLanguage":"ar","createdAt":null,"updatedAt":null}"#
        )
        let layla = try harness.get("\(Self.base)/config", token: token)
        expectEqual(layla.text(at: "_id"), "aiconfig_layla")
        expectEqual(layla.text(at: "aiSkillId"), "aiskill_digital")
    }

    @Test func `7.2 saving merges, one row for each user`() throws {
        let omar = try harness.mint(Harness.omar)
        func save(_ body: JSON) throws -> Played { try harness.post("\(Self.base)/config", token: omar, json: body) }
        try expectEqual(
            save(["preferredLanguage": "en", "systemPrompt": "كن لطيفاً"]).text,
            #"{"_id":"aiconfig_0001"}"#
        )
        try harness.advance(.seconds(1))
        try expectEqual(
            save(["preferredLanguage": "ar", "aiSkillId": "aiskill_data"]).text(at: "_id"),
            "aiconfig_0001"
        )
        let config = try harness.get("\(Self.base)/config", token: omar)
        expectEqual(config.text(at: "systemPrompt"), "كن لطيفاً")
        expectEqual(config.text(at: "aiSkillId"), "aiskill_data")
        expectEqual(config.json["updatedAt"], .integer(Harness.noon.milliseconds + 1_000))
        for wrong: JSON in [
            [:], ["preferredLanguage": "fr"], ["preferredLanguage": "en", "aiSkillId": "none"],
            ["preferredLanguage": "en", "aiSkillId": ""], ["preferredLanguage": "en", "systemPrompt": .null],
        ] {
            try expectEqual(save(wrong).error, "400 validation_error", "\(wrong)")
        }
    }

    @Test func `7.3 skills come newest first, in both languages`() throws {
        let items = try harness.get("\(Self.base)/skills", token: token).json["items"]
        expectEqual(
            items?.arrayValue?.map { $0.string("_id") },
            [
                "aiskill_digital", "aiskill_critical", "aiskill_problem", "aiskill_data", "aiskill_creativity",
            ]
        )
        let digital = try #require(items?[0])
        expectEqual(
            digital.keys,
            [
                "id", "_id", "nameEn", "nameAr", "category", "definitionEn", "definitionAr", "levels",
                "relatedSkills", "relatedInterests",
            ]
        )
        expectEqual(digital["levels"]?[4], ["level": 5, "nameEn": "Expert", "nameAr": "خبير"])
        expectEqual(
            digital["relatedSkills"],
            [["_id": "skill_programming", "nameEn": "Programming", "nameAr": "البرمجة"]]
        )
    }

    @Test func `7.4 the active path has every key, and modules with every key`() throws {
        let path = try harness.get("\(Self.base)/path/active", token: token).json
        expectEqual(
            path.keys,
            [
                "id", "_id", "aiSkillId", "status", "assessmentLevel", "assessmentId", "completedModuleIds",
                "createdAt", "updatedAt", "modules",
            ]
        )
        expectEqual(path.string("id"), "path_layla_digital")
        expectEqual(path.string("_id"), "path_layla_digital")
        expectEqual(path["completedModuleIds"], ["m1"])
        expectEqual(path["assessmentLevel"], 3)
        let modules = path["modules"]?.arrayValue ?? []
        expectEqual(modules.map { $0.string("type") }, ["article", "video", "quiz", "project"])
        expectEqual(
            modules[0].keys,
            [
                "id", "title", "type", "duration", "description", "objectives", "outline", "resourceUrl",
                "searchKeywords",
            ]
        )
        expectEqual(modules[0].string("title"), "المهارات الرقمية: أسس المستوى 3")
        expectEqual(modules[0].string("resourceUrl"), "https://learn.sawaed.test/aiskill_digital/level-3")
        #expect(modules[0]["searchKeywords"] == [] && modules[1]["resourceUrl"] == .null)
        expectEqual(modules.map { $0.string("duration") }, ["12 min", "15 min", "10 min", "45 min"])
    }

    @Test func `7.4 null where there is none, 400 without a skill`() throws {
        let omar = try harness.mint(Harness.omar)
        let none = try harness.get("\(Self.base)/path/active", token: omar)
        expectEqual(none.status, 200)
        expectEqual(none.text, "null")
        expectEqual(none[.contentType], "application/json")
        for skill in ["aiskill_critical", "aiskill_problem", "unknown"] {
            try expectEqual(harness.get("\(Self.base)/path?aiSkillId=\(skill)", token: token).text, "null")
        }
        let found = try harness.get("\(Self.base)/path?aiSkillId=aiskill_digital", token: token)
        expectEqual(found.text(at: "id"), "path_layla_digital")
        try expectEqual(harness.get("\(Self.base)/path", token: token).error, "400 validation_error")
    }

    @Test func `7.5 completing is idempotent, and the last module completes the path`() throws {
        let skill: JSON = "aiskill_digital"
        for _ in 0..<2 {
            let reply = try post("path/complete-module", ["aiSkillId": skill, "moduleId": "m2"])
            expectEqual(reply.text, #"{"status":"active","completedModuleIds":["m1","m2"]}"#)
        }
        _ = try post("path/complete-module", ["aiSkillId": skill, "moduleId": "m4"])
        let last = try post("path/complete-module", ["aiSkillId": skill, "moduleId": "m3"])
        expectEqual(last.text, #"{"status":"completed","completedModuleIds":["m1","m2","m4","m3"]}"#)
        // Now only the id finds it.
        for call in ["complete-module", "incomplete-module"] {
            let bySkill = try post("path/\(call)", ["aiSkillId": skill, "moduleId": "m1"])
            expectEqual(bySkill.error, "404 learning_path_not_found")
        }
        let id: JSON = "path_layla_digital"
        let done = try post("path/complete-module", ["learningPathId": id, "moduleId": "no such"])
        expectEqual(done.text, #"{"status":"completed"}"#)
        let open = try post("path/incomplete-module", ["learningPathId": id, "moduleId": "m1"])
        expectEqual(open.text, #"{"status":"active","completedModuleIds":["m2","m4","m3"]}"#)
        try expectEqual(harness.get("\(Self.base)/path/active", token: token).text(at: "id"), "path_layla_digital")
    }

    @Test func `7.5 incomplete-module revives an archived path, unenroll archives any`() throws {
        let id: JSON = "path_layla_problem"
        try expectEqual(
            post("path/complete-module", ["learningPathId": id, "moduleId": "m1"]).text,
            #"{"status":"archived"}"#
        )
        let revived = try post("path/incomplete-module", ["learningPathId": id, "moduleId": "m1"])
        expectEqual(revived.text, #"{"status":"active","completedModuleIds":[]}"#)
        try expectEqual(post("path/unenroll", ["aiSkillId": "aiskill_problem"]).text, #"{"status":"archived"}"#)
        try expectEqual(post("path/unenroll", ["learningPathId": id]).text, #"{"status":"archived"}"#)
        try expectEqual(post("path/unenroll", ["aiSkillId": "aiskill_problem"]).error, "404 learning_path_not_found")
    }

    @Test func `7.5 what is unknown or missing has its code, the id goes before the skill`() throws {
        for call in ["complete-module", "incomplete-module"] {
            let path = "path/\(call)"
            let skill: JSON = "aiskill_digital"
            try expectEqual(post(path, ["aiSkillId": skill, "moduleId": "m9"]).error, "404 module_not_found")
            try expectEqual(post(path, ["aiSkillId": "none", "moduleId": "m1"]).error, "404 learning_path_not_found")
            try expectEqual(post(path, ["aiSkillId": skill]).error, "400 validation_error")
            try expectEqual(post(path, ["aiSkillId": skill, "moduleId": ""]).error, "400 validation_error")
            try expectEqual(post(path, ["moduleId": "m1"]).error, "400 validation_error")
            try expectEqual(
                post(path, ["aiSkillId": "", "learningPathId": "", "moduleId": "m1"]).error,
                "400 validation_error"
            )
            try expectEqual(
                post(path, ["aiSkillId": skill, "learningPathId": "none", "moduleId": "m1"]).error,
                "404 learning_path_not_found"
            )
            try expectEqual(post(path, ["aiSkillId": skill, "learningPathId": "", "moduleId": "m1"]).status, 200)
        }
        let other = try harness.mint(Harness.omar)
        let foreign = try harness.post(
            "\(Self.base)/path/unenroll",
            token: other,
            json: ["learningPathId": "path_layla_digital"]
        )
        expectEqual(foreign.error, "404 learning_path_not_found")
    }
}
