import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// Endpoints 31 and 42.
    static let readinessEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/korklar",
            "How ready the caller is, and the certificate",
            provenance: .beyondTheDocument,
            answers: [data(ReadinessResponse.self, "The scores")] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            return ok(ReadinessResponse(readiness: state.readiness[user.id] ?? .unknown(user.id)), call)
        },
        Endpoint(
            .get,
            "/api/mobile/student/feedback",
            "What teachers wrote to the caller",
            provenance: .beyondTheDocument,
            answers: [data(FeedbackList.self, "Newest first")] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            let epoch = call.epoch
            let rows = state.feedback.rows(in: user.id).enumerated().sorted { left, right in
                (left.element.createdAt.resolved(in: epoch), left.offset)
                    > (right.element.createdAt.resolved(in: epoch), right.offset)
            }
            return ok(FeedbackList(feedback: rows.map(\.element)), call)
        },
    ]
}
