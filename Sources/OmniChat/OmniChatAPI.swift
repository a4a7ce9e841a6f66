import CivilTime
package import Emulation
import HTTPMessage
import JSON

/// OmniChat: AI chat with conversations, streamed messages, files, usage and rate-limit headers.
package enum OmniChatAPI: EmulatedAPI {
    package typealias State = OmniChatState

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

    package static var bodyReading: BodyReading { BodyReading(depth: 512) }

    package static let acceptsTrailingSlash = false

    package static let settings = OmniChatSettings.declarations

    package static let endpoints: [Endpoint<OmniChatAPI>] =
        authEndpoints + conversationEndpoints + messageEndpoints + fileEndpoints + userEndpoints + webEndpoints

    /// The largest JSON body (section 2.1).
    static let jsonLimit = 1_048_576
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

    // MARK: Reading bodies

    /// Reads the body as step 5 of section 2.6: the size, then the syntax.
    ///
    /// Only an object is accepted.
    static func object(_ call: Call) throws(APIError) -> JSONObject {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        guard let json = try? call.request.json(ownDepth: 512),
            case .object(let object) = json
        else { throw .invalidBody }
        return object
    }

    /// Reads the body as a request type.
    ///
    /// All wrong types have the same text. The endpoint decides on missing and empty members.
    static func read<Value: RequestModel>(
        _ type: Value.Type,
        _ call: Call,
        _ missing: [String: APIError] = [:]
    ) throws(APIError) -> Value {
        let (value, issues) = Value.read(try object(call), telling: .first)
        guard let issue = issues.first else { return value }
        guard case .wrongType(let expected) = issue.kind else {
            throw missing[issue.field] ?? .badRequest("\(issue.field) must be a non-empty string")
        }
        let name =
            switch expected {
            case .boolean: "a boolean"
            case .strings: "an array of strings"
            case .object: "an object"
            default: "a string"
            }
        throw .badRequest("\(issue.field) must be \(name)")
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
