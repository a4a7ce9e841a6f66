import Backend
import JSON

/// A learning path (contract, section 7.4).
struct LearningPathResponse: ResponseModel {
    var row: LearningPath

    static let shape = ResponseSchema<Self>(
        "LearningPath",
        [
            .string("id") { $0.row.id },
            .string("_id") { $0.row.id },
            .string("aiSkillId") { $0.row.aiSkillId },
            .choice("status") { $0.row.status },
            .integer("assessmentLevel") { $0.row.assessmentLevel },
            .string("assessmentId") { $0.row.assessmentId },
            .strings("completedModuleIds") { $0.row.completedModuleIds },
            .milliseconds("createdAt") { $0.row.createdAt },
            .milliseconds("updatedAt") { $0.row.updatedAt },
            .array("modules") { $0.row.modules },
        ]
    )
}

extension LearningModule: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "LearningModule",
        [
            .string("id") { $0.id },
            .string("title") { $0.title },
            .choice("type") { $0.type },
            .string("duration") { $0.duration },
            .string("description") { $0.description },
            .strings("objectives") { $0.objectives },
            .strings("outline") { $0.outline },
            .nullableString("resourceUrl") { $0.resourceUrl },
            .strings("searchKeywords") { $0.searchKeywords },
        ]
    )
}

/// The response to a change of a path; it has the modules only if they could change.
struct PathProgress: ResponseModel {
    var status: LearningPath.Status
    var completedModuleIds: [String]?

    static let shape = ResponseSchema<Self>(
        "PathProgress",
        [
            .choice("status") { $0.status },
            .optionalStrings("completedModuleIds") { $0.completedModuleIds },
        ]
    )
}

/// Contract, section 7.1.
struct AIConfigResponse: ResponseModel {
    var row: AIConfig?
    var user: User

    static let shape = ResponseSchema<Self>(
        "AIConfig",
        [
            .nullableString("_id") { $0.row?.id },
            .string("userId") { $0.user.id },
            .nullableString("aiSkillId") { $0.row?.aiSkillId },
            .nullableString("systemPrompt") { $0.row?.systemPrompt },
            .choice("preferredLanguage") { $0.row?.preferredLanguage ?? $0.user.languagePreference },
            .nullableMilliseconds("createdAt") { $0.row?.createdAt },
            .nullableMilliseconds("updatedAt") { $0.row?.updatedAt },
        ]
    )
}

struct SavedConfig: ResponseModel {
    var id: String

    static let shape = ResponseSchema<Self>("SavedAIConfig", [.string("_id") { $0.id }])
}

/// Contract, section 7.3.
struct AISkillResponse: ResponseModel {
    struct Related: ResponseModel {
        var topic: Topic

        static let shape = ResponseSchema<Self>(
            "RelatedTopic",
            [
                .string("_id") { $0.topic.id },
                .string("nameEn") { $0.topic.name.en },
                .string("nameAr") { $0.topic.name.ar },
            ]
        )
    }

    struct LevelView: ResponseModel {
        var level: AISkill.Level

        static let shape = ResponseSchema<Self>(
            "SkillLevel",
            [
                .integer("level") { $0.level.level },
                .string("nameEn") { $0.level.name.en },
                .string("nameAr") { $0.level.name.ar },
            ]
        )
    }

    var row: AISkill
    var relatedSkills: [Related]
    var relatedInterests: [Related]

    static let shape = ResponseSchema<Self>(
        "AISkill",
        [
            .string("id") { $0.row.id },
            .string("_id") { $0.row.id },
            .string("nameEn") { $0.row.name.en },
            .string("nameAr") { $0.row.name.ar },
            .nullableString("category") { $0.row.category },
            .string("definitionEn") { $0.row.definition.en },
            .string("definitionAr") { $0.row.definition.ar },
            .array("levels") { $0.row.levels.sorted { $0.level < $1.level }.map { LevelView(level: $0) } },
            .array("relatedSkills") { $0.relatedSkills },
            .array("relatedInterests") { $0.relatedInterests },
        ]
    )
}

struct AISkillItems: ResponseModel {
    var items: [AISkillResponse]

    static let shape = ResponseSchema<Self>("AISkillItems", [.array("items") { $0.items }])
}
