import Backend
import HTTPMessage
import JSON

/// Declarations that many endpoints share.
extension TrendyAPI {
    static let date = JSONSchema.string(format: "date-time")
    static let uuid = JSONSchema.string(format: "uuid")

    static let limited = AnswerDeclaration(
        .tooManyRequests,
        "One of the limiters (section 8)",
        .json(name: "Error", schema: APIError.plainSchema, contentType: jsonType),
        example: ["error": "rate limit exceeded"]
    )

    static let unauthorized = APIError.declaredProblem(
        .unauthorized,
        APIError.unauthorized.message,
        "No token, or one that is malformed, wrong, expired or signed out"
    )

    /// The errors that every backend route with a bearer token can have.
    static let protected = [unauthorized, limited]

    static let tooLarge = APIError.declared(.contentTooLarge, APIError.tooLarge.message, "The body is over 1 MiB")

    /// The errors that every backend route with a body can have.
    static let bodyErrors = [
        APIError.declared(.badRequest, "EOF", "The body is empty"),
        APIError.declared(.badRequest, "name must be a string, found number", "Not JSON, or a member does not fit"),
        tooLarge,
    ]

    static func failure500(_ message: String, _ when: String) -> AnswerDeclaration {
        APIError.declared(.internalServerError, message, when)
    }

    static func duplicate(_ constraint: String, _ when: String) -> AnswerDeclaration {
        failure500(APIError.duplicate(constraint).message, when)
    }

    /// The declaration of a list.
    static func list<Value: ResponseModel>(_ type: Value.Type, _ description: String) -> AnswerDeclaration {
        AnswerDeclaration(
            .ok,
            description,
            .json(name: "\(Value.shape.name)List", schema: .array(Value.shape.schema), contentType: "application/json")
        )
    }

    static func pathID(_ what: String) -> Parameter { Parameter("id", in: .path, uuid, "The id of \(what)") }

    static let idempotencyKey = Parameter(
        "Idempotency-Key",
        in: .header,
        .string(),
        "Repeats of a key get the stored answer for 24 hours"
    )

    static let deleted = AnswerDeclaration(.noContent, "Deleted", .none)
}
