import Basics
import Synchronization

/// The calls that other threads have posted to the loop.
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
        // This runs in every turn, so an empty mailbox is recognised without the lock.
        guard !isEmpty.load(ordering: .acquiring) else { return [] }
        return calls.withLock { waiting in
            let taken = waiting
            waiting = []
            isEmpty.store(true, ordering: .releasing)
            return taken
        }
    }
}
