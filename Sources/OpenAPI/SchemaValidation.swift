import JSON

/// One comparison of a value with schemas.
struct SchemaValidation {
    /// The members and elements of a value that keywords have looked at, for `unevaluated…`.
    struct Evaluated {
        var members: Set<Int> = []
        var elements: Set<Int> = []

        mutating func merge(_ other: Evaluated) {
            members.formUnion(other.members)
            elements.formUnion(other.elements)
        }
    }

    /// Steps of one comparison, and further ones for each value: far more than an honest schema takes.
    private static let mostSteps = (fixed: 200_000, perValue: 64)
    /// Schemas inside one another that are followed.
    private static let deepest = 400

    let store: SchemaStore
    let direction: Schema.Direction
    let limit: Int
    private var issues: [JSONIssue] = []
    /// The reason for which the comparison was given up: the value, or the schema, makes more work than is done.
    private var surrender: JSONIssue?
    private var mostSteps = 0
    private var path: [JSONPathElement] = []
    /// The work so far.
    private(set) var steps = 0
    private var depth = 0
    /// The knowledge of the value at hand.
    private var here = Here()

    /// The knowledge of one value.
    private struct Here {
        /// The schemas that it is being held against: one that comes back to itself says nothing new.
        var underWay: [Int] = []
        /// The results of schemas that lie deep in combinations; one that is combined over and over is looked at once.
        var outcomes: [Int: (issues: [JSONIssue], evaluated: Evaluated)] = [:]
        /// The number of schemas that came back to themselves.
        var returns = 0
    }

    /// Combinations inside one another from which on outcomes are kept.
    private static let keptDepth = 4

    init(_ store: SchemaStore, direction: Schema.Direction, limit: Int) {
        self.store = store
        self.direction = direction
        self.limit = limit
    }

    /// Holds a value against a schema and returns what does not fit.
    mutating func run(_ value: JSON, _ schema: Int) -> [JSONIssue] {
        mostSteps = Self.mostSteps.fixed + Self.mostSteps.perValue * value.valueCount
        check(value, schema)
        return surrender.map { [$0] } ?? issues
    }

    private var isExhausted: Bool { surrender != nil }

    private mutating func check(_ value: JSON, _ schema: Int) {
        var evaluated = Evaluated()
        check(value, schema, &evaluated)
    }

    // MARK: Reporting

    private mutating func report(_ reason: String, at element: JSONPathElement? = nil) {
        guard issues.count < limit else { return }
        issues.append(JSONIssue(path: element.map { path + [$0] } ?? path, reason: reason))
    }

    private mutating func giveUp(_ reason: String) {
        surrender = surrender ?? JSONIssue(path: path, reason: reason)
    }

    /// Holds the value against a schema without telling what is wrong.
    private mutating func attempt(_ value: JSON, _ schema: Int, _ evaluated: inout Evaluated) -> [JSONIssue] {
        let before = issues
        issues = []
        var seen = Evaluated()
        check(value, schema, &seen)
        let found = issues
        issues = before
        if found.isEmpty { evaluated.merge(seen) }
        return found
    }

    // MARK: Schemas

    private mutating func check(_ value: JSON, _ schema: Int, _ evaluated: inout Evaluated) {
        guard issues.count < limit, !isExhausted else { return }
        guard !here.underWay.contains(schema) else {
            here.returns += 1
            return
        }
        steps += 1
        guard steps <= mostSteps else { return giveUp("takes too much work to be checked") }
        guard depth < Self.deepest else { return giveUp("nests too deep to be checked") }
        guard here.underWay.count >= Self.keptDepth else { return enter(schema, value, &evaluated) }
        if let known = here.outcomes[schema] {
            evaluated.merge(known.evaluated)
            issues += known.issues.prefix(limit - issues.count)
            return
        }
        let (before, returns) = (issues.count, here.returns)
        var own = Evaluated()
        enter(schema, value, &own)
        evaluated.merge(own)
        // What was cut short depends on where it began.
        guard here.returns == returns, !isExhausted else { return }
        here.outcomes[schema] = (Array(issues[before...]), own)
    }

    private mutating func enter(_ schema: Int, _ value: JSON, _ evaluated: inout Evaluated) {
        depth += 1
        here.underWay.append(schema)
        apply(store.rules(schema), to: value, &evaluated)
        here.underWay.removeLast()
        depth -= 1
    }

    /// Holds a part of the value against a schema.
    private mutating func descend(_ element: JSONPathElement, _ value: JSON, _ schema: Int) {
        let above = here
        here = Here()
        path.append(element)
        check(value, schema)
        path.removeLast()
        here = above
    }

    private mutating func apply(_ rules: SchemaRules, to value: JSON, _ evaluated: inout Evaluated) {
        if rules.isFalse { return report("is not allowed") }
        if rules.isNullable, value.isNull { return }
        if let reference = rules.reference { check(value, reference, &evaluated) }
        if let types = rules.types, types.isDisjoint(with: TypeSet(of: value)) {
            let isFraction = types.contains(.integer) && TypeSet(of: value) == .fraction
            return report("expected \(types.description), found \(isFraction ? value.text(upTo: 40) : value.typeName)")
        }
        if let constant = rules.constant, !value.isSame(as: constant) {
            report("must be \(constant.text(upTo: 100))")
        }
        if let allowed = rules.enumeration, !allowed.contains(where: { $0.isSame(as: value) }) {
            report(Self.choice(allowed, found: value))
        }
        switch value {
        case .integer, .number: checkNumber(value, rules)
        case .string(let text): checkString(text, rules)
        case .array(let elements): checkArray(elements, rules, &evaluated)
        case .object(let object): checkObject(object, rules, &evaluated)
        case .null, .bool: break
        }
        checkCombinations(value, rules, &evaluated)
        if case .array(let elements) = value, let rest = rules.unevaluatedItems {
            for (index, element) in elements.enumerated() where !evaluated.elements.contains(index) {
                evaluated.elements.insert(index)
                checkRest(.index(index), element, rest, "is one element too many")
            }
        }
        if case .object(let object) = value, let rest = rules.unevaluatedProperties {
            for (place, member) in object.members.enumerated() where !evaluated.members.contains(place) {
                evaluated.members.insert(place)
                checkRest(.key(member.name), member.value, rest, "unknown member")
            }
        }
    }

    private mutating func checkRest(
        _ element: JSONPathElement,
        _ value: JSON,
        _ rest: SchemaRules.Rest,
        _ reason: String
    ) {
        switch rest {
        case .allowed: break
        case .refused: report(reason, at: element)
        case .schema(let schema): descend(element, value, schema)
        }
    }

    private static func choice(_ allowed: [JSON], found: JSON) -> String {
        var list = allowed.prefix(20).map { $0.text(upTo: 40) }.joined(separator: ", ")
        if allowed.count > 20 { list += ", …" }
        var reason = "expected one of \(list), found \(found.text(upTo: 40))"
        if case .string(let text) = found,
            let suggestion = Suggestion.nearest(to: text, among: allowed.compactMap(\.stringValue))
        {
            reason += "; did you mean \(JSON.string(suggestion).text)?"
        }
        return reason
    }

    // MARK: Combinations

    private mutating func checkCombinations(_ value: JSON, _ rules: SchemaRules, _ evaluated: inout Evaluated) {
        if case .object(let object) = value { checkKinds(object, rules) }
        for schema in rules.allOf { check(value, schema, &evaluated) }
        if let discriminator = rules.discriminator, case .object(let object) = value {
            checkNamed(value, object, discriminator, &evaluated)
        } else {
            if !rules.anyOf.isEmpty { checkAny(value, rules.anyOf, &evaluated) }
            if !rules.oneOf.isEmpty { checkOne(value, rules.oneOf, &evaluated) }
        }
        if let not = rules.not {
            var unused = Evaluated()
            // What is given up is no proof of the contrary.
            if attempt(value, not, &unused).isEmpty, !here.underWay.contains(not) {
                report("fits what it must not fit")
            }
        }
        if let condition = rules.condition {
            let fits = attempt(value, condition, &evaluated).isEmpty
            if let branch = fits ? rules.consequence : rules.alternative { check(value, branch, &evaluated) }
        }
    }

    /// Holds the value against the schema that its discriminator names.
    private mutating func checkNamed(
        _ value: JSON,
        _ object: JSONObject,
        _ discriminator: SchemaRules.Discriminator,
        _ evaluated: inout Evaluated
    ) {
        guard let found = object[discriminator.property] else {
            // A schema without branches says itself whether the member is required.
            if !discriminator.isInherited { report("missing", at: .key(discriminator.property)) }
            return
        }
        let named = discriminator.schema(of: found)
        let own = here.underWay.last
        if let heir = here.underWay.first(where: { $0 != own && discriminator.schemas.contains($0) }) {
            // A schema that builds on this one has told of names that are not its own.
            let isKnown = store.rules(heir).kinds.contains { $0.values.contains { $0 == found.stringValue } }
            guard isKnown else {
                here.returns += 1
                return
            }
        }
        guard let named else {
            let known = discriminator.mapping.map { JSON.string($0.value) }
            return report(Self.choice(known, found: found), at: .key(discriminator.property))
        }
        check(value, named, &evaluated)
    }

    /// Holds the members to which discriminators give values in a schema that builds on theirs.
    private mutating func checkKinds(_ object: JSONObject, _ rules: SchemaRules) {
        for kind in rules.kinds {
            guard let found = object[kind.member], let text = found.stringValue, !kind.values.contains(text) else {
                continue
            }
            report(Self.choice(kind.values.map { .string($0) }, found: found), at: .key(kind.member))
        }
    }

    private mutating func checkAny(_ value: JSON, _ schemas: [Int], _ evaluated: inout Evaluated) {
        var nearest: [JSONIssue]?
        var fits = false
        for schema in schemas {
            let found = attempt(value, schema, &evaluated)
            if found.isEmpty { fits = true } else { Self.keepNearest(found, &nearest) }
        }
        if !fits { reportNearest(nearest, of: schemas.count, value) }
    }

    private mutating func checkOne(_ value: JSON, _ schemas: [Int], _ evaluated: inout Evaluated) {
        var nearest: [JSONIssue]?
        var fitting = 0
        for schema in schemas {
            let found = attempt(value, schema, &evaluated)
            if found.isEmpty { fitting += 1 } else { Self.keepNearest(found, &nearest) }
        }
        if fitting == 0 { reportNearest(nearest, of: schemas.count, value) }
        if fitting > 1 { report("fits \(fitting) of the alternatives instead of one") }
    }

    private static func depth(_ issues: [JSONIssue]) -> Int {
        var least = issues.first?.path.count ?? 0
        for issue in issues { least = min(least, issue.path.count) }
        return least
    }

    /// The branch that goes wrong deepest is most likely the one that was meant.
    private static func keepNearest(_ found: [JSONIssue], _ nearest: inout [JSONIssue]?) {
        if let earlier = nearest, depth(earlier) >= depth(found) { return }
        nearest = found
    }

    private mutating func reportNearest(_ nearest: [JSONIssue]?, of count: Int, _ value: JSON) {
        guard let nearest else { return report("fits nothing") }
        guard count == 1 || Self.depth(nearest) > path.count else {
            return report("fits none of the \(count) alternatives")
        }
        for issue in nearest where issues.count < limit { issues.append(issue) }
    }

    // MARK: Scalars

    private mutating func checkNumber(_ value: JSON, _ rules: SchemaRules) {
        guard let number = Decimal(value) else { return }
        if let least = rules.minimum, number < least { report("must be at least \(least.text)") }
        if let most = rules.maximum, number > most { report("must be at most \(most.text)") }
        if let bound = rules.exclusiveMinimum, number <= bound { report("must be more than \(bound.text)") }
        if let bound = rules.exclusiveMaximum, number >= bound { report("must be less than \(bound.text)") }
        if let step = rules.multipleOf, !number.isMultiple(of: step) { report("must be a multiple of \(step.text)") }
        if let format = rules.format, !format.takes(number) { report("is no \(format.rawValue)") }
    }

    private mutating func checkString(_ text: String, _ rules: SchemaRules) {
        if rules.minLength != nil || rules.maxLength != nil {
            let length = text.unicodeScalars.count
            if let least = rules.minLength, length < least { report("must have at least \(Self.characters(least))") }
            if let most = rules.maxLength, length > most { report("must have at most \(Self.characters(most))") }
        }
        if let pattern = rules.pattern {
            guard let isFound = pattern.isFound(in: text, steps: &steps, most: mostSteps) else {
                return giveUp("takes too much work to be checked")
            }
            if !isFound { report("must match \(pattern.source)") }
        }
        if let format = rules.format, !format.takes(text) { report("is no \(format.rawValue)") }
    }

    private static func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    // MARK: Arrays

    private mutating func checkArray(_ elements: [JSON], _ rules: SchemaRules, _ evaluated: inout Evaluated) {
        if let least = rules.minItems, elements.count < least { report("must have at least \(least) elements") }
        if let most = rules.maxItems, elements.count > most { report("must have at most \(most) elements") }
        if rules.uniqueItems { checkUnique(elements) }
        for (index, element) in elements.enumerated() where issues.count < limit {
            if index < rules.prefixItems.count {
                evaluated.elements.insert(index)
                descend(.index(index), element, rules.prefixItems[index])
            } else if let rest = rules.items {
                evaluated.elements.insert(index)
                checkRest(.index(index), element, rest, "is one element too many")
            }
        }
        guard let contains = rules.contains else { return }
        var fitting = 0
        for (index, element) in elements.enumerated() {
            let above = here
            here = Here()
            var unused = Evaluated()
            if attempt(element, contains, &unused).isEmpty {
                fitting += 1
                evaluated.elements.insert(index)
            }
            here = above
        }
        let least = rules.minContains ?? 1
        if fitting < least { report("must contain at least \(least) such elements, found \(fitting)") }
        if let most = rules.maxContains, fitting > most {
            report("must contain at most \(most) such elements, found \(fitting)")
        }
    }

    private mutating func checkUnique(_ elements: [JSON]) {
        var seen: [ExactName: Int] = [:]
        for (index, element) in elements.enumerated() {
            steps += 4
            if let first = seen.updateValue(index, forKey: ExactName(text: element.canonicalText)) {
                return report("is the same as element \(first)", at: .index(index))
            }
        }
    }

    // MARK: Objects

    private mutating func checkObject(_ object: JSONObject, _ rules: SchemaRules, _ evaluated: inout Evaluated) {
        if let least = rules.minProperties, object.count < least { report("must have at least \(least) members") }
        if let most = rules.maxProperties, object.count > most { report("must have at most \(most) members") }
        let isNeeded =
            !rules.required.isEmpty || !rules.dependentRequired.isEmpty || !rules.dependentSchemas.isEmpty
        let present = isNeeded ? Set(object.members.map { ExactName(text: $0.name) }) : []
        for name in rules.required where !present.contains(ExactName(text: name)) {
            if !isTravelling(without: name, rules) { report("missing", at: .key(name)) }
        }
        for (name, others) in rules.dependentRequired where present.contains(ExactName(text: name)) {
            for other in others where !present.contains(ExactName(text: other)) {
                report("missing, as there is \(JSON.string(name.cut).text)", at: .key(other))
            }
        }
        for (name, schema) in rules.dependentSchemas where present.contains(ExactName(text: name)) {
            check(.object(object), schema, &evaluated)
        }
        for (place, member) in object.members.enumerated() {
            guard issues.count < limit, !isExhausted else { return }
            if let names = rules.propertyNames { descend(.key(member.name), .string(member.name), names) }
            checkMember(member, place, rules, &evaluated)
        }
    }

    private mutating func checkMember(
        _ member: JSONObject.Member,
        _ place: Int,
        _ rules: SchemaRules,
        _ evaluated: inout Evaluated
    ) {
        var isNamed = false
        if let schema = rules.property(member.name) {
            isNamed = true
            descend(.key(member.name), member.value, schema)
        }
        for (pattern, schema) in rules.patternProperties {
            steps += 1
            guard steps <= mostSteps,
                let isFound = pattern.isFound(in: member.name, steps: &steps, most: mostSteps)
            else { return giveUp("takes too much work to be checked") }
            guard isFound else { continue }
            isNamed = true
            descend(.key(member.name), member.value, schema)
        }
        if !isNamed, let rest = rules.additionalProperties {
            isNamed = true
            var reason = "unknown member"
            if case .refused = rest,
                let suggestion = Suggestion.nearest(to: member.name, among: rules.properties.map(\.name))
            {
                reason += "; did you mean \(JSON.string(suggestion).text)?"
            }
            checkRest(.key(member.name), member.value, rest, reason)
        }
        if isNamed { evaluated.members.insert(place) }
    }

    /// Tells whether a required member may be missing, since it does not travel in this direction.
    private func isTravelling(without name: String, _ rules: SchemaRules) -> Bool {
        guard direction != .neither, let schema = rules.property(name) else { return false }
        return isKept(back: schema, steps: 0)
    }

    /// Tells whether members of a schema stay behind in this direction.
    private func isKept(back schema: Int, steps: Int) -> Bool {
        let rules = store.rules(schema)
        if direction == .request ? rules.isReadOnly : rules.isWriteOnly { return true }
        guard steps < 8 else { return false }
        return (rules.allOf + (rules.reference.map { [$0] } ?? [])).contains { isKept(back: $0, steps: steps + 1) }
    }
}

extension JSON {
    /// The values in it, itself included.
    var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}
