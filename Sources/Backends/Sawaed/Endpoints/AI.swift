import Backend
import CivilTime
import HTTPMessage
import JSON

/// Contract, section 7.
extension SawaedAPI {
    private static let base = "/api/mobile/v1/ai"
    private static let pathErrors = [
        APIError.pathNotFound.declared("No active path of the skill, or no such path of the caller's")
    ]
    private static let moduleErrors = [APIError.moduleNotFound.declared("The path has no such module")]

    static let aiEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .get,
            base + "/config",
            "The caller's AI configuration",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            bodyLimit: bodyLimit,
            answers: [.json(AIConfigResponse.self, "Nulls if it was never saved")]
                + CommonErrors.protected("ai_config_fetch_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_config_fetch_failed")
        ) { state, _, call throws(APIError) in
            let user = try caller(state, call)
            return json(AIConfigResponse(row: state.aiConfigs.rows(in: user.id).first, user: user), call)
        },
        Endpoint(
            .post,
            base + "/config",
            "Saves the configuration; what is absent stays",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(ConfigRequest.self, example: ["preferredLanguage": "ar", "aiSkillId": "aiskill_digital"]),
            bodyLimit: bodyLimit,
            answers: [.json(SavedConfig.self, "Saved")] + CommonErrors.withBody("ai_config_upsert_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_config_upsert_failed"),
            handle: saveConfig
        ),
        Endpoint(
            .get,
            base + "/skills",
            "The skills that can be assessed, newest first",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            bodyLimit: bodyLimit,
            answers: [.json(AISkillItems.self, "At most 50")] + CommonErrors.protected("ai_skills_fetch_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_skills_fetch_failed"),
            handle: listSkills
        ),
        Endpoint(
            .get,
            base + "/path/active",
            "The newest active path over all skills, or null",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            bodyLimit: bodyLimit,
            answers: [pathAnswer] + CommonErrors.protected("ai_path_active_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_path_active_failed")
        ) { state, _, call throws(APIError) in
            let user = try caller(state, call)
            return answer(activePath(of: user, nil, state, call), state, call)
        },
        Endpoint(
            .get,
            base + "/path",
            "The newest active path of a skill, or null",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: [
                Parameter(
                    "aiSkillId",
                    in: .query,
                    .described(.string(), example: "aiskill_creativity"),
                    required: true,
                    "null for an unknown one"
                )
            ],
            bodyLimit: bodyLimit,
            answers: [pathAnswer, APIError.invalid("aiSkillId is required.").declared("aiSkillId is missing")]
                + CommonErrors.protected("ai_path_get_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_path_get_failed")
        ) { state, _, call throws(APIError) in
            guard let skill = call.query.last("aiSkillId"), !skill.isEmpty else {
                throw invalidQuery("aiSkillId is required.")
            }
            let user = try caller(state, call)
            return answer(activePath(of: user, skill, state, call), state, call)
        },
        Endpoint(
            .post,
            base + "/path/complete-module",
            "Marks a module as done",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(ModuleRequest.self, example: ["aiSkillId": "aiskill_digital", "moduleId": "m2"]),
            bodyLimit: bodyLimit,
            answers: [progressAnswer] + pathErrors + moduleErrors + CommonErrors.withBody("ai_complete_module_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_complete_module_failed")
        ) { state, _, call throws(APIError) in
            let body = try read(ModuleRequest.self, call)
            guard let row = try path(body.path, state, call) else { return null }
            guard row.status == .active else { return json(PathProgress(status: row.status), call) }
            return try change(row, body.moduleId, &state, call) { path in
                if !path.completedModuleIds.contains(body.moduleId) { path.completedModuleIds.append(body.moduleId) }
                if path.modules.allSatisfy({ path.completedModuleIds.contains($0.id) }) { path.status = .completed }
            }
        },
        Endpoint(
            .post,
            base + "/path/incomplete-module",
            "Takes the mark off a module, and revives the path",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(ModuleRequest.self, example: ["aiSkillId": "aiskill_digital", "moduleId": "m2"]),
            bodyLimit: bodyLimit,
            answers: [progressAnswer] + pathErrors + moduleErrors
                + CommonErrors.withBody("ai_incomplete_module_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_incomplete_module_failed")
        ) { state, _, call throws(APIError) in
            let body = try read(ModuleRequest.self, call)
            guard let row = try path(body.path, state, call) else { return null }
            return try change(row, body.moduleId, &state, call) { path in
                path.completedModuleIds.removeAll { $0 == body.moduleId }
                path.status = .active
            }
        },
        Endpoint(
            .post,
            base + "/path/unenroll",
            "Archives a path",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(PathRequest.self, example: ["aiSkillId": "aiskill_digital"]),
            bodyLimit: bodyLimit,
            answers: [progressAnswer] + pathErrors + CommonErrors.withBody("ai_unenroll_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "ai_unenroll_failed")
        ) { state, _, call throws(APIError) in
            let body = try read(PathRequest.self, call)
            guard let row = try path(body, state, call) else { return null }
            state.learningPaths.update(row.id) { path in
                path.status = .archived
                path.updatedAt = .at(call.now)
            }
            return json(PathProgress(status: .archived), call)
        },
    ]

    private static let pathAnswer = AnswerDeclaration(
        .ok,
        "The path, or null",
        .json(
            name: "LearningPath",
            schema: .nullable(LearningPathResponse.shape.schema),
            contentType: "application/json"
        )
    )

    /// The answer of a route with `learningPathId`; it is null for a user who is no YOUTH (section 3.6).
    private static let progressAnswer = AnswerDeclaration(
        .ok,
        "How the path stands now; null by learningPathId for a caller who is no YOUTH",
        .json(name: "PathProgress", schema: .nullable(PathProgress.shape.schema), contentType: "application/json")
    )

    private static var null: Response { json(Array("null".utf8)) }

    private static func saveConfig(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(ConfigRequest.self, call)
        if let id = body.aiSkillId, !state.aiSkills.contains(id) { throw .invalid("aiSkillId names no skill.") }
        let user = try caller(state, call)
        let now = Timestamp.at(call.now)
        var row =
            state.aiConfigs.rows(in: user.id).first
            ?? AIConfig(
                id: state.newID("aiconfig") { $0.aiConfigs.contains($1) },
                userId: user.id,
                preferredLanguage: body.preferredLanguage,
                createdAt: now,
                updatedAt: now
            )
        row.preferredLanguage = body.preferredLanguage
        if let id = body.aiSkillId { row.aiSkillId = id }
        if let prompt = body.systemPrompt { row.systemPrompt = prompt }
        row.updatedAt = now
        state.aiConfigs.insert(row)
        return json(SavedConfig(id: row.id), call)
    }

    private static func listSkills(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let rows = state.aiSkills.rows
        let times = rows.map { $0.createdAt.resolved(in: call.epoch) }
        let newest = rows.indices.sorted { (times[$0], $0) > (times[$1], $1) }.prefix(50)
        let items = newest.map { place in
            let row = rows[place]
            return AISkillResponse(
                row: row,
                relatedSkills: row.relatedSkillIds.compactMap { state.skills[$0] }.map { .init(topic: $0) },
                relatedInterests: row.relatedInterestIds.compactMap { state.interests[$0] }.map { .init(topic: $0) }
            )
        }
        return json(AISkillItems(items: items), call)
    }

    // MARK: Paths

    /// The newest active path of a user, of one skill or of all; nil for a user who is no YOUTH.
    private static func activePath(
        of user: User,
        _ skill: String?,
        _ state: SawaedState,
        _ call: Call
    ) -> LearningPath? {
        guard state.role(of: user) == .youth else { return nil }
        return state.newestActivePath(of: user.id, skill: skill, epoch: call.epoch)
    }

    private static func answer(_ row: LearningPath?, _ state: SawaedState, _ call: Call) -> Response {
        guard let row else { return null }
        return json(LearningPathResponse(row: row), state, call) {
            BackendShape.object($0, without: BackendShape.Keys.path)
        }
    }

    /// The path that a body names; nil if the answer is to be null.
    private static func path(_ body: PathRequest, _ state: SawaedState, _ call: Call) throws(APIError) -> LearningPath?
    {
        guard !body.learningPathId.isEmpty || !body.aiSkillId.isEmpty else {
            throw .invalid("aiSkillId or learningPathId is required.")
        }
        let user = try caller(state, call)
        let isYouth = state.role(of: user) == .youth
        if !body.learningPathId.isEmpty {
            guard isYouth else { return nil }
            guard let row = state.learningPaths[body.learningPathId], row.userId == user.id else { throw .pathNotFound }
            return row
        }
        guard let row = activePath(of: user, body.aiSkillId, state, call) else { throw .pathNotFound }
        return row
    }

    /// Changes a path that has the module.
    private static func change(
        _ row: LearningPath,
        _ module: String,
        _ state: inout SawaedState,
        _ call: Call,
        _ change: (inout LearningPath) -> Void
    ) throws(APIError) -> Response {
        guard row.modules.contains(where: { $0.id == module }) else { throw .moduleNotFound }
        var row = row
        change(&row)
        row.updatedAt = .at(call.now)
        state.learningPaths.insert(row)
        return json(PathProgress(status: row.status, completedModuleIds: row.completedModuleIds), call)
    }
}

extension SawaedState {
    /// The newest active path of a user, of one skill or of all.
    func newestActivePath(of user: String, skill: String?, epoch: Epoch) -> LearningPath? {
        let rows = learningPaths.rows(in: user).filter {
            $0.status == .active && (skill ?? $0.aiSkillId) == $0.aiSkillId
        }
        let times = rows.map { $0.createdAt.resolved(in: epoch) }
        return rows.indices.max { (times[$0], $0) < (times[$1], $1) }.map { rows[$0] }
    }
}
