package import CivilTime
package import JSON

/// A member of a control body, declared once: the OpenAPI document shows it, and `BodyCheck` reads it.
///
///     static let phase = BodyMember("phase", .choice(FaultSpec.Phase.self))
///     static let schema = JSONSchema.closed(name.property, phase.property)
///     …
///     let phase = check.read(Order.phase) ?? .before
package struct BodyMember<Value: Sendable>: Sendable {
    package let name: String
    fileprivate let kind: RequestValue<Value>
    /// The reason given where the member is missing; nil if it may be.
    fileprivate var absence: String?

    package init(_ name: String, _ kind: RequestValue<Value>) {
        self.name = name
        self.kind = kind
    }

    /// The same member, which must be there and not be null.
    package func required(_ absence: String = "is required") -> Self {
        var copy = self
        copy.absence = absence
        return copy
    }

    /// The member as the document shows it.
    package var property: JSONSchema.Property {
        JSONSchema.Property(name, kind.schema, isRequired: absence != nil)
    }

    /// The member in a body that changes something: it may be left out, and null takes it away.
    package var change: JSONSchema.Property {
        JSONSchema.Property(name, .nullable(kind.schema), isRequired: false)
    }
}

extension BodyCheck {
    /// Reads a member; null counts as absent.
    package mutating func read<Value>(_ member: BodyMember<Value>) -> Value? {
        guard let json = value(member.name) else {
            if let absence = member.absence { fault(member.name, absence) }
            return nil
        }
        return read(json, as: member.kind, member.name)
    }

    /// Reads a value of this object; its issues are those of the member of that name.
    mutating func read<Value>(_ json: JSON, as kind: RequestValue<Value>, _ name: String) -> Value? {
        var issues: [FieldIssue] = []
        let value = kind.read(json, &issues)
        for issue in issues {
            let place = issue.field
            fault(name + (place.isEmpty || place.hasPrefix("[") ? place : ".\(place)"), Self.reason(of: issue))
        }
        return issues.isEmpty ? value : nil
    }

    /// An issue in the words of the control API.
    private static func reason(of issue: FieldIssue) -> String {
        switch issue.kind {
        case .missing: "is required"
        case .wrongType(let expected), .outOfRange(let expected): reason(expecting: expected, found: issue.found)
        case .empty, .blank: "must be a non-empty string"
        case .tooShort(let least): "must have at least \(least) characters"
        case .tooLong(let most): "must be at most \(most) bytes long"
        case .wrongLength(let range):
            "must have \(range.lowerBound) to \(range.upperBound) characters, found \(issue.found?.stringValue?.unicodeScalars.count ?? 0)"
        case .notAllowed(let allowed): MemberReason.choice(issue.found ?? .null, among: allowed)
        case .wrongFormat(let name): "must be a \(name)"
        case .tooFewItems(let least): "must have at least \(least) items"
        case .tooManyItems(let most):
            "must have at most \(most) items, found \(issue.found?.arrayValue?.count ?? 0)"
        case .duplicate: "is there twice"
        case .unknownMember: "unknown member"
        case .rule(let reason): reason
        }
    }

    private static func reason(expecting expected: FieldIssue.Expected, found: JSON?) -> String {
        switch expected {
        case .string: "must be a string"
        case .boolean: "must be true or false"
        case .number(let range?):
            "must be a number from \(JSON.double(range.lowerBound).text) to \(JSON.double(range.upperBound).text)"
        case .number(nil): "must be a number"
        case .integer(let range?): MemberReason.range(range)
        case .integer(nil): "must be a whole number"
        case .array: "must be a list"
        case .strings: "must be a list of strings"
        case .object: "must be an object"
        case .oneOf(let allowed): MemberReason.choice(found ?? .null, among: allowed)
        case .other(let words): "must be \(words)"
        }
    }
}

extension JSONSchema {
    /// Returns the schema of a body of those members and no others, in the order of the document.
    package static func closed(_ members: Property...) -> JSONSchema { closed(members) }

    /// Returns the schema of a body of those members and no others, in the order of the document.
    package static func closed(_ members: [Property]) -> JSONSchema {
        .object(Object(members, additionalProperties: .closed))
    }
}

// MARK: The kinds of the control API

extension RequestValue where Output == Int {
    /// A whole number from that one on; the document leaves out a bound that only keeps arithmetic safe.
    package static func count(from least: Int64 = 0, upTo most: Int64 = 1_000_000_000) -> Self {
        RequestValue<Int64>.integer(in: least...most).documented(as: .integer(minimum: least)).map { Int($0) }
    }
}

extension RequestValue where Output == String {
    /// A name that a URL can hold; one that paths name can't be `.` or `..`, which are removed there.
    package static func name(hasUppercase: Bool = false, isInPaths: Bool = false) -> Self {
        let letters = hasUppercase ? ["A-Z", "a-z"] : ["a-z"]
        var isName = TextRule(
            .rule("must be 1 to 64 characters of \(letters.joined(separator: " ")) 0-9 . _ -"),
            pattern: "^[\(letters.joined())0-9._-]+$"
        ) { WorldName.isValid(hasUppercase ? $0.lowercased() : $0) }
        isName.minLength = 1
        isName.maxLength = 64
        let isSegment = TextRule(.rule("must not be . or .., which a path can't contain")) {
            ![".", ".."].contains($0)
        }
        return isInPaths ? string(isName, isSegment) : string(isName)
    }

    /// A text of at most that many bytes, which the document doesn't tell.
    package static func short(_ most: Int) -> Self { string(TextRule(.tooLong(most)) { $0.utf8.count <= most }) }

    /// A text with a character.
    package static var nonEmpty: Self { string(.notEmpty).withOneIssue(.empty) }
}

extension RequestValue where Output == Interval {
    /// A number of seconds, fractions allowed.
    package static var seconds: RequestValue<Interval> {
        Self(.boundedNumber(minimum: 0)) { json, issues in
            guard let number = json.doubleValue, number >= 0, number <= 1e11 else {
                issues.note(.wrongType(.other("a number of seconds from 0")), json)
                return nil
            }
            return .microseconds(Int64((number * 1_000_000).rounded()))
        }
    }
}
