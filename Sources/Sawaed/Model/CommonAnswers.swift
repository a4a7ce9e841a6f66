import Emulation
import HTTPMessage
import JSON

struct Okay: Shaped {
    static let shape = Shape<Self>("Ok", [.boolean("ok") { _ in true }])
}

/// The answer to request-otp; `code` is constant (D10).
struct CodeRequested: Shaped {
    var hasCode: Bool

    static let shape = Shape<Self>(
        "OtpRequested",
        [.boolean("ok") { _ in true }, .optionalString("code") { $0.hasCode ? "user_unverified" : nil }]
    )
}

extension TokenPair: Shaped {
    static let shape = Shape<Self>(
        "Tokens",
        [.string("token") { $0.token }, .string("refreshToken") { $0.refreshToken }]
    )
}

struct CreatedID: Shaped {
    var id: String

    static let shape = Shape<Self>("CreatedId", [.string("id") { $0.id }])
}

/// What basics and a picture answer: the completion only when the row was there before (section 6.3).
struct ProfileSaved: Shaped {
    var id: String
    var completion: Int?

    static let shape = Shape<Self>(
        "ProfileSaved",
        [
            .string("id") { $0.id },
            .optionalCustom("completion", .integer(minimum: 0, maximum: 100), isPresent: { $0.completion != nil }) {
                $1.json.integer(Int64($0.completion ?? 0))
            },
        ]
    )
}

/// An id with a name in the caller's language.
struct NamedItem: Shaped {
    var id: String
    var name: String

    static let shape = Shape<Self>("NamedItem", [.string("id") { $0.id }, .string("name") { $0.name }])
}

struct NamedItems: Shaped {
    var items: [NamedItem]

    static let shape = Shape<Self>("NamedItems", [.array("items") { $0.items }])
}

/// The errors that groups of routes share, as the documents list them.
enum CommonErrors {
    static let unauthorized = Failure.unauthorized.declared("No bearer, or one that is expired, forged or unknown")

    static func server(_ code: String) -> AnswerDeclaration {
        SawaedAPI.serverError(code).declared("Injected faults only")
    }

    /// Those of a `/v1` route without a body.
    static func protected(_ failure: String) -> [AnswerDeclaration] { [unauthorized, server(failure)] }

    /// Those of a `/v1` route with a body.
    static func withBody(_ failure: String) -> [AnswerDeclaration] {
        [
            Failure.invalid("headline must be a string.").declared("A member is missing or does not fit"),
            Failure(.badRequest, code: "invalid_json", "The body is not JSON.").declared("The body is not JSON"),
            Failure(.badRequest, code: "body_too_large", "The body has more than 262144 characters.")
                .declared("The body has more than 262,144 UTF-16 code units"),
            Failure.tooLarge.declared("The body is over the server's general limit"),
        ] + protected(failure)
    }

    static let invalidQuery = Failure.invalid("pageSize must be a number.").declared("A query parameter does not fit")
    static let notYouth = Failure.forbidden.declared("The caller is no YOUTH")
    static let notOwner = Failure.forbidden.declared("The caller is no YOUTH, is blocked or deleted")
    static let unknownRow = Failure.notFound.declared("No such row of the caller's")
    static let rateLimited = Failure.rateLimited(retryAfter: 10).declared("Too many; retry-after says when")
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
