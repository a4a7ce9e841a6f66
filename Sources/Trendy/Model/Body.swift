import Emulation
import HTTPMessage
import JSON

/// What a member of a request may be: not sent, `null`, or a value.
enum Sent<Value: Sendable>: Sendable {
    case absent, null
    case value(Value)

    /// The value, if there is one.
    var value: Value? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    /// Stores a value; null and absent keep what is there.
    func keepUnlessSent(_ target: inout Value) {
        if case .value(let value) = self { target = value }
    }

    /// Stores a value; null and absent keep what is there.
    func keepUnlessSent(_ target: inout Value?) {
        if case .value(let value) = self { target = value }
    }

    /// Stores a value; null clears, absent keeps.
    func apply(to target: inout Value?) {
        switch self {
        case .absent: break
        case .null: target = nil
        case .value(let value): target = value
        }
    }
}

/// The body of a request to the backend (contract section 2).
///
/// Exact names, nothing coerced, the last of two members of one name counts; every fault is the plain 400 that names
/// the member.
struct Body: Sendable {
    let object: JSONObject

    init(_ object: JSONObject) { self.object = object }

    /// How deep a body may be (contract section 2).
    static let depth = 512

    /// The body as JSON.
    static func json(_ call: Call) throws(APIError) -> JSON {
        guard !call.request.body.exceedsLimit else { throw .tooLarge }
        do throws(JSONSyntaxError) {
            return try call.request.json(ownDepth: depth)
        } catch {
            throw error.reason == .empty ? .emptyBody : .badRequest(error.description)
        }
    }

    /// The body, which must be an object.
    init(_ call: Call) throws(APIError) {
        let json = try Self.json(call)
        guard case .object(let object) = json else {
            throw .badRequest("the body must be an object, found \(json.typeName)")
        }
        self.init(object)
    }

    private func read<Value>(
        _ name: String,
        _ wanted: String,
        _ read: (JSON) -> Value?
    ) throws(APIError) -> Sent<Value> {
        switch object[name] {
        case nil: return .absent
        case .null?: return .null
        case let json?:
            guard let value = read(json) else { throw .badRequest("\(name) must be \(wanted), found \(json.typeName)") }
            return .value(value)
        }
    }

    func text(_ name: String) throws(APIError) -> Sent<String> { try read(name, "a string") { $0.stringValue } }

    func boolean(_ name: String) throws(APIError) -> Sent<Bool> { try read(name, "true or false") { $0.boolValue } }

    /// A number that a double can hold.
    func number(_ name: String) throws(APIError) -> Sent<Double> {
        try read(name, "a number") { $0.doubleValue.flatMap { $0.isFinite ? $0 : nil } }
    }

    /// A whole number of 32 bits, as the database keeps it.
    func integer(_ name: String) throws(APIError) -> Sent<Int> {
        try read(name, "a whole number of 32 bits") { $0.intValue.flatMap { Int32(exactly: $0) }.map(Int.init) }
    }

    func time(_ name: String) throws(APIError) -> Sent<Timestamp> {
        switch try text(name) {
        case .absent: return .absent
        case .null: return .null
        case .value(let text):
            guard let time = TimeText.read(text) else {
                throw .badRequest("\(name) must be an RFC 3339 date with time and zone")
            }
            return .value(time)
        }
    }

    /// An id in lower case.
    func id(_ name: String) throws(APIError) -> Sent<String> {
        switch try text(name) {
        case .absent: return .absent
        case .null: return .null
        case .value(let text):
            guard let id = UUIDText.canonical(text) else { throw .badRequest("\(name) must be a UUID") }
            return .value(id)
        }
    }

    func texts(_ name: String) throws(APIError) -> Sent<[String]> {
        try read(name, "a list of strings") { json in
            guard let elements = json.arrayValue else { return nil }
            let texts = elements.compactMap(\.stringValue)
            return texts.count == elements.count ? texts : nil
        }
    }

    /// Any value; null counts as such.
    func any(_ name: String) -> Sent<JSON> {
        switch object[name] {
        case nil: .absent
        case .null?: .null
        case let json?: .value(json)
        }
    }

    /// A text that must be there and not be empty.
    func required(_ name: String) throws(APIError) -> String {
        guard let text = try text(name).value, !text.isEmpty else { throw .badRequest("\(name) is required") }
        return text
    }

    /// The properties of an event: objects of `type` and `value` by name, the last of two of one name.
    func properties() throws(APIError) -> Sent<JSONObject> {
        let sent: Sent<JSONObject> = try read("properties", "an object") { $0.objectValue }
        guard let object = sent.value else { return sent }
        var clean: [JSONObject.Member] = []
        var seen: Set<ExactText> = []
        for member in object.members.reversed() where seen.insert(ExactText(member.name)).inserted {
            guard let property = member.value.objectValue, let type = property["type"]?.stringValue else {
                throw .badRequest("properties.\(member.name) must be an object with a text member type")
            }
            let value: JSON = ["type": .string(type), "value": property["value"] ?? .null]
            clean.append(JSONObject.Member(name: member.name, value: value))
        }
        return .value(JSONObject(clean.reversed()))
    }
}
