import JSON

/// The members of the objects that fit a conjunction, looked up by name.
struct ConjunctionMembers {
    /// The names that are declared, each once, in order.
    private(set) var declared: [String] = []
    /// The work of all look-ups so far, in steps of comparisons.
    private(set) var work = 0
    private var schemas: [ExactName: [Int]] = [:]
    /// The rules that speak of members without naming them.
    private let open: [SchemaRules]

    init(_ conjunction: Conjunction) {
        open = conjunction.rules.filter { own in
            !own.patternProperties.isEmpty || own.additionalProperties != nil || own.unevaluatedProperties != nil
        }
        for own in conjunction.rules {
            work += own.properties.count / 2
            for (name, schema) in own.properties {
                let key = ExactName(text: name)
                if schemas[key] == nil { declared.append(name) }
                schemas[key, default: []].append(schema)
            }
        }
    }

    func isDeclared(_ name: String) -> Bool { schemas[ExactName(text: name)] != nil }

    /// Tells whether members without a declared name are described.
    var describesOthers: Bool {
        open.contains { own in
            if case .schema? = own.additionalProperties { true } else { !own.patternProperties.isEmpty }
        }
    }

    /// The schemas that a member has to fit; nil if there can be no such member.
    mutating func schemas(of name: String) -> [Int]? {
        let named = schemas[ExactName(text: name)]
        var found = named ?? []
        for own in open {
            work += 1
            var isNamed = named != nil && own.property(name) != nil
            for (pattern, schema) in own.patternProperties {
                guard pattern.isFound(in: name, steps: &work, most: .max) == true else { continue }
                isNamed = true
                found.append(schema)
            }
            guard !isNamed else { continue }
            switch own.additionalProperties {
            case .refused: return nil
            case .schema(let schema): found.append(schema)
            case .allowed, nil: break
            }
        }
        guard named == nil else { return found }
        // What is left to `unevaluatedProperties` is what nothing names.
        for own in open {
            switch own.unevaluatedProperties {
            case .refused: return nil
            case .schema(let schema): found.append(schema)
            case .allowed, nil: break
            }
        }
        return found
    }
}
