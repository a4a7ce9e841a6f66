/// The steps of a program that have been made, as the table of a deterministic automaton that is built as needed.
///
/// It holds a bounded number of states and steps; when it is full it begins anew.
struct StepTable {
    /// The place at which a state stands, as far as assertions see it.
    enum Context: Hashable { case start, afterWord, afterOther }

    private struct Key: Hashable {
        let states: [Int32]
        let context: Context
    }

    /// The number that stands for a match.
    static let found: Int32 = -1
    private static let unknown: Int32 = -2
    private static let mostSteps = 1 << 18
    private static let mostStates = 1 << 18

    private let kinds: ScalarKinds
    private var otherKinds: [ScalarKinds.Key: Int]
    private let width: Int
    private var numbers: [Key: Int32] = [:]
    private var keys: [Key] = []
    private var steps: [Int32] = []
    private var stateCount = 0

    init(_ program: Program) {
        kinds = ScalarKinds(program)
        otherKinds = kinds.asciiKeys
        width = kinds.asciiKeys.count + kinds.bounds.count + 32
    }

    /// The number of a character's kind; nil for a kind that finds no room in the table.
    ///
    /// No set of the program tells two characters of one kind apart.
    mutating func kind(of scalar: Unicode.Scalar) -> Int? {
        if scalar.isASCII { return kinds.ascii[Int(scalar.value)] }
        let key = kinds.key(scalar)
        if let known = otherKinds[key] { return known }
        guard otherKinds.count < width else { return nil }
        let kind = otherKinds.count
        otherKinds[key] = kind
        return kind
    }

    /// The number of the state at the start of a text.
    mutating func start() -> Int32 { number(of: Key(states: [0], context: .start)) }

    /// The number of the next state, if the step has been made before.
    func next(_ state: Int32, _ kind: Int?) -> Int32? {
        guard let kind else { return nil }
        let known = steps[Int(state) * width + kind]
        return known == Self.unknown ? nil : known
    }

    func states(_ state: Int32) -> [Int32] { keys[Int(state)].states }

    /// The place between a state and the next character; nil at the end of the text.
    func place(_ state: Int32, isBeforeWord: Bool?) -> Place {
        let context = keys[Int(state)].context
        return Place(
            isStart: context == .start,
            isEnd: isBeforeWord == nil,
            isAfterWord: context == .afterWord,
            isBeforeWord: isBeforeWord ?? false
        )
    }

    /// Notes a step to a set of states, or to a match (nil), and returns the number of where it leads.
    mutating func remember(_ state: Int32, _ kind: Int?, _ states: [Int32]?, _ context: Context) -> Int32 {
        var next = Self.found
        if let states {
            let key = Key(states: states.sorted(), context: context)
            if numbers[key] == nil,
                steps.count + width > Self.mostSteps || stateCount + states.count > Self.mostStates
            {
                numbers.removeAll()
                keys.removeAll()
                steps.removeAll()
                stateCount = 0
                return number(of: key)
            }
            next = number(of: key)
        }
        if let kind { steps[Int(state) * width + kind] = next }
        return next
    }

    private mutating func number(of key: Key) -> Int32 {
        if let known = numbers[key] { return known }
        let number = Int32(keys.count)
        keys.append(key)
        numbers[key] = number
        stateCount += key.states.count
        steps += repeatElement(Self.unknown, count: width)
        return number
    }
}

/// The kinds of characters that a program tells apart, by the bounds of all its ranges and by its conditions.
struct ScalarKinds {
    /// A stretch between two bounds, and which conditions a character meets.
    struct Key: Hashable {
        let stretch: Int
        let met: [Bool]
    }

    let bounds: [UInt32]
    private let conditions: [ScalarSet.Condition]
    /// The kinds of the characters of ASCII, and how these are numbered.
    private(set) var ascii: [Int] = []
    private(set) var asciiKeys: [Key: Int] = [:]

    init(_ program: Program) {
        var starts: Set<UInt32> = [0]
        var conditions: [ScalarSet.Condition] = []
        for set in program.sets + [ScalarSet(ScalarSet.word)] {
            for range in set.ranges {
                starts.insert(range.lowerBound)
                starts.insert(range.upperBound + 1)
            }
            for condition in set.conditions where !conditions.contains(condition) { conditions.append(condition) }
        }
        bounds = starts.sorted()
        self.conditions = conditions
        for value in UInt8(0)..<128 {
            let key = key(Unicode.Scalar(value))
            let kind = asciiKeys[key] ?? asciiKeys.count
            asciiKeys[key] = kind
            ascii.append(kind)
        }
    }

    func key(_ scalar: Unicode.Scalar) -> Key {
        var (from, to) = (0, bounds.count)
        while from < to {
            let middle = (from + to) / 2
            if bounds[middle] <= scalar.value { from = middle + 1 } else { to = middle }
        }
        return Key(stretch: from, met: conditions.map { $0.contains(scalar) })
    }
}
