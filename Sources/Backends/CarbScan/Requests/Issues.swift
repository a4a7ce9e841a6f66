import Backend
import CivilTime
import HTTPMessage
import JSON

/// The wording of issues: all are reported, each by its field and a code (contract, section 3).
extension FieldIssue {
    /// The code of the contract.
    var reason: String {
        switch kind {
        case .missing: "required"
        case .wrongType: "wrong_type"
        case .empty, .blank: "empty"
        case .tooLong: "too_long"
        case .tooShort, .wrongLength, .wrongFormat: "invalid_format"
        case .outOfRange: "out_of_range"
        case .notAllowed, .duplicate, .unknownMember: "unsupported_value"
        case .tooManyItems, .tooFewItems: "too_many_items"
        case .rule(let code): code
        }
    }
}

extension FieldIssue.Kind {
    /// A value of the right type that is not supported.
    static let unsupported = Self.notAllowed([])
    static let tooLarge = Self.rule("too_large")
}

extension [FieldIssue] {
    /// Refuses the request if there is an issue.
    func check() throws(APIError) {
        guard isEmpty else { throw .validation(map { ($0.field, $0.reason) }) }
    }
}

extension CarbScanAPI {
    /// The body as an object (section 2); a missing body, or one of another type, counts as an empty one.
    static func object(_ request: HTTPRequest) throws(APIError) -> JSONObject {
        guard !request.body.exceedsLimit else { throw .tooLarge }
        guard !request.body.isEmpty,
            request.head.fields.bytes(.contentType).flatMap(MediaType.init(bytes:))?.essence == "application/json"
        else { return JSONObject() }
        guard let json = try? request.json() else {
            throw .validation([("body", "malformed_json")])
        }
        guard case .object(let object) = json else {
            throw .validation([("body", "wrong_type")])
        }
        return object
    }

    /// The body as a model without issues.
    static func read<Model: RequestModel>(_ type: Model.Type, _ call: Call) throws(APIError) -> Model {
        let (body, issues) = type.read(try object(call.request))
        try issues.check()
        return body
    }
}

extension TextRule {
    /// A text that is not blank after trimming.
    static let filled = Self.notBlank { $0.isBlank }
}

extension RequestValue where Output == Instant {
    /// An instant with its time zone.
    static var instant: Self {
        RequestValue<String>.string(.filled).documented(as: .string(format: "date-time")).format("date-time") { text in
            guard let instant = Instant(iso8601: text, allowLowercase: true)?.flooredToMillisecond,
                (WorldClock.earliest...(WorldClock.latest + .milliseconds(999))).contains(instant)
            else { return nil }
            return instant
        }
    }
}

extension String {
    /// Tells whether the text is blank after trimming.
    var isBlank: Bool { unicodeScalars.allSatisfy { $0 == "\u{FEFF}" || $0 != "\u{85}" && $0.properties.isWhitespace } }
}
