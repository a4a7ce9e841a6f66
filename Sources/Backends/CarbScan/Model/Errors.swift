import Backend
import HTTPMessage
import JSON

/// The codes of section 3.
enum Code {
    static let validation = "VALIDATION_ERROR"
    static let unauthorized = "UNAUTHORIZED"
    static let invalidToken = "INVALID_TOKEN"
    static let noScans = "NO_SCANS_REMAINING"
    static let chatLimit = "CHAT_LIMIT_REACHED"
    static let notFound = "NOT_FOUND"
    static let methodNotAllowed = "METHOD_NOT_ALLOWED"
    static let tooLarge = "PAYLOAD_TOO_LARGE"
    static let configuration = "CONFIGURATION_ERROR"
    static let server = "SERVER_ERROR"
    static let auth = "AUTH_ERROR"
    static let config = "CONFIG_ERROR"
    static let registration = "REGISTRATION_ERROR"
    static let notImplemented = "NOT_IMPLEMENTED"
    static let rateLimited = "RATE_LIMITED"
    static let unavailable = "SERVICE_UNAVAILABLE"
    static let invalidGrant = "INVALID_GRANT"
    static let invalidReceipt = "INVALID_RECEIPT"
    static let receiptInUse = "RECEIPT_IN_USE"

    /// The code of a status that nothing else defines, such as an injected one.
    static func of(_ status: Status) -> String {
        switch status.code {
        case 400: validation
        case 401: unauthorized
        case 404: notFound
        case 405: methodNotAllowed
        case 409: receiptInUse
        case 413: tooLarge
        case 429: rateLimited
        case 501: notImplemented
        case 503: unavailable
        default: server
        }
    }

    /// Codes with numbers in their details (D5).
    static let withNumbers = [noScans, chatLimit]
}

extension APIError {
    static let unauthorized = APIError(.unauthorized, code: Code.unauthorized, "Sign in to continue")
    static let appleRefused = APIError(
        .unauthorized,
        code: Code.invalidToken,
        "The Apple identity token was not accepted"
    )
    static let linkRefused = APIError(.unauthorized, code: Code.invalidToken, "The link is not valid any more")
    static let tooLarge = APIError(.contentTooLarge, code: Code.tooLarge, "The request body is too large")
    static let notFound = APIError(.notFound, code: Code.notFound, "There is nothing at this path")
    static let serverError = APIError(.internalServerError, code: Code.server, "Something went wrong on our side")
    static let notImplemented = APIError(.notImplemented, code: Code.notImplemented, "This is not available yet")
    static let appleNotConfigured = APIError(
        .internalServerError,
        code: Code.configuration,
        "Apple Sign In is not configured on this server"
    )
    static let invalidGrant = APIError(
        .badRequest,
        code: Code.invalidGrant,
        "The sign-in code is not valid any more; please sign in again"
    )
    static let receiptInUse = APIError(
        .conflict,
        code: Code.receiptInUse,
        "This purchase belongs to another account"
    )

    static func validation(_ details: [(field: String, reason: String)]) -> APIError {
        APIError(.badRequest, code: Code.validation, "The request has fields that can't be used", details: details)
    }

    static func invalidReceipt(_ reason: String) -> APIError {
        APIError(
            .badRequest,
            code: Code.invalidReceipt,
            "The receipt was not accepted",
            details: [("reason", reason)]
        )
    }

    // MARK: Declarations

    /// The failure envelope as the documents show it.
    static let schema = JSONSchema.object(
        JSONSchema.Object([
            JSONSchema.Property("success", .boolean),
            JSONSchema.Property(
                "error",
                .object(
                    JSONSchema.Object([
                        JSONSchema.Property("code", .string(minLength: 1)),
                        JSONSchema.Property("message", .string(minLength: 1)),
                        JSONSchema.Property("details", .object(JSONSchema.Object()), isRequired: false),
                    ])
                )
            ),
            JSONSchema.Property("meta", Envelope.metaSchema),
        ])
    )

    /// The declaration of this answer.
    func declared(_ when: String) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            when,
            .json(name: "Failure", schema: APIError.schema, contentType: "application/json"),
            example: Envelope.failure(self, at: Envelope.exampleTime)
        )
    }

    static let declaredUnauthorized = APIError.unauthorized.declared("No usable access token")
    static let declaredTooLarge = APIError.tooLarge.declared("The body is over 20 MiB")
    static let declaredMalformed = APIError.validation([("body", "malformed_json")])
        .declared("The body is not JSON, or not an object (body: wrong_type)")

    static let bodyErrors = [declaredMalformed, declaredTooLarge]

    static func declaredFields(_ details: (String, String)...) -> AnswerDeclaration {
        validation(details.map { (field: $0.0, reason: $0.1) }).declared("Fields that are missing or unusable")
    }
}
