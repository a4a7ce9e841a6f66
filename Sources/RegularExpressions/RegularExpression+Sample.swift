extension RegularExpression {
    /// The characters of the longest text that is made.
    package static let longestSample = 512

    /// Returns a text in which the expression is found, with a length in code points within the bounds.
    ///
    /// The same generator gives the same text. Nil if no such text was found: assertions within the expression are
    /// tried, not solved.
    package func sample(
        lengths: ClosedRange<Int>,
        using generator: inout some RandomNumberGenerator
    ) -> String? {
        let most = min(lengths.upperBound, Self.longestSample)
        guard lengths.lowerBound <= most else { return nil }
        let finishing = Finishing(program, lengths.lowerBound...max(lengths.lowerBound, min(most, Self.pathLength)))
        // Lengths that a text can have by the expression alone; with fillers around it, shorter ones do as well.
        var own = finishing.lengths.filter { lengths.contains($0) }
        if own.count > 8 {
            // Short texts read best, and where all are possible the shortest may be empty.
            let start = own.firstIndex { $0 >= 6 } ?? 0
            own = Array(own[min(start, own.count - 8)...].prefix(8))
        }
        for attempt in 0..<40 {
            var text: [Unicode.Scalar]
            if !own.isEmpty, attempt < 32 {
                let length = own[Int(generator.next() % UInt64(own.count))]
                guard let walked = finishing.walk(length, &generator) else { continue }
                text = walked
            } else {
                // Fillers on one side: the other side may be bound by an assertion.
                guard let length = finishing.lengths.last(where: { $0 <= most }),
                    let walked = finishing.walk(length, &generator)
                else { return nil }
                text = walked
                // At least one where there is room, for what stands within a word.
                let missing = max(lengths.lowerBound - text.count, min(1, most - text.count))
                let filler = [Unicode.Scalar](repeating: "a", count: missing)
                text = attempt.isMultiple(of: 2) ? text + filler : filler + text
            }
            var made = ""
            made.unicodeScalars.append(contentsOf: text)
            if lengths.contains(text.count), isFound(in: made) { return made }
        }
        return nil
    }

    /// The characters of the longest way through a program that is looked for.
    private static let pathLength = 300
}

/// The instructions from which a program can end after a number of characters.
private struct Finishing {
    private let program: Program
    /// For each number of characters, whether each instruction can end after exactly so many.
    private var levels: [[Bool]] = []
    /// Steps without a character that a walk takes at most.
    private static let mostSteps = 40_000

    /// Looks at lengths up to the upper bound, or until there are enough that lie within the bounds.
    init(_ program: Program, _ wanted: ClosedRange<Int>) {
        self.program = program
        var found = 0
        // A program of many instructions gets fewer levels, so that the work stays the same.
        let affordable = max(1, 2_000_000 / max(program.instructions.count, 1))
        for length in 0...min(wanted.upperBound, affordable) {
            let next = level(length)
            levels.append(next)
            if next.first == true, wanted.contains(length) { found += 1 }
            if found >= 8, length >= 14 { break }
        }
    }

    /// The numbers of characters that a text can have.
    var lengths: [Int] { levels.indices.filter { levels[$0].first == true } }

    private func level(_ length: Int) -> [Bool] {
        let instructions = program.instructions
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

    /// The instructions that follow one that takes no character.
    private func next(_ place: Int) -> [Int] {
        switch program.instructions[place] {
        case .split(let further): [place + 1, place + Int(further)]
        case .jump(let further): [place + Int(further)]
        case .check: [place + 1]
        case .take, .match: []
        }
    }

    /// A text of that length, by a walk that chooses among the ways which end there.
    func walk(_ length: Int, _ generator: inout some RandomNumberGenerator) -> [Unicode.Scalar]? {
        var text: [Unicode.Scalar] = []
        var place = 0
        var left = length
        for _ in 0..<Self.mostSteps {
            switch program.instructions[place] {
            case .match: return left == 0 ? text : nil
            case .take(let set):
                guard left > 0, let scalar = program.sets[Int(set)].member(&generator) else { return nil }
                text.append(scalar)
                left -= 1
                place += 1
            case .split, .jump, .check:
                let ways = next(place).filter { levels[left][$0] }
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

    /// A member: a letter or digit if there is one, else another visible character of ASCII, else any.
    fileprivate func member(_ generator: inout some RandomNumberGenerator) -> Unicode.Scalar? {
        let pools: [[ClosedRange<UInt32>]] = [
            [0x61...0x7A, 0x30...0x39], [0x41...0x5A], [0x21...0x7E], [0x20...0x20], [0x00...0x7F],
        ]
        for pool in pools {
            let members = pool.joined().compactMap { Unicode.Scalar($0) }.filter { contains($0) }
            guard !members.isEmpty else { continue }
            return members[Int(generator.next() % UInt64(members.count))]
        }
        // Beyond ASCII: the ends of the ranges, and samples of the planes for sets by property.
        let ends = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
        let samples = stride(from: UInt32(0x80), to: 0x3_0000, by: 7)
        return (ends.lazy + Array(samples)).compactMap { Unicode.Scalar($0) }.first { contains($0) }
    }
}
