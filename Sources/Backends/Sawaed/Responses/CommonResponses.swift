import Backend
import HTTPMessage
import JSON

struct Okay: ResponseModel {
    static let shape = ResponseSchema<Self>("Ok", [.boolean("ok") { _ in true }])
}

/// The answer to request-otp; `code` is constant (D10).
struct CodeRequested: ResponseModel {
    var hasCode: Bool

    static let shape = ResponseSchema<Self>(
        "OtpRequested",
        [.boolean("ok") { _ in true }, .optionalString("code") { $0.hasCode ? "user_unverified" : nil }]
    )
}

extension TokenPair: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Tokens",
        [.string("token") { $0.token }, .string("refreshToken") { $0.refreshToken }]
    )
}

struct CreatedID: ResponseModel {
    var id: String

    static let shape = ResponseSchema<Self>("CreatedId", [.string("id") { $0.id }])
}

/// The response of basics and of a picture; it has the completion only if the row existed before (section 6.3).
struct ProfileSaved: ResponseModel {
    var id: String
    var completion: Int?

    static let shape = ResponseSchema<Self>(
        "ProfileSaved",
        [
            .string("id") { $0.id },
            .optionalInteger("completion", .integer(minimum: 0, maximum: 100)) { $0.completion },
        ]
    )
}

/// An id with a name in the caller's language.
struct NamedItem: ResponseModel {
    var id: String
    var name: String

    static let shape = ResponseSchema<Self>("NamedItem", [.string("id") { $0.id }, .string("name") { $0.name }])
}

struct NamedItems: ResponseModel {
    var items: [NamedItem]

    static let shape = ResponseSchema<Self>("NamedItems", [.array("items") { $0.items }])
}

/// The errors that groups of routes share, as the documents list them.
enum CommonErrors {
    static let unauthorized = APIError.unauthorized.declared("No bearer, or one that is expired, forged or unknown")

    static func server(_ code: String) -> AnswerDeclaration {
        SawaedAPI.serverError(code).declared("Injected faults only")
    }

    /// The errors of a `/v1` route without a body.
    static func protected(_ failure: String) -> [AnswerDeclaration] { [unauthorized, server(failure)] }

    /// The errors of a `/v1` route with a body.
    static func withBody(_ failure: String) -> [AnswerDeclaration] {
        [
            APIError.invalid("headline must be a string.").declared("A member is missing or does not fit"),
            APIError(.badRequest, code: "invalid_json", "The body is not JSON.").declared("The body is not JSON"),
            APIError(.badRequest, code: "body_too_large", "The body has more than 262144 characters.")
                .declared("The body has more than 262,144 UTF-16 code units"),
            APIError.tooLarge.declared("The body is over the server's general limit"),
        ] + protected(failure)
    }

    static let invalidQuery = APIError.invalid("pageSize must be a number.").declared("A query parameter does not fit")
    static let notYouth = APIError.forbidden.declared("The caller is no YOUTH")
    static let notOwner = APIError.forbidden.declared("The caller is no YOUTH, is blocked or deleted")
    static let unknownRow = APIError.notFound.declared("No such row of the caller's")
    static let rateLimited = APIError.rateLimited(retryAfter: 10).declared("Too many; retry-after says when")
}

extension Parameter {
    static let acceptLanguage = Parameter(
        "Accept-Language",
        in: .header,
        .string(),
        "Begins with ar or en; goes before locale"
    )
    static let locale = Parameter(
        "locale",
        in: .query,
        .string(enumeration: ["ar", "en"]),
        "ar if neither says otherwise"
    )
    static let localised = [acceptLanguage, locale]
}
