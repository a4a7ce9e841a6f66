import Backend
import CivilTime
import HTTPMessage
import JSON

/// Contract, sections 5.1 to 5.7.
extension SawaedAPI {
    enum Step: String, CaseIterable, Sendable { case profile, skills, interests, location }

    private static let base = "/api/mobile/v1/onboarding"

    static let onboardingEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .get,
            base + "/status",
            "How far onboarding has come",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            bodyLimit: bodyLimit,
            answers: [.json(OnboardingStatus.self, "The status"), CommonErrors.notYouth]
                + CommonErrors.protected("onboarding_status_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "onboarding_status_failed")
        ) { state, _, call throws(APIError) in
            let user = try youth(state, call)
            let row = state.onboardings[user.id]
            let status = OnboardingStatus(
                completed: row?.completed ?? false,
                currentStep: state.settings.steps == .plan ? row?.currentStep : BackendStep.name(of: row)
            )
            return json(status, call)
        },
        Endpoint(
            .get,
            base + "/draft",
            "What was saved so far",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            bodyLimit: bodyLimit,
            answers: [
                .json(OnboardingDraft.self, "The draft"),
                APIError.forbidden.declared("The caller is no YOUTH, or has no onboarding row"),
            ] + CommonErrors.protected("onboarding_draft_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "onboarding_draft_failed")
        ) { state, _, call throws(APIError) in
            let user = try youth(state, call)
            guard let row = state.onboardings[user.id] else { throw .forbidden }
            return json(OnboardingDraft(row: row), call)
        },
        Endpoint(
            .post,
            base + "/step",
            "Notes the step the user is at",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(StepRequest.self, example: ["step": "skills"]),
            bodyLimit: bodyLimit,
            answers: [.json(Okay.self, "Noted"), CommonErrors.notYouth]
                + CommonErrors.withBody("onboarding_set_step_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "onboarding_set_step_failed"),
            handle: setStep
        ),
        Endpoint(
            .post,
            base + "/save-draft-details",
            "Saves names, gender and place",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: Parameter.localised,
            body: .json(
                DetailsRequest.self,
                example: [
                    "firstNameAr": "نور", "lastNameAr": "تجريبية", "firstNameEn": "Noor", "lastNameEn": "Sample",
                    "gender": "female", "regionId": "region_muscat", "cityId": "city_seeb",
                ]
            ),
            bodyLimit: bodyLimit,
            answers: [.json(Okay.self, "Saved"), CommonErrors.notYouth]
                + CommonErrors.withBody("onboarding_save_details_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "onboarding_save_details_failed"),
            handle: saveDetails
        ),
        Endpoint(
            .post,
            base + "/save-draft-taxonomies",
            "Saves skills and interests",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            body: .json(
                TaxonomiesRequest.self,
                example: ["skillIds": ["skill_design"], "interestIds": ["interest_robotics"]]
            ),
            bodyLimit: bodyLimit,
            answers: [.json(Okay.self, "Saved"), CommonErrors.notYouth]
                + CommonErrors.withBody("onboarding_save_taxonomies_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "onboarding_save_taxonomies_failed"),
            handle: saveTaxonomies
        ),
        Endpoint(
            .post,
            base + "/complete",
            "Turns the draft into the profile",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [
                .json(Okay.self, "Completed"),
                APIError.invalidDraft.declared("The draft lacks something"),
                APIError.forbidden.declared("The caller is no YOUTH, or has no onboarding row"),
            ] + CommonErrors.protected("onboarding_complete_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "onboarding_complete_failed"),
            handle: complete
        ),
    ]

    private static func setStep(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        var step = try read(StepRequest.self, call).step
        if state.settings.steps == .backend { step = BackendStep.planned[step] ?? step }
        guard Step(rawValue: step) != nil else {
            throw .invalid("step must be one of \(Step.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        let user = try youth(state, call)
        if state.onboardings.update(user.id, { $0.currentStep = step }) == nil {
            state.onboardings.insert(Onboarding(id: user.id, completed: false, currentStep: step))
        }
        return json(Okay(), call)
    }

    private static func saveDetails(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(DetailsRequest.self, call)
        if let id = body.regionId, !state.regions.contains(id) { throw .invalid("regionId names no region.") }
        if let id = body.cityId, !state.cities.contains(id) { throw .invalid("cityId names no city.") }
        guard body.regionId != nil || body.region != nil else { throw .invalid("regionId or region is required.") }
        guard body.cityId != nil || body.city != nil else { throw .invalid("cityId or city is required.") }
        let user = try youth(state, call)
        let language = language(call)
        var row =
            state.onboardings[user.id]
            ?? Onboarding(id: user.id, completed: false, currentStep: Step.profile.rawValue)
        row.firstNameAr = body.firstNameAr
        row.lastNameAr = body.lastNameAr
        row.firstNameEn = body.firstNameEn
        row.lastNameEn = body.lastNameEn
        row.gender = body.gender
        row.regionId = body.regionId
        row.cityId = body.cityId
        row.region = body.region ?? state.regionName(body.regionId, nil, language)
        row.city = body.city ?? state.cityName(body.cityId, nil, language)
        state.onboardings.insert(row)
        return json(Okay(), call)
    }

    private static func saveTaxonomies(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let body = try read(TaxonomiesRequest.self, call)
        for id in body.skillIds where !state.skills.contains(id) {
            throw .invalid("skillIds names a skill that does not exist.")
        }
        for id in body.interestIds where !state.interests.contains(id) {
            throw .invalid("interestIds names an interest that does not exist.")
        }
        let user = try youth(state, call)
        var row =
            state.onboardings[user.id]
            ?? Onboarding(id: user.id, completed: false, currentStep: Step.skills.rawValue)
        row.draftSkillIds = body.skillIds
        row.draftInterestIds = body.interestIds
        state.onboardings.insert(row)
        return json(Okay(), call)
    }

    private static func complete(
        _ state: inout SawaedState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try youth(state, call)
        guard var row = state.onboardings[user.id] else { throw .forbidden }
        let language = language(call)
        func given(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
        guard let firstNameAr = given(row.firstNameAr), let lastNameAr = given(row.lastNameAr),
            let firstNameEn = given(row.firstNameEn), let lastNameEn = given(row.lastNameEn),
            let gender = row.gender,
            let region = given(row.region) ?? state.regionName(row.regionId, nil, language),
            let city = given(row.city) ?? state.cityName(row.cityId, nil, language)
        else { throw .invalidDraft }
        state.users.update(user.id) { user in
            user.firstNameAr = firstNameAr
            user.lastNameAr = lastNameAr
            user.firstNameEn = firstNameEn
            user.lastNameEn = lastNameEn
            user.gender = gender
            // Added to the existing ones: nothing is removed, and nothing occurs twice.
            for id in row.draftSkillIds ?? [] where user.skillIds?.contains(id) != true {
                user.skillIds = (user.skillIds ?? []) + [id]
            }
            for id in row.draftInterestIds ?? [] where user.interestIds?.contains(id) != true {
                user.interestIds = (user.interestIds ?? []) + [id]
            }
        }
        // The completion is not computed here (D17).
        var profile = state.profile(of: user.id) ?? state.newProfile(of: user.id)
        profile.regionId = row.regionId
        profile.cityId = row.cityId
        profile.regionName = region
        profile.cityName = city
        state.profiles.insert(profile)
        row.completed = true
        row.currentStep = nil
        state.onboardings.insert(row)
        return json(Okay(), call)
    }
}

/// The names by which the backend stores the step (D14).
enum BackendStep {
    static let planned = ["details": "profile", "taxonomies": "skills"]

    static func name(of row: Onboarding?) -> String? {
        guard let row else { return "welcome" }
        guard let step = row.currentStep else { return row.completed ? "done" : "welcome" }
        return switch step {
        case "profile": "details"
        case "skills": "taxonomies"
        default: step
        }
    }
}
