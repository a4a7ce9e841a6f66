import Basics
import CivilTime

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks up names within a time limit.
///
/// The system's lookup has no time limit and can't be ended, so it runs on a thread of its own, which is abandoned when
/// it takes too long.
enum TimedLookup {
    /// The maximum number of lookups of one name in progress, abandoned ones included, so that a name without an answer
    /// blocks no other.
    private static let most = 128
    private static let underWay = Locked<[String: Int]>([:])

    private static func begin(_ host: String) -> Bool {
        underWay.withLock { counts in
            guard counts[host, default: 0] < most else { return false }
            counts[host, default: 0] += 1
            return true
        }
    }

    private static func end(_ host: String) {
        underWay.withLock { counts in
            let left = counts[host, default: 1] - 1
            counts[host] = left > 0 ? left : nil
        }
    }

    private typealias Found = Result<[SocketAddress], UpstreamFailure>

    /// The result that the thread leaves for the waiting caller.
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
        guard begin(host) else {
            _ = close(writer)
            return .failure(UpstreamFailure(.busy, "\(host) can't be looked up: too many lookups are under way"))
        }
        let thread = SystemThread.start {
            let found = lookup(host, port)
            box.found.withLock { $0 = found }
            end(host)
            // The end of the pipe is the signal.
            _ = close(writer)
        }
        guard let thread else {
            end(host)
            _ = close(writer)
            return .failure(UpstreamFailure(.busy, "\(host) can't be looked up: the system has no thread for it"))
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
            // Nothing wakes it when the client leaves, so it checks from time to time.
            _ = poll(&entry, 1, min(Interval.pollMilliseconds(left), 250))
        }
    }
}
