import Backend
import HTTPMessage
import JSON

/// The reading of bodies and the wording of issues: the first alone is told (contract, section 2.6).
extension OmniChatAPI {
    /// Reads the body as step 5 of section 2.6: the size, then the syntax.
    ///
    /// Only an object is accepted.
    static func object(_ call: Call) throws(APIError) -> JSONObject {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        guard let json = try? call.request.json(ownDepth: 512),
            case .object(let object) = json
        else { throw .invalidBody }
        return object
    }

    /// Reads the body as a request type.
    ///
    /// All wrong types have the same text. The endpoint decides on missing and empty members.
    static func read<Value: RequestModel>(
        _ type: Value.Type,
        _ call: Call,
        _ missing: [String: APIError] = [:]
    ) throws(APIError) -> Value {
        let (value, issues) = Value.read(try object(call), telling: .first)
        guard let issue = issues.first else { return value }
        guard case .wrongType(let expected) = issue.kind else {
            throw missing[issue.field] ?? .badRequest("\(issue.field) must be a non-empty string")
        }
        let name =
            switch expected {
            case .boolean: "a boolean"
            case .strings: "an array of strings"
            case .object: "an object"
            default: "a string"
            }
        throw .badRequest("\(issue.field) must be \(name)")
    }
}
