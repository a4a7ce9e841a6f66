/// Verification (control contract, section 11).
extension World {
    private struct CountOrder: Encodable { var match: Match }
    private struct CountAnswer: Decodable {
        var count: Int
        var dropped: Int?
    }

    /// Returns the number of exchanges that match.
    ///
    /// Throws if the journal has dropped entries, since some of them may have matched; `allowingDropped` counts those
    /// that are kept.
    ///
    ///     let refreshes = try await world.count(Match(.trafikskola, "POST", "/api/mobile/auth/refresh"))
    public func count(_ match: Match, allowingDropped: Bool = false) async throws(ControlError) -> Int {
        let answer = try await client.ask(.countRequests, body: CountOrder(match: match), as: CountAnswer.self)
        guard let dropped = answer.dropped, !allowingDropped else { return answer.count }
        throw .incomplete("The journal has dropped \(dropped) entries; \(answer.count) of those kept match \(match)")
    }

    /// The expected number of exchanges.
    public struct Count: Sendable, Encodable {
        var min: Int?
        var max: Int?
        var exactly: Int?

        /// Expects exactly this number.
        ///
        ///     let verdict = try await world.verify(Match(.trendy), .exactly(1))
        public static func exactly(_ count: Int) -> Count { Count(exactly: count) }

        /// Expects this number or more.
        ///
        ///     let verdict = try await world.verify(Match(.trendy), .atLeast(2))
        public static func atLeast(_ count: Int) -> Count { Count(min: count) }

        /// Expects this number or fewer.
        ///
        ///     let verdict = try await world.verify(Match(.trendy), .atMost(3))
        public static func atMost(_ count: Int) -> Count { Count(max: count) }
    }

    /// The result of a check of the journal.
    public struct Verdict: Sendable, Decodable, CustomStringConvertible {
        /// An exchange that nearly matched.
        public typealias NearMiss = UnderstudyClient.NearMiss

        /// `pass`, `fail`, or `incomplete` if entries that the journal has dropped may change it.
        public var verdict: String
        /// The number of exchanges that matched.
        public var count: Int
        /// The reason for a failure, or for a verdict that is incomplete.
        public var reason: String?
        /// The number of entries that the journal has dropped; nil if there are none.
        public var dropped: Int?
        /// Exchanges that nearly matched.
        public var nearMisses: [NearMiss]?

        /// True if the check passed.
        public var isPass: Bool { verdict == "pass" }

        /// The verdict in words, for the message of an expectation.
        public var description: String {
            let misses = (nearMisses ?? []).map { "\n  \($0.id): \($0.differences.joined(separator: "; "))" }.joined()
            return "\(verdict), \(count) matching\(reason.map { ": \($0)" } ?? "")\(misses)"
        }
    }

    private struct VerifyOrder: Encodable {
        var match: Match
        var count: Count?
        var order: [Match]?
        var within: String?
        var allowDropped: Bool?
    }

    /// Checks the client's requests: at least one match unless a count is given.
    ///
    /// `order` lists matches that must have come in this order, not necessarily consecutively. `within` is the real
    /// time in seconds to wait for the check to pass. The check does not pass if entries that the journal has dropped
    /// may change it, unless `allowingDropped` has only those judged that are kept.
    ///
    ///     let verdict = try await world.verify(Match(.trendy, "GET", "/api/v1/me"), .exactly(1), within: 2)
    ///     print(verdict)
    public func verify(
        _ match: Match = .any,
        _ count: Count? = nil,
        order: [Match]? = nil,
        within seconds: Double? = nil,
        allowingDropped: Bool = false
    ) async throws(ControlError) -> Verdict {
        let limit = seconds.map { $0.isFinite ? Duration.seconds(min(max($0, 0), 1e9)) : .zero }
        var plain = VerifyOrder(match: match, count: count, order: order)
        if allowingDropped { plain.allowDropped = true }
        return try await verify(plain, within: limit)
    }

    /// Checks the client's requests, and waits at most that long, in real time, for the check to pass.
    ///
    ///     let verdict = try await world.verify(Match(.trendy, "GET", "/api/v1/me"), within: .milliseconds(500))
    public func verify(
        _ match: Match = .any,
        _ count: Count? = nil,
        order: [Match]? = nil,
        within limit: Duration,
        allowingDropped: Bool = false
    ) async throws(ControlError) -> Verdict {
        var plain = VerifyOrder(match: match, count: count, order: order)
        if allowingDropped { plain.allowDropped = true }
        return try await verify(plain, within: limit)
    }

    private struct HostOrder: Encodable { var noOtherHosts = true }

    /// Checks that the client asked the forward proxy for no other host: for none that is neither mapped to an API nor
    /// passed on by name.
    ///
    ///     let verdict = try await world.verifyNoOtherHosts()
    ///     print(verdict)
    public func verifyNoOtherHosts() async throws(ControlError) -> Verdict {
        try await client.ask(.verify, body: HostOrder())
    }

    /// Checks as above; `grace` is the time that the verdict may take after the limit.
    package func verify(
        _ match: Match,
        within limit: Duration,
        answeringWithin grace: Duration
    ) async throws(ControlError) -> Verdict {
        try await verify(VerifyOrder(match: match, count: nil, order: nil), within: limit, grace: grace)
    }

    private func verify(
        _ plain: VerifyOrder,
        within limit: Duration?,
        grace: Duration = grace
    ) async throws(ControlError) -> Verdict {
        guard let limit, limit > .zero else { return try await client.ask(.verify, body: plain) }
        var order = plain
        order.within = Instant.duration(limit)
        let call = order
        let deadline = ContinuousClock.now + limit + grace
        let client = client
        // The server keeps the time; the deadline is for one that does not answer.
        let verdict = try await Race.run(until: deadline) { () async throws(ControlError) -> Verdict in
            try await client.ask(.verify, body: call, timeout: limit.seconds + ControlClient.patience)
        }
        guard let verdict else {
            throw .timedOut("The server gave no verdict on \(order.match) within \(limit.seconds) s")
        }
        return verdict
    }

    /// The time that a waiting call may take beyond its own, for the answer to arrive.
    static let grace = Duration.milliseconds(250)
}
