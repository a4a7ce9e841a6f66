package import Backend
import Crypto
import JSON

extension SawaedAPI {
    /// A learning path whose modules are those of its skill, level and language.
    fileprivate struct SeedPath: Codable {
        var id: String
        var userId: String
        var aiSkillId: String
        var status: LearningPath.Status
        var assessmentLevel: Int
        var assessmentId: String
        var language: Language
        var completedModuleIds: [String]
        var createdAt: Timestamp
        var updatedAt: Timestamp
    }

    /// A file of the seed with its content in base64.
    fileprivate struct SeedFile: Codable {
        var id: String
        var contentType: String
        var base64: String
    }

    /// Reads the seed world (contract, section 14): one file per table.
    package static func readSeed(_ files: SeedFiles) throws(SeedError) -> SawaedState {
        var state = SawaedState()
        state.users = Table(try files.table("users.json", of: User.self))
        state.passwords = Table(try files.table("passwords.json", of: PasswordAccount.self, isOptional: true))
        state.onboardings = Table(try files.table("onboarding.json", of: Onboarding.self, isOptional: true))
        state.regions = Table(try files.table("regions.json", of: Region.self))
        state.cities = Table(try files.table("cities.json", of: City.self))
        state.skills = Table(try files.table("skills.json", of: Topic.self))
        state.interests = Table(try files.table("interests.json", of: Topic.self))
        state.profiles = Table(try files.table("profiles.json", of: Profile.self, isOptional: true))
        state.education = Table(try files.table("education.json", of: Education.self, isOptional: true))
        state.experiences = Table(try files.table("experiences.json", of: Experience.self, isOptional: true))
        state.projects = Table(try files.table("projects.json", of: Project.self, isOptional: true))
        state.awards = Table(try files.table("awards.json", of: Award.self, isOptional: true))
        state.aiSkills = Table(try files.table("ai-skills.json", of: AISkill.self))
        state.aiConfigs = Table(try files.table("ai-configs.json", of: AIConfig.self, isOptional: true))
        state.assessments = Table(try files.table("assessments.json", of: Assessment.self, isOptional: true))
        let paths = try files.table("learning-paths.json", of: SeedPath.self, isOptional: true)
        let contents = try files.table("files.json", of: SeedFile.self, isOptional: true)
        state.events = Table(try files.table("events.json", of: Event.self))
        state.registrations = Table(try files.table("registrations.json", of: Registration.self, isOptional: true))
        try check(state, paths, contents, files)

        state.learningPaths = Table(
            paths.compactMap { path in
                state.aiSkills[path.aiSkillId].map { skill in
                    LearningPath(
                        id: path.id,
                        userId: path.userId,
                        aiSkillId: path.aiSkillId,
                        status: path.status,
                        assessmentLevel: path.assessmentLevel,
                        assessmentId: path.assessmentId,
                        completedModuleIds: path.completedModuleIds,
                        modules: LearningContent.modules(
                            for: skill,
                            level: path.assessmentLevel,
                            language: path.language
                        ),
                        createdAt: path.createdAt,
                        updatedAt: path.updatedAt
                    )
                }
            }
        )
        state.files = Table(
            contents.compactMap { file in
                Base64.decode(file.base64).map { StoredFile(id: file.id, contentType: file.contentType, bytes: $0) }
            }
        )
        state.reindex()
        return state
    }

    /// Refuses rows with dangling references, and duplicate ids.
    private static func check(
        _ state: SawaedState,
        _ paths: [SeedPath],
        _ contents: [SeedFile],
        _ files: SeedFiles
    ) throws(SeedError) {
        var check = SeedCheck(files: files)
        let users = state.users.rows
        let userIDs = Set(users.map(\.id))
        let regions = Set(state.regions.rows.map(\.id))
        let cities = Set(state.cities.rows.map(\.id))
        let skills = Set(state.aiSkills.rows.map(\.id))
        check.unique("users.json", "email", users.map(\.email))
        check.known("cities.json", "regionId", state.cities.rows.map(\.regionId), among: regions, "region")
        check.known("passwords.json", "userId", state.passwords.rows.map(\.userId), among: userIDs, "user")
        check.known("onboarding.json", "id", state.onboardings.rows.map(\.id), among: userIDs, "user")
        check.known("profiles.json", "userId", state.profiles.rows.map(\.userId), among: userIDs, "user")
        check.known("profiles.json", "regionId", state.profiles.rows.map(\.regionId), among: regions, "region")
        check.known("profiles.json", "cityId", state.profiles.rows.map(\.cityId), among: cities, "city")
        check.known("education.json", "userId", state.education.rows.map(\.userId), among: userIDs, "user")
        check.known("experiences.json", "userId", state.experiences.rows.map(\.userId), among: userIDs, "user")
        check.known("projects.json", "userId", state.projects.rows.map(\.userId), among: userIDs, "user")
        check.known("awards.json", "userId", state.awards.rows.map(\.userId), among: userIDs, "user")
        check.known("ai-configs.json", "userId", state.aiConfigs.rows.map(\.userId), among: userIDs, "user")
        check.known("ai-configs.json", "aiSkillId", state.aiConfigs.rows.map(\.aiSkillId), among: skills, "skill")
        check.unique("learning-paths.json", "id", paths.map(\.id))
        check.known("learning-paths.json", "userId", paths.map(\.userId), among: userIDs, "user")
        check.known("learning-paths.json", "aiSkillId", paths.map(\.aiSkillId), among: skills, "skill")
        check.known("events.json", "regionId", state.events.rows.map(\.regionId), among: regions, "region")
        check.known("events.json", "cityId", state.events.rows.map(\.cityId), among: cities, "city")
        let registrations = state.registrations.rows
        check.known("registrations.json", "userId", registrations.map(\.userId), among: userIDs, "user")
        check.known(
            "registrations.json",
            "eventId",
            registrations.map(\.eventId),
            among: Set(state.events.rows.map(\.id)),
            "event"
        )
        for (row, file) in contents.enumerated() {
            if Base64.decode(file.base64) == nil { check.fault("files.json", row, "base64", "is no base64") }
            if file.contentType.utf8.count > longestFileType {
                check.fault("files.json", row, "contentType", "must have at most \(longestFileType) bytes")
            }
        }
        for (row, event) in state.events.rows.enumerated() {
            if let picture = event.posterStorageId, !contents.contains(where: { $0.id == picture }) {
                check.fault("events.json", row, "posterStorageId", "there is no file \"\(picture)\"")
            }
        }
        try check.finish()
    }
}
