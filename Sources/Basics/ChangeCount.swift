import Synchronization

/// A count of changes that everything which is changed shares, so that one look tells that there was none.
package final class ChangeCount: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var value: Int { count.load(ordering: .relaxed) }

    /// Counts a change.
    package func raise() { count.wrappingAdd(1, ordering: .relaxed) }
}
