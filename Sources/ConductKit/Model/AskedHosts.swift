package import CivilTime

/// The hosts that a world's clients asked the forward proxy for and that no API has answered for, so that no journal
/// has them (proxy contract, section 7).
package struct AskedHosts: Sendable, Equatable {
    /// A host that is neither mapped nor passed on by name.
    package struct Other: Sendable, Equatable {
        package var host: String
        package var port: Int
        /// The method of the first request.
        package var method: String
        package var count: Int
        package var first: Instant
        package var last: Instant

        package init(host: String, port: Int, method: String, count: Int, first: Instant, last: Instant) {
            self.host = host
            self.port = port
            self.method = method
            self.count = count
            self.first = first
            self.last = last
        }

        /// `HOST:PORT`.
        package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The number of requests and tunnels for all of these hosts.
    package var count: Int
    package var others: [Other]

    package init(count: Int = 0, others: [Other] = []) {
        self.count = count
        self.others = others
    }

    /// Leaves out what was last asked for before an instant.
    package mutating func leaveOut(before start: Instant) {
        for other in others where other.last < start { count -= other.count }
        others.removeAll { $0.last < start }
    }
}
