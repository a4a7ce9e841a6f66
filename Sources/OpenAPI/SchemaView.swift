import JSON

/// Questions to a schema with all that it refers to and combines.
struct SchemaView {
    private let store: SchemaStore

    init(_ store: SchemaStore) { self.store = store }

    /// The keywords of a schema and of those that it refers to or combines, each once.
    private func all(_ schema: Int) -> [SchemaRules] {
        var seen: Set<Int> = []
        var found: [SchemaRules] = []
        var waiting = [schema]
        while let next = waiting.popLast(), found.count < 1_000 {
            guard seen.insert(next).inserted else { continue }
            let rules = store.rules(next)
            found.append(rules)
            waiting += (rules.allOf + rules.anyOf + rules.oneOf).reversed()
            waiting += [rules.consequence, rules.alternative].compactMap { $0 }
            if let reference = rules.reference { waiting.append(reference) }
        }
        return found
    }

    /// The schemas that a member may have.
    func schemas(ofMember name: String, in schema: Int) -> [Int] {
        var found: [Int] = []
        for rules in all(schema) {
            if let own = rules.property(name) {
                found.append(own)
            } else if let pattern = rules.patternProperties.first(where: { $0.pattern.isFound(in: name) }) {
                found.append(pattern.schema)
            } else if case .schema(let own)? = rules.additionalProperties {
                found.append(own)
            }
        }
        return found
    }

    /// The schemas that the element at a place may have.
    func schemas(ofElement index: Int, in schema: Int) -> [Int] {
        all(schema).compactMap { rules in
            if index < rules.prefixItems.count { return rules.prefixItems[index] }
            if case .schema(let own)? = rules.items { return own }
            return nil
        }
    }

    /// The schemas that a value may choose among, in order, those inside one another included.
    func branches(of schema: Int) -> [Int] {
        var seen: Set<Int> = []
        var found: [Int] = []
        var waiting = [schema]
        while let next = waiting.popLast(), found.count < 64 {
            guard seen.insert(next).inserted else { continue }
            let rules = store.rules(next)
            let choices = rules.oneOf + rules.anyOf + [rules.consequence, rules.alternative].compactMap { $0 }
            found += choices
            waiting += (choices + rules.allOf + [rules.reference].compactMap { $0 }).reversed()
        }
        return found
    }

    /// The names of members that are declared, each once.
    func memberNames(in schema: Int) -> [String] {
        var seen: Set<ExactName> = []
        return all(schema).flatMap { $0.properties.map(\.name) }.filter { seen.insert(ExactName(text: $0)).inserted }
    }

    /// The types that may fit.
    func types(of schema: Int, steps: Int = 0) -> TypeSet {
        guard steps < 32 else { return .all }
        let rules = store.rules(schema)
        var types = rules.types ?? .all
        if rules.types == nil, let values = rules.constant.map({ [$0] }) ?? rules.enumeration {
            types = values.reduce([]) { $0.union(TypeSet(of: $1)) }
        }
        for inner in rules.allOf + (rules.reference.map { [$0] } ?? []) {
            types.formIntersection(self.types(of: inner, steps: steps + 1))
        }
        for choice in [rules.anyOf, rules.oneOf] where !choice.isEmpty {
            types.formIntersection(choice.reduce([]) { $0.union(self.types(of: $1, steps: steps + 1)) })
        }
        return rules.isNullable ? types.union(.null) : types
    }

    /// Tells whether values of a schema are only written, never sent.
    func isWriteOnly(_ schema: Int, steps: Int = 0) -> Bool {
        let rules = store.rules(schema)
        if rules.isWriteOnly { return true }
        guard steps < 8 else { return false }
        return (rules.allOf + (rules.reference.map { [$0] } ?? [])).contains { isWriteOnly($0, steps: steps + 1) }
    }
}
