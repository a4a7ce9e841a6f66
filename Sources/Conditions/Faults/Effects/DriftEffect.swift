import Backend
import HTTPMessage
import JSON

/// A contract that changed: changes of a JSON response, or of the JSON in each event of a stream.
struct DriftEffect: FaultEffect {
    /// The changes, in the order in which they are made.
    let changes: [DriftChange]

    /// The highest number of changes (wire contract, section 10).
    static let mostChanges = 20

    var behavior: FaultBehavior { .shapesAnswer(.byContent) }

    /// A changed contract stays changed, so an automatic drift is the same for a route every time.
    var chance: EffectChance { .perRoute }

    static let declaration = EffectDeclaration(
        "drift",
        forms: [
            .closed([("drift", .oneOf(DriftChange.schemas))]),
            .closed([("drift", .array(.oneOf(DriftChange.schemas), minItems: 1, maxItems: mostChanges))]),
        ],
        examples: [
            ["drift": ["remove": "data.user.email"]], ["drift": ["set": "data.tier", "to": "platinum"]],
            ["drift": ["set": "data.tier", "to": .null]], ["drift": ["null": "items[0].name"]],
            ["drift": ["add": ["path": "items.*.new", "value": ["a": .null]]]],
            ["drift": ["retype": "data.id", "as": "string"]], ["drift": ["auto": "breaking"]],
            ["drift": [["remove": "data.name"], ["retype": "data.id", "as": "string"]]],
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
            EffectDeclaration.Row(
                #"`{"drift":[{"remove":"data.email"},{"null":"data.name"}]}`"#,
                "1 to 20 changes, one after another; it acts where one of them changes something"
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
                        EffectBuilder.Choice("Drift", "A kind of seeded contract drift.", DriftChange.Automatic.self)
                    )
                ]
            ),
            EffectBuilder(
                "drift",
                "Contract drift: several changes, one after another.",
                [.json("_ changes", "drift")]
            ),
        ],
        takesNull: true
    )

    // MARK: Reading

    static func read(_ check: inout BodyCheck) -> DriftEffect? {
        guard let list = check.value("drift")?.arrayValue else {
            return check.inner("drift", DriftChange.read).map { DriftEffect(changes: [$0]) }
        }
        guard (1...mostChanges).contains(list.count) else {
            check.fault("drift", "must have 1 to \(mostChanges) changes")
            return nil
        }
        var changes: [DriftChange] = []
        for (place, element) in list.enumerated() {
            guard let object = element.objectValue else {
                check.fault("drift[\(place)]", "must be an object")
                continue
            }
            var inner = BodyCheck(object, at: "\(check.path).drift[\(place)]")
            if let change = DriftChange.read(&inner) { changes.append(change) }
            inner.refuseUnknown()
            check.add(inner.items)
        }
        return changes.count == list.count ? DriftEffect(changes: changes) : nil
    }

    // MARK: Changing

    var readsContent: Bool { true }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var changed = response
        changed.dropValidators()
        if response.isEventStream, case .steps(let steps) = response.body {
            changed.body = .steps(
                SSETimeline(steps).steps { bytes in
                    guard let data = EventData(bytes), let json = data.json else { return bytes }
                    // Each event draws the same.
                    var random = context.random
                    return data.event(with: drifted(json, schema: nil, &random).serialized())
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
            before = SSETimeline(steps).events.compactMap { EventData($0)?.json }
        } else {
            guard let json = context.reading.json(response.body.content) else { return "no JSON" }
            before = [json]
            schema = context.schema
        }
        return before.contains { changesAnything(in: $0, schema: schema, &random) } ? nil : "nothing to change"
    }

    /// Returns the JSON with the changes.
    ///
    /// `schema` is the endpoint's own for this response, and `stream` chooses automatic changes.
    func drifted(_ json: JSON, schema: JSONSchema?, _ stream: inout SeededStream) -> JSON {
        changes.reduce(json) { $1.drifted($0, schema: schema, &stream) }
    }

    /// Returns whether one of the changes would change the response: up to the first that does, it is as it came.
    func changesAnything(in json: JSON, schema: JSONSchema?, _ stream: inout SeededStream) -> Bool {
        changes.contains { $0.changesAnything(in: json, schema: schema, &stream) }
    }
}
