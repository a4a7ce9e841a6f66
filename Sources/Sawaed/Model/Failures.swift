import Emulation
import HTTPMessage
import JSON

/// The errors of section 2.5. Clients branch on status and code; the texts are for people.
extension Failure {
    static let unauthorized = Failure(.unauthorized, code: "unauthorized", "Sign in first, or refresh the session.")
    static let forbidden = Failure(.forbidden, code: "forbidden", "This account may not do that.")
    static let invalidOrigin = Failure(.forbidden, code: "invalid_origin", "The Origin is not that of this service.")
    static let notFound = Failure(.notFound, code: "not_found", "There is nothing here.")
    static let pathNotFound = Failure(.notFound, code: "learning_path_not_found", "There is no such learning path.")
    static let moduleNotFound = Failure(.notFound, code: "module_not_found", "The path has no such module.")
    static let invalidRefresh = Failure(
        .badRequest,
        code: "invalid_refresh",
        "The refresh token is no longer valid. Sign in again."
    )
    static let invalidCode = Failure(.badRequest, code: "invalid_code", "The code is wrong or has expired.")
    static let invalidCredentials = Failure(
        .unauthorized,
        code: "invalid_credentials",
        "The e-mail or the password is wrong."
    )
    static let invalidDraft = Failure(
        .badRequest,
        code: "invalid_draft",
        "The draft needs four names, gender, region and city."
    )
    static let invalidID = Failure(.badRequest, code: "invalid_id", "The id does not have the form of one.")
    /// What a conflict of register and cancel becomes with `conflicts` redacted (section 13.1).
    static let redactedConflict = Failure(.badRequest, code: "server error", "server error")
    static let tooLarge = Failure(.contentTooLarge, code: "body_too_large", "The body is too large.")

    static func refreshFailed(_ message: String) -> Failure {
        Failure(.badRequest, code: "refresh_failed", message)
    }

    static func invalid(_ message: String) -> Failure { Failure(.badRequest, code: "validation_error", message) }

    static func conflict(_ code: String, _ message: String) -> Failure { Failure(.conflict, code: code, message) }

    /// A refusal by a limiter; the seconds are told where the route tells them.
    static func rateLimited(retryAfter seconds: Int64) -> Failure {
        var fields = Fields()
        fields.append(.retryAfter, "\(max(0, seconds))")
        return Failure(.tooManyRequests, code: "rate_limited", "Too many requests. Try again later.", fields: fields)
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
