import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ends a poller's wait from any thread.
///
/// Several signals before the loop's next check count as one.
package final class WakeUp: Sendable {
    private let reader: OwnedDescriptor
    private let writer: OwnedDescriptor?
    private let pending = Atomic<Bool>(false)

    /// Creates a wake-up.
    ///
    /// - Parameters:
    ///   - reader: The descriptor that a signal makes readable.
    ///   - writer: The descriptor that a signal is written to; nil when it is the same one (an eventfd).
    init(reader: consuming OwnedDescriptor, writer: consuming OwnedDescriptor?) {
        self.reader = reader
        self.writer = writer
    }

    /// The descriptor that the poller watches for reading.
    var descriptor: Int32 { reader.number }

    /// Makes the loop's present or next wait end at once.
    package func signal() {
        guard !pending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let target =
            switch writer {
            case .some(let writer): writer.number
            case .none: reader.number
            }
        // An eventfd takes eight bytes, and a full pipe is readable too.
        var one: UInt64 = 1
        _ = retryingInterruptions { write(target, &one, MemoryLayout<UInt64>.size) }
    }

    /// Clears the signals, before the loop handles their events.
    func drain() {
        var buffer: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let size = MemoryLayout.size(ofValue: buffer)
        _ = retryingInterruptions { read(reader.number, &buffer, size) }
        // Cleared last: a signal from here on writes again, and its event is handled after this.
        pending.store(false, ordering: .sequentiallyConsistent)
    }
}
