extension RegularExpression {
    /// The characters of the longest text that is made.
    package static let longestSample = 20_000

    /// Returns a text in which the expression is found, with a length in code points within the bounds.
    ///
    /// The same generator gives the same text. Nil if no such text was found: assertions within the expression are
    /// tried, not solved.
    package func sample(
        lengths: ClosedRange<Int>,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        var work = 0
        return sample(lengths: lengths, work: &work, using: &generator)
    }

    /// Returns such a text, and adds what it took to `work`, in steps that take about as long as those of a comparison
    /// with a schema.
    package func sample(
        lengths: ClosedRange<Int>,
        work: inout Int,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        let most = min(lengths.upperBound, Self.longestSample)
        guard lengths.lowerBound <= most else { return nil }
        var finishing = Finishing(program)
        guard let shortest = finishing.shortest else { return nil }
        // The ways of a program are only counted for texts of common lengths.
        if max(shortest, lengths.lowerBound) <= Self.pathLength {
            finishing.countWays(lengths.lowerBound...max(lengths.lowerBound, min(most, Self.pathLength)))
        }
        defer { work += finishing.work / Self.statesPerStep }
        // Lengths that a text can have by the expression alone; with fillers around it, shorter ones do as well.
        var own = finishing.lengths.filter { lengths.contains($0) }
        if own.count > 8 {
            // Short texts read best, and where all are possible the shortest may be empty.
            let start = own.firstIndex { $0 >= 6 } ?? 0
            own = Array(own[min(start, own.count - 8)...].prefix(8))
        }
        for attempt in 0..<40 {
            guard finishing.work < Self.mostWork else { return nil }
            finishing.work += Self.statesPerStep
            var text: [Unicode.Scalar]
            if !own.isEmpty, attempt < 32 {
                let length = own[Int(generator.next() % UInt64(own.count))]
                guard let walked = finishing.walk(length, &generator) else { continue }
                text = walked
            } else if own.isEmpty, attempt < 8, let walked = finishing.longWalk(lengths.lowerBound...most, &generator) {
                text = walked
            } else {
                // Fillers on one side: the other side may be bound by an assertion.
                let length = finishing.lengths.last { $0 <= most }
                let walked = length.flatMap { finishing.walk($0, &generator) }
                guard let walked = walked ?? finishing.longWalk(0...most, &generator) else { return nil }
                text = walked
                // At least one where there is room, for what stands within a word.
                let missing = max(lengths.lowerBound - text.count, min(1, most - text.count))
                let filler = [Unicode.Scalar](repeating: "a", count: missing)
                text = attempt.isMultiple(of: 2) ? text + filler : filler + text
            }
            var made = ""
            made.unicodeScalars.append(contentsOf: text)
            guard lengths.contains(text.count) else { continue }
            if isFound(in: made, work: &finishing.work, most: Self.mostWork) == true { return made }
        }
        return nil
    }

    /// The characters of the longest way through a program that is looked for among all.
    private static let pathLength = 300
    /// The instructions that are looked at for one text at most.
    private static let mostWork = 3_000_000
    private static let statesPerStep = 32
}

/// The instructions from which a program can end after a number of characters.
private struct Finishing {
    private let program: Program
    /// For each number of characters, whether each instruction can end after exactly so many.
    private var levels: [[Bool]] = []
    /// The characters of the shortest way from each instruction to the end; nil where none leads there.
    private let nearest: [Int?]
    /// The characters that are chosen for a set.
    private var members: [Int32: [Unicode.Scalar]] = [:]
    /// The instructions that were looked at.
    var work = 0
    /// Steps without a character that a walk takes at most.
    private static let mostSteps = 40_000
    /// The instructions that are looked at to count the ways.
    private static let mostCounted = 1_000_000

    init(_ program: Program) {
        self.program = program
        nearest = Self.distances(program)
        work = program.instructions.count * 4
    }

    /// The characters of the shortest text.
    var shortest: Int? { nearest.first.flatMap(\.self) }

    /// Looks at lengths up to the upper bound, or until there are enough that lie within the bounds.
    mutating func countWays(_ wanted: ClosedRange<Int>) {
        var found = 0
        for length in 0...wanted.upperBound {
            guard work < Self.mostCounted else { return }
            let next = level(length)
            levels.append(next)
            // Where no way has so many characters, none has more.
            guard next.contains(true) else { return }
            if next.first == true, wanted.contains(length) { found += 1 }
            if found >= 8, length >= 14 { break }
        }
    }

    /// Looks backward from the end, those first that are nearest to it.
    private static func distances(_ program: Program) -> [Int?] {
        let instructions = program.instructions
        var before = [[Int]](repeating: [], count: instructions.count)
        for place in instructions.indices {
            for next in next(place, instructions) { before[next].append(place) }
        }
        var distances = [Int?](repeating: nil, count: instructions.count)
        var near = instructions.indices.filter { instructions[$0] == .match }
        var distance = 0
        while !near.isEmpty {
            var far: [Int] = []
            while let place = near.popLast() {
                guard distances[place] == nil else { continue }
                distances[place] = distance
                for earlier in before[place] where distances[earlier] == nil {
                    if case .take(let set) = instructions[earlier] {
                        if !program.sets[Int(set)].isVoid { far.append(earlier) }
                    } else {
                        near.append(earlier)
                    }
                }
            }
            near = far
            distance += 1
        }
        return distances
    }

    /// The instructions that follow one.
    private static func next(_ place: Int, _ instructions: [Instruction]) -> [Int] {
        switch instructions[place] {
        case .split(let further): [place + 1, place + Int(further)]
        case .jump(let further): [place + Int(further)]
        case .check, .take: [place + 1]
        case .match: []
        }
    }

    /// A text of a length within the bounds, by the longer ways until it is long enough, and the shortest from there.
    mutating func longWalk(
        _ lengths: ClosedRange<Int>,
        _ generator: inout some RandomNumberGenerator
    ) -> [Unicode.Scalar]? {
        var text: [Unicode.Scalar] = []
        var place = 0
        for _ in 0..<Self.mostSteps {
            work += 1
            switch program.instructions[place] {
            case .match: return lengths.contains(text.count) ? text : nil
            case .take(let set):
                guard text.count < lengths.upperBound, let scalar = member(of: set, &generator) else { return nil }
                text.append(scalar)
                place += 1
            case .split, .jump, .check:
                let ways = Self.next(place, program.instructions).compactMap { next in
                    nearest[next].map { (place: next, distance: $0) }
                }
                guard let first = ways.first, let last = ways.last else { return nil }
                let (near, far) = first.distance <= last.distance ? (first, last) : (last, first)
                let missing = lengths.lowerBound - text.count
                let isShort = near.distance < missing && far.distance <= lengths.upperBound - text.count
                let isSame = near.distance == far.distance && generator.next() % 2 == 0
                place = isShort || isSame ? far.place : near.place
            }
        }
        return nil
    }

    private mutating func member(
        of set: Int32,
        _ generator: inout some RandomNumberGenerator
    ) -> Unicode.Scalar? {
        let members = members[set] ?? program.sets[Int(set)].shownMembers
        self.members[set] = members
        return members.isEmpty ? nil : members[Int(generator.next() % UInt64(members.count))]
    }

    /// The numbers of characters that a text can have.
    var lengths: [Int] { levels.indices.filter { levels[$0].first == true } }

    private mutating func level(_ length: Int) -> [Bool] {
        let instructions = program.instructions
        work += instructions.count
        var can = [Bool](repeating: false, count: instructions.count)
        for (place, instruction) in instructions.enumerated() {
            switch instruction {
            case .match: can[place] = length == 0
            case .take(let set):
                can[place] = length > 0 && levels[length - 1][place + 1] && !program.sets[Int(set)].isVoid
            case .split, .jump, .check: break
            }
        }
        // Jumps lead back as well, so that it takes rounds until nothing changes.
        var isChanged = true
        while isChanged {
            isChanged = false
            work += instructions.count
            for place in instructions.indices.reversed() where !can[place] {
                let isOpen =
                    switch instructions[place] {
                    case .split(let further): can[place + 1] || can[place + Int(further)]
                    case .jump(let further): can[place + Int(further)]
                    case .check: can[place + 1]
                    case .take, .match: false
                    }
                guard isOpen else { continue }
                can[place] = true
                isChanged = true
            }
        }
        return can
    }

    /// A text of that length, by a walk that chooses among the ways which end there.
    mutating func walk(_ length: Int, _ generator: inout some RandomNumberGenerator) -> [Unicode.Scalar]? {
        var text: [Unicode.Scalar] = []
        var place = 0
        var left = length
        for _ in 0..<Self.mostSteps {
            switch program.instructions[place] {
            case .match: return left == 0 ? text : nil
            case .take(let set):
                guard left > 0, let scalar = member(of: set, &generator) else { return nil }
                text.append(scalar)
                left -= 1
                place += 1
            case .split, .jump, .check:
                let ways = Self.next(place, program.instructions).filter { levels[left][$0] }
                guard !ways.isEmpty else { return nil }
                place = ways.count == 1 ? ways[0] : ways[Int(generator.next() % UInt64(ways.count))]
            }
        }
        return nil
    }
}

extension ScalarSet {
    /// Tells whether the set has no member at all.
    fileprivate var isVoid: Bool { !isNegated && ranges.isEmpty && conditions.isEmpty }

    /// Members to choose from: letters and digits if there are any, else other visible characters of ASCII, else one.
    fileprivate var shownMembers: [Unicode.Scalar] {
        let pools: [[ClosedRange<UInt32>]] = [
            [0x61...0x7A, 0x30...0x39], [0x41...0x5A], [0x21...0x7E], [0x20...0x20], [0x00...0x7F],
        ]
        for pool in pools {
            let members = pool.joined().compactMap { Unicode.Scalar($0) }.filter { contains($0) }
            if !members.isEmpty { return members }
        }
        // Beyond ASCII: the ends of the ranges, and samples of the planes for sets by property.
        let ends = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
        let samples = stride(from: UInt32(0x80), to: 0x3_0000, by: 7)
        let found = (ends.lazy + Array(samples)).compactMap { Unicode.Scalar($0) }.first { contains($0) }
        return found.map { [$0] } ?? []
    }
}
