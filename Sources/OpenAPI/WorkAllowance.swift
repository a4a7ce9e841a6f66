/// The work that may be done at one place, in steps of comparisons; what needs more is done elsewhere.
///
/// A class, since the parts of one piece of work share it.
final class WorkAllowance {
    private(set) var left: Int
    /// Tells that there was more work than allowed, so that its result is none.
    private(set) var isExceeded = false

    init(_ steps: Int) { left = steps }

    /// Takes work off that was done; `isStopped` tells that it was not done to its end.
    func take(_ steps: Int, isStopped: Bool) {
        left -= min(left, steps)
        if isStopped { isExceeded = true }
    }
}
