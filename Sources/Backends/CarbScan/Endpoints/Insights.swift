import Backend
import CivilTime
import HTTPMessage
import JSON

extension CarbScanAPI {
    static let insightEndpoints: [CarbScanEndpoint] = [
        Endpoint(
            .get,
            base + "/insights",
            "Sums, trend and highlights",
            provenance: .documented,
            bodyLimit: bodyLimit,
            answers: [
                Envelope.declared(Insights.self, "The insights"), APIError.declaredUnauthorized,
                APIError.declaredTooLarge,
            ],
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try user(state, call)
            var insights = Insights(seenMeals(of: user, state, call), at: call.now, state.calendar)
            insights.words = state.settings.trendWords
            return json(insights, state, call)
        }
    ]
}
