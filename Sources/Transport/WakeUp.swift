import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ends a poller's wait from any thread.
///
/// Signals that come before the loop looked count once.
package final class WakeUp: Sendable {
    private let reader: OwnedDescriptor
    private let writer: OwnedDescriptor?
    private let pending = Atomic<Bool>(false)

    /// - Parameters:
    ///   - reader: becomes readable by a signal.
    ///   - writer: where a signal is written; nil when it is the same descriptor (an eventfd).
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
        // Eight bytes is what an eventfd takes; a full pipe is as readable as it can be.
        var one: UInt64 = 1
        _ = retryingInterruptions { write(target, &one, MemoryLayout<UInt64>.size) }
    }

    /// Takes the signals back, before the loop looks at what they announced.
    func drain() {
        var buffer: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let size = MemoryLayout.size(ofValue: buffer)
        _ = retryingInterruptions { read(reader.number, &buffer, size) }
        // Only now: a signal from here on writes again, and what it announced is looked at after this.
        pending.store(false, ordering: .sequentiallyConsistent)
    }
}
