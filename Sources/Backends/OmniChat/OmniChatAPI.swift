package import Backend
import CivilTime
import HTTPMessage
import JSON

package typealias OmniChatEndpoint = Endpoint<OmniChatState, OmniChatAPI.EndpointMetadata>

/// OmniChat: AI chat with conversations, streamed messages, files, usage and rate-limit headers.
package enum OmniChatAPI {
    /// The properties of an endpoint that only OmniChat uses.
    package struct EndpointMetadata: Sendable {
        enum Bucket: Sendable { case none, general, upload }

        var bucket: Bucket
        /// Tells whether it is one of the seven that the document lists as future (D2).
        var isFuture = false
        /// Tells whether it is a route of the web app, with different errors (section 9).
        var isWeb = false
    }

    package static let identity = APIIdentity(
        name: "omnichat",
        title: "OmniChat",
        version: "1.0",
        description: "AI chat: conversations, streamed messages, files, usage and rate-limit headers.",
        portOffset: 3
    )

    package static let definition = APIDefinition<OmniChatState>(
        identity,
        requests: RequestHandling(
            endpoints,
            precheck: precheck,
            render: render,
            unknownPath: { _, _ in .notFound },
            otherMethod: otherMethod,
            user: { credential, state, _ in user(of: credential, state: state) }
        ),
        settings: OmniChatSettings.declarations,
        storedProperties: storedProperties,
        readSeed: readSeed,
        bind: bind,
        refusal: { status, detail, _, _ in refusal(status, detail: detail) },
        faultAnswer: { order, state, _, call in faultAnswer(order, state: state, call: call) },
        mintToken: mintToken,
        endTokens: endTokens,
        endCredential: endCredential
    ) {
        $0.compresses = { $0.settings.compress == .on }
        $0.bodyReading = BodyReading(depth: 512)
        $0.streamError = ReplyStream.errorEvent
        $0.builtInSeed = { builtInSeed }
        $0.readScenario = ScenarioContent.reader(apply: apply, undo: undo)
        $0.reindex = { $0.reindex() }
        $0.dropCaches = dropCaches
        $0.secrets = secrets
        $0.ledger = ledger
        $0.appleKeys = { $0.tokens.apple.keySet }
    }

    package static let endpoints: [OmniChatEndpoint] =
        authEndpoints + conversationEndpoints + messageEndpoints + fileEndpoints + userEndpoints + webEndpoints

    /// The largest multipart body (section 2.1).
    static let multipartLimit = 11 * 1024 * 1024
    static let requestsPerWindow = 100
    static let uploadsPerWindow = 20
    static let window = Interval.milliseconds(60_000)

    package static func bind(_ state: inout OmniChatState, core: WorldCore) {
        state.tokens = TokenIssuer(
            secret: core.secret("omnichat tokens"),
            issuer: core.issuer,
            identitySeed: core.seed ^ "omnichat apple".fnv1a64,
            keys: state.tokens.signer.keys,
            issued: core.issued
        )
    }

    package static func dropCaches(_ state: inout OmniChatState) {
        state.tokens.forget()
        state.lists = ConversationLists()
    }

    /// The caller's conversation; throws the 404 that hides other users' conversations (section 5.3).
    static func conversation(_ id: String, _ state: OmniChatState, _ call: Call) throws(APIError) -> Conversation {
        guard let row = state.conversations[id], row.userId == call.user?.id else { throw .conversationNotFound }
        return row
    }

    // MARK: Declarations that many endpoints share

    static func invalidBodyDeclaration() -> AnswerDeclaration {
        APIError.declared(.badRequest, APIError.invalidBody.message, "The body is empty, not JSON, or not an object")
    }

    static let protectedErrors: [AnswerDeclaration] = [
        APIError.declared(.unauthorized, "Missing or invalid authorization header", "No Authorization: Bearer"),
        APIError.declared(
            .unauthorized,
            "Invalid or expired token",
            "Signature, structure, exp, revoked, or a refresh token"
        ),
        APIError.declared(.unauthorized, "User not found", "The token's user no longer exists"),
        APIError.declared(.tooManyRequests, APIError.tooManyRequests.message, "The limiter"),
        APIError.declared(.internalServerError, "Internal server error", "Injected"),
    ]

    static let bodyErrors: [AnswerDeclaration] = [
        invalidBodyDeclaration(),
        APIError.declared(.contentTooLarge, APIError.tooLarge.message, "The body is over its limit"),
    ]

    static let conversationMissing = APIError.declared(
        .notFound,
        APIError.conversationNotFound.message,
        "Unknown, or another user's"
    )

    static let conversationID = Parameter(
        "id",
        in: .path,
        .described(.string(minLength: 1), example: "conv_welcome_00000001"),
        "A conversation's id"
    )
}
