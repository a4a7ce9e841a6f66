import Formats
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
    /// The steps, and those of reading schemas, at which the comparison stops; it is made elsewhere then.
    let ceiling: Int
    /// Takes a value that fits several alternatives of a `oneOf`.
    var isLoose = false
    /// Leaves out of reasons what takes work and is not read.
    var isBrief = false
    private var issues: [JSONIssue] = []
    /// The reason for which the comparison was given up: the value, or the schema, makes more work than is done.
    private var surrender: JSONIssue?
    private var mostSteps = 0
    private var path: [JSONPathElement] = []
    /// The work so far.
    var steps = 0
    /// The work of reading schemas so far, which is done once in a process.
    var outlay = 0
    /// Tells that the comparison has stopped at its ceiling.
    private(set) var isStopped = false
    /// The depth of `not` and `if`, in which everything that is required counts.
    var strictness = 0
    /// Tells that an alternative is tried only to find out whether it holds.
    var isAsking = false
    private var depth = 0
    /// The knowledge of the value at hand.
    private var here = Here()

    /// The knowledge of one value.
    private struct Here {
        /// The schemas that it is being held against: one that comes back to itself says nothing new.
        var underWay: [Int] = []
        /// The results of schemas that lie deep in combinations; one that is combined over and over is looked at once.
        var outcomes: [Question: Outcome] = [:]
        /// The number of schemas that came back to themselves.
        var returns = 0
        /// The places of the members of an object by their names, if it has many.
        var names: [ExactName: Int]?
    }

    /// A schema that a value is held against.
    private struct Question: Hashable {
        let schema: Int
        let isStrict: Bool
        let isAsking: Bool
        /// The number of the value, where it is not the one at hand.
        var value = 0
    }

    private struct Outcome {
        let issues: [JSONIssue]
        let evaluated: Evaluated
    }

    /// Combinations inside one another from which on outcomes are kept.
    private static let keptDepth = 4
    /// Steps from which on the outcomes of all arrays and objects are kept: of a schema that comes back to itself in
    /// several alternatives each one asks for all the others below.
    private static let keptSteps = 1_000
    /// Outcomes that are kept of other values than the one at hand.
    private static let mostKept = 50_000
    private var outcomes: [Question: Outcome] = [:]
    private var values = ValueNumbers()

    init(_ store: SchemaStore, direction: Schema.Direction, limit: Int, ceiling: Int = .max) {
        self.store = store
        self.direction = direction
        self.limit = limit
        self.ceiling = ceiling
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
    mutating func attempt(_ value: JSON, _ schema: Int, _ evaluated: inout Evaluated) -> [JSONIssue] {
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
        guard depth < Self.deepest else { return giveUp("is nested too deep to be checked") }
        guard steps + outlay <= ceiling else { return stopWork() }
        let isEverywhere = steps > Self.keptSteps && value.isContainer && outcomes.count < Self.mostKept
        guard here.underWay.count >= Self.keptDepth || isEverywhere else { return enter(schema, value, &evaluated) }
        var question = Question(schema: schema, isStrict: strictness > 0, isAsking: isAsking)
        if isEverywhere { question.value = values.number }
        if let known = isEverywhere ? outcomes[question] : here.outcomes[question] {
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
        let outcome = Outcome(issues: Array(issues[before...]), evaluated: own)
        if isEverywhere { outcomes[question] = outcome } else { here.outcomes[question] = outcome }
    }

    private mutating func enter(_ schema: Int, _ value: JSON, _ evaluated: inout Evaluated) {
        guard let rules = store.rules(schema, outlay: &outlay, most: ceiling - min(steps + outlay, ceiling)) else {
            return stopWork()
        }
        depth += 1
        here.underWay.append(schema)
        apply(rules, to: value, &evaluated)
        here.underWay.removeLast()
        depth -= 1
    }

    /// Holds a part of the value against a schema.
    ///
    /// `place` is the number of the part: different parts have different ones.
    private mutating func descend(_ element: JSONPathElement, _ place: Int, _ value: JSON, _ schema: Int) {
        let above = here
        here = Here()
        path.append(element)
        values.descend(place)
        check(value, schema)
        values.ascend()
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
        if let allowed = rules.enumeration {
            steps += min(allowed.count, 16) / 4
            if !rules.enumerates(value) {
                report(isBrief ? "is not one of the values" : Self.choice(allowed, found: value))
            }
        }
        switch value {
        case .integer, .number: checkNumber(value, rules)
        case .string(let text): checkString(text, rules)
        case .array(let elements): checkArray(elements, rules, &evaluated)
        case .object(let object): checkObject(object, value, rules, &evaluated)
        case .null, .bool: break
        }
        checkCombinations(value, rules, &evaluated)
        if case .array(let elements) = value, let rest = rules.unevaluatedItems {
            for (index, element) in elements.enumerated() where !evaluated.elements.contains(index) {
                evaluated.elements.insert(index)
                checkRest(.index(index), index, element, rest, "is an unexpected element")
            }
        }
        if case .object(let object) = value, let rest = rules.unevaluatedProperties {
            for (place, member) in object.members.enumerated() where !evaluated.members.contains(place) {
                evaluated.members.insert(place)
                checkRest(.key(member.name), place, member.value, rest, "unknown member")
            }
        }
    }

    private mutating func checkRest(
        _ element: JSONPathElement,
        _ place: Int,
        _ value: JSON,
        _ rest: SchemaRules.Rest,
        _ reason: String
    ) {
        switch rest {
        case .allowed: break
        case .refused: report(reason, at: element)
        case .schema(let schema): descend(element, place, value, schema)
        }
    }

    private static func choice(_ allowed: [JSON], found: JSON) -> String {
        var list = allowed.prefix(20).map { $0.text(upTo: 40) }.joined(separator: ", ")
        if allowed.count > 20 { list += ", …" }
        var reason = "expected one of \(list), found \(found.text(upTo: 40))"
        if case .string(let text) = found {
            let near = Suggestion.nearest(to: text, among: allowed.compactMap(\.stringValue))
            reason += Suggestion.hint(near.map { JSON.string($0).text })
        }
        return reason
    }

    // MARK: Combinations

    private mutating func checkCombinations(_ value: JSON, _ rules: SchemaRules, _ evaluated: inout Evaluated) {
        if case .object(let object) = value { checkKinds(object, rules) }
        for schema in rules.allOf { check(value, schema, &evaluated) }
        if let discriminator = rules.discriminator, case .object(let object) = value,
            !isOfAnyBranch(object, discriminator)
        {
            checkNamed(value, object, discriminator, &evaluated)
        } else {
            if !rules.anyOf.isEmpty { checkAny(value, rules.anyOf, &evaluated) }
            if !rules.oneOf.isEmpty { checkOne(value, rules.oneOf, &evaluated) }
        }
        if let not = rules.not {
            var unused = Evaluated()
            strictness += 1
            let fits = attempt(value, not, &unused).isEmpty
            strictness -= 1
            // What is given up is no proof of the contrary.
            if fits, !here.underWay.contains(not) {
                report("matches what it must not match")
            }
        }
        if let condition = rules.condition {
            strictness += 1
            let fits = attempt(value, condition, &evaluated).isEmpty
            strictness -= 1
            if let branch = fits ? rules.consequence : rules.alternative { check(value, branch, &evaluated) }
        }
    }

    /// Tells whether a discriminator names none of its branches, although it knows the value.
    private func isOfAnyBranch(_ object: JSONObject, _ discriminator: SchemaRules.Discriminator) -> Bool {
        guard !discriminator.isInherited, let found = object[discriminator.property] else { return false }
        return discriminator.schema(of: found).map { $0 == here.underWay.last } ?? false
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
            // What is no text is for the member's own schema, as null is.
            if discriminator.isInherited, found.stringValue == nil { return }
            let known = discriminator.mapping.prefix(100).map { JSON.string($0.value) }
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
            report(Self.choice(kind.values.prefix(100).map { .string($0) }, found: found), at: .key(kind.member))
        }
    }

    private mutating func checkAny(_ value: JSON, _ schemas: [Int], _ evaluated: inout Evaluated) {
        var nearest: Nearest?
        var fits = false
        for schema in schemas {
            let found = attempt(value, schema, &evaluated)
            if found.isEmpty { fits = true } else { Self.keepNearest(found, &nearest) }
        }
        if !fits { reportNearest(nearest, of: schemas.count, value) }
    }

    private mutating func checkOne(_ value: JSON, _ schemas: [Int], _ evaluated: inout Evaluated) {
        var nearest: Nearest?
        var fitting: [Int] = []
        for schema in schemas {
            let found = attempt(value, schema, &evaluated)
            if found.isEmpty { fitting.append(schema) } else { Self.keepNearest(found, &nearest) }
        }
        if fitting.isEmpty { reportNearest(nearest, of: schemas.count, value) }
        guard fitting.count > 1, !isLoose else { return }
        // What may be missing tells alternatives apart by its presence.
        let strict = direction == .neither || strictness > 0 ? fitting.count : countStrictly(value, fitting)
        if strict > 1 { report("matches \(strict) of the alternatives instead of one") }
    }

    private static func depth(_ issues: [JSONIssue]) -> Int {
        var least = issues.first?.path.count ?? 0
        for issue in issues { least = min(least, issue.path.count) }
        return least
    }

    /// The issues of the branch that is most likely the one that was meant.
    private struct Nearest {
        var issues: [JSONIssue]
        /// Tells whether all branches have the same issues.
        var isShared = true
    }

    /// The branch that goes wrong deepest is most likely the one that was meant.
    private static func keepNearest(_ found: [JSONIssue], _ nearest: inout Nearest?) {
        guard let earlier = nearest else { return nearest = Nearest(issues: found) }
        if found != earlier.issues { nearest?.isShared = false }
        if depth(earlier.issues) < depth(found) { nearest?.issues = found }
    }

    private mutating func reportNearest(_ nearest: Nearest?, of count: Int, _ value: JSON) {
        guard let nearest else { return report("matches nothing") }
        guard nearest.isShared || Self.depth(nearest.issues) > path.count else {
            return report("matches none of the \(count) alternatives")
        }
        for issue in nearest.issues where issues.count < limit { issues.append(issue) }
    }

    // MARK: Scalars

    private mutating func checkNumber(_ value: JSON, _ rules: SchemaRules) {
        guard let number = Decimal(value) else { return }
        if let least = rules.minimum, number < least { report("must be at least \(least.text)") }
        if let most = rules.maximum, number > most { report("must be at most \(most.text)") }
        if let bound = rules.exclusiveMinimum, number <= bound { report("must be more than \(bound.text)") }
        if let bound = rules.exclusiveMaximum, number >= bound { report("must be less than \(bound.text)") }
        if let step = rules.multipleOf, !number.isMultiple(of: step) { report("must be a multiple of \(step.text)") }
        if let format = rules.format, !format.takes(number) { report(format.refusal) }
    }

    private mutating func checkString(_ text: String, _ rules: SchemaRules) {
        if rules.minLength != nil || rules.maxLength != nil {
            let length = text.unicodeScalars.count
            if let least = rules.minLength, length < least { report("must have at least \(Self.characters(least))") }
            if let most = rules.maxLength, length > most { report("must have at most \(Self.characters(most))") }
        }
        if let pattern = rules.pattern {
            let most = min(mostSteps, ceiling - min(outlay, ceiling))
            guard let isFound = pattern.isFound(in: text, steps: &steps, most: most) else { return stopWork() }
            if !isFound { report("must match \(pattern.source)") }
        }
        if let format = rules.format, !format.takes(text) { report(format.refusal(of: text)) }
    }

    private static func characters(_ count: Int) -> String { count == 1 ? "1 character" : "\(count) characters" }

    // MARK: Arrays

    private mutating func checkArray(_ elements: [JSON], _ rules: SchemaRules, _ evaluated: inout Evaluated) {
        if let least = rules.minItems, elements.count < least { report("must have at least \(least) elements") }
        if let most = rules.maxItems, elements.count > most { report("must have at most \(most) elements") }
        if rules.uniqueItems { checkUnique(elements) }
        for (index, element) in elements.enumerated() {
            guard issues.count < limit, !isExhausted else { return }
            if index < rules.prefixItems.count {
                evaluated.elements.insert(index)
                descend(.index(index), index, element, rules.prefixItems[index])
            } else if let rest = rules.items {
                evaluated.elements.insert(index)
                checkRest(.index(index), index, element, rest, "is an unexpected element")
            } else {
                break
            }
        }
        guard let contains = rules.contains else { return }
        var fitting = 0
        for (index, element) in elements.enumerated() {
            guard !isExhausted else { return }
            let above = here
            here = Here()
            values.descend(index)
            var unused = Evaluated()
            if attempt(element, contains, &unused).isEmpty {
                fitting += 1
                evaluated.elements.insert(index)
            }
            values.ascend()
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
            steps += 4 + element.valueCount
            guard steps <= mostSteps, steps + outlay <= ceiling else { return stopWork() }
            if let first = seen.updateValue(index, forKey: ExactName(text: element.canonicalText)) {
                return report("is the same as element \(first)", at: .index(index))
            }
        }
    }

    // MARK: Objects

    private mutating func checkObject(
        _ object: JSONObject,
        _ value: JSON,
        _ rules: SchemaRules,
        _ evaluated: inout Evaluated
    ) {
        if let least = rules.minProperties, object.count < least { report("must have at least \(least) members") }
        if let most = rules.maxProperties, object.count > most { report("must have at most \(most) members") }
        steps += (rules.required.count + rules.dependentRequired.count) / 4
        for name in rules.required where place(of: name, in: object) == nil {
            guard issues.count < limit, !isExhausted else { return }
            if !isTravelling(without: name, value) { report("missing", at: .key(name)) }
        }
        for (name, others) in rules.dependentRequired where place(of: name, in: object) != nil {
            for other in others where place(of: other, in: object) == nil && !isTravelling(without: other, value) {
                guard issues.count < limit else { return }
                report("missing, as \(JSON.string(name.cut).text) is present", at: .key(other))
            }
        }
        for (name, schema) in rules.dependentSchemas where place(of: name, in: object) != nil {
            check(value, schema, &evaluated)
        }
        let isOfNames =
            rules.propertyNames == nil && rules.patternProperties.isEmpty && rules.additionalProperties == nil
        guard isOfNames, rules.properties.count < object.count / 4 else {
            for (place, member) in object.members.enumerated() {
                steps += isOfNames ? 0 : 1
                guard issues.count < limit, !isExhausted else { return }
                if let names = rules.propertyNames {
                    descend(.key(member.name), -1 - place, .string(member.name), names)
                }
                checkMember(member, place, rules, &evaluated)
            }
            return
        }
        // Of many members, a schema that names few is held against these alone, in the order of the value.
        let places = rules.properties.compactMap { place(of: $0.name, in: object) }.sorted()
        for place in places {
            guard issues.count < limit, !isExhausted else { return }
            checkMember(object.members[place], place, rules, &evaluated)
        }
    }

    /// The place of the last member of a name in the object at hand.
    private mutating func place(of name: String, in object: JSONObject) -> Int? {
        guard object.count > 8 else { return object.members.lastIndex { $0.name.hasSameCodePoints(as: name) } }
        if here.names == nil {
            steps += object.count / 4
            here.names = Dictionary(
                object.members.enumerated().map { (ExactName(text: $1.name), $0) },
                uniquingKeysWith: { $1 }
            )
        }
        return here.names?[ExactName(text: name)]
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
            descend(.key(member.name), place, member.value, schema)
        }
        for (pattern, schema) in rules.patternProperties {
            steps += 1
            guard steps <= mostSteps, steps + outlay <= ceiling,
                let isFound = pattern.isFound(in: member.name, steps: &steps, most: min(mostSteps, ceiling - outlay))
            else { return stopWork() }
            guard isFound else { continue }
            isNamed = true
            descend(.key(member.name), place, member.value, schema)
        }
        if !isNamed, let rest = rules.additionalProperties {
            isNamed = true
            var reason = "unknown member"
            if case .refused = rest, !isBrief {
                steps += rules.properties.count
                let names = rules.properties.lazy.map(\.name).prefix(Self.mostNamed)
                let near = Suggestion.nearest(to: member.name, among: Array(names))
                reason += Suggestion.hint(near.map { JSON.string($0).text })
            }
            checkRest(.key(member.name), place, member.value, rest, reason)
        }
        if isNamed { evaluated.members.insert(place) }
    }

    /// Names among which one is looked for that may be meant.
    private static let mostNamed = 1_000

    /// Gives up, since there is more work than is done, or than is done here.
    mutating func stopWork() {
        if steps <= mostSteps { isStopped = true }
        giveUp("takes too much work to be checked")
    }

    /// The schemas that the value at hand is being held against.
    var underWay: [Int] { here.underWay }
}

extension JSON {
    /// Tells whether this is an array or an object.
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// The values in it, itself included.
    var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let object): object.members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}
