import CivilTime
import Formats
import JSON

/// Makes values that fit schemas (own-API contract, section 17).
///
/// It constructs: schemas are taken apart, choices that can't fit are passed over without a try, and what is made is
/// held against the schemas. All work is counted, and what takes too much of it is left out.
struct SampleMaker {
    /// Containers inside one another from which on only required members are made, and what ends soonest.
    static let usualDepth = 8
    /// Values from which on only required members are made, and what ends soonest.
    static let usualSize = 2_000
    /// Values from which on arrays are as short as they may be.
    static let longSize = 10_000
    /// Values of one sample at most.
    static let mostSize = 20_000
    /// Bytes of all texts of one sample at most.
    static let mostBytes = 4 << 20
    /// Containers inside one another at most.
    static let mostDepth = 40
    /// Tries without a value that fits among the ways of a schema's choices, beside one for each way of each choice.
    private static let mostMisses = 48

    /// A value with what it lacks.
    struct Sample {
        let value: JSON
        /// Tells that arrays are shorter than they should be, since there is too much of it.
        let isShort: Bool
        /// Tells that nothing was found that fits exactly one alternative of each `oneOf`; this fits several.
        let isLoose: Bool
    }

    /// One of the ways in which a sample is looked for, each if the ones before have found nothing.
    private struct Attempt {
        var isLoose = false
        var isScanty = false
        var isShort = false
        /// The steps of comparisons that it takes at most.
        var work = 100_000

        static let all = [
            Attempt(work: 300_000), Attempt(isScanty: true), Attempt(isScanty: true, isShort: true),
            Attempt(isLoose: true), Attempt(isLoose: true, isScanty: true, isShort: true),
        ]
    }

    let store: SchemaStore
    /// T0 of the world.
    let start: Instant
    var stream: SampleStream
    /// Values in the sample so far.
    var size = 0
    /// Bytes of texts in the sample so far.
    var bytes = 0
    /// The steps of all comparisons so far, and of other work in their measure.
    var work = 0
    /// The work at which no more is tried.
    var mostWork = 0
    /// The work of reading schemas, which is done once in a process.
    private(set) var outlay = 0
    /// The work and the outlay together at which the making stops; it is made elsewhere then.
    private let ceiling: Int
    /// Tells that the making has stopped at its ceiling.
    private(set) var isStopped = false
    /// Tells that only required members are made, whatever there is room for.
    private(set) var isScanty = false
    /// Tells that arrays are as short as they may be, and that some array is.
    private var isShort = false
    var hasShortened = false
    private var isLoose = false
    /// The names of the members on the way to the value at hand.
    var names: [String] = []
    /// The number of the element at hand, with those of the arrays around it added.
    var place = 0
    /// The part of a list that is made; nil where no page was asked for.
    let page: SamplePage?
    /// The number from which enumerations begin.
    private let variety: UInt64

    init(
        _ store: SchemaStore,
        start: Instant,
        stream: SampleStream,
        page: SamplePage? = nil,
        ceiling: Int = .max
    ) {
        self.store = store
        self.start = start
        self.stream = stream
        self.page = page
        self.ceiling = ceiling
        var own = stream
        variety = own.next()
    }

    /// The place at which an enumeration of so many values begins; `first` tells it from others.
    func beginning(of count: Int, _ first: String) -> Int {
        var own = SampleStream(seed: variety, [first])
        return own.below(count)
    }

    /// Tells whether the value at hand is the list of which a page is made.
    func isPaged(_ depth: Int) -> Bool {
        guard let page, depth == page.path.count else { return false }
        return names == page.path
    }

    /// Tells whether there is nothing left to be tried.
    var isSpent: Bool { isStopped || work >= mostWork }

    /// Tells whether only what is required is made, and what ends soonest.
    func isSparing(_ depth: Int) -> Bool { isScanty || isNearEnd(depth) }

    /// Tells whether what ends soonest is made.
    private func isNearEnd(_ depth: Int) -> Bool { depth >= Self.usualDepth || size >= Self.usualSize }

    /// Tells whether arrays are as short as they may be.
    mutating func isShortening(_ depth: Int) -> Bool {
        if isShort || size >= Self.longSize { hasShortened = true }
        return isShort || size >= Self.longSize || depth >= Self.usualDepth
    }

    /// Returns a value that fits a schema, or nil if none was found.
    mutating func sample(_ schema: Int) -> Sample? {
        let beginning = stream
        var wasSpent = true
        var total = 0
        for attempt in Attempt.all {
            // Sparing helps only where there was too much to do.
            guard wasSpent || attempt.isLoose && !attempt.isScanty, !isStopped else { continue }
            total += work
            (stream, size, bytes, work, mostWork) = (beginning, 0, 0, 0, attempt.work * (page?.effort ?? 1))
            (names, place) = ([], 0)
            (isLoose, isScanty, isShort, hasShortened) = (attempt.isLoose, attempt.isScanty, attempt.isShort, false)
            let value = values([schema], depth: 0).first
            // A page that is too large may be there with less in it.
            wasSpent = isSpent || page != nil
            if let value {
                work += total
                return Sample(value: value, isShort: hasShortened, isLoose: isLoose)
            }
        }
        work += total
        return nil
    }

    /// Returns a value that fits all schemas, or nil if none was found.
    mutating func value(_ schemas: [Int], depth: Int) -> JSON? { values(schemas, depth: depth).first }

    /// Returns as many different values that fit all schemas, or as many as were found.
    mutating func values(_ schemas: [Int], depth: Int, count: Int = 1) -> [JSON] {
        guard depth <= Self.mostDepth, !isSpent, count > 0 else { return [] }
        var found = FoundValues(count)
        if height(schemas) != SchemaHeights.endless { solve(schemas, depth, &found) }
        return found.values
    }

    /// The least number of containers in values of schemas.
    private mutating func height(_ schemas: [Int]) -> Int {
        var most = 0
        for schema in schemas {
            guard let height = store.height(of: schema, outlay: &outlay, most: ceiling - min(work + outlay, ceiling))
            else {
                isStopped = true
                return SchemaHeights.endless
            }
            most = max(most, height)
        }
        return most
    }

    // MARK: Choices

    /// A choice that was made, and the ways that are left.
    private struct Turn {
        let branches: [Conjunction.Branch]
        /// The places of the ways, the next one last.
        var left: [Int]
        let mark: Conjunction.Mark
        /// The schemas of the way that is taken.
        var taken: [Int] = []
    }

    /// Makes the open choices one after the other, and then values.
    private mutating func solve(_ schemas: [Int], _ depth: Int, _ found: inout FoundValues) {
        var conjunction = Conjunction(schemas, store, ceiling: ceiling)
        var turns: [Turn] = []
        var counted = (work: 0, outlay: 0)
        var misses = 0
        while true {
            work += conjunction.work - counted.work
            outlay += conjunction.outlay - counted.outlay
            counted = (conjunction.work, conjunction.outlay)
            if conjunction.isStopped || work + outlay > ceiling { isStopped = true }
            guard !isSpent else { return }
            if conjunction.isVoid {
                // Nothing was made, so nothing is counted.
            } else if let branches = conjunction.open {
                turns.append(Turn(branches: branches, left: ways(branches, depth), mark: conjunction.mark))
            } else if conjunction.addDependents() {
                continue
            } else {
                let before = found.values.count
                produce(conjunction, schemas, turns.flatMap(\.taken), depth, &found)
                if found.values.count == before { misses += 1 }
                guard !found.isFull, misses < turns.reduce(Self.mostMisses, { $0 + $1.branches.count }) else { return }
            }
            while let turn = turns.last, turn.left.isEmpty {
                conjunction.takeBack(to: turn.mark)
                turns.removeLast()
            }
            guard let turn = turns.last, let next = turns[turns.count - 1].left.popLast() else { return }
            conjunction.takeBack(to: turn.mark)
            conjunction.choose(turn.branches[next])
            turns[turns.count - 1].taken = turn.branches[next].schemas
        }
    }

    /// The ways of a choice, the first to be tried last: in their order, or near the end the one that ends soonest.
    private mutating func ways(_ branches: [Conjunction.Branch], _ depth: Int) -> [Int] {
        let isNearEnd = isNearEnd(depth)
        var ways: [(place: Int, height: Int)] = []
        for (place, branch) in branches.enumerated() {
            work += 1
            let height = height(branch.schemas)
            if height != SchemaHeights.endless { ways.append((place, isNearEnd ? height : 0)) }
        }
        let ordered = ways.sorted { ($0.height, $0.place) < ($1.height, $1.place) }.map(\.place)
        guard ordered.count > 1, !isNearEnd, areConstants(branches) else { return ordered.reversed() }
        // Alternatives that are constants are an enumeration.
        let first = (beginning(of: ordered.count, "\(branches[0].schemas)") + place) % ordered.count
        return (ordered[first...] + ordered[..<first]).reversed()
    }

    private mutating func areConstants(_ branches: [Conjunction.Branch]) -> Bool {
        branches.allSatisfy { branch in
            guard branch.name == nil, let schema = branch.schemas.first else { return false }
            work += 1
            let rules = store.rules(schema)
            return rules.constant != nil || rules.enumeration?.count == 1
        }
    }

    mutating func fits(_ value: JSON, _ schemas: [Int]) -> Bool {
        for schema in schemas {
            guard !isStopped else { return false }
            var validation = SchemaValidation(store, direction: .response, limit: 1, ceiling: ceiling - work - outlay)
            validation.isLoose = isLoose
            validation.isBrief = true
            let issues = validation.run(value, schema)
            work += validation.steps
            outlay += validation.outlay
            if validation.isStopped { isStopped = true }
            guard issues.isEmpty else { return false }
        }
        return true
    }

    // MARK: Values

    /// Makes values for choices that were made; `chosen` are the schemas of the ways that were taken.
    private mutating func produce(
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ chosen: [Int],
        _ depth: Int,
        _ found: inout FoundValues
    ) {
        // The ways that were taken are held against a value first: there may be many alternatives to them. What an
        // object keeps back may be said elsewhere, and null be taken whatever they say.
        let narrow = chosen.reversed() + schemas
        var types = types(conjunction, schemas)
        // Null ends everything, and elsewhere says the least.
        let takesNull = conjunction.rules.contains(where: \.isNullable) || conjunction.types?.contains(.null) == true
        if isNearEnd(depth), types.first.map(\.isOfContainers) == true {
            if takesNull, fits(.null, schemas), keep(.null, &found) { return }
            // Then other scalars, and arrays, which may be empty where objects need members.
            if conjunction.types != nil {
                types = types.filter { !$0.isOfContainers } + types.filter(\.isOfContainers).reversed()
            }
        }
        for shown in shown(conjunction) {
            guard !isSpent else { return }
            let wanted = shown.value.objectValue == nil && !shown.value.isNull ? narrow : schemas
            if let kept = fitted(shown, conjunction, wanted), keep(kept, &found) { return }
        }
        if conjunction.domain == nil, size < Self.mostSize {
            size += 1
            for type in types {
                let before = (size, bytes)
                let count = found.values.count
                build(type, conjunction, type == .object ? schemas : narrow, depth, &found)
                if found.values.count == count { (size, bytes) = before }
                guard !found.isFull, !isSpent else { return }
            }
        }
        if takesNull, fits(.null, schemas) { _ = keep(.null, &found) }
    }

    /// Takes a value that fits over; returns whether no more are wanted.
    mutating func keep(_ value: JSON, _ found: inout FoundValues) -> Bool {
        if found.take(value) { size += value.valueCount }
        return found.isFull
    }

    /// The types to try, the likeliest first.
    private mutating func types(_ conjunction: Conjunction, _ schemas: [Int]) -> [TypeSet] {
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
        // An object that has no end is none.
        if height(schemas) < SchemaHeights.unlikely {
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
        }
        if has({ $0.minimum != nil || $0.maximum != nil || $0.multipleOf != nil || $0.exclusiveMinimum != nil }) {
            first.append(.integer)
        }
        return first
            + [TypeSet.string, .integer, .boolean, .object, .array, .fraction, .null].filter { !first.contains($0) }
    }

    private mutating func build(
        _ type: TypeSet,
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ depth: Int,
        _ found: inout FoundValues
    ) {
        switch type {
        case .object: objects(conjunction, schemas, depth, &found)
        case .array: arrays(conjunction, schemas, depth, &found)
        case .string: texts(conjunction, schemas, &found)
        case .integer: numbers(conjunction, schemas, isWhole: true, &found)
        case .fraction: numbers(conjunction, schemas, isWhole: false, &found)
        case .boolean:
            let value = stream.below(2) == 0
            for value in [JSON.bool(value), .bool(!value)] where fits(value, schemas) {
                if found.take(value), found.isFull { return }
            }
        default: if fits(.null, schemas) { _ = found.take(.null) }
        }
    }
}

/// Different values that were found, as many as are wanted.
struct FoundValues {
    private(set) var values: [JSON] = []
    private let most: Int
    private var texts: Set<ExactName> = []

    init(_ most: Int) { self.most = most }

    var isFull: Bool { values.count >= most }

    /// The number of values that are wanted beside those that are there.
    var missing: Int { most - values.count }

    /// Tells whether more than one value is wanted.
    var wantsSeveral: Bool { most > 1 }

    /// Takes a value over, if it is another one than those before; returns whether it is.
    mutating func take(_ value: JSON) -> Bool {
        guard !isFull else { return false }
        if wantsSeveral, !texts.insert(ExactName(text: value.canonicalText)).inserted { return false }
        values.append(value)
        return true
    }
}
