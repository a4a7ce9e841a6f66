import Backend
import JSON

/// One change of a contract: what becomes of a value.
enum DriftChange: Sendable {
    enum Automatic: String, Sendable, CaseIterable { case additive, breaking }

    enum Kind: String, Sendable, CaseIterable { case string, number, boolean, object, array, null }

    case remove(DriftPath)
    case set(DriftPath, to: JSON)
    case null(DriftPath)
    case add(DriftPath, value: JSON)
    case retype(DriftPath, as: Kind)
    case automatic(Automatic)

    static let schemas: [JSONSchema] = [
        .closed([("remove", .string())]), .closed([("set", .string()), ("to", .any)]),
        .closed([("null", .string())]),
        .closed([("add", .closed([("path", .string()), ("value", .any)]))]),
        .closed([("retype", .string()), ("as", .words(Kind.self))]),
        .closed([("auto", .words(Automatic.self))]),
    ]

    // MARK: Reading

    static func read(_ check: inout BodyCheck) -> DriftChange? {
        let names = ["remove", "set", "null", "add", "retype", "auto"]
        switch check.exactlyOne(of: names, companions: ["to", "as"]) {
        case "remove": return path("remove", &check).map { .remove($0) }
        case "null": return path("null", &check).map { .null($0) }
        case "set":
            let place = path("set", &check)
            guard let value = check.present("to") else {
                check.fault("to", "is required with set")
                return nil
            }
            return place.map { .set($0, to: value) }
        case "add":
            return check.inner("add") { inner in
                let place = path("path", &inner)
                guard let value = inner.present("value") else {
                    inner.fault("value", "is required")
                    return nil
                }
                return place.map { .add($0, value: value) }
            }
        case "retype":
            let place = path("retype", &check)
            let kind = check.choice("as", Kind.self)
            if kind == nil, check.value("as") == nil { check.fault("as", "is required with retype") }
            guard let place, let kind else { return nil }
            return .retype(place, as: kind)
        case .some: return check.choice("auto", Automatic.self).map { .automatic($0) }
        case nil: return nil
        }
    }

    private static func path(_ name: String, _ check: inout BodyCheck) -> DriftPath? {
        guard let value = check.value(name) else {
            check.fault(name, "is required")
            return nil
        }
        guard let text = value.stringValue, let way = DriftPath(text) else {
            check.fault(name, "must be a path such as data.user.email, items[0].name or items.*.name")
            return nil
        }
        return way
    }

    // MARK: Changing

    /// Returns the JSON with the change.
    ///
    /// `schema` is the endpoint's own for this response, and `stream` chooses an automatic change.
    func drifted(_ json: JSON, schema: JSONSchema?, _ stream: inout SeededStream) -> JSON {
        switch self {
        case .remove(let path), .set(let path, _), .null(let path), .add(let path, _), .retype(let path, _):
            return path.change(json, replaced)
        case .automatic(let automatic):
            let changes = AutomaticDrift.changes(of: json, schema: schema, automatic)
            guard !changes.isEmpty else { return json }
            return changes[stream.below(changes.count)].made(in: json)
        }
    }

    /// Returns whether the response would change.
    ///
    /// A thousand drifts may be tried on one long response, so only the value at the path is read.
    func changesAnything(in json: JSON, schema: JSONSchema?, _ stream: inout SeededStream) -> Bool {
        switch self {
        case .remove(let path), .set(let path, _), .null(let path), .add(let path, _), .retype(let path, _):
            path.contains(in: json) { replaced($0) != $0 }
        case .automatic: drifted(json, schema: schema, &stream) != json
        }
    }

    /// Returns the value that replaces another; nil for none.
    private func replaced(_ value: JSON?) -> JSON? {
        switch self {
        case .remove: nil
        case .set(_, let new), .add(_, let new): new
        case .null: value == nil ? nil : .null
        case .retype(_, let kind): value.map { Self.retyped($0, as: kind) }
        case .automatic: value
        }
    }

    /// Returns the value converted to another type, as closely as possible.
    static func retyped(_ value: JSON, as kind: Kind) -> JSON {
        switch kind {
        case .null: return .null
        case .string: return value.stringValue.map { .string($0) } ?? .string(value.text)
        case .number:
            if value.doubleValue != nil { return value }
            if let flag = value.boolValue { return .integer(flag ? 1 : 0) }
            if let text = value.stringValue, let read = try? JSONReader.read(text: text), read.doubleValue != nil {
                return read
            }
            return 0
        case .boolean:
            if let flag = value.boolValue { return .bool(flag) }
            if let number = value.doubleValue { return .bool(number != 0) }
            if let text = value.stringValue { return .bool(!["", "false", "0", "no"].contains(text)) }
            return .bool(!value.isNull)
        case .object:
            if case .object = value { return value }
            return ["value": value]
        case .array:
            if case .array = value { return value }
            return [value]
        }
    }
}
