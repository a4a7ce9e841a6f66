package import CivilTime

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The clocks of the loop: the system's, or a test's own.
package struct TimeSource {
    /// A time that only grows, of any origin.
    package var monotonic: () -> Instant
    /// The time of day.
    package var wall: () -> Instant

    package init(monotonic: @escaping () -> Instant, wall: @escaping () -> Instant) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// The clocks of this machine.
    package static var system: TimeSource {
        TimeSource(monotonic: { read(CLOCK_MONOTONIC) }, wall: { read(CLOCK_REALTIME) })
    }

    private static func read(_ clock: clockid_t) -> Instant {
        var time = timespec()
        _ = clock_gettime(clock, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
