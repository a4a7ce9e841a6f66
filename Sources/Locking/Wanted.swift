import Synchronization

/// Whether somebody still waits for what another thread is doing.
package final class Wanted: Sendable {
    private let isWanted = Atomic<Bool>(true)

    package init() {}

    /// Whether it is worth going on; asked now and then in the midst of long work.
    package var holds: Bool { isWanted.load(ordering: .relaxed) }

    /// Nobody waits for it any more.
    package func end() { isWanted.store(false, ordering: .relaxed) }
}
