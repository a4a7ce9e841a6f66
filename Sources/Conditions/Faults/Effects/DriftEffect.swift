import Backend
import HTTPMessage
import JSON

/// A contract that changed: one change of a JSON response, or of the JSON in each event of a stream.
enum DriftEffect: FaultEffect {
    enum Automatic: String, Sendable, CaseIterable { case additive, breaking }

    enum Kind: String, Sendable, CaseIterable { case string, number, boolean, object, array, null }

    case remove(DriftPath)
    case set(DriftPath, to: JSON)
    case null(DriftPath)
    case add(DriftPath, value: JSON)
    case retype(DriftPath, as: Kind)
    case automatic(Automatic)

    var behavior: FaultBehavior { .shapesAnswer(.byContent) }

    /// A changed contract stays changed, so an automatic drift is the same for a route every time.
    var chance: EffectChance { .perRoute }

    static let declaration = EffectDeclaration(
        "drift",
        forms: [
            .closed([
                (
                    "drift",
                    .oneOf([
                        .closed([("remove", .string())]), .closed([("set", .string()), ("to", .any)]),
                        .closed([("null", .string())]),
                        .closed([("add", .closed([("path", .string()), ("value", .any)]))]),
                        .closed([("retype", .string()), ("as", .words(Kind.self))]),
                        .closed([("auto", .words(Automatic.self))]),
                    ])
                )
            ])
        ],
        examples: [
            ["drift": ["remove": "data.user.email"]], ["drift": ["set": "data.tier", "to": "platinum"]],
            ["drift": ["set": "data.tier", "to": .null]], ["drift": ["null": "items[0].name"]],
            ["drift": ["add": ["path": "items.*.new", "value": ["a": .null]]]],
            ["drift": ["retype": "data.id", "as": "string"]], ["drift": ["auto": "breaking"]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"drift":{"remove":"data.user.email"}}`, `{"set":"…","to":v}`, `{"null":"…"}`, "#
                    + #"`{"add":{"path":"…","value":v}}`, `{"retype":"…","as":"string"}`"#,
                "one value of the JSON changes: `a.b`, `items[0].name`, `items.*.name`. Nothing happens where the path"
                    + " does not exist. In a stream each event's JSON changes"
            ),
            EffectDeclaration.Row(
                #"`{"drift":{"auto":"additive"}}`, `"breaking"`"#,
                "a seeded change that is compatible with the endpoint's schema (a new member, an optional one left"
                    + " out, null where allowed) or breaking; the same for a route each time"
            ),
        ],
        builders: [
            EffectBuilder(
                "driftRemove",
                "Contract drift: removes a member.",
                [.string("_ path", "drift.remove")]
            ),
            EffectBuilder(
                "driftSet",
                "Contract drift: gives a member another value.",
                [.string("_ path", "drift.set"), .json("to value", "drift.to")]
            ),
            EffectBuilder(
                "driftNull",
                "Contract drift: replaces a value with null.",
                [.string("_ path", "drift.null")]
            ),
            EffectBuilder(
                "driftAdd",
                "Contract drift: adds a member.",
                [.string("_ path", "drift.add.path"), .json("_ value", "drift.add.value")]
            ),
            EffectBuilder(
                "driftRetype",
                "Contract drift: changes the type of a value.",
                [.string("_ path", "drift.retype"), .string("as type", "drift.as")]
            ),
            EffectBuilder(
                "drift",
                "Contract drift: a seeded change that is compatible with the schema or breaking.",
                [
                    .choice(
                        "_ kind",
                        "drift.auto",
                        EffectBuilder.Choice("Drift", "A kind of seeded contract drift.", Automatic.self)
                    )
                ]
            ),
        ],
        takesNull: true
    )

    // MARK: Reading

    static func read(_ check: inout BodyCheck) -> DriftEffect? { check.inner("drift", readChange) }

    private static func readChange(_ check: inout BodyCheck) -> DriftEffect? {
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

    var readsContent: Bool { true }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var changed = response
        changed.dropValidators()
        if response.isEventStream, case .steps(let steps) = response.body {
            changed.body = .steps(
                steps.map { step in
                    guard case .bytes(let bytes) = step, let json = Self.data(of: bytes) else { return step }
                    // Each event draws the same.
                    var random = context.random
                    let event = drifted(json, schema: nil, &random).serialized()
                    return .bytes(Self.dataPrefix + event + [0x0A, 0x0A])
                }
            )
        } else {
            guard let json = context.reading.json(response.body.content) else { return response }
            var random = context.random
            changed.replaceContent(drifted(json, schema: context.schema, &random).serialized())
        }
        return changed
    }

    func obstacle(in response: Response, _ context: EffectContext) -> String? {
        // A problem document of ours is no answer of the API, whose contract it would be.
        if Problem.isOurs(response) { return "problem document" }
        var random = context.random
        let before: [JSON]
        var schema: JSONSchema?
        if response.isEventStream, case .steps(let steps) = response.body {
            before = steps.compactMap { step in
                guard case .bytes(let bytes) = step else { return nil }
                return Self.data(of: bytes)
            }
        } else {
            guard let json = context.reading.json(response.body.content) else { return "no JSON" }
            before = [json]
            schema = context.schema
        }
        return before.contains { changesAnything(in: $0, schema: schema, &random) } ? nil : "nothing to change"
    }

    private static let dataPrefix = Array("data: ".utf8)

    /// Returns the data of an event of one line, if it is JSON.
    private static func data(of bytes: [UInt8]) -> JSON? {
        guard bytes.starts(with: dataPrefix), bytes.suffix(2) == [0x0A, 0x0A],
            bytes.count >= dataPrefix.count + 2
        else { return nil }
        return try? JSONReader.read(bytes[dataPrefix.count..<bytes.count - 2])
    }

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
