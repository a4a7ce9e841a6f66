import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// Endpoints 1 and 17 (contract, sections 3.3 and 4).
    static let authEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .post,
            "/api/mobile/auth/refresh",
            "Gives new tokens for a refresh token",
            provenance: .documented,
            authentication: .none,
            credential: .body("refreshToken"),
            body: .json(
                RefreshRequest.self,
                example: ["refreshToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl"]
            ),
            answers: [
                data(Refreshed.self, "New tokens; no refreshToken in two variants"),
                APIError.validation("refreshToken", "is required").declared("refreshToken missing, empty or no string"),
                APIError.invalidRefreshToken.declared(
                    "Unknown, forged, expired, or revoked otherwise than by rotation"
                ),
                APIError.refreshTokenReused.declared("A rotated token came back: every session of the user has ended"),
            ] + bodyErrors + publicErrors,
            metadata: EndpointMetadata(disturbance: .refresh)
        ) { state, core, call throws(APIError) in
            let token = try read(RefreshRequest.self, call).refreshToken
            let issued = try state.refresh(token, now: call.now, core: &core, call: &call)
            var response = ok(Refreshed(issued: issued), call)
            if state.settings.lostRefreshAnswers > 0 {
                state.settings.lostRefreshAnswers -= 1
                response.prelude = [.abort]
            }
            return response
        },
        Endpoint(
            .post,
            "/api/mobile/auth/logout",
            "Ends the sessions of this device",
            provenance: .beyondTheDocument,
            body: .json(LogoutRequest.self, isRequired: false, example: [:]),
            answers: [plainSuccess("Logged out")] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let session = try signedIn(&state, &call).session
            _ = try read(LogoutRequest.self, call, mayBeEmpty: true)
            state.logOut(session, now: call.now)
            return success()
        },
    ]
}
