extension RegularExpression {
    /// Tells whether it can fit a text that begins with one character and has only some others; the assertions are taken
    /// to hold.
    package func mayMatch(_ letters: [Unicode.Scalar], after first: Unicode.Scalar) -> Bool {
        let inner = program.sets.map { set in letters.contains { set.contains($0) } }
        var reached = [Bool](repeating: false, count: program.instructions.count)
        let begins = follow([0], &reached).consumers.compactMap { state -> Int? in
            guard case .take(let set) = program.instructions[state], program.sets[Int(set)].contains(first) else {
                return nil
            }
            return state + 1
        }
        reached = [Bool](repeating: false, count: program.instructions.count)
        var states = begins
        while !states.isEmpty {
            let step = follow(states, &reached)
            if step.isMatch { return true }
            states = step.consumers.compactMap { state in
                guard case .take(let set) = program.instructions[state], inner[Int(set)] else { return nil }
                return state + 1
            }
        }
        return false
    }

    /// Follows everything that takes no character, to states that were not reached before.
    private func follow(_ states: [Int], _ reached: inout [Bool]) -> (consumers: [Int], isMatch: Bool) {
        var open = states
        var consumers: [Int] = []
        var isMatch = false
        while let state = open.popLast() {
            guard !reached[state] else { continue }
            reached[state] = true
            switch program.instructions[state] {
            case .take: consumers.append(state)
            case .jump(let distance): open.append(state + Int(distance))
            case .split(let distance): open += [state + 1, state + Int(distance)]
            case .check: open.append(state + 1)
            case .match: isMatch = true
            }
        }
        return (consumers, isMatch)
    }
}
