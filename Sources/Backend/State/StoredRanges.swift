package import JSON

/// The ranges of all numbers in a row of a part by their paths: `battery.totalBalance`, `models[].count`.
///
/// A part that is one number has it under the empty path.
package struct StoredRanges: Sendable, ExpressibleByDictionaryLiteral {
    enum Step: Hashable, Sendable {
        case member(String)
        case elements
    }

    /// The maximum number of elements of a list inside a row.
    package static let longestList = 1_000_000

    private var lines: [(path: [Step], range: StoredRange)] = []

    /// Ranges by path.
    package init(dictionaryLiteral elements: (String, StoredRange)...) {
        lines = elements.map { (Self.steps($0), $1) }
    }

    /// No number at all.
    package static let none: StoredRanges = [:]

    /// The ranges of one element of a list.
    var ofElements: StoredRanges {
        var copy = self
        copy.lines = lines.filter { $0.path.first == .elements }.map { (Array($0.path.dropFirst()), $0.range) }
        return copy
    }

    /// Returns the same ranges for a row inside a member of another.
    package func under(_ name: String) -> StoredRanges {
        var copy = self
        copy.lines = lines.map { ([.member(name)] + $0.path, $0.range) }
        return copy
    }

    /// Returns the ranges of both.
    package static func + (left: StoredRanges, right: StoredRanges) -> StoredRanges {
        var sum = left
        sum.lines += right.lines
        return sum
    }

    private static func steps(_ path: String) -> [Step] {
        path.split(separator: ".").flatMap { part -> [Step] in
            if part == "[]" { return [.elements] }
            return part.hasSuffix("[]") ? [.member(String(part.dropLast(2))), .elements] : [.member(String(part))]
        }
    }

    /// Returns every number outside of its range, and every list that is too long.
    func faults(in row: JSON, from source: StoredSource) -> [(path: [JSONPathElement], reason: String)] {
        var faults: [(path: [JSONPathElement], reason: String)] = []
        for line in lines { Self.check(row, line.path[...], line.range, [], source, &faults) }
        if source != .store { Self.measure(row, [], &faults) }
        return faults
    }

    /// Returns the schema of a row with its dates as the text that documents have.
    func dated(_ schema: JSONSchema) -> JSONSchema {
        lines.reduce(schema) { schema, line in
            guard line.range == .date, line.path.count == 1, case .member(let name)? = line.path.first else {
                return schema
            }
            let changed = schema.changingProperty(name) { property in
                switch property.schema {
                case .integer: property.schema = .string(format: "date-time")
                case .nullable(.integer): property.schema = .nullable(.string(format: "date-time"))
                default: break
                }
            }
            return changed ?? schema
        }
    }

    /// The ranges of the numbers that count up.
    var counting: StoredRanges {
        var copy = self
        copy.lines = lines.filter { $0.range == .count }
        return copy
    }

    /// Returns whether a number of a row has passed the limit of a document.
    package func isOverrun(_ row: JSON) -> Bool {
        guard !lines.isEmpty else { return false }
        var faults: [(path: [JSONPathElement], reason: String)] = []
        for line in lines { Self.check(row, line.path[...], line.range, [], .document, &faults) }
        return !faults.isEmpty
    }

    private static func check(
        _ json: JSON,
        _ path: ArraySlice<Step>,
        _ range: StoredRange,
        _ place: [JSONPathElement],
        _ source: StoredSource,
        _ faults: inout [(path: [JSONPathElement], reason: String)]
    ) {
        switch (path.first, json) {
        case (nil, _):
            if let reason = range.fault(json, from: source) { faults.append((place, reason)) }
        case (.member(let name)?, .object(let object)):
            guard let inner = object[name] else { return }
            check(inner, path.dropFirst(), range, place + [.key(name)], source, &faults)
        case (.elements?, .array(let elements)):
            for (number, element) in elements.enumerated() where faults.count < StateForm.mostFaults {
                check(element, path.dropFirst(), range, place + [.index(number)], source, &faults)
            }
        default: break
        }
    }

    private static func measure(
        _ json: JSON,
        _ place: [JSONPathElement],
        _ faults: inout [(path: [JSONPathElement], reason: String)]
    ) {
        switch json {
        case .array(let elements):
            if elements.count > longestList { faults.append((place, "must have at most 1,000,000 elements")) }
            for (number, element) in elements.enumerated() {
                if case .array = element { measure(element, place + [.index(number)], &faults) }
                if case .object = element { measure(element, place + [.index(number)], &faults) }
            }
        case .object(let object):
            for member in object.members {
                if case .array = member.value { measure(member.value, place + [.key(member.name)], &faults) }
                if case .object = member.value { measure(member.value, place + [.key(member.name)], &faults) }
            }
        default: break
        }
    }
}

extension StoredRanges {
    /// Returns the paths of a schema at which a number can occur and no range is declared.
    func gaps(in schema: JSONSchema) -> [String] {
        Self.numbers(in: schema).filter { found in
            !lines.contains { line in
                line.path == found || line.range == .free && found.starts(with: line.path)
            }
        }
        .map(Self.text)
    }

    /// Returns the numbers of a row for which no range is declared.
    func gaps(in row: JSON) -> [String] {
        var found: [[Step]] = []
        Self.collect(row, [], &found)
        return found.filter { found in
            !lines.contains { line in
                line.path == found || line.range == .free && found.starts(with: line.path)
            }
        }
        .map(Self.text)
    }

    private static func text(_ path: [Step]) -> String {
        path.reduce("") { text, step in
            switch step {
            case .member(let name): text.isEmpty ? name : "\(text).\(name)"
            case .elements: text + "[]"
            }
        }
    }

    private static func collect(_ json: JSON, _ path: [Step], _ found: inout [[Step]]) {
        switch json {
        case .integer, .number: found.append(path)
        case .array(let elements): for element in elements { collect(element, path + [.elements], &found) }
        case .object(let object):
            for member in object.members { collect(member.value, path + [.member(member.name)], &found) }
        case .null, .bool, .string: break
        }
    }

    private static func numbers(in schema: JSONSchema) -> [[Step]] {
        switch schema {
        case .number, .boundedNumber, .integer: [[]]
        case .any, .null, .boolean, .string, .reference: []
        case .array(let element, _, _): numbers(in: element).map { [.elements] + $0 }
        case .object(let object):
            object.properties.flatMap { property in
                numbers(in: property.schema).map { [.member(property.name)] + $0 }
            }
        case .nullable(let inner), .described(let inner, _, _): numbers(in: inner)
        case .oneOf(let choices): choices.flatMap { numbers(in: $0) }
        }
    }
}
