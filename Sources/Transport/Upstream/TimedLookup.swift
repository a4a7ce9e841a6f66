import CivilTime
import Locking
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks names up within a time limit.
///
/// The system's lookup can neither be given a limit nor be ended, so it runs on a thread of its own, which is left behind
/// when it takes too long.
enum TimedLookup {
    /// Lookups that may be under way, those left behind included.
    private static let most = 128
    private static let underWay = Atomic<Int>(0)

    private typealias Found = Result<[SocketAddress], UpstreamFailure>

    /// What the thread leaves for the one that waits.
    private final class Box: Sendable {
        let found = Locked<Found?>(nil)
    }

    static func addresses(
        of host: String,
        port: UInt16,
        within limit: Interval,
        _ canceller: UpstreamCanceller,
        lookup: @escaping @Sendable (String, UInt16) -> Result<[SocketAddress], UpstreamFailure> = {
            AddressLookup.addresses(of: $0, port: $1)
        }
    ) -> Result<[SocketAddress], UpstreamFailure> {
        if let numeric = SocketAddress(host: host, port: port) { return .success([numeric]) }
        guard case .success(let ends) = Socket.openPipe() else {
            return .failure(UpstreamFailure(.lookup, "\(host) can't be looked up: there are no descriptors left"))
        }
        let reader = OwnedDescriptor(ends.0)
        let writer = ends.1
        let box = Box()
        let (count, _) = underWay.add(1, ordering: .relaxed)
        let thread =
            count >= most
            ? nil
            : SystemThread.start {
                let found = lookup(host, port)
                box.found.withLock { $0 = found }
                underWay.subtract(1, ordering: .relaxed)
                // The end of the pipe is the signal.
                _ = close(writer)
            }
        guard let thread else {
            underWay.subtract(1, ordering: .relaxed)
            _ = close(writer)
            return .failure(UpstreamFailure(.busy, "\(host) can't be looked up: too many lookups are under way"))
        }
        _ = pthread_detach(thread)
        return wait(reader.number, box, host, limit, canceller)
    }

    private static func wait(
        _ reader: Int32,
        _ box: Box,
        _ host: String,
        _ limit: Interval,
        _ canceller: UpstreamCanceller
    ) -> Found {
        let clock = TimeSource.system
        let end = clock.monotonic() + limit
        while true {
            if let found = box.found.withLock({ $0 }) { return found }
            if canceller.isCancelled { return .failure(UpstreamFailure(.cancelled, "the client went away")) }
            let left = end - clock.monotonic()
            guard left > .zero else {
                let seconds = max(limit.wholeSeconds, 1)
                return .failure(UpstreamFailure(.time, "\(host) was not found within \(seconds) s"))
            }
            var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            // Nothing wakes it when the client goes away, so it looks from time to time.
            _ = poll(&entry, 1, min(Interval.pollMilliseconds(left), 250))
        }
    }
}
