import Emulation
import HTTPMessage
import JSON

/// The texts of section 2.7. Clients should branch on the status; the texts are exact all the same.
extension Failure {
    static let invalidBody = Failure(.badRequest, "Invalid JSON body")
    static let notFound = Failure(.notFound, "Not found")
    static let tooLarge = Failure(.contentTooLarge, "Payload too large")
    static let tooManyRequests = Failure(.tooManyRequests, "Too many requests")
    static let conversationNotFound = Failure(.notFound, "Conversation not found")
    static let noFields = Failure(.badRequest, "No fields to update")

    static func badRequest(_ message: String) -> Failure { Failure(.badRequest, message) }

    static func unauthorized(_ message: String) -> Failure { Failure(.unauthorized, message) }

    /// The error envelope as the documents show it.
    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("error", .string(minLength: 1), isRequired: true)
        ])
    )

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
