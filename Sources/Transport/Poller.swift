package import CivilTime

/// The kinds of readiness for which a descriptor is watched.
///
/// Errors and hang-ups are always reported.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// The peer's end alone, whatever is unread before it.
    package static let end = Interest(rawValue: 4)
}

/// One readiness report.
package struct PollEvent: Sendable {
    /// The token that the descriptor was added with.
    package var token: UInt64
    package var readable: Bool
    package var writable: Bool
    /// Tells that the connection is over in both directions, or failed.
    package var broken: Bool

    package init(token: UInt64, readable: Bool, writable: Bool, broken: Bool) {
        self.token = token
        self.readable = readable
        self.writable = writable
        self.broken = broken
    }
}

/// Waits for many descriptors at once, level-triggered.
///
/// Every descriptor has a token of the owner's choice. The owner includes a generation, so that an event of a
/// descriptor that was closed and reused within one batch differs from one of its successor.
package protocol Poller: AnyObject {
    /// Ends the wait, from any thread.
    var wakeUp: WakeUp { get }

    /// Starts watching a descriptor.
    func add(_ descriptor: Int32, token: UInt64, interest: Interest) throws(Errno)

    /// Changes the events for which a descriptor is watched.
    func change(_ descriptor: Int32, token: UInt64, interest: Interest)

    /// Stops watching a descriptor, before it is closed.
    func remove(_ descriptor: Int32)

    /// Waits until something is ready, the time is over (nil: no limit) or the wake-up was signalled, and replaces the
    /// content of `events`. The wake-up itself is not reported.
    func wait(atMost timeout: Interval?, into events: inout [PollEvent])
}

extension Interval {
    /// Returns the milliseconds for poll and epoll, rounded up so that a timer never fires early; -1 for no limit.
    static func pollMilliseconds(_ timeout: Interval?) -> Int32 {
        guard let timeout else { return -1 }
        guard timeout.microseconds > 0 else { return 0 }
        let rounded = timeout.microseconds.addingClamped(999) / 1_000
        return Int32(clamping: max(rounded, 1))
    }
}
