import JSON

/// Questions to a schema with all that it refers to and combines.
struct SchemaView {
    private let store: SchemaStore

    init(_ store: SchemaStore) { self.store = store }

    /// The keywords of a schema and of those that it refers to or combines, each once.
    func all(_ schema: Int) -> [SchemaRules] { parts(of: schema).map(store.rules) }

    /// A schema and those that it refers to or combines, each once.
    func parts(of schema: Int) -> [Int] {
        var seen: Set<Int> = []
        var found: [Int] = []
        var waiting = [schema]
        while let next = waiting.popLast(), found.count < 1_000 {
            guard seen.insert(next).inserted else { continue }
            let rules = store.rules(next)
            found.append(next)
            waiting += (rules.allOf + rules.anyOf + rules.oneOf).reversed()
            waiting += [rules.consequence, rules.alternative].compactMap { $0 }
            if let reference = rules.reference { waiting.append(reference) }
        }
        return found
    }

    /// The keywords of a schema and of those that hold wherever it does: what it refers to, and `allOf`.
    func certain(_ schema: Int) -> [SchemaRules] {
        var seen: Set<Int> = []
        var found: [SchemaRules] = []
        var waiting = [schema]
        while let next = waiting.popLast(), found.count < 1_000 {
            guard seen.insert(next).inserted else { continue }
            let rules = store.rules(next)
            found.append(rules)
            waiting += rules.allOf.reversed() + [rules.reference].compactMap(\.self)
        }
        return found
    }

    /// The schemas that a member may have.
    func schemas(ofMember name: String, in schema: Int) -> [Int] {
        all(schema).compactMap { self.schema(ofMember: name, in: $0) }
    }

    /// The schema that a member has by some keywords alone.
    func schema(ofMember name: String, in rules: SchemaRules) -> Int? {
        if let own = rules.property(name) { return own }
        if let pattern = rules.patternProperties.first(where: { $0.pattern.isFound(in: name) }) {
            return pattern.schema
        }
        if case .schema(let own)? = rules.additionalProperties { return own }
        return nil
    }

    /// The schemas that the element at a place may have.
    func schemas(ofElement index: Int, in schema: Int) -> [Int] {
        all(schema).compactMap { self.schema(ofElement: index, in: $0) }
    }

    /// The schema that the element at a place has by some keywords alone.
    func schema(ofElement index: Int, in rules: SchemaRules) -> Int? {
        if index < rules.prefixItems.count { return rules.prefixItems[index] }
        if case .schema(let own)? = rules.items { return own }
        return nil
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
    func types(of schema: Int) -> TypeSet {
        var known: [Int: TypeSet] = [:]
        return types(of: schema, &known, steps: 0)
    }

    private func types(of schema: Int, _ known: inout [Int: TypeSet], steps: Int) -> TypeSet {
        if let found = known[schema] { return found }
        guard steps < 64 else { return .all }
        // A schema that comes back to itself says nothing more.
        known[schema] = .all
        let rules = store.rules(schema)
        var types = rules.types ?? .all
        if rules.types == nil, let values = rules.constant.map({ [$0] }) ?? rules.enumeration {
            types = values.reduce([]) { $0.union(TypeSet(of: $1)) }
        }
        for inner in rules.allOf + (rules.reference.map { [$0] } ?? []) {
            types.formIntersection(self.types(of: inner, &known, steps: steps + 1))
        }
        for choice in [rules.anyOf, rules.oneOf] where !choice.isEmpty {
            types.formIntersection(choice.reduce([]) { $0.union(self.types(of: $1, &known, steps: steps + 1)) })
        }
        if rules.isNullable { types.insert(.null) }
        known[schema] = types
        return types
    }

    /// Tells whether values of a schema are only written, never sent.
    func isWriteOnly(_ schema: Int) -> Bool { hasMark(schema) { $0.isWriteOnly } }

    /// Tells whether a schema, or one that it refers to or has in `allOf`, has a mark.
    func hasMark(_ schema: Int, _ isMarked: (SchemaRules) -> Bool) -> Bool {
        var work = 0
        return hasMark(schema, work: &work, isMarked)
    }

    /// Tells so, and adds the number of schemas that were looked at.
    func hasMark(_ schema: Int, work: inout Int, _ isMarked: (SchemaRules) -> Bool) -> Bool {
        var rules = store.rules(schema)
        work += 1
        if isMarked(rules) { return true }
        guard rules.reference != nil || !rules.allOf.isEmpty else { return false }
        var seen: Set<Int> = [schema]
        var waiting = rules.allOf + (rules.reference.map { [$0] } ?? [])
        while let next = waiting.popLast(), seen.count < 1_000 {
            guard seen.insert(next).inserted else { continue }
            rules = store.rules(next)
            work += 1
            if isMarked(rules) { return true }
            waiting += rules.allOf + (rules.reference.map { [$0] } ?? [])
        }
        return false
    }
}
