import Backend
import HTTPMessage
import JSON

/// The errors of section 2.5. Clients branch on status and code; the texts are for people.
extension APIError {
    static let unauthorized = APIError(.unauthorized, code: "unauthorized", "Sign in first, or refresh the session.")
    static let forbidden = APIError(.forbidden, code: "forbidden", "This account may not do that.")
    static let invalidOrigin = APIError(.forbidden, code: "invalid_origin", "The Origin is not that of this service.")
    static let notFound = APIError(.notFound, code: "not_found", "There is nothing here.")
    static let pathNotFound = APIError(.notFound, code: "learning_path_not_found", "There is no such learning path.")
    static let moduleNotFound = APIError(.notFound, code: "module_not_found", "The path has no such module.")
    static let invalidRefresh = APIError(
        .badRequest,
        code: "invalid_refresh",
        "The refresh token is no longer valid. Sign in again."
    )
    static let invalidCode = APIError(.badRequest, code: "invalid_code", "The code is wrong or has expired.")
    static let invalidCodeBody = APIError(.badRequest, code: "verify_otp_failed", "code must be six digits.")
    static let invalidCredentials = APIError(
        .unauthorized,
        code: "invalid_credentials",
        "The e-mail or the password is wrong."
    )
    static let invalidDraft = APIError(
        .badRequest,
        code: "invalid_draft",
        "The draft needs four names, gender, region and city."
    )
    static let invalidID = APIError(.badRequest, code: "invalid_id", "The id does not have the form of one.")
    /// The replacement for a conflict of register and cancel when `conflicts` is redacted (section 13.1).
    static let redactedConflict = APIError(.badRequest, code: "server error", "server error")
    static let tooLarge = APIError(.contentTooLarge, code: "body_too_large", "The body is too large.")

    static func refreshFailed(_ message: String) -> APIError {
        APIError(.badRequest, code: "refresh_failed", message)
    }

    static func invalid(_ message: String) -> APIError { APIError(.badRequest, code: "validation_error", message) }

    static func conflict(_ code: String, _ message: String) -> APIError { APIError(.conflict, code: code, message) }

    /// A refusal by a limiter; the route decides whether the seconds are reported.
    static func rateLimited(retryAfter seconds: Int64) -> APIError {
        var fields = Fields()
        fields.append(.retryAfter, "\(max(0, seconds))")
        return APIError(.tooManyRequests, code: "rate_limited", "Too many requests. Try again later.", fields: fields)
    }

    // MARK: Declarations

    /// The envelope as the documents show it.
    static let envelopeSchema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property(
                "error",
                .object(
                    JSONSchema.Object([
                        JSONSchema.Property("code", .string(minLength: 1)),
                        JSONSchema.Property("message", .string(minLength: 1)),
                    ])
                )
            )
        ])
    )

    static func envelope(code: String, message: String) -> JSON {
        ["error": ["code": .string(code), "message": .string(message)]]
    }

    /// The declaration of this failure as an answer.
    func declared(_ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: "ErrorEnvelope", schema: Self.envelopeSchema, contentType: "application/json"),
            example: Self.envelope(code: code, message: message)
        )
    }
}
