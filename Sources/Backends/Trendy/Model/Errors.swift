import Backend
import HTTPMessage
import JSON

/// The error forms of section 7, selected by `code`.
///
/// Under `/api/v1` an empty code selects the plain form, `router` the text form, and anything else is the kind of a
/// problem document. Under `/auth/v1` and `/rest/v1` it is the code in the body.
extension APIError {
    static let routerCode = "router"

    // MARK: The backend

    /// The plain form (section 7.1).
    static func plain(_ status: Status, _ message: String) -> APIError { APIError(status, message) }

    static func badRequest(_ message: String) -> APIError { plain(.badRequest, message) }

    /// Go's text for an empty body (section 5).
    static let emptyBody = badRequest("EOF")
    static let tooLarge = plain(.contentTooLarge, "request body too large")
    static let noRoute = APIError(.notFound, code: routerCode, "404 page not found")

    /// The only 401 (section 7.2).
    static let unauthorized = APIError(
        .unauthorized,
        code: ProblemDetails.Kind.unauthorized.rawValue,
        "This resource needs a valid access token"
    )

    static func problem(_ kind: ProblemDetails.Kind, _ detail: String, _ faults: [(field: String, reason: String)] = [])
        -> APIError
    {
        APIError(kind.status, code: kind.rawValue, detail, details: faults)
    }

    /// The database's message for a second row where only one is allowed.
    static func duplicate(_ constraint: String) -> APIError {
        plain(.internalServerError, "duplicate key value violates unique constraint \"\(constraint)\"")
    }

    /// The failure for a row that does not exist for the caller: 404 for a read, 500 for a change (section 10).
    static func missing(_ what: String, isRead: Bool) -> APIError {
        plain(isRead ? .notFound : .internalServerError, "\(what) not found")
    }

    // MARK: The auth server (section 9.2)

    static func auth(_ status: Status, _ code: AuthCode, _ message: String) -> APIError {
        APIError(status, code: code.rawValue, message)
    }

    // MARK: Declarations

    static func declared(_ status: Status, _ message: String, _ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: "Error", schema: plainSchema, contentType: TrendyAPI.jsonType),
            example: ["error": .string(message)]
        )
    }

    /// The schema of the plain form: one text.
    static let plainSchema = JSONSchema.object(
        JSONSchema.Object(
            [JSONSchema.Property("error", .string(minLength: 1), isRequired: true)],
            additionalProperties: .closed
        )
    )

    static func declaredProblem(_ kind: ProblemDetails.Kind, _ detail: String, _ when: String) -> AnswerDeclaration {
        var example: JSONObject = [
            "type": .string(ProblemDetails.typePrefix + kind.typeName), "title": .string(kind.title),
            "status": .integer(Int64(kind.status.code)), "detail": .string(detail), "request_id": "conformance-17",
            "user_message": .string(kind.userMessage),
        ]
        if kind == .unauthorized { example.append("action", "authenticate") }
        return AnswerDeclaration(
            kind.status,
            when,
            .json(name: "Problem", schema: ProblemDetails.schema, contentType: ProblemDetails.contentType),
            example: .object(example)
        )
    }

    static func declaredAuth(_ status: Status, _ code: AuthCode, _ message: String, _ when: String) -> AnswerDeclaration
    {
        AnswerDeclaration(
            status,
            when,
            .json(name: "AuthError", schema: AuthError.schema, contentType: AuthError.contentType),
            example: ["code": .string(code.rawValue), "message": .string(message)]
        )
    }
}

/// The codes of the auth server (section 9.2).
enum AuthCode: String, CaseIterable, Sendable {
    case badJSON = "bad_json"
    case validationFailed = "validation_failed"
    case invalidCredentials = "invalid_credentials"
    case refreshTokenNotFound = "refresh_token_not_found"
    case refreshTokenAlreadyUsed = "refresh_token_already_used"
    case noAuthorization = "no_authorization"
    case badJWT = "bad_jwt"
    case sessionNotFound = "session_not_found"
    case userNotFound = "user_not_found"
    case tooLarge = "request_entity_too_large"
    case userAlreadyExists = "user_already_exists"
    case weakPassword = "weak_password"
    case samePassword = "same_password"
    case emailExists = "email_exists"
    case anonymousProviderDisabled = "anonymous_provider_disabled"
    case overRequestRateLimit = "over_request_rate_limit"
    case unexpectedFailure = "unexpected_failure"
}
