package import JSON

/// The way to a member of a row: `price`, or `address.city` for one of an object inside.
package struct MemberPath: Hashable, Sendable {
    /// The path with dots.
    package let text: String
    let steps: [String]

    /// Takes a path; a name that has dots itself is one step.
    package init(_ steps: [String]) {
        self.steps = steps
        text = steps.joined(separator: ".")
    }

    package init(name: String) { self.init([name]) }

    /// Returns the value in a row; nil if it is absent.
    package func value(in object: JSONObject) -> JSON? {
        guard let first = steps.first, var value = object[first] else { return nil }
        for step in steps.dropFirst() {
            guard let inner = value[step] else { return nil }
            value = inner
        }
        return value
    }

    /// Returns whether it is a member of that name, or lies inside one.
    func isWithin(_ name: String) -> Bool { steps.first == name }
}
