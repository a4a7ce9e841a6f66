import CivilTime
import Crypto
package import Emulation
package import HTTPMessage
import JSON

/// OmniChat: AI chat with conversations, streamed messages, files, usage and rate-limit headers.
package enum OmniChatAPI: EmulatedAPI {
    package typealias State = OmniChatState

    /// What the engine can't know of an endpoint.
    package struct EndpointMetadata: Sendable {
        enum Bucket: Sendable { case none, general, upload }

        var bucket: Bucket
        /// One of the seven that the document lists as future (D2).
        var isFuture = false
        /// One of the web app's routes, whose errors differ (section 9).
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

    /// JSON bodies (section 2.1).
    static let jsonLimit = 1_048_576
    /// Multipart bodies (section 2.1).
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

    package static func secrets(in state: OmniChatState) -> [String] {
        state.refreshSessions.rows.map(\.id)
    }

    package static func dropCaches(_ state: inout OmniChatState) {
        state.tokens.forget()
        state.lists = ConversationLists()
    }

    // MARK: Before every endpoint

    /// Steps 3 and 4 of section 2.6: the limiter, then the credential.
    package static func precheck(
        _ state: inout OmniChatState,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: Endpoint<OmniChatAPI>
    ) throws(APIError) {
        if endpoint.trait.isFuture, state.settings.futureEndpoints == .off { throw .notFound }
        try count(&state, &call, endpoint)
        guard endpoint.authentication == .bearer else { return }
        if state.settings.serverErrors > 0 {
            state.settings.serverErrors -= 1
            throw APIError(.internalServerError, "Internal server error")
        }
        let user: User
        if endpoint.trait.isWeb {
            guard let token = bearer(call), let found = try? state.authenticate(token, now: call.now) else {
                throw APIError(.unauthorized, code: "text", "Unauthorized")
            }
            user = found
        } else {
            guard let token = bearer(call) else { throw .unauthorized("Missing or invalid authorization header") }
            user = try state.authenticate(token, now: call.now)
        }
        call.user = CallUser(id: user.id, email: user.email)
    }

    /// The exact prefix `Bearer `, capital B and one space (section 2.1).
    private static func bearer(_ call: Call) -> String? {
        guard let value = call.fields.bytes(.authorization), value.starts(with: bearerPrefix) else { return nil }
        return String(decoding: value.dropFirst(bearerPrefix.count), as: UTF8.self)
    }

    private static let bearerPrefix = Array("Bearer ".utf8)

    /// Counts the request, adds the three fields, and refuses it beyond the limit (section 4).
    private static func count(
        _ state: inout OmniChatState,
        _ call: inout Call,
        _ endpoint: Endpoint<OmniChatAPI>
    ) throws(APIError) {
        var bucket = endpoint.trait.bucket
        if bucket == .none, endpoint.authentication == .none, state.settings.limitAuthRoutes == .on {
            bucket = .general
        }
        guard bucket != .none else { return }
        let limit = bucket == .upload ? uploadsPerWindow : requestsPerWindow
        let key = limiterKey(call)
        let present: FixedWindows.Count
        if state.settings.rateLimits == .off {
            present = FixedWindows.Count(used: 0, end: call.now + window)
        } else if bucket == .upload {
            present = state.uploadWindows.count(key, length: window, now: call.now)
        } else {
            present = state.windows.count(key, length: window, now: call.now)
        }
        // Room for all three: growing bit by bit would cost as much as writing them.
        call.answerFields.reserve(bytes: 128, lines: 4)
        call.answerFields.append(limitField, "\(limit)")
        call.answerFields.append(remainingField, "\(max(0, limit - present.used))")
        var reset: [UInt8] = []
        reset.reserveCapacity(24)
        present.end.appendISO8601(.milliseconds, to: &reset)
        call.answerFields.append(resetField, reset)
        guard present.used <= limit else { throw .tooManyRequests }
    }

    static func limiterKey(_ call: Call) -> String {
        guard call.fields.contains(.forwardedFor) else { return call.peer }
        // The whole value: repeated lines are one list (RFC 9110 section 5.3).
        let forwarded = call.fields.values(.forwardedFor).joined(separator: ", ")
        return forwarded.isEmpty ? call.peer : forwarded
    }

    static let limitField: FieldName = "X-RateLimit-Limit"
    static let remainingField: FieldName = "X-RateLimit-Remaining"
    static let resetField: FieldName = "X-RateLimit-Reset"

    // MARK: Answers

    /// A JSON answer in the world's present forms.
    static func json(_ value: some ResponseModel, _ state: OmniChatState, _ call: Call) -> Response {
        json(text(value, state, call))
    }

    /// A value as it is written here.
    static func text(_ value: some ResponseModel, _ state: OmniChatState, _ call: Call) -> [UInt8] {
        var writer = ResponseWriter(
            epoch: call.epoch,
            dates: state.settings.dates == .whole ? .seconds : .milliseconds
        )
        writer.write(value)
        return writer.json.bytes
    }

    /// A JSON answer that is already written.
    static func json(_ bytes: [UInt8]) -> Response {
        var fields = Fields()
        // Room for what the limiter and the request id add.
        fields.reserve(bytes: 256, lines: 8)
        fields.append(contentsOf: jsonFields)
        return Response(status: .ok, fields: fields, body: .bytes(bytes))
    }

    /// `application/json` with no parameter: the SDK's validator compares the value exactly (section 2.2).
    static let jsonFields: Fields = [.contentType: "application/json"]
    private static let textFields: Fields = [.contentType: "text/plain;charset=UTF-8"]
    private static let htmlFields: Fields = [.contentType: "text/html; charset=utf-8"]

    package static func render(_ failure: APIError, state: OmniChatState, call: Call) -> Response {
        if failure.code == "text" {
            return Response(status: failure.status, fields: textFields, body: .bytes(Array(failure.message.utf8)))
        }
        if state.settings.errors == .html, let response = frameworkAnswer(failure) { return response }
        var fields = failure.fields
        fields.append(.contentType, "application/json")
        return Response(status: failure.status, fields: fields, body: .bytes(envelope(failure.message)))
    }

    /// What the web framework answers by itself (D24): a page for an unknown path, nothing for the others.
    private static func frameworkAnswer(_ failure: APIError) -> Response? {
        switch (failure.status, failure.message) {
        case (.notFound, APIError.notFound.message):
            let page =
                "<!DOCTYPE html><html><head><title>404: This page could not be found.</title></head>"
                + "<body><h1>404</h1><h2>This page could not be found.</h2></body></html>"
            return Response(status: .notFound, fields: htmlFields, body: .bytes(Array(page.utf8)))
        case (.methodNotAllowed, _): return Response(status: .methodNotAllowed, fields: failure.fields)
        case (.badRequest, APIError.invalidBody.message): return Response(status: .badRequest)
        default: return nil
        }
    }

    static func envelope(_ message: String) -> [UInt8] {
        JSON.object(["error": .string(message)]).serialized()
    }

    package static func unknownPath(state: OmniChatState, call: Call) -> APIError { .notFound }

    package static func otherMethod(
        state: OmniChatState,
        call: Call,
        allowed: [HTTPMessage.HTTPMethod]
    ) throws(APIError) -> Response {
        let fields = allowField(allowed)
        guard call.method == .options else {
            // The backend has others on the web list, which are not emulated (section 1).
            if call.path.segments == ["api", "conversations"] { throw .notFound }
            throw APIError(.methodNotAllowed, "Method not allowed", fields: fields)
        }
        return Response(status: .noContent, fields: fields)
    }

    package static func refusal(_ status: Status, detail: String) -> Response {
        let message =
            switch status {
            case .contentTooLarge: APIError.tooLarge.message
            case .notFound: APIError.notFound.message
            default: status.reasonPhrase
            }
        return Response(status: status, fields: jsonFields, body: .bytes(envelope(message)))
    }

    // MARK: Reading bodies

    /// Step 5 of section 2.6: the size, then the syntax.
    ///
    /// Only an object will do.
    static func object(_ call: Call) throws(APIError) -> JSONObject {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        guard let json = try? call.request.json(ownDepth: 512),
            case .object(let object) = json
        else { throw .invalidBody }
        return object
    }

    /// The body as a request type.
    ///
    /// Wrong types have one text for all; what a missing or empty member means is the
    /// endpoint's own.
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

    /// The caller's conversation, or the 404 that hides other users' (section 5.3).
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
