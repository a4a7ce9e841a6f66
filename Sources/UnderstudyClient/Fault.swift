/// An injected failure: the requests that it hits, and its effect on them (control contract, section 8).
///
/// Add one with `World.add(_:)`, or with the shorthand `World.fail(_:on:times:)`.
///
///     let lost = Fault(.connection(.empty), on: Match(.sawaed, "POST"), when: Fault.When(times: 1), phase: .after)
public struct Fault: Sendable, Encodable {
    /// The condition that selects hits among the matching requests.
    public struct When: Sendable, Codable {
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
        ///
        ///     let everyThird = Fault.When(skip: 1, every: 3)
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
    public enum Phase: String, Sendable, Codable {
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
    /// False for a fault that is off until it is switched on.
    public var enabled: Bool?

    /// Creates a fault from an effect and the requests that it applies to.
    ///
    ///     let outage = Fault(.status(503), on: Match(.trendy), when: Fault.When(times: 3), name: "outage")
    public init(
        _ effect: Effect,
        on match: Match = .any,
        when: When? = nil,
        phase: Phase? = nil,
        name: String? = nil,
        clock: Latency.Clock? = nil,
        enabled: Bool? = nil
    ) {
        self.effect = effect
        self.match = match
        self.when = when
        self.phase = phase
        self.name = name
        on = clock
        self.enabled = enabled
    }
}

/// A fault that was added to a world.
public struct ActiveFault: Sendable, Decodable {
    /// A doubt about a fault that was taken.
    public struct Warning: Sendable, Decodable {
        /// The place in the order, such as `$.match.path`.
        public var path: String
        /// The doubt in words.
        public var reason: String
    }

    /// The id, such as `flt_1`.
    public var id: String
    /// The name for people.
    public var name: String?
    /// The requests that it applies to.
    public var match: Match
    /// The condition for a hit.
    public var when: Fault.When?
    /// The moment of the fault.
    public var phase: Fault.Phase
    /// The effect that the client sees.
    public var effect: Effect
    /// The number of times that the fault has acted.
    public var hits: Int
    /// False while the fault is off; nil if the server does not tell.
    public var enabled: Bool?
    /// `call`, `file` or `scenario:…`; nil if the server does not tell.
    public var source: String?
    /// The reasons why it may never act.
    public var warnings: [Warning]?
}
