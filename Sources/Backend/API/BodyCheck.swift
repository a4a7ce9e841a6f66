package import JSON

/// Reads the members of a control body, and refuses unknown ones (control contract, section 3).
package struct BodyCheck: Sendable {
    package let object: JSONObject
    private let prefix: String
    private var known: [String] = []
    /// Alternative members that are null, and so count as absent.
    private var absent: [String] = []
    package private(set) var items: [Problem.Item] = []

    package init(_ object: JSONObject, at prefix: String = "$") {
        // A body this long has unknown members for certain. Listing the rest would take a search through all of them.
        let isLong = object.count > Self.mostMembers
        self.object = isLong ? JSONObject(Array(object.members.prefix(Self.mostMembers))) : object
        self.prefix = prefix
    }

    /// The number of members that are checked; a control body has less than a tenth of it.
    private static let mostMembers = 1_000

    /// The path of this object: `$.match`.
    package var path: String { prefix }

    package mutating func fault(_ name: String, _ reason: String) {
        add([Problem.Item(path: "\(prefix).\(name.cut)", reason: reason)])
    }

    /// A fault of the object as a whole.
    package mutating func fault(_ reason: String) { add([Problem.Item(path: prefix, reason: reason)]) }

    package mutating func add(_ more: [Problem.Item]) {
        items += more.prefix(max(Problem.mostItems - items.count, 0))
    }

    /// Bytes of a fault, a gate or a latency.
    package static let mostBytes = 64 * 1024
    /// Names in a list of them (control contract, section 17).
    package static let mostNames = 1_000

    /// Tells whether no more faults are listed.
    package var isFull: Bool { items.count >= Problem.mostItems }

    /// A member of any type; null counts as absent.
    package mutating func value(_ name: String) -> JSON? {
        guard let value = present(name), !value.isNull else { return nil }
        return value
    }

    /// A member of any type, null included.
    package mutating func present(_ name: String) -> JSON? {
        if !known.contains(name) { known.append(name) }
        return object[name]
    }

    /// Returns those of the names that have a value.
    ///
    /// They do not become allowed members by that.
    package mutating func named(_ names: [String]) -> [String] {
        absent += names.filter { object[$0]?.isNull == true }
        return names.filter { object[$0]?.isNull == false }
    }

    package mutating func string(_ name: String) -> String? { read(BodyMember(name, .string())) }

    /// A text that must be there and not be empty.
    package mutating func requiredString(_ name: String) -> String? { read(BodyMember(name, .nonEmpty).required()) }

    package mutating func choice<Choice: RawRepresentable & CaseIterable & Sendable>(
        _ name: String,
        _ type: Choice.Type,
        meant: (String) -> String? = { _ in nil }
    ) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        let allowed = Choice.allCases.map(\.rawValue)
        guard let text = value.stringValue, let choice = Choice(rawValue: text) else {
            fault(name, MemberReason.choice(value, among: allowed, meant: meant))
            return nil
        }
        return choice
    }

    package mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        read(BodyMember(name, .integer(in: range)))
    }

    /// A number, fractions allowed.
    package mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
        read(BodyMember(name, .number(in: range)))
    }

    package mutating func boolean(_ name: String) -> Bool? { read(BodyMember(name, .boolean)) }

    package mutating func object(_ name: String) -> JSONObject? { read(BodyMember(name, .anyObject)) }

    /// Reads an object inside this one by the same rules.
    package mutating func inner<Value>(_ name: String, _ read: (inout BodyCheck) -> Value?) -> Value? {
        guard let object = object(name) else { return nil }
        var check = BodyCheck(object, at: "\(prefix).\(name)")
        let value = read(&check)
        check.refuseUnknown()
        add(check.items)
        return value
    }

    /// Notes each member that no reader has accepted.
    package mutating func refuseUnknown() {
        for member in object.members where !known.contains(member.name) && !absent.contains(member.name) {
            guard !isFull else { return }
            fault(member.name, MemberReason.unknown(member.name, among: known))
        }
    }

    /// Throws if a member did not fit or if an unknown one is left.
    package mutating func finish() throws(Problem) {
        refuseUnknown()
        guard let first = items.first else { return }
        let more = items.count > 1 ? " (and \(items.count - 1) more)" : ""
        let end = first.reason.hasSuffix("?") && more.isEmpty ? "" : "."
        throw Problem(
            .invalidBody,
            "\(first.path) \(first.reason)\(more)\(end) Nothing was changed.",
            items: items
        )
    }
}
