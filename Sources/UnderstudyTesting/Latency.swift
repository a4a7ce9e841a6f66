/// The network between the client and the backend (control contract, section 9).
public struct Latency: Sendable, Encodable {
    /// The conditions iOS developers know from the Network Link Conditioner.
    public enum Profile: String, Sendable, CaseIterable {
        case none, wifi, lte, edge, dsl
        case threeG = "3g"
        case highLatencyDNS = "high-latency-dns"
        case veryBadNetwork = "very-bad-network"
        case fullLoss = "100-loss"
    }

    /// How long an answer waits, in milliseconds.
    public struct Delay: Sendable {
        let value: JSONValue

        private init(_ name: String, _ value: JSONValue, _ maximum: Double?) {
            var members = [name: value]
            if let maximum { members["max"] = .number(maximum) }
            self.value = .object(members)
        }

        /// Always that long.
        public static func milliseconds(_ count: Double) -> Delay { Delay("ms", .number(count), nil) }

        /// Equally likely anywhere between two bounds.
        public static func uniform(_ range: ClosedRange<Double>, maximum: Double? = nil) -> Delay {
            Delay("uniform", [.number(range.lowerBound), .number(range.upperBound)], maximum)
        }

        /// Mostly near the median, sometimes much longer; one in twenty is over `p95`.
        public static func lognormal(median: Double, p95: Double, maximum: Double? = nil) -> Delay {
            Delay("lognormal", ["median": .number(median), "p95": .number(p95)], maximum)
        }

        /// Mostly short, with that mean.
        public static func exponential(mean: Double, maximum: Double? = nil) -> Delay {
            Delay("exponential", ["mean": .number(mean)], maximum)
        }
    }

    /// What ends a delay.
    public enum Clock: String, Sendable, Encodable {
        /// Real time, or the world's clock if it is advanced by as much before.
        case real
        /// The world's clock alone.
        case world
    }

    private enum CodingKeys: String, CodingKey { case profile, delay, bytesPerSecond, match, on }

    private var profile: Profile?
    private var delay: Delay?
    private var bytesPerSecond: Int?
    private var match: Match?
    private var clock: Clock?

    /// A named profile; `none` clears.
    public init(_ profile: Profile, on match: Match? = nil, clock: Clock? = nil) {
        self.profile = profile
        self.match = match
        self.clock = clock
    }

    /// Own numbers, for the requests that match.
    public init(delay: Delay? = nil, bytesPerSecond: Int? = nil, on match: Match? = nil, clock: Clock? = nil) {
        self.delay = delay
        self.bytesPerSecond = bytesPerSecond
        self.match = match
        self.clock = clock
    }

    /// The body of the control call.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(profile?.rawValue, forKey: .profile)
        try container.encodeIfPresent(delay?.value, forKey: .delay)
        try container.encodeIfPresent(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encodeIfPresent(match, forKey: .match)
        try container.encodeIfPresent(clock?.rawValue, forKey: .on)
    }
}
