import Backend
import HTTPMessage
import JSON

/// The texts of section 2.7. Clients should branch on the status, but the texts are exact too.
extension APIError {
    static let invalidBody = APIError(.badRequest, "Invalid JSON body")
    static let notFound = APIError(.notFound, "Not found")
    static let tooLarge = APIError(.contentTooLarge, "Payload too large")
    static let tooManyRequests = APIError(.tooManyRequests, "Too many requests")
    static let conversationNotFound = APIError(.notFound, "Conversation not found")
    static let noFields = APIError(.badRequest, "No fields to update")
    static let emailRequired = APIError(.badRequest, "Email required for new users")
    static let refreshTokenRequired = APIError(.badRequest, "Missing refresh token")
    static let titleRequired = APIError(.badRequest, "Title is required")
    static let contentRequired = APIError(.badRequest, "Message content is required")

    static func badRequest(_ message: String) -> APIError { APIError(.badRequest, message) }

    static func unauthorized(_ message: String) -> APIError { APIError(.unauthorized, message) }

    /// The schema of the error envelope.
    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("error", .string(minLength: 1), isRequired: true)
        ])
    )

    /// The declaration of this error as an answer.
    func declared(_ when: String) -> AnswerDeclaration { Self.declared(status, message, when) }

    /// The declaration of an error answer.
    static func declared(_ status: Status, _ message: String, _ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: "Error", schema: schema, contentType: "application/json"),
            example: ["error": .string(message)]
        )
    }
}
