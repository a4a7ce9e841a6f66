import Backend
import HTTPMessage
import JSON

/// The wording of issues: only the first is reported, in a sentence (contract, section 2.2).
extension FieldIssue {
    /// The sentence.
    var message: String {
        let words =
            switch kind {
            case .missing: "is required"
            case .wrongType(.string): "must be a string"
            case .wrongType(.boolean): "must be true or false"
            case .wrongType(.strings), .wrongType(.array): "must be an array of strings"
            case .wrongType(.object): "must be an object"
            case .wrongType(.number), .wrongType(.integer), .outOfRange: "must be a number"
            case .wrongType(.other(let kind)): "must be \(kind)"
            case .wrongType(.oneOf(let allowed)), .notAllowed(let allowed):
                "must be one of \(allowed.joined(separator: ", "))"
            case .empty: "must not be empty"
            case .blank: "must not be blank"
            case .tooShort(let least): "must have at least \(least) characters"
            case .tooLong(let most): "must have at most \(most) characters"
            case .wrongLength(let range): "must have \(range.lowerBound) to \(range.upperBound) characters"
            case .wrongFormat("email"): "must be an e-mail address"
            case .wrongFormat(let name): "must be of the format \(name)"
            case .tooFewItems(let least): "must have at least \(least) elements"
            case .tooManyItems(let most): "must have at most \(most) elements"
            case .duplicate: "must not come twice"
            case .unknownMember: "is unknown"
            case .rule(let words): words
            }
        return "\(field) \(words)."
    }
}

extension SawaedAPI {
    /// The body as an object (section 2.2, steps 1 to 5).
    static func object(_ call: Call) throws(APIError) -> JSONObject {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        let bytes = call.request.body.bytes
        guard !bytes.isEmpty else { return JSONObject() }
        // Every UTF-16 code unit takes at least one byte.
        if bytes.count > bodyUnits, String(decoding: bytes, as: UTF8.self).utf16.count > bodyUnits {
            throw bodyFailure("body_too_large", "The body has more than \(bodyUnits) characters.", call)
        }
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try call.request.mendedJSON(allowsBOM: true)
        } catch {
            throw bodyFailure("invalid_json", "The body is not JSON: \(error)", call)
        }
        guard case .object(let object) = json else {
            throw bodyFailure("validation_error", "The body must be an object.", call)
        }
        return object
    }

    /// The body as a model without issues.
    static func read<Model: RequestModel>(_ type: Model.Type, _ call: Call) throws(APIError) -> Model {
        let (body, issues) = type.read(try object(call), telling: .first)
        try check(issues, call)
        return body
    }

    /// Refuses the request if there is an issue.
    static func check(_ issues: [FieldIssue], _ call: Call) throws(APIError) {
        if let issue = issues.first { throw bodyFailure("validation_error", issue.message, call) }
    }

    /// The failure of an invalid body, in the form of the route.
    static func bodyFailure(_ code: String, _ message: String, _ call: Call) -> APIError {
        let metadata = metadata(of: call)
        return switch metadata?.bodyFailure {
        case .own: APIError(.badRequest, code: metadata?.failure ?? code, message)
        case .credentials: .invalidCredentials
        case .generic, nil: APIError(.badRequest, code: code, message)
        }
    }
}

extension RequestValue where Output == String {
    /// An e-mail address.
    static var email: Self { Self.string().format("email", where: EmailAddress.isValid) }

    /// An e-mail address, trimmed and in lower case.
    static var foldedEmail: Self {
        Self.string().map { $0.trimmed.lowercased() }.format("email", where: EmailAddress.isValid)
    }
}
