import Conditions
import JSON

/// The body patterns of a mapping as `body` and `bodyText`.
extension StubConversion {
    /// The conditions on a body: all that a subset and one text condition can say.
    struct BodyConditions {
        /// The subsets, of which a JSON body has to have one; none without a condition.
        var json: [JSON] = []
        /// The condition on the text.
        var text: JSONObject?
    }

    /// The most forms of a body, each of which is a stub.
    private static let mostForms = 24

    /// Returns the conditions of `bodyPatterns`, merged.
    mutating func body(_ json: JSON?) -> BodyConditions {
        guard let json, !json.isNull else { return BodyConditions() }
        guard case .array(let patterns) = json else {
            omit(["request", "bodyPatterns"], "expected an array, found \(json.typeName)")
            return BodyConditions()
        }
        var conditions = BodyConditions()
        var texts: [JoinedText.Condition] = []
        var exact: (value: JSON, path: [JSONPathElement])?
        for (place, pattern) in patterns.enumerated() {
            let path: [JSONPathElement] = ["request", "bodyPatterns", .index(place)]
            guard let subset = subset(pattern, at: path, &texts) else { continue }
            if subset.isExact { exact = exact ?? (subset.value, path) }
            merge(subset, into: &conditions, at: path)
        }
        conditions.text = joined(texts)
        if let exact {
            if texts.isEmpty, let text = ExactBody.condition(exact.value) {
                conditions.text = text
            } else if !ExactBody.isImplied(exact.value) {
                note(exact.path + ["equalToJson"], "is looser here: a body with more members matches too")
            }
        }
        return conditions
    }

    private mutating func merge(
        _ subset: Subset,
        into conditions: inout BodyConditions,
        at path: [JSONPathElement]
    ) {
        var forms = [subset.value]
        if subset.hasAnyOrder {
            if let orders = ArrayOrders.all(of: subset.value, atMost: Self.mostForms / max(conditions.json.count, 1)) {
                forms = orders
            } else {
                note(path + ["ignoreArrayOrder"], "is looser here: arrays of so many orders match with any elements")
                forms = [ArrayOrders.without(subset.value)]
            }
        }
        guard !conditions.json.isEmpty else {
            conditions.json = forms
            return
        }
        let both = conditions.json.flatMap { present in forms.compactMap { Self.union(present, $0) } }
        guard !both.isEmpty else { return omit(path, "can't be joined with the patterns before it") }
        conditions.json = both
    }

    /// A value with all that both have; nil if they contradict each other.
    static func union(_ left: JSON, _ right: JSON) -> JSON? {
        guard case .object(var members) = left, case .object(let others) = right else {
            return left == right ? left : nil
        }
        for member in others.members {
            guard let present = members[member.name] else {
                members.append(member.name, member.value)
                continue
            }
            guard let both = union(present, member.value) else { return nil }
            members[member.name] = both
        }
        return .object(members)
    }

    private mutating func joined(_ texts: [JoinedText.Condition]) -> JSONObject? {
        do throws(JoinedText.Refusal) {
            return try JoinedText.condition(texts)
        } catch {
            omit(["request", "bodyPatterns"], error.reason)
            return nil
        }
    }

    // MARK: One pattern

    /// The part that a body has to have, with the manner in which it is compared.
    private struct Subset {
        var value: JSON
        /// Tells whether it may have nothing else.
        var isExact = false
        /// Tells whether the elements of arrays may stand in any order.
        var hasAnyOrder = false
    }

    private mutating func subset(
        _ pattern: JSON,
        at path: [JSONPathElement],
        _ texts: inout [JoinedText.Condition]
    ) -> Subset? {
        if let expected = pattern["equalToJson"] { return equalToJSON(expected, pattern, at: path) }
        if let expression = pattern["matchesJsonPath"] {
            omitOthers(of: pattern.objectValue ?? [:], than: ["matchesJsonPath"], at: path)
            return jsonPath(expression, at: path + ["matchesJsonPath"], &texts).map { Subset(value: $0) }
        }
        guard let (matcher, text) = textMatcher(pattern, at: path) else { return nil }
        switch matcher {
        case .equalTo: texts.append(.equals(text))
        case .contains: texts.append(.contains(text))
        case .matches:
            if regularExpression(text, at: path + ["matches"]) != nil { texts.append(.regex(text)) }
        case .absent: texts.append(.equals(""))
        }
        return nil
    }

    private mutating func equalToJSON(_ expected: JSON, _ pattern: JSON, at path: [JSONPathElement]) -> Subset? {
        let place = path + ["equalToJson"]
        var options = pattern.objectValue ?? [:]
        for name in ["equalToJson", "ignoreExtraElements", "ignoreArrayOrder"] { options[name] = nil }
        omitOthers(of: options, than: [], at: path)
        var value = expected
        if let text = expected.stringValue {
            guard let read = RelaxedJSON.value(text) else {
                omit(place, "is not JSON")
                return nil
            }
            value = read
        }
        guard !value.isNull else {
            omit(place, "is null, which a subset can't require")
            return nil
        }
        if Self.hasPlaceholder(value) {
            omit(place, "has a placeholder of JsonUnit, which has no counterpart")
            return nil
        }
        guard JSONPattern(value).values <= Matcher.mostValues else {
            omit(place, "has over \(Matcher.mostValues) values")
            return nil
        }
        let subset = Subset(
            value: value,
            isExact: pattern["ignoreExtraElements"]?.coercedBool != true,
            hasAnyOrder: pattern["ignoreArrayOrder"]?.coercedBool == true
        )
        if !subset.isExact, !subset.hasAnyOrder, ArrayOrders.hasElements(value) {
            note(place, "is looser here: an array with other elements before and between these matches too")
        }
        return subset
    }

    private static func hasPlaceholder(_ json: JSON) -> Bool {
        switch json {
        case .string(let text): text.hasPrefix("${json-unit.") || text.hasPrefix("#{json-unit.")
        case .array(let elements): elements.contains(where: hasPlaceholder)
        case .object(let object): object.members.contains { hasPlaceholder($0.value) }
        case .null, .bool, .integer, .number: false
        }
    }

    private mutating func jsonPath(
        _ json: JSON,
        at path: [JSONPathElement],
        _ texts: inout [JoinedText.Condition]
    ) -> JSON? {
        let text: String?
        var equal: JSON?
        if case .object(var object) = json {
            text = object["expression"]?.stringValue
            equal = object["equalTo"]
            object["expression"] = nil
            object["equalTo"] = nil
            guard object.isEmpty, equal?.stringValue != nil else {
                omit(path, "is supported only alone or with equalTo")
                return nil
            }
        } else {
            text = json.stringValue
        }
        if equal == nil, let text, let filter = FilterPath(text) {
            note(path, filter.looseness)
            return filter.subset
        }
        guard let text, let names = MemberPath.names(text), !names.isEmpty else {
            omit(path, "is not a path of plain members such as $.a.b")
            return nil
        }
        guard let wanted = equal?.stringValue else {
            note(path, "is looser here: the members are searched for in the text of the body")
            texts.append(.member(TextMember(names: names, value: nil)))
            return nil
        }
        // WireMock compares the text of a value, whatever its type.
        let other = try? JSONReader.read(text: wanted)
        switch other {
        case .integer, .number, .bool, .null:
            note(path, "is looser here: the member is searched for in the text of the body")
            texts.append(.member(TextMember(names: names, value: wanted)))
            return nil
        case .object, .array:
            omit(path, "asks for the text of an object or array, which has no counterpart")
            return nil
        default:
            return MemberPath.value(.string(wanted), at: names)
        }
    }
}

/// A JSONPath that names members one below the other.
enum MemberPath {
    /// Objects around a value, whose members are named so.
    static func value(_ value: JSON, at names: [String]) -> JSON {
        names.reversed().reduce(value) { inner, name in
            .object(JSONObject([JSONObject.Member(name: name, value: inner)]))
        }
    }

    /// Returns the names; nil for any other path.
    static func names(_ path: String) -> [String]? {
        guard path.hasPrefix("$") else { return nil }
        var rest = path.dropFirst()
        var names: [String] = []
        while let first = rest.first {
            if first == "." {
                let name = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
                guard !name.isEmpty, name.unicodeScalars.allSatisfy(isPlain) else { return nil }
                names.append(String(name))
                rest = rest.dropFirst(1 + name.count)
            } else if first == "[", let quote = rest.dropFirst().first, quote == "'" || quote == "\"" {
                let name = rest.dropFirst(2).prefix { $0 != quote }
                rest = rest.dropFirst(2 + name.count)
                guard rest.hasPrefix("\(quote)]"), !name.contains("\\") else { return nil }
                rest = rest.dropFirst(2)
                names.append(String(name))
            } else {
                return nil
            }
        }
        return names
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        !"*?()@,:' \"".unicodeScalars.contains(scalar)
    }
}
