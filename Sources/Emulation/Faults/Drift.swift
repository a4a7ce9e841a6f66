package import JSON

/// A contract that moved: one change of a JSON answer (control contract, section 8).
package enum Drift: Sendable {
    package enum Automatic: String, Sendable, CaseIterable { case additive, breaking }

    package enum Kind: String, Sendable, CaseIterable { case string, number, boolean, object, array, null }

    case remove(Path)
    case set(Path, to: JSON)
    case null(Path)
    case add(Path, value: JSON)
    case retype(Path, as: Kind)
    case automatic(Automatic)

    /// The way to what is changed.
    package struct Path: Sendable {
        let way: DriftPath
    }

    /// Reads a `drift` object; what does not fit is noted in `check`.
    package static func read(_ check: inout BodyCheck) -> Drift? {
        let names = ["remove", "set", "null", "add", "retype", "auto"]
        let named = check.named(names)
        guard named.count == 1 else {
            for name in names + ["to", "as"] { _ = check.present(name) }
            check.fault("must have exactly one of \(names.joined(separator: ", "))")
            return nil
        }
        switch named[0] {
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
        default: return check.choice("auto", Automatic.self).map { .automatic($0) }
        }
    }

    private static func path(_ name: String, _ check: inout BodyCheck) -> Path? {
        guard let value = check.value(name) else {
            check.fault(name, "is required")
            return nil
        }
        guard let text = value.stringValue, let way = DriftPath(text) else {
            check.fault(name, "must be a path such as data.user.email, items[0].name or items.*.name")
            return nil
        }
        return Path(way: way)
    }

    /// The answer as it then is.
    ///
    /// `schema` is the endpoint's own for this answer, and `stream` chooses an automatic change.
    func changed(_ json: JSON, schema: JSONSchema?, _ stream: inout SeededStream) -> JSON {
        switch self {
        case .remove(let path), .set(let path, _), .null(let path), .add(let path, _), .retype(let path, _):
            return path.way.change(json, replaced)
        case .automatic(let automatic):
            let changes = AutomaticDrift.changes(of: json, schema: schema, automatic)
            guard !changes.isEmpty else { return json }
            return changes[stream.below(changes.count)].made(in: json)
        }
    }

    /// Tells that the answer would become another.
    ///
    /// A thousand drifts may be held against one long answer: only what stands at the path is looked at.
    func changesAnything(in json: JSON, schema: JSONSchema?, _ stream: inout SeededStream) -> Bool {
        switch self {
        case .remove(let path), .set(let path, _), .null(let path), .add(let path, _), .retype(let path, _):
            path.way.contains(in: json) { replaced($0) != $0 }
        case .automatic: changed(json, schema: schema, &stream) != json
        }
    }

    /// The value that comes in the place of one; nil for none.
    private func replaced(_ value: JSON?) -> JSON? {
        switch self {
        case .remove: nil
        case .set(_, let new), .add(_, let new): new
        case .null: value == nil ? nil : .null
        case .retype(_, let kind): value.map { Self.retyped($0, as: kind) }
        case .automatic: value
        }
    }

    /// The value as another type, as near as it goes.
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
