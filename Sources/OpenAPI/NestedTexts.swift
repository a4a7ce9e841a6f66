import JSON

/// Texts under names such as `price[min]` or `tags[]`, as a tree.
struct NestedTexts {
    /// The steps that one name may have.
    static let mostSteps = 32

    /// A name in brackets, with what lies under it.
    struct Child {
        let name: String
        var texts: NestedTexts
    }

    /// The texts of the name itself.
    private(set) var texts: [String] = []
    /// The names behind it, in the order in which they first came; an empty one for each new element of a list.
    private(set) var children: [Child] = []
    private var places: [ExactName: Int] = [:]
    /// Tells that a name has more steps than it may have.
    private(set) var isTooDeep = false

    /// Adds a text under the brackets behind a name: `[price][min]`; a name of another form is one step.
    mutating func add(_ brackets: Substring, _ text: String) {
        let steps = Self.steps(brackets) ?? [String(brackets.dropFirst().dropLast())]
        guard steps.count <= Self.mostSteps else { return isTooDeep = true }
        add(steps[...], text)
    }

    private mutating func add(_ steps: ArraySlice<String>, _ text: String) {
        guard let step = steps.first else { return texts.append(text) }
        let rest = steps.dropFirst()
        children[place(of: step, rest)].texts.add(rest, text)
    }

    /// The child that a step leads to, which is made if it is not there.
    private mutating func place(of step: String, _ rest: ArraySlice<String>) -> Int {
        let key = ExactName(text: step)
        // `[]` begins a new element, unless it goes on with a member that the last one lacks.
        if let known = places[key], !step.isEmpty || !rest.isEmpty && !children[known].texts.has(rest) { return known }
        children.append(Child(name: step, texts: NestedTexts()))
        places[key] = children.count - 1
        return children.count - 1
    }

    /// Tells whether there is a text under these steps.
    private func has(_ steps: ArraySlice<String>) -> Bool {
        guard let step = steps.first else { return !texts.isEmpty }
        guard let place = places[ExactName(text: step)] else { return false }
        return children[place].texts.has(steps.dropFirst())
    }

    /// Tells whether the names behind it are places in a list.
    var isList: Bool { children.allSatisfy { $0.name.isEmpty || Self.index($0.name) != nil } }

    /// The elements of a list in the order of their places, those without one at the end.
    var elements: [NestedTexts] {
        children.enumerated().sorted { left, right in
            let (first, second) = (Self.index(left.element.name) ?? .max, Self.index(right.element.name) ?? .max)
            return (first, left.offset) < (second, right.offset)
        }
        .map(\.element.texts)
    }

    /// The value where no schema says anything.
    var untyped: JSON {
        guard !children.isEmpty else { return texts.first.map { .string($0) } ?? .null }
        if isList { return .array(elements.map(\.untyped)) }
        var object = JSONObject()
        for child in children { object[child.name] = child.texts.untyped }
        return .object(object)
    }

    private static func index(_ name: String) -> Int? {
        name.utf8.count <= 6 && name.utf8.allSatisfy { $0 &- 0x30 < 10 } ? Int(name) : nil
    }

    /// The steps of `[a][b]`, one more than there may be for those of too many; nil for another form.
    private static func steps(_ brackets: Substring) -> [String]? {
        var steps: [String] = []
        var rest = brackets.utf8[...]
        while steps.count <= mostSteps, let first = rest.popFirst() {
            guard first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            steps.append(String(Substring(rest[..<end])))
            rest = rest[rest.index(after: end)...]
        }
        return steps
    }
}
