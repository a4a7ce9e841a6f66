import Backend
import HTTPMessage
import JSON

/// The wording of issues: only the first is reported, in a sentence without a full stop (contract, section 2).
extension FieldIssue {
    /// The sentence.
    var message: String {
        let name = path.isEmpty ? "the body" : field
        return switch kind {
        case .missing, .empty, .blank: "\(name) is required"
        case .wrongType(.oneOf(let allowed)), .notAllowed(let allowed):
            "\(name) must be one of \(allowed.joined(separator: ", "))"
        case .wrongType(let expected): "\(name) must be \(expected.words), found \(found?.typeName ?? "nothing")"
        case .outOfRange(.number(let range?)) where found?.doubleValue?.isFinite ?? true:
            "\(name) must be from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        case .outOfRange(let expected): "\(name) must be \(expected.words), found \(found?.typeName ?? "nothing")"
        case .wrongFormat("uuid"): "\(name) must be a UUID"
        case .wrongFormat: "\(name) must be an RFC 3339 date with time and zone"
        case .tooShort(let least): "\(name) must have at least \(least) characters"
        case .tooLong(let most): "\(name) must have at most \(most) characters"
        case .wrongLength(let range): "\(name) must have \(range.lowerBound) to \(range.upperBound) characters"
        case .tooFewItems(let least): "\(name) must hold at least \(least) items"
        case .tooManyItems(let most): "\(name) must hold at most \(most) items"
        case .duplicate: "\(name) must not come twice"
        case .unknownMember: "\(name) is unknown"
        case .rule(let words): "\(name) \(words)"
        }
    }
}

extension FieldIssue.Expected {
    /// The kind with its article.
    fileprivate var words: String {
        switch self {
        case .string: "a string"
        case .boolean: "true or false"
        case .number: "a number"
        case .integer: "a whole number of 32 bits"
        case .array: "a list"
        case .strings: "a list of strings"
        case .object: "an object"
        case .oneOf(let allowed): "one of \(allowed.joined(separator: ", "))"
        case .other(let kind): kind
        }
    }
}

extension TrendyAPI {
    /// The greatest depth of a body (contract, section 2).
    static let bodyDepth = 512

    /// The body of a request to the backend as JSON.
    static func sent(_ call: Call) throws(APIError) -> JSON {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        do throws(JSONSyntaxError) {
            return try call.request.json(ownDepth: bodyDepth)
        } catch {
            throw error.reason == .empty ? .emptyBody : .badRequest(error.description)
        }
    }

    /// The body, which must be an object.
    static func object(_ call: Call) throws(APIError) -> JSONObject {
        let json = try sent(call)
        guard case .object(let object) = json else {
            throw .badRequest(FieldIssue(kind: .wrongType(.object), found: json).message)
        }
        return object
    }

    /// The body as a model without issues.
    static func read<Model: RequestModel>(_ type: Model.Type, _ call: Call) throws(APIError) -> Model {
        let (body, issues) = type.read(try object(call), telling: .first)
        if let issue = issues.first { throw .badRequest(issue.message) }
        return body
    }
}
