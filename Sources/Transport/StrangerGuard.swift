import CivilTime

/// The limits of each peer that is not this machine (transport contract, section 8).
package struct StrangerLimits: Sendable, Hashable {
    /// Open connections.
    package var connections: Int
    /// New handshakes of TLS in a second.
    package var handshakes: Int

    package init(connections: Int = 256, handshakes: Int = 64) {
        self.connections = connections
        self.handshakes = handshakes
    }
}

/// Counts the connections and handshakes of peers that are not this machine, so that none of them can take all.
struct StrangerGuard {
    private struct Count {
        var open = 0
        var handshakes = 0
        /// The begin of the second in which the handshakes are counted.
        var since = Instant.epoch
    }

    private let limits: StrangerLimits
    /// The addresses of this machine, whose connections are not counted.
    var own: Set<String>
    private var counts: [String: Count] = [:]

    init(_ limits: StrangerLimits, own: Set<String>) {
        self.limits = limits
        self.own = own
    }

    private func isStranger(_ host: String) -> Bool {
        !host.isEmpty && host != "::1" && !host.hasPrefix("127.") && !own.contains(host)
    }

    /// Counts a connection; false if its peer has as many as it may.
    mutating func opens(_ host: String) -> Bool {
        guard isStranger(host) else { return true }
        guard counts[host]?.open ?? 0 < limits.connections else { return false }
        counts[host, default: Count()].open += 1
        return true
    }

    /// Notes the end of a connection; a peer without any is forgotten, once its second is over.
    mutating func closed(_ host: String, at now: Instant) {
        guard var count = counts[host] else { return }
        count.open = max(count.open - 1, 0)
        counts[host] = count
        guard counts.count > Self.mostIdle else { return }
        counts = counts.filter { $0.value.open > 0 || now - $0.value.since < .seconds(1) }
    }

    /// Counts a handshake that begins; false if its peer began as many in this second as it may.
    mutating func shakes(_ host: String, at now: Instant) -> Bool {
        guard isStranger(host) else { return true }
        var count = counts[host] ?? Count()
        if now - count.since >= .seconds(1) { (count.since, count.handshakes) = (now, 0) }
        count.handshakes += 1
        counts[host] = count
        return count.handshakes <= limits.handshakes
    }

    /// The peers that are remembered before those without a connection are forgotten.
    private static let mostIdle = 1_024
}
