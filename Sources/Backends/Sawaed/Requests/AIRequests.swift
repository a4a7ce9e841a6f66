import Backend

struct ConfigRequest: RequestModel {
    var preferredLanguage = Language.ar
    var aiSkillId: String?
    var systemPrompt: String?

    static let shape = RequestSchema<Self>(
        "SaveAIConfig",
        nulls: .value,
        [
            .required("preferredLanguage", .choice(Language.self)) { $0.preferredLanguage = $1 },
            .optional("aiSkillId", .string()) { $0.aiSkillId = $1 },
            .optional("systemPrompt", .string()) { $0.systemPrompt = $1 },
        ]
    )
}

/// A body that names a path by its skill or its id; the id takes precedence.
struct PathRequest: RequestModel {
    var aiSkillId = ""
    var learningPathId = ""

    static let shape = RequestSchema<Self>(
        "LearningPathChoice",
        nulls: .value,
        [
            .optional("aiSkillId", .string()) { $0.aiSkillId = $1 },
            .optional("learningPathId", .string()) { $0.learningPathId = $1 },
        ]
    )
}

struct ModuleRequest: RequestModel {
    var path = PathRequest()
    var moduleId = ""

    static let shape = RequestSchema<Self>(
        "LearningModuleChoice",
        nulls: .value,
        [
            .required("moduleId", .string(.notEmpty)) { $0.moduleId = $1 }
        ] + PathRequest.shape.members.map { $0.within(\.path) }
    )
}
