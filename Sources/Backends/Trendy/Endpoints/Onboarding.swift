import Backend
import CivilTime
import HTTPMessage
import JSON

/// The onboarding record (contract, sections 3 to 6).
extension TrendyAPI {
    static let onboardingPath = "/api/v1/users/onboarding"

    /// The texts of the injected 500 (section 7.4), which the current backend also sends if there is no record (section
    /// 12).
    static let getFailed = "failed to get onboarding status"
    static let updateFailed = "failed to update onboarding status"
    static let resetFailed = "failed to reset onboarding status"

    static let onboardingEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            onboardingPath,
            "The onboarding record; a new account gets an empty one",
            provenance: .documented,
            answers: [
                .json(OnboardingResponse.self, "The record", example: onboardingExample),
                failure500(getFailed, "Injected"),
            ] + protected,
            metadata: .backend,
            handle: readOnboarding
        ),
        Endpoint(
            .patch,
            onboardingPath,
            "Merges members into the record: absent keeps, null clears",
            provenance: .documented,
            body: onboardingBody,
            answers: [
                .json(OnboardingResponse.self, "The whole record after the change", example: onboardingExample),
                APIError.declared(.badRequest, "EOF", "The body is empty"),
                APIError.declared(
                    .badRequest,
                    "welcome_completed_at must be an RFC 3339 date with time and zone",
                    "Not JSON, not an object, or a member of a wrong type"
                ),
                APIError.declared(
                    .badRequest,
                    invalidStatus("healthkit_status").message,
                    "A permission value outside the four"
                ),
                tooLarge,
                failure500(updateFailed, "Injected, or profile deployed without a record"),
            ] + protected,
            metadata: .backend,
            handle: changeOnboarding
        ),
        Endpoint(
            .delete,
            onboardingPath,
            "Soft reset: the steps go, the permissions stay",
            provenance: .documented,
            answers: [
                .json(OnboardingResponse.self, "The record after the reset", example: onboardingExample),
                failure500(resetFailed, "Injected, or profile deployed without a record"),
            ] + protected,
            metadata: .backend,
            handle: resetOnboarding
        ),
    ]

    private static let onboardingExample: JSON = [
        "user_id": "7e4d0000-0000-4000-8000-000000000001", "completed": false, "created_at": "2025-01-01T12:00:00Z",
        "updated_at": "2025-01-01T12:00:00Z",
    ]

    private static let onboardingBody = BodyDeclaration.json(
        name: OnboardingChange.shape.name,
        OnboardingChange.body,
        example: ["completed": true, "permissions_completed_at": "2025-01-01T12:05:00Z"]
    )

    // MARK: Handlers

    private static func answer(_ record: OnboardingRecord, _ state: TrendyState, _ call: Call) -> Response {
        json(OnboardingResponse(record, state.settings), state, call)
    }

    /// The caller's record, created if there is none (D5).
    private static func record(_ state: inout TrendyState, _ call: Call) -> OnboardingRecord {
        if let record = state.onboarding[user(call)] { return record }
        let record = OnboardingRecord(id: user(call), at: .at(call.now))
        state.onboarding.insert(record)
        return record
    }

    private static func readOnboarding(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var record = record(&state, call)
        if state.settings.isDeployed {
            // D3: each read stores that onboarding is unfinished.
            record.completed = false
            record.updatedAt = .at(call.now)
            state.onboarding.insert(record)
        }
        return answer(record, state, call)
    }

    private static func changeOnboarding(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let change = try readChange(call)
        let isDeployed = state.settings.isDeployed
        if isDeployed, !state.onboarding.contains(user(call)) { throw .plain(.internalServerError, updateFailed) }
        var record = record(&state, call)
        if isDeployed {
            // D2: absent members are cleared.
            var empty = OnboardingRecord(id: record.id, at: record.createdAt)
            change.apply(to: &empty)
            record = empty
        } else {
            change.apply(to: &record)
        }
        record.updatedAt = .at(call.now)
        state.onboarding.insert(record)
        return answer(record, state, call)
    }

    private static func resetOnboarding(
        _ state: inout TrendyState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        if state.settings.isDeployed, !state.onboarding.contains(user(call)) {
            throw .plain(.internalServerError, resetFailed)
        }
        var record = record(&state, call)
        record.completed = false
        record.welcomeCompletedAt = nil
        record.authCompletedAt = nil
        record.permissionsCompletedAt = nil
        record.updatedAt = .at(call.now)
        state.onboarding.insert(record)
        return answer(record, state, call)
    }

    private static func readChange(_ call: Call) throws(APIError) -> OnboardingChange {
        var issues: [FieldIssue] = []
        let change = OnboardingChange.body.read(try sent(call), &issues)
        guard let issue = issues.first else { return change ?? OnboardingChange() }
        if case .notAllowed = issue.kind { throw invalidStatus(issue.field) }
        throw .badRequest(issue.message)
    }

    /// The fixed text of section 5.
    private static func invalidStatus(_ member: String) -> APIError {
        .badRequest("invalid \(member): must be one of \(OnboardingRecord.statuses.joined(separator: ", "))")
    }
}
