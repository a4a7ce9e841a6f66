import Backend
import CivilTime
import HTTPMessage
import JSON

/// Rows 49 to 54: planned, optional, or open questions of the plan.
extension SawaedAPI {
    static let aliasEndpoints =
        authEndpoints(below: "/api/mobile/v1/auth", provenance: .planned)
        + chatEndpoints(below: "/api/mobile/v1/chat", provenance: .planned)

    static let optionalEndpoints: [SawaedEndpoint] =
        [pictureAlias, chatHistory] + taxonomyEndpoints + [apple]

    private static let apple = SawaedEndpoint(
        .post,
        "/api/mobile/auth/apple",
        "Signs in with an Apple identity token",
        provenance: .planned,
        authentication: .none,
        credential: .body("identityToken"),
        body: .json(AppleRequest.self, example: ["identityToken": "any text"]),
        bodyLimit: bodyLimit,
        answers: [
            .json(TokenPair.self, "The pair"),
            APIError.invalidCredentials.declared("The body does not fit, or the token is refused"),
            APIError.invalidOrigin.declared("An Origin that is not this service's own"),
            APIError.tooLarge.declared("The body is over the server's general limit"),
            CommonErrors.server("signin_failed"),
        ],
        metadata: EndpointMetadata(area: .auth, failure: "signin_failed", bodyFailure: .credentials)
    ) { state, core, call throws(APIError) in
        let token = try read(AppleRequest.self, call).identityToken
        guard let email = AppleIdentity.email(of: token, state, now: call.now) else { throw .invalidCredentials }
        let user = state.userMade(forEmail: email, now: call.now)
        call.user = CallUser(id: user.id, email: user.email)
        return json(state.signIn(user, now: call.now, core: core), call)
    }
}
