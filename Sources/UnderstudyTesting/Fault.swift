/// A fault: which requests, when, and what becomes of them (control contract, section 8).
public struct Fault: Sendable, Encodable {
    /// Which of the matching requests are hit.
    public struct When: Sendable, Encodable {
        /// Matches that pass before the first hit.
        public var skip: Int?
        /// Hits at most.
        public var times: Int?
        /// A hit on the first match after `skip`, then on each n-th.
        public var every: Int?
        /// From 0 to 1, drawn from the world's own seeded stream: a run is repeatable.
        public var probability: Double?
        /// An ISO 8601 instant of the world's clock.
        public var from: String?
        /// An ISO 8601 instant of the world's clock.
        public var until: String?

        /// Names what limits the hits; what is left out does not.
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

    /// Whether the endpoint has run when the fault acts.
    public enum Phase: String, Sendable, Encodable {
        /// Nothing changes on the server.
        case before
        /// The write happened; the client never hears of it.
        case after
    }

    /// A name for people.
    public var name: String?
    /// Which requests.
    public var match: Match
    /// Which of them are hit; all if nil.
    public var when: When?
    /// Before the endpoint runs if nil.
    public var phase: Phase?
    /// What the client sees.
    public var effect: Effect
    /// What ends the fault's waits; real time too if nil.
    public var on: Latency.Clock?

    /// An effect on the requests that match.
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
    /// `flt_1` and so on.
    public var id: String
    /// How often it has acted.
    public var hits: Int
}
