/// The network between the client and the backend (control contract, section 9).
///
///     try await world.set(Latency(delay: .lognormal(median: 80, p95: 400), bytesPerSecond: 50_000))
public struct Latency: Sendable, Encodable {
    /// A network condition with the name that it has in Network Link Conditioner.
    public enum Profile: String, Sendable, CaseIterable {
        case none, wifi, lte, edge, dsl
        case threeG = "3g"
        case highLatencyDNS = "high-latency-dns"
        case veryBadNetwork = "very-bad-network"
        case fullLoss = "100-loss"
    }

    /// The delay of a response, in milliseconds.
    public struct Delay: Sendable {
        let value: JSONValue

        private init(_ name: String, _ value: JSONValue, _ maximum: Double?) {
            var members = [name: value]
            if let maximum { members["max"] = .number(maximum) }
            self.value = .object(members)
        }

        /// A fixed delay.
        ///
        ///     let fixed = Latency.Delay.milliseconds(800)
        public static func milliseconds(_ count: Double) -> Delay { Delay("ms", .number(count), nil) }

        /// A delay with a uniform distribution between two bounds.
        ///
        ///     let jitter = Latency.Delay.uniform(50...200)
        public static func uniform(_ range: ClosedRange<Double>, maximum: Double? = nil) -> Delay {
            Delay("uniform", [.number(range.lowerBound), .number(range.upperBound)], maximum)
        }

        /// A delay with a lognormal distribution: mostly near the median, one in twenty over `p95`.
        ///
        ///     let usual = Latency.Delay.lognormal(median: 80, p95: 400, maximum: 2_000)
        public static func lognormal(median: Double, p95: Double, maximum: Double? = nil) -> Delay {
            Delay("lognormal", ["median": .number(median), "p95": .number(p95)], maximum)
        }

        /// A delay with an exponential distribution around the mean.
        ///
        ///     let bursts = Latency.Delay.exponential(mean: 100)
        public static func exponential(mean: Double, maximum: Double? = nil) -> Delay {
            Delay("exponential", ["mean": .number(mean)], maximum)
        }
    }

    /// The clock that ends a delay.
    public enum Clock: String, Sendable, Codable {
        /// Real time; advancing the world's clock by as much ends the delay too.
        case real
        /// The world's clock alone.
        case world
    }

    private enum CodingKeys: String, CodingKey { case profile, delay, bytesPerSecond, uploadBytesPerSecond, match, on }

    private var profile: Profile?
    private var delay: Delay?
    private var bytesPerSecond: Int?
    private var uploadBytesPerSecond: Int?
    private var match: Match?
    private var clock: Clock?

    /// Creates the conditions of a named profile; `none` removes all.
    ///
    ///     try await world.set(Latency(.veryBadNetwork, on: Match(.trendy)))
    public init(_ profile: Profile, on match: Match? = nil, clock: Clock? = nil) {
        self.profile = profile
        self.match = match
        self.clock = clock
    }

    /// Creates conditions from numbers, for the requests that match.
    ///
    ///     try await world.set(Latency(delay: .milliseconds(300), on: Match(.omnichat, "GET")))
    public init(
        delay: Delay? = nil,
        bytesPerSecond: Int? = nil,
        uploadBytesPerSecond: Int? = nil,
        on match: Match? = nil,
        clock: Clock? = nil
    ) {
        self.delay = delay
        self.bytesPerSecond = bytesPerSecond
        self.uploadBytesPerSecond = uploadBytesPerSecond
        self.match = match
        self.clock = clock
    }

    /// The body of the control call.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(profile?.rawValue, forKey: .profile)
        try container.encodeIfPresent(delay?.value, forKey: .delay)
        try container.encodeIfPresent(bytesPerSecond, forKey: .bytesPerSecond)
        try container.encodeIfPresent(uploadBytesPerSecond, forKey: .uploadBytesPerSecond)
        try container.encodeIfPresent(match, forKey: .match)
        try container.encodeIfPresent(clock?.rawValue, forKey: .on)
    }
}
