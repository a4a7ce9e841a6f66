public import Foundation

/// The reading of a world's clock.
public struct ClockReading: Sendable, Decodable {
    /// `real`, `offset` (it was set and runs) or `frozen`.
    public var mode: String
    /// The world's time.
    public var now: String
    /// The rate; 1 is real time.
    public var rate: Double
}

/// The clock of the world (control contract, section 5).
extension World {
    /// The body of PUT clock.
    struct ClockSetting: Encodable, Sendable {
        var mode: String
        var now: String?
        var rate: Double?

        init(mode: String, now: Date? = nil, rate: Double? = nil) {
            self.mode = mode
            self.now = now.map(Instant.text)
            self.rate = rate
        }

        init(_ clock: UnderstudyServer.Clock) {
            switch clock {
            case .real: self.init(mode: "real")
            case .running(let date): self.init(mode: "offset", now: date)
            case .frozen(let date): self.init(mode: "frozen", now: date)
            }
        }
    }

    private struct Advance: Encodable {
        var seconds: Double?
        var to: String?
    }

    private struct Advanced: Decodable { var fired: Int }

    /// Something that comes due on the world's clock (console contract, section 4).
    public struct Upcoming: Sendable, Decodable {
        /// The world's time at which it comes due.
        public var at: String
        /// The kind, such as `access` (a token ends), `otp`, `rate-limit` or `answer`.
        public var kind: String
        /// The backend.
        public var api: String?
        /// The user whom it concerns.
        public var user: String?
        /// A sentence that says what comes due.
        public var what: String
        /// The journal's key of the response that is due, for `answer`.
        public var request: String?
        /// The fault that begins or ends, for `fault-from` and `fault-until`.
        public var fault: String?
    }

    /// A preview of an advance of the clock.
    public struct ClockPreview: Sendable, Decodable {
        /// `real`, `offset` or `frozen`.
        public var mode: String
        /// The time that the clock would have.
        public var now: String
        /// The rate.
        public var rate: Double
        /// The number of held answers that would come due.
        public var fired: Int
        /// The items that would come due, soonest first.
        public var passed: [Upcoming]
    }

    /// The present time of the world.
    ///
    ///     let now = try await world.now
    public var now: Date {
        get async throws(ControlError) { try Instant.date(try await clock.now) }
    }

    /// The reading of the clock, with its mode.
    ///
    ///     let isFrozen = try await world.clock.mode == "frozen"
    public var clock: ClockReading {
        get async throws(ControlError) { try await client.ask(.getClock) }
    }

    /// Freezes the clock, at a moment or at the present one.
    ///
    ///     try await world.freeze(at: Date(timeIntervalSince1970: 1_735_732_800))
    public func freeze(at date: Date? = nil) async throws(ControlError) {
        try await client.send(.setClock, body: ClockSetting(mode: "frozen", now: date))
    }

    /// Sets the clock to a moment from which it runs, faster or slower with a rate.
    ///
    ///     try await world.run(from: .now, rate: 60)
    public func run(from date: Date, rate: Double? = nil) async throws(ControlError) {
        try await client.send(.setClock, body: ClockSetting(mode: "offset", now: date, rate: rate))
    }

    /// Sets the clock to the machine's time.
    ///
    ///     try await world.runInRealTime()
    public func runInRealTime() async throws(ControlError) {
        try await client.send(.setClock, body: ClockSetting(mode: "real"))
    }

    /// Advances the clock; everything due by then has happened when the call returns.
    ///
    ///     try await world.advance(by: .seconds(900))
    ///
    /// - Returns: how many held answers came due.
    @discardableResult
    public func advance(by duration: Duration) async throws(ControlError) -> Int {
        try await client.ask(.advanceClock, body: Advance(seconds: duration.seconds), as: Advanced.self).fired
    }

    /// Advances the clock by days, the unit of token lifetimes and quotas.
    ///
    ///     try await world.advance(days: 91)
    @discardableResult
    public func advance(days: Int) async throws(ControlError) -> Int { try await advance(by: .seconds(86_400 * days)) }

    /// Advances the clock to a moment that is ahead.
    ///
    ///     try await world.advance(to: world.now.addingTimeInterval(3_600))
    @discardableResult
    public func advance(to date: Date) async throws(ControlError) -> Int {
        try await client.ask(.advanceClock, body: Advance(to: Instant.text(date)), as: Advanced.self).fired
    }

    /// Returns what an advance would do, and changes nothing.
    ///
    ///     let ending = try await world.preview(advancingBy: .seconds(900)).passed.map(\.what)
    public func preview(advancingBy duration: Duration) async throws(ControlError) -> ClockPreview {
        let order = Advance(seconds: duration.seconds)
        return try await client.ask(.advanceClock, query: ["dryRun": true], body: order)
    }

    /// Returns what comes due on the world's clock, soonest first.
    ///
    ///     let codes = try await world.upcoming(kind: "otp")
    public func upcoming(
        _ api: API? = nil,
        kind: String? = nil,
        user: String? = nil,
        until date: Date? = nil,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> [Upcoming] {
        try await client.list(
            .getUpcoming,
            query: [
                "api": api, "kind": kind, "user": user, "until": date, "limit": limit, "offset": offset,
            ]
        )
    }
}
