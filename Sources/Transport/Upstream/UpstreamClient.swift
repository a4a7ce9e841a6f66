import Basics
package import CivilTime
package import ForwardProxy

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The time limits and the maximum number of exchanges with real backends.
package struct UpstreamLimits: Sendable, Equatable {
    /// The time to connect, and again for the TLS handshake.
    package var connect = Interval.seconds(10)
    /// The time from the end of the request to the first byte of a response.
    package var firstByte = Interval.seconds(60)
    /// The time between two bytes.
    package var idle = Interval.seconds(60)
    /// The number of concurrent exchanges of each API; each has a thread.
    package var exchanges = 128

    package init() {}
}

/// Sends requests to real backends: HTTP/1.1 over TCP or verified TLS, with a connection for each.
///
/// Redirects are responses like any other. It may be shared among threads.
package final class UpstreamClient: Sendable {
    struct Settings: Sendable {
        var limits: UpstreamLimits
        var ownPorts: Set<UInt16>?
        var trust: TLSContext?
        var proxies: CompanyProxies
    }

    let settings: Settings
    /// The number of exchanges in progress of each API, so that a silent backend blocks no other API.
    private let underWay = Locked<[Int: Int]>([:])

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - trust: The trust of TLS; without it no https address can be reached.
    ///   - ownPorts: The ports that Understudy itself listens on, which are never connected to here; nil to connect to
    ///     any address, as for what a user asks on the command line.
    ///   - limits: See `UpstreamLimits`.
    ///   - proxies: The proxies that connections go through.
    package init(
        trust: TLSContext?,
        ownPorts: Set<UInt16>?,
        limits: UpstreamLimits = UpstreamLimits(),
        proxies: CompanyProxies = CompanyProxies()
    ) {
        settings = Settings(limits: limits, ownPorts: ownPorts, trust: trust, proxies: proxies)
    }

    /// Starts an exchange of an API.
    ///
    /// `rule` says which addresses may be connected to; nil for those of a backend that a user named. `report` is called on a
    /// thread of its own, the last time with an end or a failure.
    package func start(
        _ request: UpstreamRequest,
        to origin: UpstreamOrigin,
        api: Int,
        rule: AddressRule? = nil,
        report: @escaping @Sendable (UpstreamEvent, UpstreamMarks) -> Void
    ) -> UpstreamExchange {
        let exchange = UpstreamExchange()
        let limit = settings.limits.exchanges
        let isTaken = underWay.withLock { counts in
            guard counts[api, default: 0] < limit else { return false }
            counts[api, default: 0] += 1
            return true
        }
        guard isTaken else {
            let detail = "\(limit) exchanges with the upstream are under way (--limit upstream-exchanges)"
            report(.failed(UpstreamFailure(.busy, detail)), UpstreamMarks())
            return exchange
        }
        let thread = SystemThread.start { [self] in
            // libssl writes with write(2), which would raise it when the server is gone.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            _ = pthread_sigmask(SIG_BLOCK, &signals, nil)
            exchange.run(request, to: origin, settings, rule: rule, report: report)
            end(api)
        }
        guard let thread else {
            end(api)
            report(.failed(UpstreamFailure(.busy, "the system has no thread for another exchange")), UpstreamMarks())
            return exchange
        }
        _ = pthread_detach(thread)
        return exchange
    }

    private func end(_ api: Int) { underWay.withLock { $0[api, default: 1] -= 1 } }
}
