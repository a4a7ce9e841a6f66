import Basics

/// Discarded states of large worlds.
///
/// Freeing one takes longer than the event loop can spare, wherever its last reference is dropped. The list holds the
/// state until a worker frees it.
package final class DiscardedStates: Sendable {
    private let states = Locked<[any Sendable]>([])

    package init() {}

    func add(_ state: any Sendable) { states.withLock { $0.append(state) } }

    package var isEmpty: Bool { states.withLock { $0.isEmpty } }

    package func take() -> [any Sendable] {
        states.withLock { states in
            defer { states = [] }
            return states
        }
    }
}
