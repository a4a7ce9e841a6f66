package import Backend
import HTTPMessage
import JSON
import Testing
import Worlds

/// Checks the readers of request bodies against the schemas of the OpenAPI document: both have to accept and to refuse
/// the same bodies.
package struct BodyAgreement {
    /// Members for which the contract requires a difference: template and member, with the reason.
    package var exceptions: [String: String]
    /// The number of bodies that were tried.
    package private(set) var tried = 0
    /// The number of endpoints whose bodies were tried.
    package private(set) var endpoints = 0
    /// The exceptions that were needed.
    package private(set) var used: Set<String> = []
    package private(set) var disagreements: [String] = []
    private var noise: UInt64 = 0x9E37_79B9_7F4A_7C15

    package init(except exceptions: [String: String]) { self.exceptions = exceptions }

    /// The exceptions that were not needed.
    package var unused: [String] { exceptions.keys.filter { !used.contains($0) }.sorted() }

    /// Fails the test where readers and schemas of an API disagree, or an exception is one no more.
    package static func expect<State>(
        of api: APIDefinition<State>,
        except exceptions: [String: String] = [:]
    ) throws {
        var agreement = BodyAgreement(except: exceptions)
        agreement.check(try SeedFolder.api(api).routes)
        #expect(agreement.disagreements.isEmpty, "\(agreement.disagreements.joined(separator: "\n"))")
        #expect(agreement.unused.isEmpty)
        #expect(agreement.endpoints > 0 && agreement.tried > 100)
    }

    package mutating func check(_ routes: [RouteSummary]) {
        for route in routes {
            guard case .json(_, let schema, _, let example, let check) = route.body else { continue }
            guard let check else {
                disagreements.append("\(route.template): its body is declared without a reader")
                continue
            }
            endpoints += 1
            var bodies = Self.candidates(for: schema) + [.null, [], 1]
            if let example { bodies.append(example) }
            for _ in 0..<100 { bodies.append(mixed(schema)) }
            for body in bodies { compare(body, schema, check(body), route) }
        }
    }

    private mutating func compare(_ body: JSON, _ schema: JSONSchema, _ issues: [FieldIssue], _ route: RouteSummary) {
        tried += 1
        let misfits = JSONSchemaValidator.validate(body, against: schema)
        guard issues.isEmpty != misfits.isEmpty else { return }
        let paths = issues.map(\.path) + misfits.map(\.path)
        let unexcused = paths.filter { !isExcused($0, schema, route, isByReader: !issues.isEmpty) }
        guard !unexcused.isEmpty, disagreements.count < 20 else { return }
        let reader = issues.map { "\($0.field) \($0.kind)" }
        disagreements.append(
            "\(route.method.rawValue) \(route.template) \(body.text.prefix(300)): reader \(reader), schema \(misfits)"
        )
    }

    private mutating func isExcused(
        _ path: [JSONPathElement],
        _ schema: JSONSchema,
        _ route: RouteSummary,
        isByReader: Bool
    ) -> Bool {
        // A format is a note in JSON Schema; the reader checks it.
        if isByReader, Self.hasFormat(path[...], schema) { return true }
        let names = path.compactMap { element -> String? in if case .key(let name) = element { name } else { nil } }
        for length in (0...names.count).reversed() {
            let key = ([route.template] + names.prefix(length)).joined(separator: " ")
            guard exceptions[key] != nil else { continue }
            used.insert(key)
            return true
        }
        return false
    }

    private static func hasFormat(_ path: ArraySlice<JSONPathElement>, _ schema: JSONSchema) -> Bool {
        switch (schema, path.first) {
        case (.nullable(let inner), _), (.described(let inner, _, _), _): hasFormat(path, inner)
        case (.oneOf(let choices), _): choices.contains { hasFormat(path, $0) }
        case (.string(let format, _, _, _, _), nil): format != nil
        case (.array(let items, _, _), .index?): hasFormat(path.dropFirst(), items)
        case (.object(let object), .key(let name)?):
            object.properties.contains { $0.name == name && hasFormat(path.dropFirst(), $0.schema) }
        default: false
        }
    }

    // MARK: Bodies

    /// A body in which each member may be valid or invalid.
    private mutating func mixed(_ schema: JSONSchema) -> JSON {
        switch schema {
        case .object(let object):
            var members: [JSONObject.Member] = []
            for property in object.properties {
                // Most fit, so that bodies as a whole often do.
                switch random(8) {
                case 0: continue
                case 1:
                    let choices = Self.candidates(for: property.schema)
                    members.append(JSONObject.Member(name: property.name, value: choices[random(choices.count)]))
                default: members.append(JSONObject.Member(name: property.name, value: Self.sample(of: property.schema)))
                }
            }
            return .object(JSONObject(members))
        case .nullable(let inner), .described(let inner, _, _): return mixed(inner)
        case .oneOf(let choices): return mixed(choices[random(choices.count)])
        case .array(let items, _, _): return .array((0..<random(3)).map { _ in mixed(items) })
        default:
            let choices = Self.candidates(for: schema)
            return choices[random(choices.count)]
        }
    }

    private mutating func random(_ bound: Int) -> Int {
        noise ^= noise << 13
        noise ^= noise >> 7
        noise ^= noise << 17
        return Int(noise % UInt64(max(1, bound)))
    }

    /// A valid value, and not `null` if there is another.
    private static func sample(of schema: JSONSchema) -> JSON {
        switch schema {
        case .nullable(let inner), .described(let inner, _, nil): sample(of: inner)
        default: schema.sample()
        }
    }

    private static let others: [JSON] = [.null, true, 0, 1.5, -1, "", "x", [], [1], [:]]

    /// Values at the limits of a schema, one past them, and of every other type.
    static func candidates(for schema: JSONSchema) -> [JSON] {
        var values = others
        switch schema {
        case .nullable(let inner), .described(let inner, _, _): return candidates(for: inner)
        case .oneOf(let choices): return choices.flatMap { candidates(for: $0) }
        case .string(_, let enumeration, let least, let most, _):
            for text in (enumeration ?? []) + [" ", "123456", "0.5", "True"] { values.append(.string(text)) }
            values.append(schema.sample())
            for length in around(least, most) { values.append(.string(String(repeating: "a", count: length))) }
        case .integer(let least, let most):
            for limit in [least, most].compactMap(\.self) {
                for number in [limit &- 1, limit, limit &+ 1] { values.append(.integer(number)) }
            }
        case .boundedNumber(let least, let most):
            for limit in [least, most].compactMap(\.self) {
                for number in [limit - 0.5, limit, limit + 0.5] { values.append(.double(number)) }
            }
        case .array(let items, let least, let most):
            for item in candidates(for: items) { values.append(.array([item])) }
            values.append([sample(of: items), sample(of: items)])
            for count in around(least, most) {
                values.append(.array(Array(repeating: sample(of: items), count: count)))
            }
        case .object(let object): values += bodies(of: object)
        default: break
        }
        return values
    }

    /// The lengths at both limits, and those one beside them.
    private static func around(_ least: Int?, _ most: Int?) -> [Int] {
        [least, most].compactMap(\.self).flatMap { [$0 - 1, $0, $0 + 1] }.filter { (0..<20_000).contains($0) }
    }

    /// Bodies that are valid but for one member.
    private static func bodies(of object: JSONSchema.Object) -> [JSON] {
        let whole = JSONObject(
            object.properties.map { JSONObject.Member(name: $0.name, value: $0.example ?? sample(of: $0.schema)) }
        )
        let least = JSONObject(
            object.properties.filter(\.isRequired)
                .map { JSONObject.Member(name: $0.name, value: $0.example ?? sample(of: $0.schema)) }
        )
        var bodies: [JSON] = [.object(whole), .object(least)]
        func add(_ name: String, _ value: JSON?) {
            for var body in [whole, least] {
                body[name] = value
                bodies.append(.object(body))
            }
        }
        add("a name that no schema has", 1)
        for property in object.properties {
            add(property.name, nil)
            for value in candidates(for: property.schema) { add(property.name, value) }
        }
        if case .schema(let inner) = object.additionalProperties {
            for value in candidates(for: inner) { add("any", value) }
        }
        return bodies
    }
}
