import JSON

/// The least number of containers inside one another that values of schemas have: what a recursion ends by.
///
/// Each is a lower bound. A schema without a value that ends has none.
struct SchemaHeights {
    /// The height of what never ends.
    static let endless = Int.max
    /// The height of a schema whose values are scalars only where they are no objects.
    static let unlikely = 1_000
    /// Rounds until the heights of a cycle of schemas are taken for what they are.
    private static let mostRounds = 200

    private struct Node {
        /// The schemas of the parts that each kind of container has at least.
        var forms: [[Int]] = []
        /// The height of other values; nil if there are none.
        var other: Int?
        var choices: [[Int]] = []

        var dependencies: [Int] { Array(forms.joined()) + choices.joined() }
    }

    private let store: SchemaStore
    private let view: SchemaView
    /// The schemas that were looked at.
    private(set) var work = 0
    private let mostWork: Int

    init(_ store: SchemaStore, mostWork: Int) {
        self.store = store
        self.mostWork = mostWork
        view = SchemaView(store)
    }

    /// Returns the heights of a schema and of those it needs beside the known ones; nil if that is too much work.
    mutating func find(_ schema: Int, known: (Int) -> Int?) -> [Int: Int]? {
        var nodes: [(schema: Int, node: Node)] = []
        var seen: Set<Int> = []
        var waiting = [schema]
        var heights: [Int: Int] = [:]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            if let height = known(next) {
                heights[next] = height
                continue
            }
            guard let node = node(next) else { return nil }
            nodes.append((next, node))
            waiting += node.dependencies
        }
        var isSettled = settle(nodes, &heights)
        // An alternative that leads back to the schema without a container between is no sign of an endless one.
        for (schema, node) in nodes where heights[schema] == nil && !node.choices.isEmpty {
            heights[schema] = Self.unlikely
        }
        isSettled = settle(nodes, &heights) && isSettled
        // What is not known to be endless may end.
        for (schema, _) in nodes where heights[schema] == nil { heights[schema] = isSettled ? Self.endless : 0 }
        return heights
    }

    /// Finds the heights that follow from those that are known; returns false if that takes too many rounds.
    private mutating func settle(_ nodes: [(schema: Int, node: Node)], _ heights: inout [Int: Int]) -> Bool {
        for _ in 0..<Self.mostRounds where work < mostWork {
            var isChanged = false
            for (schema, node) in nodes.reversed() {
                work += 1 + node.forms.count + node.choices.count
                let height = Self.height(node) { heights[$0] ?? Self.endless }
                guard height < heights[schema] ?? Self.endless else { continue }
                heights[schema] = height
                isChanged = true
            }
            if !isChanged { return true }
        }
        return false
    }

    private static func height(_ node: Node, _ heights: (Int) -> Int) -> Int {
        var least = node.other ?? endless
        for parts in node.forms {
            let inner = parts.lazy.map(heights).max() ?? 0
            if inner != endless { least = min(least, inner + 1) }
        }
        for branches in node.choices { least = max(least, branches.lazy.map(heights).min() ?? endless) }
        return least
    }

    /// Looks at a schema with all that it refers to and combines; nil if there is too much of it.
    private mutating func node(_ schema: Int) -> Node? {
        var rules: [SchemaRules] = []
        var seen: Set<Int> = []
        var waiting = [schema]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            work += 1
            guard let own = store.rules(next, outlay: &work, most: mostWork - work) else { return nil }
            // Null fits whatever else it says.
            if own.isNullable {
                if next == schema { return Node(other: 0) }
                continue
            }
            rules.append(own)
            waiting += own.allOf
            if let reference = own.reference { waiting.append(reference) }
        }
        var node = Node()
        if rules.contains(where: \.isFalse) { return node }
        for own in rules {
            for branches in [own.oneOf, own.anyOf] where !branches.isEmpty {
                work += branches.count
                let ways = own.discriminator?.ways.map(\.schema) ?? branches
                // A schema that builds on one of which it is an alternative has made the choice.
                let isMade = ways.contains { way in
                    seen.contains(way) || store.rules(way).reference.map { seen.contains($0) } ?? false
                }
                if !isMade { node.choices.append(ways) }
            }
        }
        let isShown = rules.contains {
            $0.constant != nil || $0.enumeration != nil || $0.defaultValue != nil || !$0.examples.isEmpty
        }
        let types = rules.compactMap(\.types).reduce(TypeSet.all) { $0.intersection($1) }
        let isTyped = rules.contains { $0.types != nil }
        if isShown || isTyped && !types.subtracting([.object, .array]).isEmpty {
            node.other = 0
            return node
        }
        let members = members(rules)
        let elements = elements(rules)
        if types.contains(.object), isTyped || !members.isEmpty || elements.isEmpty { node.forms.append(members) }
        if types.contains(.array), isTyped || !elements.isEmpty { node.forms.append(elements) }
        if !isTyped { node.other = members.isEmpty && elements.isEmpty ? 0 : Self.unlikely }
        return node
    }

    /// The schemas of the members that have to be there.
    private mutating func members(_ rules: [SchemaRules]) -> [Int] {
        let required = rules.flatMap(\.required)
        guard !required.isEmpty else { return [] }
        var schemas: [ExactName: [Int]] = [:]
        for (name, schema) in rules.lazy.flatMap(\.properties) {
            schemas[ExactName(text: name), default: []].append(schema)
            work += 1
        }
        var found: [Int] = []
        for name in required {
            work += 1
            guard work < mostWork else { return [] }
            let own = schemas[ExactName(text: name)] ?? []
            // Those that are only written are in no sample.
            if !own.contains(where: { view.isWriteOnly($0) }) { found += own }
        }
        return found
    }

    /// The schemas of the elements that have to be there.
    private func elements(_ rules: [SchemaRules]) -> [Int] {
        let least = rules.compactMap(\.minItems).max() ?? 0
        var found: [Int] = []
        for own in rules {
            found += own.prefixItems.prefix(least)
            if least > own.prefixItems.count, case .schema(let schema)? = own.items { found.append(schema) }
            if let contained = own.contains, own.minContains ?? 1 > 0 { found.append(contained) }
        }
        return found
    }
}
