import Backend
import Basics
import JSON

/// The way of one mapping to a stub, with the list of what could not be carried over.
struct StubConversion {
    /// The list, in the order in which the mapping was read.
    private(set) var items: [SeedError.Item] = []
    /// Tells whether the stub does all that the mapping does.
    private(set) var isComplete = true
    /// The parameters of the mapping's path template.
    var pathNames = PathNames()

    private let source: MappingSource
    private let base: [JSONPathElement]

    init(_ source: MappingSource, at base: [JSONPathElement]) {
        self.source = source
        self.base = base
    }

    /// Lists a part that was not carried over, which disables the stub.
    mutating func omit(_ path: [JSONPathElement], _ reason: String) {
        isComplete = false
        note(path, reason)
    }

    /// Lists a part that has another meaning here, or none.
    mutating func note(_ path: [JSONPathElement], _ reason: String) {
        let item = source.item(at: base + path, reason)
        // A response whose templates can't be carried over is read a second time without them.
        if !items.contains(item) { items.append(item) }
    }

    /// Lists the members of an object that are not among the known ones; an empty value asks for nothing.
    mutating func omitOthers(of object: JSONObject, than known: Set<String>, at path: [JSONPathElement]) {
        for member in object.members where !known.contains(member.name) {
            switch member.value {
            case .null, .bool(false): continue
            case .array(let elements) where elements.isEmpty: continue
            case .object(let object) where object.isEmpty: continue
            default: omit(path + [.key(member.name)], Self.refusal(of: member, at: path))
            }
        }
    }

    /// The reason why a member is left out, with what does the same elsewhere.
    private static func refusal(of member: JSONObject.Member, at path: [JSONPathElement]) -> String {
        guard path == ["response"] else { return "has no counterpart" }
        switch member.name {
        case "fault":
            guard let kind = member.value.stringValue, let same = faults[kind] else { return "has no counterpart" }
            return "has no counterpart in a stub; use the fault {\"connection\":\"\(same)\"}"
        case "chunkedDribbleDelay": return "has no counterpart in a stub; use the fault {\"dribble\":{…}}"
        case "proxyBaseUrl": return "has no counterpart in a stub; use the mode record-missing with a real backend"
        default: return "has no counterpart"
        }
    }

    private static let faults = [
        "CONNECTION_RESET_BY_PEER": "reset", "EMPTY_RESPONSE": "empty", "MALFORMED_RESPONSE_CHUNK": "malformed-chunk",
        "RANDOM_DATA_THEN_CLOSE": "garbage",
    ]

    /// Returns the stubs of a mapping, of which one takes each of its requests; a mapping that lost a part has one, which is
    /// disabled.
    mutating func stubs(_ mapping: JSONObject, _ states: inout StateNames, _ library: inout BodyFiles) -> [JSON] {
        // `id`, `uuid`, `persistent`, `insertionIndex` are WireMock's own bookkeeping, `$schema` is for editors.
        let known: Set<String> = [
            "$schema", "id", "uuid", "name", "priority", "persistent", "insertionIndex", "metadata", "request",
            "response", "scenarioName", "requiredScenarioState", "newScenarioState",
        ]
        omitOthers(of: mapping, than: known, at: [])
        if let metadata = mapping["metadata"], metadata.objectValue?.isEmpty != true, !metadata.isNull {
            note(["metadata"], "is not kept; no response depends on it")
        }
        if let priority = mapping["priority"], priority.coercedInteger == nil, !priority.isNull {
            omit(["priority"], "is not a whole number")
        }
        var stub = JSONObject()
        if let name = name(mapping) { stub.append("name", .string(name)) }
        let (match, bodies) = match(mapping["request"])
        if !match.isEmpty { stub.append("match", .object(match)) }
        let response = response(mapping["response"], &library)
        let (requires, sets) = conditions(mapping, &states)
        if let requires { stub.append("requires", .object(requires)) }
        stub.append("response", .object(response))
        if let sets { stub.append("sets", .object(sets)) }
        stub = sound(stub, of: mapping, states)
        guard isComplete else {
            let name = stub["name"].map { [JSONObject.Member(name: "name", value: $0)] } ?? []
            let rest = stub.members.filter { $0.name != "name" }
            return [.object(JSONObject(name + [JSONObject.Member(name: "enabled", value: false)] + rest))]
        }
        guard bodies.count > 1, case .object(var match)? = stub["match"] else { return [.object(stub)] }
        return bodies.map { body in
            match["body"] = body
            stub["match"] = .object(match)
            return .object(stub)
        }
    }

    private mutating func name(_ mapping: JSONObject) -> String? {
        guard let name = string("name", mapping), !name.isEmpty else { return nil }
        guard name.utf8.count <= Self.mostName else {
            omit(["name"], "has \(name.utf8.count) bytes; the limit is \(Self.mostName)")
            return nil
        }
        return name
    }

    /// The bytes of the longest name of a stub.
    private static let mostName = 1_000

    /// A member of the mapping that has to be a string; null is none.
    private mutating func string(_ name: String, _ mapping: JSONObject) -> String? {
        guard let value = mapping[name], !value.isNull else { return nil }
        if value.coercedText == nil { omit([.key(name)], "expected a string, found \(value.typeName)") }
        return value.coercedText
    }

    private mutating func conditions(
        _ mapping: JSONObject,
        _ states: inout StateNames
    ) -> (requires: JSONObject?, sets: JSONObject?) {
        let scenario = string("scenarioName", mapping)
        let required = string("requiredScenarioState", mapping)
        let new = string("newScenarioState", mapping)
        guard let scenario else {
            for (name, value) in [("requiredScenarioState", required), ("newScenarioState", new)] where value != nil {
                omit([.key(name)], "requires scenarioName")
            }
            return (nil, nil)
        }
        guard let state = states.name(of: scenario) else {
            omit(["scenarioName"], "is one scenario too many: an API has at most \(StateNames.most) states")
            return (nil, nil)
        }
        func condition(_ member: JSONPathElement, _ value: String?) -> JSONObject? {
            guard let value else { return nil }
            guard states.declare(value, of: scenario) else {
                omit([member], "is one state too many: a scenario has at most \(StateNames.most)")
                return nil
            }
            return [state: .string(value)]
        }
        return (condition("requiredScenarioState", required), condition("newScenarioState", new))
    }
}

/// The parameters of a path template.
struct PathNames {
    /// Those that stand in the stub's path.
    var names: [String] = []
    /// The values of those that may have only one, which stands in the path in their place.
    var values: [String: String] = [:]
}
