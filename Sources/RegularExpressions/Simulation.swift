/// Runs a program over a text with all its states at once, so that no character is looked at twice.
///
/// For long texts the steps are remembered (`StepTable`): the same states and the same kind of character lead to the
/// same states.
struct Simulation {
    /// The part of the text that has to fit.
    enum Mode: Hashable, Sendable { case whole, anywhere }

    /// Bytes from which remembering the steps is worth its memory.
    private static let longText = 512

    private let program: Program
    private let mode: Mode
    /// The states that the closure has reached in the present step, by the step's number.
    private var reached: [UInt32]
    private var step: UInt32 = 0
    private var open: [Int32] = []
    private var consumers: [Int32] = []
    /// The states that were looked at so far, and the number of them at which it gives up.
    private(set) var work = 0
    private let mostWork: Int

    init(_ program: Program, _ mode: Mode, mostWork: Int = .max) {
        self.program = program
        self.mode = mode
        self.mostWork = mostWork
        reached = [UInt32](repeating: 0, count: program.instructions.count)
    }

    /// Tells whether the text fits; nil if that takes more work than allowed.
    mutating func run(_ text: String) -> Bool? {
        if text.utf8.count >= Self.longText {
            return runRemembering(text)
        }
        var states: [Int32] = [0]
        var (isStart, isAfterWord) = (true, false)
        for scalar in text.unicodeScalars {
            let isWord = scalar.isWord
            let place = Place(isStart: isStart, isEnd: false, isAfterWord: isAfterWord, isBeforeWord: isWord)
            guard !advance(&states, place, scalar) else { return true }
            if states.isEmpty { return false }
            guard work <= mostWork else { return nil }
            (isStart, isAfterWord) = (false, isWord)
        }
        return close(
            states,
            Place(isStart: isStart, isEnd: true, isAfterWord: isAfterWord, isBeforeWord: false)
        )
    }

    private mutating func runRemembering(_ text: String) -> Bool? {
        var table = StepTable(program)
        var state = table.start()
        for scalar in text.unicodeScalars {
            let kind = table.kind(of: scalar)
            if let known = table.next(state, kind) {
                state = known
            } else {
                var states = table.states(state)
                let isWord = scalar.isWord
                let isFound = advance(&states, table.place(state, isBeforeWord: isWord), scalar)
                let context: StepTable.Context = isWord ? .afterWord : .afterOther
                state = table.remember(state, kind, isFound ? nil : states, context)
                guard work <= mostWork else { return nil }
            }
            if state == StepTable.found { return true }
            if table.states(state).isEmpty { return false }
        }
        return close(table.states(state), table.place(state, isBeforeWord: nil))
    }

    /// The states after a character; returns true as soon as a match anywhere is complete.
    private mutating func advance(_ states: inout [Int32], _ place: Place, _ scalar: Unicode.Scalar) -> Bool {
        if close(states, place), mode == .anywhere { return true }
        states.removeAll(keepingCapacity: true)
        if mode == .anywhere { states.append(0) }
        for state in consumers {
            guard case .take(let set) = program.instructions[Int(state)] else { continue }
            if program.sets[Int(set)].contains(scalar) { states.append(state + 1) }
        }
        return false
    }

    /// Follows everything that takes no character; returns true if that leads to a match.
    private mutating func close(_ states: [Int32], _ place: Place) -> Bool {
        step += 1
        consumers.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        for state in states { note(state) }
        var isMatch = false
        while let state = open.popLast() {
            work += 1
            switch program.instructions[Int(state)] {
            case .take: consumers.append(state)
            case .jump(let distance): note(state + distance)
            case .split(let distance):
                note(state + 1)
                note(state + distance)
            case .check(let assertion): if assertion.holds(place) { note(state + 1) }
            case .match: isMatch = true
            }
        }
        return isMatch
    }

    private mutating func note(_ state: Int32) {
        guard reached[Int(state)] != step else { return }
        reached[Int(state)] = step
        open.append(state)
    }
}
