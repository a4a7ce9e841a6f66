import RegularExpressions

/// Compares values with schemas.
public enum JSONSchemaValidator {
    /// Everything in a value that does not fit, up to a limit, in the order of the value.
    ///
    /// - Parameters:
    ///   - value: The value to look at.
    ///   - schema: What it is to be.
    ///   - limit: How many issues are enough.
    ///   - resolving: Gives the schema of a name that references use.
    /// - Returns: The issues; none when the value fits.
    public static func validate(
        _ value: JSON,
        against schema: JSONSchema,
        limit: Int = 100,
        resolving: (String) -> JSONSchema? = { _ in nil }
    ) -> [JSONIssue] {
        withoutActuallyEscaping(resolving) { resolving in
            var validation = Validation(limit: limit, resolving: resolving)
            validation.check(value, schema, references: 0)
            return validation.issues
        }
    }
}

/// One comparison under way.
private struct Validation {
    /// References in a row that lead to no other shape; more than this is a circle.
    private static let mostReferences = 32

    let limit: Int
    let resolving: (String) -> JSONSchema?
    var path: [JSONPathElement] = []
    var issues: [JSONIssue] = []

    private mutating func report(_ reason: String) {
        report(JSONIssue(path: path, reason: reason))
    }

    private mutating func report(_ issue: JSONIssue) {
        if issues.count < limit { issues.append(issue) }
    }

    private mutating func expect(_ expected: String, _ value: JSON) {
        report("expected \(expected), found \(value.typeName)")
    }

    mutating func check(_ value: JSON, _ schema: JSONSchema, references: Int) {
        guard issues.count < limit else { return }
        switch schema {
        case .any:
            break
        case .null:
            if !value.isNull { expect("null", value) }
        case .boolean:
            if value.boolValue == nil { expect("a boolean", value) }
        case .number:
            if value.doubleValue == nil { expect("a number", value) }
        case .boundedNumber(let minimum, let maximum):
            checkNumber(value, minimum, maximum)
        case .integer(let minimum, let maximum):
            checkInteger(value, minimum, maximum)
        case .string(_, let enumeration, let minLength, let maxLength, let pattern):
            guard case .string(let text) = value else { return expect("a string", value) }
            checkString(text, enumeration, minLength, maxLength, pattern)
        case .array(let items, let minItems, let maxItems):
            guard case .array(let elements) = value else { return expect("an array", value) }
            checkArray(elements, items, minItems, maxItems)
        case .object(let shape):
            guard case .object(let object) = value else { return expect("an object", value) }
            checkObject(object, shape)
        case .nullable(let inner):
            if !value.isNull { check(value, inner, references: references) }
        case .oneOf(let alternatives):
            checkAlternatives(value, alternatives, references: references)
        case .described(let inner, _, _):
            check(value, inner, references: references)
        case .reference(let name):
            guard let target = resolving(name) else { return report("the schema refers to the unknown \"\(name)\"") }
            guard references < Self.mostReferences else { return report("the schema \"\(name)\" refers to itself") }
            check(value, target, references: references + 1)
        }
    }

    private mutating func checkNumber(_ value: JSON, _ minimum: Double?, _ maximum: Double?) {
        guard let number = value.doubleValue else { return expect("a number", value) }
        if let minimum, number < minimum { report("must be at least \(JSON.double(minimum).text)") }
        if let maximum, number > maximum { report("must be at most \(JSON.double(maximum).text)") }
    }

    private mutating func checkInteger(_ value: JSON, _ minimum: Int64?, _ maximum: Int64?) {
        guard let double = value.doubleValue else { return expect("an integer", value) }
        guard let number = value.intValue else {
            // A double from 2^53 on is whole, so that only the bounds can object.
            guard double.magnitude >= 0x1p53 else {
                return report("expected an integer, found \(value.abbreviatedText)")
            }
            if let minimum, double < Double(minimum) { report("must be at least \(minimum)") }
            if let maximum, double > Double(maximum) { report("must be at most \(maximum)") }
            return
        }
        if let minimum, number < minimum { report("must be at least \(minimum)") }
        if let maximum, number > maximum { report("must be at most \(maximum)") }
    }

    private mutating func checkString(
        _ text: String,
        _ enumeration: [String]?,
        _ minLength: Int?,
        _ maxLength: Int?,
        _ pattern: String?
    ) {
        if let enumeration, !enumeration.contains(where: { $0.hasSameCodePoints(as: text) }) {
            return report(.notAmong(enumeration, found: text, at: path))
        }
        let length = minLength == nil && maxLength == nil ? 0 : text.unicodeScalars.count
        if let minLength, length < minLength { report("must have at least \(characters(minLength))") }
        if let maxLength, length > maxLength { report("must have at most \(characters(maxLength))") }
        guard let pattern else { return }
        guard let expression = try? RegularExpression(pattern) else {
            return report("the schema's pattern \(pattern) is not a regular expression")
        }
        if !expression.isFound(in: text) { report("must match \(pattern)") }
    }

    private func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    private mutating func checkArray(_ elements: [JSON], _ items: JSONSchema, _ minItems: Int?, _ maxItems: Int?) {
        if let minItems, elements.count < minItems { report("must have at least \(minItems) elements") }
        if let maxItems, elements.count > maxItems { report("must have at most \(maxItems) elements") }
        for (index, element) in elements.enumerated() where issues.count < limit {
            path.append(.index(index))
            check(element, items, references: 0)
            path.removeLast()
        }
    }

    private mutating func checkObject(_ object: JSONObject, _ shape: JSONSchema.Object) {
        let present = JSONObjectIndex(object)
        for property in shape.properties where property.isRequired && present[property.name] == nil {
            report(JSONIssue(path: path + [.key(property.name)], reason: "missing"))
        }
        let known = shape.properties.map(\.name)
        for name in present.names {
            guard issues.count < limit, let value = present[name] else { return }
            path.append(.key(name))
            if let property = shape.properties.first(where: { $0.name.hasSameCodePoints(as: name) }) {
                check(value, property.schema, references: 0)
            } else if case .schema(let values) = shape.additionalProperties {
                check(value, values, references: 0)
            } else if shape.additionalProperties == .closed {
                report(.unknownMember(name, at: path.dropLast(), known: known))
            }
            path.removeLast()
        }
    }

    private mutating func checkAlternatives(_ value: JSON, _ alternatives: [JSONSchema], references: Int) {
        var fitting = 0
        var nearest: [JSONIssue]?
        for alternative in alternatives {
            var attempt = Validation(limit: limit, resolving: resolving, path: path)
            attempt.check(value, alternative, references: references)
            if attempt.issues.isEmpty { fitting += 1 }
            // The branch that goes wrong deepest is most likely the one that was meant.
            if let earlier = nearest, depth(earlier) >= depth(attempt.issues) { continue }
            nearest = attempt.issues
        }
        guard fitting != 1 else { return }
        guard fitting == 0 else { return report("fits \(fitting) of the alternatives instead of one") }
        guard let nearest, alternatives.count > 1 else {
            return nearest?.forEach { report($0) } ?? report("fits nothing")
        }
        guard depth(nearest) > path.count else {
            return report("expected one of \(alternatives.count) alternatives, found \(value.typeName)")
        }
        for issue in nearest { report(issue) }
    }

    private func depth(_ issues: [JSONIssue]) -> Int {
        issues.map(\.path.count).min() ?? 0
    }
}
