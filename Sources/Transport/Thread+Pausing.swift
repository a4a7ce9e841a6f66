package import CivilTime

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension SystemThread {
    /// Starts a thread that nobody joins; false if the system has none.
    package static func startDetached(_ body: @escaping @Sendable () -> Void) -> Bool {
        guard let thread = start(body) else { return false }
        return pthread_detach(thread) == 0
    }

    /// Lets the calling thread do nothing for less than a second.
    package static func pause(_ length: Interval) {
        _ = usleep(UInt32(clamping: min(length.microseconds, 999_999)))
    }
}
