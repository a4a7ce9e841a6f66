import CivilTime
import JSON
import RegularExpressions

/// Makes values that fit schemas (own-API contract, section 17).
struct SampleMaker {
    /// Containers inside one another from which on only required members are made.
    static let usualDepth = 8
    /// Values from which on only required members are made.
    static let usualSize = 2_000
    /// Containers inside one another at which a schema without an end is given up.
    static let mostDepth = 40
    /// Values that are made or tried for one sample at most.
    static let mostAttempts = 3_000
    /// Values of one sample at most.
    static let mostSize = 20_000

    let store: SchemaStore
    /// T0 of the world.
    let start: Instant
    var stream: SampleStream
    /// Values in the sample so far.
    var size = 0
    private var attempts = 0
    /// The steps of all comparisons so far, and of other work in their measure.
    var work = 0
    /// Tells that only required members are made, whatever there is room for.
    private(set) var isScanty = false
    /// Tells whether the tries or the steps are used up.
    private var isSpent: Bool { attempts >= Self.mostAttempts || work >= Self.mostWork }
    /// The steps of comparisons that one sample takes at most.
    static let mostWork = 400_000

    init(_ store: SchemaStore, start: Instant, stream: SampleStream) {
        self.store = store
        self.start = start
        self.stream = stream
    }

    /// Returns a value that fits a schema, or nil if none was found.
    mutating func sample(_ schema: Int) -> JSON? {
        if let value = make([schema], depth: 0) { return value }
        // What is optional may have used up the tries, so that nothing was left for what has to be there.
        guard isSpent else { return nil }
        (isScanty, size, attempts, work) = (true, 0, 0, Self.mostWork / 2)
        return make([schema], depth: 0)
    }

    /// A value that fits all schemas; of several variants a later one differs from the first.
    mutating func make(_ schemas: [Int], depth: Int, variant: Int = 0) -> JSON? {
        let before = size
        var budget = 48
        let found = solve(Conjunction(schemas, store), schemas, depth, variant, &budget)
        if found == nil { size = before }
        return found
    }

    /// Makes the open choices one after the other, and then the value.
    private mutating func solve(
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ depth: Int,
        _ variant: Int,
        _ budget: inout Int
    ) -> JSON? {
        guard !conjunction.isVoid, attempts < Self.mostAttempts, work < Self.mostWork, budget > 0,
            depth <= Self.mostDepth
        else { return nil }
        guard let choice = conjunction.choices.first else {
            budget -= 1
            attempts += 1
            return produce(conjunction, schemas, depth, variant)
        }
        for branch in choice {
            let before = size
            if let value = solve(conjunction.choosing(branch, store), schemas, depth, variant, &budget) { return value }
            size = before
        }
        return nil
    }

    mutating func fits(_ value: JSON, _ schemas: [Int]) -> Bool {
        for schema in schemas {
            var validation = SchemaValidation(store, direction: .response, limit: 1)
            let issues = validation.run(value, schema)
            work += validation.steps
            guard issues.isEmpty else { return false }
        }
        return true
    }

    // MARK: Values

    private mutating func produce(
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ depth: Int,
        _ variant: Int
    ) -> JSON? {
        let shown = candidates(conjunction)
        for value in shown.values.dropFirst(variant) {
            let kept = withoutWriteOnly(value, schemas)
            guard fits(named(kept, conjunction), schemas) else { continue }
            size += kept.valueCount
            return named(kept, conjunction)
        }
        guard !shown.isClosed else { return nil }
        size += 1
        guard size <= Self.mostSize else { return nil }
        for type in types(conjunction) {
            let before = size
            if let value = build(type, conjunction, schemas, depth) { return value }
            size = before
        }
        return nil
    }

    /// The values that the schemas show, in the order in which they count; closed if nothing else can fit.
    private func candidates(_ conjunction: Conjunction) -> (values: [JSON], isClosed: Bool) {
        let constants = conjunction.rules.compactMap(\.constant)
        if !constants.isEmpty { return (constants, true) }
        var values = conjunction.rules.compactMap(\.defaultValue)
        values += conjunction.rules.flatMap(\.examples)
        let enumerations = conjunction.rules.compactMap(\.enumeration)
        guard let first = enumerations.first else { return (values, false) }
        // Null is among the values of many an enumeration, and says the least.
        return (values + first.filter { !$0.isNull } + first.filter(\.isNull), true)
    }

    /// A shown object with the names that discriminators give to the branch.
    private func named(_ value: JSON, _ conjunction: Conjunction) -> JSON {
        guard case .object(var object) = value else { return value }
        for name in conjunction.names where object[name.member] != nil { object[name.member] = .string(name.value) }
        return .object(object)
    }

    /// A shown value without the members that are only written.
    private func withoutWriteOnly(_ value: JSON, _ schemas: [Int]) -> JSON {
        let view = SchemaView(store)
        switch value {
        case .object(let object):
            var kept = JSONObject()
            for member in object.members {
                let inner = schemas.flatMap { view.schemas(ofMember: member.name, in: $0) }
                if inner.contains(where: { view.isWriteOnly($0) }) { continue }
                kept.append(member.name, inner.isEmpty ? member.value : withoutWriteOnly(member.value, inner))
            }
            return .object(kept)
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    let inner = schemas.flatMap { view.schemas(ofElement: index, in: $0) }
                    return inner.isEmpty ? element : withoutWriteOnly(element, inner)
                }
            )
        default: return value
        }
    }

    /// The types to try, the likeliest first.
    private func types(_ conjunction: Conjunction) -> [TypeSet] {
        let order: [TypeSet] = [.object, .array, .string, .integer, .fraction, .boolean, .null]
        if let types = conjunction.types {
            // A number is shown as one with a fraction, if it may have one.
            if types.isSuperset(of: .number) {
                let others = order.filter { types.contains($0) && $0 != .integer && $0 != .fraction }
                return others.filter { $0 != .null } + [.fraction, .integer] + (types.contains(.null) ? [.null] : [])
            }
            return order.filter { types.contains($0) }
        }
        func has(_ keyword: (SchemaRules) -> Bool) -> Bool { conjunction.rules.contains(where: keyword) }
        var first: [TypeSet] = []
        if !conjunction.names.isEmpty
            || has({
                !$0.properties.isEmpty || !$0.required.isEmpty || $0.additionalProperties != nil
                    || !$0.patternProperties.isEmpty || $0.minProperties != nil || $0.propertyNames != nil
            })
        {
            first.append(.object)
        }
        if has({ $0.items != nil || !$0.prefixItems.isEmpty || $0.minItems != nil || $0.contains != nil }) {
            first.append(.array)
        }
        if has({ $0.minimum != nil || $0.maximum != nil || $0.multipleOf != nil || $0.exclusiveMinimum != nil }) {
            first.append(.integer)
        }
        return first
            + [TypeSet.string, .integer, .boolean, .object, .array, .fraction, .null].filter {
                !first.contains($0)
            }
    }

    private mutating func build(
        _ type: TypeSet,
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ depth: Int
    ) -> JSON? {
        switch type {
        case .object: return object(conjunction, schemas, depth)
        case .array: return array(conjunction, schemas, depth)
        case .string: return text(conjunction, schemas)
        case .integer: return number(conjunction, schemas, isWhole: true)
        case .fraction: return number(conjunction, schemas, isWhole: false)
        case .boolean:
            let value = JSON.bool(stream.below(2) == 0)
            if fits(value, schemas) { return value }
            let other = JSON.bool(value == .bool(false))
            return fits(other, schemas) ? other : nil
        default: return fits(.null, schemas) ? .null : nil
        }
    }

    // MARK: Texts and numbers

    private mutating func text(_ conjunction: Conjunction, _ schemas: [Int]) -> JSON? {
        let least = conjunction.largest(\.minLength) ?? 0
        let most = conjunction.smallest(\.maxLength) ?? .max
        guard least <= most else { return nil }
        let formats = conjunction.rules.compactMap(\.format)
        let patterns = conjunction.rules.compactMap(\.pattern)
        for _ in 0..<12 {
            guard work < Self.mostWork else { return nil }
            var made: String?
            var formed: String?
            if let format = formats.first(where: { SampleText.text($0, least...most, start, &stream) != nil }) {
                formed = SampleText.text(format, least...most, start, &stream)
                if let formed, fits(.string(formed), schemas) { return .string(formed) }
            }
            for pattern in patterns {
                made = pattern.expression.sample(lengths: least...most, work: &work, using: &stream)
                guard let made else { continue }
                if fits(.string(made), schemas) { return .string(made) }
                // A pattern for one end of a text leaves the rest to the format.
                guard let formed else { continue }
                let others = [
                    made + formed.unicodeScalars.dropFirst(made.unicodeScalars.count).text, made + formed,
                    formed.unicodeScalars.dropLast(made.unicodeScalars.count).text + made, formed + made,
                    SampleText.word(&stream) + made, made + SampleText.word(&stream),
                ]
                if let found = others.first(where: { fits(.string($0), schemas) }) { return .string(found) }
            }
            made = SampleText.words(least...most, &stream)
            if let made, fits(.string(made), schemas) { return .string(made) }
        }
        return nil
    }

    private mutating func number(_ conjunction: Conjunction, _ schemas: [Int], isWhole: Bool) -> JSON? {
        let rules = conjunction.rules
        // A schema of 3.1 may have both bounds of one side; the narrower counts.
        var low = rules.flatMap { [$0.minimum, $0.exclusiveMinimum] }.compactMap(\.self).max()
        var high = rules.flatMap { [$0.maximum, $0.exclusiveMaximum] }.compactMap(\.self).min()
        for bounds in rules.compactMap({ $0.format?.bounds }) {
            low = max(low ?? bounds.lowerBound, bounds.lowerBound)
            high = min(high ?? bounds.upperBound, bounds.upperBound)
        }
        let steps = rules.compactMap(\.multipleOf)
        let candidates =
            if let step = steps.max() ?? (isWhole ? Decimal(.integer(1)) : nil) {
                multiples(of: step, low, high)
            } else {
                fractions(low?.double, high?.double)
            }
        for candidate in candidates {
            if fits(candidate, schemas) { return candidate }
        }
        return nil
    }

    /// Multiples of a step between two bounds, at random, then near the bounds.
    private mutating func multiples(of step: Decimal, _ low: Decimal?, _ high: Decimal?) -> [JSON] {
        // Without bounds a number is small, and not negative.
        let span = Decimal(.integer(1_000))?.quotient(by: step, isRoundedUp: false) ?? 0
        let bottom = low.map { $0.quotient(by: step, isRoundedUp: true) }
        let top = high.map { $0.quotient(by: step, isRoundedUp: false) }
        let bounds = [low, high].compactMap { $0?.json }
        // A bound with too many digits is the only number that is known to be near it.
        if case .some(nil) = bottom { return bounds }
        if case .some(nil) = top { return bounds }
        func sum(_ left: Int128, _ right: Int128) -> Int128 {
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? (right < 0 ? .min : .max) : sum
        }
        let first = bottom.flatMap(\.self) ?? min(0, sum(top.flatMap(\.self) ?? span, -span))
        let last = max(first, top.flatMap(\.self) ?? sum(first, span))
        let (width, isWide) = last.subtractingReportingOverflow(first)
        let widest = isWide ? Int.max : Int(clamping: width)
        var factors = (0..<8).map { _ in sum(first, Int128(stream.within(0...widest))) }
        factors += (-2...40).map { sum(first, $0) } + [last, sum(last, -1), 0]
        return factors.compactMap { step.times($0)?.json } + bounds
    }

    /// Numbers between two bounds, at random, then near the bounds.
    private mutating func fractions(_ low: Double?, _ high: Double?) -> [JSON] {
        let from = low ?? min(0, (high ?? 1_000) - 1_000)
        let to = max(from, high ?? from + 1_000)
        var found: [JSON] = []
        for digits in [2, 2, 4, 8, 12] {
            var scale = 1.0
            for _ in 0..<digits { scale *= 10 }
            let fraction = Double(stream.below(1_000_000)) / 1_000_000
            let value = from + (to - from) * fraction
            found.append(.double((value * scale).rounded() / scale))
            found.append(.double(value))
        }
        return found + [.double((from + to) / 2), .double(from), .double(to), .integer(0)]
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var text: String { String(Substring(self)) }
}
