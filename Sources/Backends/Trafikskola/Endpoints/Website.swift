import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// Endpoint 52, from which the school's website draws its QR code.
    static let websiteEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .post,
            "/api/student/generate-quick-login-qr",
            "A fresh payload for the student's quick-login code",
            provenance: .assumed,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The payload itself, without envelope",
                    .json(
                        name: "QuickLoginPayload",
                        schema: Schemas.object(
                            [("type", .string(enumeration: ["quick_login"])), ("token", Schemas.filled)],
                            optional: [
                                ("expires", .integer()), ("version", .integer()), ("expiresAt", Schemas.time),
                                ("studentId", Schemas.text),
                            ]
                        ),
                        contentType: "application/json"
                    )
                ),
                forbiddenError,
            ] + bearerErrors,
            metadata: EndpointMetadata(audience: .students)
        ) { state, core, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            let login = mintQuickLogin(user, "qlt_", &state, &core)
            return json(quickLoginPayload(login, state, call.epoch).serialized(), status: .ok)
        }
    ]
}
