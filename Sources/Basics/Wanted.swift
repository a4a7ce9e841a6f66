import Synchronization

/// A flag that tells a worker thread if a client still waits for its result.
package final class Wanted: Sendable {
    private let isWanted = Atomic<Bool>(true)

    package init() {}

    /// True while the result is wanted; long work checks it from time to time.
    package var holds: Bool { isWanted.load(ordering: .relaxed) }

    /// Marks the result as no longer wanted.
    package func end() { isWanted.store(false, ordering: .relaxed) }
}
