/// An injected failure: the requests that it hits, and its effect on them (control contract, section 8).
///
/// Add one with `World.add(_:)`, or with the shorthand `World.fail(_:on:times:)`.
public struct Fault: Sendable, Encodable {
    /// The condition that selects hits among the matching requests.
    public struct When: Sendable, Encodable {
        /// The number of matches that pass before the first hit.
        public var skip: Int?
        /// The maximum number of hits.
        public var times: Int?
        /// The interval of hits: the first match after `skip`, then each n-th.
        public var every: Int?
        /// The probability of a hit, from 0 to 1, drawn from the world's own seeded stream, so that a run is
        /// repeatable.
        public var probability: Double?
        /// An ISO 8601 instant of the world's clock that bounds the hits.
        public var from: String?
        /// An ISO 8601 instant of the world's clock that bounds the hits.
        public var until: String?

        /// Creates a condition; a limit left out does not apply.
        public init(
            skip: Int? = nil,
            times: Int? = nil,
            every: Int? = nil,
            probability: Double? = nil,
            from: String? = nil,
            until: String? = nil
        ) {
            self.skip = skip
            self.times = times
            self.every = every
            self.probability = probability
            self.from = from
            self.until = until
        }
    }

    /// The moment of the fault: before or after the endpoint runs.
    public enum Phase: String, Sendable, Encodable {
        /// Before the endpoint runs: nothing changes on the server.
        case before
        /// After the endpoint has run: the write happened, but the client never hears of it.
        case after
    }

    /// A name for people.
    public var name: String?
    /// The requests that the fault applies to.
    public var match: Match
    /// The condition for a hit; every match is one if nil.
    public var when: When?
    /// The moment of the fault; `before` if nil.
    public var phase: Phase?
    /// The effect that the client sees.
    public var effect: Effect
    /// The clock that ends the fault's waits; real time counts too if nil.
    public var on: Latency.Clock?

    /// Creates a fault from an effect and the requests that it applies to.
    public init(
        _ effect: Effect,
        on match: Match = .any,
        when: When? = nil,
        phase: Phase? = nil,
        name: String? = nil,
        clock: Latency.Clock? = nil
    ) {
        self.effect = effect
        self.match = match
        self.when = when
        self.phase = phase
        self.name = name
        on = clock
    }
}

/// A fault that was added to a world.
public struct ActiveFault: Sendable, Decodable {
    /// The id, such as `flt_1`.
    public var id: String
    /// The number of times that the fault has acted.
    public var hits: Int
}
