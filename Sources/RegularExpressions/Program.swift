/// A condition on a place of the text that takes no character.
enum Assertion: Hashable, Sendable {
    /// `^`.
    case start
    /// `$`.
    case end
    /// `\b`.
    case wordBoundary
    /// `\B`.
    case noWordBoundary

    /// Tells whether it holds at a place.
    func holds(_ place: Place) -> Bool {
        switch self {
        case .start: place.isStart
        case .end: place.isEnd
        case .wordBoundary: place.isAfterWord != place.isBeforeWord
        case .noWordBoundary: place.isAfterWord == place.isBeforeWord
        }
    }
}

/// The surroundings of a place between two characters, which assertions look at.
struct Place {
    let isStart: Bool
    let isEnd: Bool
    let isAfterWord: Bool
    let isBeforeWord: Bool
}

/// A step of the machine.
///
/// The construction is Thompson's ("Regular Expression Search Algorithm", 1968). Jumps are relative, so that a repeated
/// part can be copied.
enum Instruction: Hashable, Sendable {
    /// Takes a character of the set of that number.
    case take(Int32)
    /// Goes on at the next instruction and at the one that many further.
    case split(Int32)
    /// Goes on at the instruction that many further.
    case jump(Int32)
    /// Goes on where the condition holds.
    case check(Assertion)
    /// Ends with a match.
    case match
}

/// A regular expression as instructions over sets of characters.
struct Program: Sendable {
    /// The maximum number of instructions; `{n,m}` writes its part out as often as it may occur.
    static let mostInstructions = 10_000

    let instructions: [Instruction]
    let sets: [ScalarSet]
}
