import JSON

/// Schemas that one value has to fit, taken apart: the keywords that all count, and the choices that are open.
struct Conjunction {
    /// One way of a choice.
    struct Branch {
        var schemas: [Int]
        /// The member that names the branch, with its value.
        var name: (member: String, value: String)?
    }

    /// The state that a choice leads back to when it is taken back.
    struct Mark {
        fileprivate var rules: Int
        fileprivate var numbers: Int
        fileprivate var choices: Int
        fileprivate var made: Int
        fileprivate var names: Int
        fileprivate var needed: Int
        fileprivate var types: TypeSet?
        fileprivate var domain: [JSON]?
        fileprivate var isVoid: Bool
    }

    private(set) var rules: [SchemaRules] = []
    /// The place of the rules that brought each of the rules in; nil for those of the beginning.
    private var origins: [Int?] = []
    private var choices: [(branches: [Branch], origin: Int)] = []
    /// The names that have to be there, in the order of their coming.
    private var needed: [ExactName] = []
    private var isNeeded: Set<ExactName> = []
    /// The number of choices that have been made.
    private var made = 0
    /// The values of members that discriminators give.
    private(set) var names: [(member: String, value: String)] = []
    /// The types that fit; nil if no keyword says.
    private(set) var types: TypeSet?
    /// The values of which one has to be taken, by `const` and `enum`; nil if others may fit.
    private(set) var domain: [JSON]?
    /// Tells whether nothing fits.
    private(set) var isVoid = false
    /// The work of putting it together, in steps of comparisons.
    private(set) var work = 0
    /// The work of reading schemas, which is done once.
    private(set) var outlay = 0
    /// Tells that not all of it is there, since it was more work than it may be.
    private(set) var isStopped = false
    private let ceiling: Int
    private let store: SchemaStore
    private var seen: Set<Int> = []
    /// The schemas in `seen`, in the order of their coming.
    private var numbers: [Int] = []

    /// Takes schemas apart; with more work than `ceiling` nothing fits.
    init(_ schemas: [Int], _ store: SchemaStore, ceiling: Int = .max) {
        self.store = store
        self.ceiling = ceiling
        for schema in schemas { add(schema, from: nil) }
    }

    /// Adds a schema with everything that it refers to or combines.
    private mutating func add(_ schema: Int, from origin: Int?) {
        var waiting = [(schema: schema, origin: origin)]
        while let next = waiting.popLast() {
            guard seen.insert(next.schema).inserted else { continue }
            numbers.append(next.schema)
            guard let own = store.rules(next.schema, outlay: &outlay, most: ceiling - min(work + outlay, ceiling))
            else {
                (isStopped, isVoid) = (true, true)
                return
            }
            let place = rules.count
            rules.append(own)
            origins.append(next.origin)
            work += 2 + own.combined / 8
            narrow(own)
            for name in own.required where isNeeded.insert(ExactName(text: name)).inserted {
                needed.append(ExactName(text: name))
            }
            // The first to say so is the one that was asked for, others are what it builds on.
            for kind in own.kinds where !names.contains(where: { $0.member == kind.member }) {
                names.append((kind.member, kind.values[0]))
            }
            addChoices(of: own, next.schema, at: place)
            // In their order, what is referred to first.
            for inner in own.allOf.reversed() { waiting.append((inner, place)) }
            if let reference = own.reference { waiting.append((reference, place)) }
        }
    }

    /// Takes out the types and values that further rules leave out.
    private mutating func narrow(_ own: SchemaRules) {
        if own.isFalse { isVoid = true }
        if let others = own.types {
            types = types?.intersection(others) ?? others
            if types?.isEmpty == true { isVoid = true }
        }
        if let constant = own.constant { narrow(to: [constant]) { $0.isSame(as: constant) } }
        if let enumeration = own.enumeration { narrow(to: enumeration) { own.enumerates($0) } }
    }

    private mutating func narrow(to values: [JSON], _ isAllowed: (JSON) -> Bool) {
        work += (domain?.count ?? 0) / 4
        domain = domain?.filter(isAllowed) ?? values
        if domain?.isEmpty == true { isVoid = true }
    }

    private mutating func addChoices(of own: SchemaRules, _ schema: Int, at place: Int) {
        if let named = own.discriminator {
            // A schema that builds on this one has made the choice.
            if !seen.contains(where: { $0 != schema && named.schemas.contains($0) }) {
                let branches = named.ways.map { (value, schema) in
                    Branch(schemas: [schema], name: (member: named.property, value: value))
                }
                choices.append((branches, place))
            }
        } else {
            for schemas in [own.oneOf, own.anyOf] where !schemas.isEmpty {
                choices.append((schemas.map { Branch(schemas: [$0]) }, place))
            }
        }
        if let condition = own.condition {
            let branches = [
                Branch(schemas: [condition] + (own.consequence.map { [$0] } ?? [])),
                Branch(schemas: own.alternative.map { [$0] } ?? []),
            ]
            choices.append((branches, place))
        }
    }

    // MARK: Choices

    /// The ways of the first choice that has not been made.
    var open: [Branch]? { made < choices.count ? choices[made].branches : nil }

    /// The place to which `takeBack` leads back.
    var mark: Mark {
        Mark(
            rules: rules.count,
            numbers: numbers.count,
            choices: choices.count,
            made: made,
            names: names.count,
            needed: needed.count,
            types: types,
            domain: domain,
            isVoid: isVoid
        )
    }

    /// Makes the first choice that has not been made.
    mutating func choose(_ branch: Branch) {
        let origin = choices[made].origin
        made += 1
        if let name = branch.name { names.append(name) }
        let before = rules.count
        for schema in branch.schemas { add(schema, from: origin) }
        if !isVoid, contradicts(since: before) { isVoid = true }
    }

    /// Tells whether rules that have come in leave no value to a member that has to be there.
    private mutating func contradicts(since first: Int) -> Bool {
        for own in rules[first...] {
            for name in own.required.prefix(Self.mostAsked) where isImpossible(name) { return true }
            for (name, _) in own.properties.prefix(Self.mostAsked)
            where isNeeded.contains(ExactName(text: name)) && isImpossible(name) { return true }
        }
        return false
    }

    /// Members of one schema that are asked for a contradiction.
    private static let mostAsked = 32

    /// Tells whether a member has no value, by `const`, `enum` and `false` alone.
    private mutating func isImpossible(_ name: String) -> Bool {
        work += 1 + rules.count / 8
        var domain: [JSON]?
        for own in rules {
            var next = own.property(name)
            for _ in 0..<Self.mostSteps {
                let most = ceiling - min(work + outlay, ceiling)
                guard let schema = next, let inner = store.rules(schema, outlay: &outlay, most: most) else { break }
                // These leave other values, or no need for one.
                if inner.isNullable || inner.isWriteOnly { return false }
                if inner.isFalse { return true }
                if let values = inner.constant.map({ [$0] }) ?? inner.enumeration {
                    work += (domain?.count ?? 0) / 4
                    domain =
                        domain?.filter { value in
                            inner.constant.map { $0.isSame(as: value) } ?? inner.enumerates(value)
                        } ?? values
                    if domain?.isEmpty == true { return true }
                }
                next = inner.reference
            }
        }
        return false
    }

    /// References one behind the other that are followed to the values of a member.
    private static let mostSteps = 8

    /// Goes back to where a mark was set.
    mutating func takeBack(to mark: Mark) {
        for schema in numbers[mark.numbers...] { seen.remove(schema) }
        numbers.removeSubrange(mark.numbers...)
        rules.removeSubrange(mark.rules...)
        origins.removeSubrange(mark.rules...)
        choices.removeSubrange(mark.choices...)
        names.removeSubrange(mark.names...)
        for name in needed[mark.needed...] { isNeeded.remove(name) }
        needed.removeSubrange(mark.needed...)
        (made, types, domain, isVoid) = (mark.made, mark.types, mark.domain, mark.isVoid)
    }

    /// Adds the schemas that hold where a member is there which has to be; returns whether there were any.
    mutating func addDependents() -> Bool {
        guard rules.contains(where: { !$0.dependentSchemas.isEmpty }) else { return false }
        let needed = Set(requiredNames.map { ExactName(text: $0) })
        let before = numbers.count
        for (place, own) in rules.enumerated() {
            for (name, schema) in own.dependentSchemas where needed.contains(ExactName(text: name)) {
                add(schema, from: place)
            }
        }
        return numbers.count > before
    }

    // MARK: What counts together

    func largest(_ value: (SchemaRules) -> Int?) -> Int? { rules.compactMap(value).max() }

    func smallest(_ value: (SchemaRules) -> Int?) -> Int? { rules.compactMap(value).min() }

    /// The names that have to be there, those that others bring along included, each once.
    var requiredNames: [String] {
        var seen: Set<ExactName> = []
        var names = (names.map(\.member) + rules.flatMap(\.required)).filter {
            seen.insert(ExactName(text: $0)).inserted
        }
        var dependents: [ExactName: [String]] = [:]
        for own in rules {
            for (name, others) in own.dependentRequired { dependents[ExactName(text: name), default: []] += others }
        }
        guard !dependents.isEmpty else { return names }
        var place = 0
        while place < names.count {
            let others = dependents[ExactName(text: names[place])] ?? []
            names += others.filter { seen.insert(ExactName(text: $0)).inserted }
            place += 1
        }
        return names
    }

    /// Tells whether rules have come in through other ones.
    func isPart(_ place: Int, of other: Int) -> Bool {
        var place: Int? = place
        while let next = place, next >= other {
            if next == other { return true }
            place = origins[next]
        }
        return false
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
