import Locking
import Synchronization

/// The calls that other threads have asked the loop for.
final class Mailbox: Sendable {
    private let calls = Locked<[@Sendable (Server) -> Void]>([])
    private let isEmpty = Atomic<Bool>(true)

    func add(_ call: @escaping @Sendable (Server) -> Void) {
        calls.withLock { waiting in
            waiting.append(call)
            isEmpty.store(false, ordering: .releasing)
        }
    }

    func take() -> [@Sendable (Server) -> Void] {
        // Looked at in every turn, so without the lock when there is nothing.
        guard !isEmpty.load(ordering: .acquiring) else { return [] }
        return calls.withLock { waiting in
            let taken = waiting
            waiting = []
            isEmpty.store(true, ordering: .releasing)
            return taken
        }
    }
}
