import Synchronization

/// What other threads have asked of the loop.
final class Mailbox: Sendable {
    private let calls = Mutex<[@Sendable (Server) -> Void]>([])
    private let isEmpty = Atomic<Bool>(true)

    func add(_ call: @escaping @Sendable (Server) -> Void) {
        calls.withLock { $0.append(call) }
        isEmpty.store(false, ordering: .releasing)
    }

    func take() -> [@Sendable (Server) -> Void] {
        // Looked at in every turn, so without the lock when there is nothing.
        guard !isEmpty.load(ordering: .acquiring) else { return [] }
        isEmpty.store(true, ordering: .relaxed)
        return calls.withLock { waiting in
            let taken = waiting
            waiting = []
            return taken
        }
    }
}
