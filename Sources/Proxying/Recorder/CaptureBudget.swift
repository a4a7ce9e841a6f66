import Basics

/// The memory for content of exchanges with real backends that is held to be recorded, compared or shown.
///
/// A secret may begin in one piece of a response and end in a later one, so a response has to be complete before it can
/// be written. Each is bounded (`CapturedExchange.bodyLimit`), and so are all of them together. Content above the limit
/// is passed on and left out of the recording.
final class CaptureBudget: Sendable {
    /// Bytes of all exchanges together.
    static let standard = 256 * 1_024 * 1_024

    private let left: Locked<Int>

    init(_ bytes: Int = standard) { left = Locked(bytes) }

    func share() -> Share { Share(self) }

    /// The part of the budget that one exchange holds; released with the last reference to it.
    final class Share: Sendable {
        private let budget: CaptureBudget
        private let taken = Locked(0)

        fileprivate init(_ budget: CaptureBudget) { self.budget = budget }

        /// Takes more; returns false if the budget is exhausted.
        func take(_ bytes: Int) -> Bool {
            let fits = budget.left.withLock { left in
                guard left >= bytes else { return false }
                left -= bytes
                return true
            }
            if fits { taken.withLock { $0 += bytes } }
            return fits
        }

        /// Releases the bytes taken so far.
        func giveBack() {
            let bytes = taken.withLock { taken in
                defer { taken = 0 }
                return taken
            }
            budget.left.withLock { $0 += bytes }
        }

        deinit { giveBack() }
    }
}
