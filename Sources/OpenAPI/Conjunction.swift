import JSON

/// Schemas that one value has to fit, taken apart: the keywords that all count, and the choices that are open.
struct Conjunction {
    /// One way of a choice.
    struct Branch {
        var schemas: [Int]
        /// The member that names the branch, with its value.
        var name: (member: String, value: String)?
    }

    private(set) var rules: [SchemaRules] = []
    private(set) var choices: [[Branch]] = []
    /// The values of members that discriminators give.
    var names: [(member: String, value: String)] = []
    /// Tells whether nothing fits.
    private(set) var isVoid = false
    private var seen: Set<Int> = []

    init(_ schemas: [Int], _ store: SchemaStore) {
        for schema in schemas { add(schema, store) }
    }

    /// Adds a schema with everything that it refers to or combines.
    mutating func add(_ schema: Int, _ store: SchemaStore) {
        var waiting = [schema]
        while let next = waiting.popLast() {
            guard seen.insert(next).inserted else { continue }
            let own = store.rules(next)
            if own.isFalse { isVoid = true }
            rules.append(own)
            // The first to say so is the one that was asked for, others are what it builds on.
            for kind in own.kinds where !names.contains(where: { $0.member == kind.member }) {
                names.append((kind.member, kind.values[0]))
            }
            addChoices(of: own, next)
            // In their order, what is referred to first.
            waiting += own.allOf.reversed()
            if let reference = own.reference { waiting.append(reference) }
        }
    }

    private mutating func addChoices(of own: SchemaRules, _ schema: Int) {
        if let named = own.discriminator {
            // A schema that builds on this one has made the choice.
            if !seen.contains(where: { $0 != schema && named.schemas.contains($0) }) {
                choices.append(
                    named.mapping.map { (value, schema) in
                        Branch(schemas: [schema], name: (member: named.property, value: value))
                    }
                )
            }
        } else {
            for schemas in [own.oneOf, own.anyOf] where !schemas.isEmpty {
                choices.append(schemas.map { Branch(schemas: [$0]) })
            }
        }
        if let condition = own.condition {
            choices.append([
                Branch(schemas: [condition] + (own.consequence.map { [$0] } ?? [])),
                Branch(schemas: own.alternative.map { [$0] } ?? []),
            ])
        }
    }

    /// The conjunction after its first choice has been made.
    func choosing(_ branch: Branch, _ store: SchemaStore) -> Conjunction {
        var next = self
        next.choices.removeFirst()
        if let name = branch.name { next.names.append(name) }
        for schema in branch.schemas { next.add(schema, store) }
        return next
    }

    // MARK: What counts together

    /// The types that fit; nil if no keyword says.
    var types: TypeSet? {
        let named = rules.compactMap(\.types)
        guard let first = named.first else { return nil }
        return named.dropFirst().reduce(first) { $0.intersection($1) }
    }

    func largest(_ value: (SchemaRules) -> Int?) -> Int? { rules.compactMap(value).max() }

    func smallest(_ value: (SchemaRules) -> Int?) -> Int? { rules.compactMap(value).min() }

    /// The names of members that are declared, each once, in order.
    var propertyNames: [String] {
        var seen: Set<ExactName> = []
        return rules.flatMap { $0.properties.map(\.name) }.filter { seen.insert(ExactName(text: $0)).inserted }
    }

    /// The schemas that a member has to fit; nil if there can be no such member.
    func schemas(ofMember name: String) -> [Int]? {
        var schemas: [Int] = []
        for own in rules {
            var isNamed = false
            if let schema = own.property(name) {
                isNamed = true
                schemas.append(schema)
            }
            for (pattern, schema) in own.patternProperties where pattern.isFound(in: name) {
                isNamed = true
                schemas.append(schema)
            }
            guard !isNamed else { continue }
            switch own.additionalProperties {
            case .refused: return nil
            case .schema(let schema): schemas.append(schema)
            case .allowed, nil: break
            }
        }
        // What is left to `unevaluatedProperties` is what nothing names.
        if !rules.contains(where: { $0.property(name) != nil }) {
            for own in rules {
                switch own.unevaluatedProperties {
                case .refused: return nil
                case .schema(let schema): schemas.append(schema)
                case .allowed, nil: break
                }
            }
        }
        return schemas
    }

    /// The schemas that the element at a place has to fit; nil if there can be none.
    func schemas(ofElement index: Int) -> [Int]? {
        var schemas: [Int] = []
        for own in rules {
            if index < own.prefixItems.count {
                schemas.append(own.prefixItems[index])
                continue
            }
            switch own.items ?? own.unevaluatedItems {
            case .refused: return nil
            case .schema(let schema): schemas.append(schema)
            case .allowed, nil: break
            }
        }
        return schemas
    }
}
