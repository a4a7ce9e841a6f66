import CivilTime
import Emulation
import JSON

/// Reads the members of a control body, and refuses those it was never asked for (control contract, section 3).
struct BodyCheck {
    private let object: JSONObject
    private let prefix: String
    private var known: [String] = []
    private(set) var items: [ControlFault.Item] = []

    init(_ object: JSONObject, at prefix: String = "$") {
        self.object = object
        self.prefix = prefix
    }

    mutating func fault(_ name: String, _ reason: String) {
        items.append(ControlFault.Item(path: "\(prefix).\(name)", reason: reason))
    }

    mutating func add(_ more: [ControlFault.Item]) { items += more }

    /// A member of any type; null counts as absent.
    mutating func value(_ name: String) -> JSON? {
        known.append(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    mutating func string(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringValue else {
            fault(name, "must be a string")
            return nil
        }
        return text
    }

    /// A text that must be there and not be empty.
    mutating func requiredString(_ name: String) -> String? {
        guard let value = value(name) else {
            fault(name, "is required")
            return nil
        }
        guard let text = value.stringValue, !text.isEmpty else {
            fault(name, "must be a string that is not empty")
            return nil
        }
        return text
    }

    mutating func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) -> Choice?
    where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        let allowed = Choice.allCases.map(\.rawValue)
        guard let text = value.stringValue, let choice = Choice(rawValue: text) else {
            let hint = value.stringValue.flatMap { Suggestion.nearest(to: $0, among: allowed) }.map {
                "; did you mean \($0)?"
            }
            fault(name, "must be one of \(allowed.joined(separator: ", "))\(hint ?? "")")
            return nil
        }
        return choice
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.intValue, range.contains(number) else {
            fault(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// A number of seconds, fractions allowed.
    mutating func seconds(_ name: String) -> Interval? {
        guard let value = value(name) else { return nil }
        guard let number = value.doubleValue, number >= 0, number <= 1e11 else {
            fault(name, "must be a number of seconds from 0")
            return nil
        }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    mutating func object(_ name: String) -> JSONObject? {
        guard let value = value(name) else { return nil }
        guard let object = value.objectValue else {
            fault(name, "must be an object")
            return nil
        }
        return object
    }

    /// Throws if a member did not fit, or if there is one that nobody asked for.
    mutating func finish() throws(ControlFault) {
        for member in object.members where !known.contains(member.name) {
            let hint = Suggestion.nearest(to: member.name, among: known).map { "; did you mean \($0)?" } ?? ""
            let allowed = known.isEmpty ? "none" : known.joined(separator: ", ")
            fault(member.name, "unknown member; allowed: \(allowed)\(hint)")
        }
        guard let first = items.first else { return }
        let more = items.count > 1 ? " (and \(items.count - 1) more)" : ""
        let end = first.reason.hasSuffix("?") && more.isEmpty ? "" : "."
        throw ControlFault(
            .invalidBody,
            "\(first.path) \(first.reason)\(more)\(end) Nothing was changed.",
            items: items
        )
    }
}
