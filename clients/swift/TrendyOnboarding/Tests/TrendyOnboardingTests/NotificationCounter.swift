import Synchronization

/// A counter of notifications.
final class NotificationCounter: Sendable {
    private let number = Mutex(0)

    var count: Int { number.withLock { $0 } }

    func tell() { number.withLock { $0 += 1 } }
}
