import Backend
import CivilTime
import HTTPMessage
import JSON

/// The wording of issues: all are reported, each by its field and a reason (contract, section 2.2).
extension FieldIssue {
    /// The reason in words.
    var reason: String {
        switch kind {
        case .missing: "is required"
        case .wrongType(.boolean): "must be true or false"
        case .wrongType(.array): "must be an array"
        case .wrongType(.strings): "must be an array of strings"
        case .wrongType(.object): "must be an object"
        case .wrongType(.integer(let range?)), .outOfRange(.integer(let range?)):
            "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .wrongType(.number), .outOfRange: "must be a number in its range"
        case .wrongType: "must be a string"
        case .empty, .blank: "must not be empty"
        case .tooShort(let least): "must have at least \(least) characters"
        case .tooLong(let most): "must have at most \(most) characters"
        case .wrongLength(let range): "must have \(range.lowerBound) to \(range.upperBound) characters"
        case .notAllowed(let allowed): "must be one of \(allowed.joined(separator: ", "))"
        case .wrongFormat("email"): "must be an email address"
        case .wrongFormat("phone"): "must be a phone number of 5 to 20 characters"
        case .wrongFormat: "must be a timestamp"
        case .tooFewItems(let least): "must have at least \(least) elements"
        case .tooManyItems(let most): "must have at most \(most) elements"
        case .duplicate: "answers a question again"
        case .unknownMember: "is unknown"
        case .rule(let words): words
        }
    }
}

extension [FieldIssue] {
    /// Refuses the request if there is an issue.
    func check() throws(APIError) {
        guard isEmpty else { throw .validation(map { ($0.field, $0.reason) }) }
    }
}

extension TrafikskolaAPI {
    /// The body as an object.
    ///
    /// If nothing is required, an empty body counts as an empty object.
    static func object(_ call: Call, mayBeEmpty: Bool = false) throws(APIError) -> JSONObject {
        if mayBeEmpty, call.request.body.isEmpty { return JSONObject() }
        guard case .object(let object)? = try? call.request.json() else { throw .invalidJSON }
        return object
    }

    /// The body as a model without issues.
    static func read<Model: RequestModel>(
        _ type: Model.Type,
        _ call: Call,
        mayBeEmpty: Bool = false
    ) throws(APIError) -> Model {
        let (body, issues) = type.read(try object(call, mayBeEmpty: mayBeEmpty))
        try issues.check()
        return body
    }
}

extension RequestValue where Output == String {
    /// A text with at least one character.
    static var filled: Self { .string(.notEmpty) }

    /// An e-mail address, trimmed.
    static var email: Self { trimmedEmail.format("email", where: isAddress) }

    /// A text for an e-mail address, trimmed; its form is not checked.
    static var trimmedEmail: Self { Self.string(.notEmpty).map(\.trimmed) }

    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.length <= 254 else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0.value > 0x20 }
    }
}

extension RequestValue where Output == Instant {
    /// An instant with its time zone.
    static var moment: Self { RequestValue<String>.string().format("date-time") { Instant(iso8601: $0) } }
}
