import Backend
import HTTPMessage
import JSON

/// Contract, section 5.8, and for row 53 section 8.6.
extension SawaedAPI {
    static let locationEndpoints: [SawaedEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/v1/locations/regions",
            "The governorates",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [.json(NamedItems.self, "All of them")] + CommonErrors.protected("regions_fetch_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "regions_fetch_failed")
        ) { state, _, call throws(APIError) in
            let language = language(call)
            return json(
                NamedItems(items: state.regions.rows.map { NamedItem(id: $0.id, name: $0.name.text(language)) }),
                call
            )
        },
        Endpoint(
            .get,
            "/api/mobile/v1/locations/cities",
            "The cities of a governorate",
            provenance: .documented,
            credential: .bearerOrCookie(cookieName),
            parameters: [
                Parameter("regionId", in: .query, .string(), "Nothing is listed without it, or for an unknown one")
            ] + Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [.json(NamedItems.self, "Its cities")] + CommonErrors.protected("cities_fetch_failed"),
            metadata: EndpointMetadata(area: .v1, failure: "cities_fetch_failed")
        ) { state, _, call throws(APIError) in
            let language = language(call)
            let rows = call.query.last("regionId").map { state.cities.rows(in: $0) } ?? []
            return json(NamedItems(items: rows.map { NamedItem(id: $0.id, name: $0.name.text(language)) }), call)
        },
    ]

    /// Row 53: without it a client can't learn the ids that onboarding requires.
    static let taxonomyEndpoints: [SawaedEndpoint] = [
        taxonomy("skills", "ai_skills_fetch_failed") { $0.skills.rows },
        taxonomy("interests", "interests_fetch_failed") { $0.interests.rows },
    ]

    private static func taxonomy(
        _ name: String,
        _ failure: String,
        _ rows: @escaping @Sendable (SawaedState) -> [Topic]
    ) -> SawaedEndpoint {
        Endpoint(
            .get,
            "/api/mobile/v1/taxonomies/\(name)",
            "The \(name) that a user can have",
            provenance: .planned,
            credential: .bearerOrCookie(cookieName),
            parameters: Parameter.localised,
            bodyLimit: bodyLimit,
            answers: [.json(TopicItems.self, "All of them")] + CommonErrors.protected(failure),
            metadata: EndpointMetadata(area: .v1, failure: failure)
        ) { state, _, call throws(APIError) in
            let language = language(call)
            return json(
                TopicItems(
                    items: rows(state).map {
                        TopicItem(id: $0.id, name: $0.name.text(language), category: $0.category)
                    }
                ),
                call
            )
        }
    }
}
