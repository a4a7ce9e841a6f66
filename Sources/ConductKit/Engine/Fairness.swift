/// Time between exchanges, fair to tests that move a world's clock (conduct contract, sections 1 and 2).
package enum Fairness {
    /// The difference from which on the world's clock counts as one that did not simply run along.
    static let drift: Int64 = 50_000

    /// The time from the end of an exchange to the begin of a later one.
    package static func pause(_ first: Row, _ second: Row) -> Int64 { longer(second.begin - first.end, first, second) }

    /// The same by the clock that says less, for what a client has to do within a time.
    package static func shorterPause(_ first: Row, _ second: Row) -> Int64 {
        shorter(second.begin - first.end, first, second)
    }

    /// The time from begin to begin.
    package static func interval(_ first: Row, _ second: Row) -> Int64 {
        longer(second.begin - first.begin, first, second)
    }

    /// The same by the clock that says less.
    package static func shorterInterval(_ first: Row, _ second: Row) -> Int64 {
        shorter(second.begin - first.begin, first, second)
    }

    private static func shorter(_ machine: Int64, _ first: Row, _ second: Row) -> Int64 {
        runsAlong(first, second) ? machine : min(machine, second.at - first.at)
    }

    private static func longer(_ machine: Int64, _ first: Row, _ second: Row) -> Int64 {
        runsAlong(first, second) ? machine : max(machine, second.at - first.at)
    }

    private static func runsAlong(_ first: Row, _ second: Row) -> Bool {
        ((second.at - first.at) - (second.begin - first.begin)).magnitude <= drift
    }
}
