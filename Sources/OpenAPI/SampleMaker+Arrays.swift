import JSON

/// Arrays of samples.
extension SampleMaker {
    /// Elements that are made one by one; further ones repeat them.
    private static let mostMade = 200
    /// The distance of an element from the one that it repeats.
    private static let repetition = 64

    /// The elements that one conjunction asks for.
    private struct Plan {
        let conjunction: Conjunction
        let least: Int
        let most: Int
        /// The elements that have schemas of their own.
        let tuple: Int
        /// The schemas that the array has to contain, and how often it may.
        let contained: [(schema: Int, least: Int, most: Int?)]
        /// The elements that it has to contain, one for each.
        let owed: Int
        let isUnique: Bool

        /// Nil for an array that there can't be, or that is too large.
        init?(_ conjunction: Conjunction) {
            self.conjunction = conjunction
            least = conjunction.largest(\.minItems) ?? 0
            most = conjunction.smallest(\.maxItems) ?? .max
            tuple = conjunction.rules.map(\.prefixItems.count).max() ?? 0
            contained = conjunction.rules.compactMap { own in
                own.contains.map { ($0, own.minContains ?? 1, own.maxContains) }
            }
            let owed = contained.reduce(0) {
                min($0 + min($1.least, SampleMaker.mostSize + 1), SampleMaker.mostSize + 1)
            }
            self.owed = owed
            isUnique = conjunction.rules.contains(where: \.uniqueItems)
            let longest = contained.map(\.least).max() ?? 0
            guard least <= most, max(least, longest) <= SampleMaker.mostSize else { return nil }
        }

        /// The numbers of elements to try, the best first.
        func counts(isShort: Bool) -> [Int] {
            let needed = max(least, owed)
            let wanted = min(isShort ? needed : max(2, tuple, needed), most)
            var counts: [Int] = []
            for count in [wanted, wanted - 1, needed, least]
            where count >= least && count <= wanted && !counts.contains(count) {
                counts.append(count)
            }
            return counts
        }

        /// The number of elements of a page, within the bounds of the array.
        func counts(_ asked: Int) -> [Int] { [min(max(asked, least), most)] }
    }

    mutating func arrays(
        _ conjunction: Conjunction,
        _ schemas: [Int],
        _ depth: Int,
        _ found: inout FoundValues
    ) {
        guard let plan = Plan(conjunction) else { return }
        let isPage = isPaged(depth)
        for count in isPage ? plan.counts(page?.count ?? 0) : plan.counts(isShort: isShortening(depth)) {
            let before = (size, bytes)
            let outer = place
            let made = isPage ? page(count, plan.conjunction, depth) : elements(count, plan, depth)
            place = outer
            if let elements = made, fits(.array(elements), schemas),
                found.take(.array(elements))
            {
                guard !found.isFull else { return }
                variants(of: elements, plan, schemas, depth, &found)
                return
            }
            (size, bytes) = before
        }
    }

    /// The schemas of the element at a place, with what is owed there; nil if there can be none.
    private func schemas(_ plan: Plan, _ index: Int, _ owed: [Int]) -> [Int]? {
        plan.conjunction.schemas(ofElement: index).map { $0 + owed }
    }

    private mutating func elements(_ count: Int, _ plan: Plan, _ depth: Int) -> [JSON]? {
        guard count <= Self.mostSize, size + count <= Self.mostSize else { return nil }
        work += plan.conjunction.rules.count
        let owed = owed(count, plan)
        guard let usual = count > plan.tuple ? plan.conjunction.schemas(ofElement: count - 1) : [] else { return nil }
        var elements: [JSON] = []
        var seen: Set<ExactName> = []
        /// The elements that have no schemas but the usual ones, made together where each has to be another one.
        var others: [JSON]?
        var contains: [Int: Int] = [:]
        let outer = place
        for index in 0..<count {
            guard !isStopped else { return nil }
            place = outer + index
            let isOfTuple = index < plan.tuple
            let own = owed.isEmpty ? [] : owed[index]
            guard let schemas = isOfTuple ? self.schemas(plan, index, own) : usual + own else { return nil }
            let full = plan.contained.filter { contains[$0.schema, default: 0] >= $0.most ?? .max }.map(\.schema)
            var element: JSON?
            if plan.isUnique {
                if isOfTuple || !own.isEmpty {
                    element = values(schemas, depth: depth + 1, count: seen.count + 1).first {
                        !seen.contains(ExactName(text: $0.canonicalText))
                    }
                } else {
                    if others == nil {
                        place = outer
                        others = values(schemas, depth: depth + 1, count: count - index + seen.count).reversed()
                    }
                    while element == nil, let next = others?.popLast() {
                        if !seen.contains(ExactName(text: next.canonicalText)) { element = next }
                    }
                }
            } else if index >= Self.mostMade, own.isEmpty, index - Self.repetition >= plan.tuple + plan.owed {
                element = repeated(elements, from: index - Self.repetition)
            } else if own.isEmpty, !full.isEmpty {
                // It may contain no more of them.
                element = values(schemas, depth: depth + 1, count: 8).first { value in
                    !full.contains { fits(value, [$0]) }
                }
            } else {
                element = value(schemas, depth: depth + 1)
                // Another one would be better than the same, which is better than none.
                if element == nil, isSpent, !isStopped, own.isEmpty, !isOfTuple, index > plan.tuple {
                    element = repeated(elements, from: index - 1)
                }
            }
            guard let element else { return nil }
            if plan.isUnique { seen.insert(ExactName(text: element.canonicalText)) }
            for item in plan.contained where item.most != nil && fits(element, [item.schema]) {
                contains[item.schema, default: 0] += 1
            }
            elements.append(element)
        }
        return elements
    }

    /// One of the elements again; nil if that is too much.
    private mutating func repeated(_ elements: [JSON], from place: Int) -> JSON? {
        guard elements.indices.contains(place) else { return elements.last }
        size += elements[place].valueCount
        bytes += elements[place].textBytes
        work += elements[place].valueCount
        return size <= Self.mostSize && bytes <= Self.mostBytes ? elements[place] : nil
    }

    /// The schemas that elements have to fit beside their own, from the first on: one element may be owed to several.
    private func owed(_ count: Int, _ plan: Plan) -> [[Int]] {
        guard plan.owed > 0, count > 0 else { return [] }
        var owed = [[Int]](repeating: [], count: count)
        // Behind those with schemas of their own, if there is room.
        let first = count - plan.tuple >= plan.owed ? plan.tuple : max(0, min(plan.tuple, count - plan.owed))
        var place = 0
        for item in plan.contained {
            for _ in 0..<min(item.least, count) {
                owed[first + place % (count - first)].append(item.schema)
                place += 1
            }
        }
        return owed
    }

    /// Takes further arrays over, which have other elements or fewer.
    private mutating func variants(
        of elements: [JSON],
        _ plan: Plan,
        _ schemas: [Int],
        _ depth: Int,
        _ found: inout FoundValues
    ) {
        let wanted = found.missing + 1
        var lists: [[JSON]] = []
        for (index, element) in elements.prefix(16).enumerated() {
            let own = plan.conjunction.schemas(ofElement: index) ?? []
            lists.append([element] + values(own, depth: depth + 1, count: wanted))
        }
        var digits = Mixture(lists.map(\.count), most: 4 * wanted + 16)
        while !isSpent, let places = digits.next() {
            let varied = zip(lists, places).map { $0[$1] } + elements.dropFirst(lists.count)
            guard fits(.array(varied), schemas) else { continue }
            if keep(.array(varied), &found) { return }
        }
        for count in 0..<elements.count where count >= plan.least && !isSpent {
            let shorter = JSON.array(Array(elements.prefix(count)))
            if fits(shorter, schemas), keep(shorter, &found) { return }
        }
    }
}

/// The ways of taking one of several things at each of some places: those first that differ at the first places.
struct Mixture {
    private let counts: [Int]
    private var places: [Int]
    private var left: Int

    /// `most` is the number of ways after which it ends.
    init(_ counts: [Int], most: Int) {
        self.counts = counts
        places = counts.map { _ in 0 }
        left = most
    }

    /// The next way; nil after the last.
    mutating func next() -> [Int]? {
        guard left > 0 else { return nil }
        left -= 1
        for index in places.indices {
            places[index] += 1
            if places[index] < counts[index] { return places }
            places[index] = 0
        }
        return nil
    }
}

extension JSON {
    /// The bytes of all texts in it.
    var textBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(0) { $0 + $1.textBytes }
        case .object(let object): object.members.reduce(0) { $0 + $1.value.textBytes }
        default: 0
        }
    }
}
