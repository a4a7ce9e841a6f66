import Backend
package import CivilTime

/// A sign-in with the tokens that it has issued (own-API contract, section 15).
package struct CustomSession: Row, Codable, Sendable, Equatable {
    package let id: String
    /// The key of the user's row, as it is in an address.
    package let user: String
    package let startedAt: Instant
    /// The time of the logout, or of the second use of a refresh token.
    package var endedAt: Instant?
    /// The number of the token that was issued last.
    package private(set) var last: Int64 = 0
    /// The tokens in the order of their numbers; of many, those that matter.
    package private(set) var tokens: [IssuedToken] = []

    package init(id: String, user: String, startedAt: Instant) {
        self.id = id
        self.user = user
        self.startedAt = startedAt
    }

    package var group: String { user }

    /// The numbers in a stored session.
    static let ranges: StoredRanges = [
        "startedAt": .date, "endedAt": .date, "last": .count, "tokens[].number": .count, "tokens[].issuedAt": .date,
        "tokens[].expiresAt": .date, "tokens[].end.at": .date,
    ]

    /// The number of tokens up to which all are kept.
    private static let usualTokens = 64
    /// The number of tokens that are kept, whatever their states.
    static let mostTokens = 1_024

    /// Tells whether it has ended.
    func hasEnded(_ now: Instant) -> Bool { endedAt.map { $0 <= now } ?? false }

    /// Tells whether one of its tokens is good.
    func isLive(_ now: Instant) -> Bool { !hasEnded(now) && tokens.contains { $0.isGood(now) } }

    /// The token of a number; nil for one that is no longer kept.
    func token(_ number: Int64) -> IssuedToken? { tokens.first { $0.number == number } }

    /// Notes a token that was issued, and gives it a number.
    mutating func issue(
        _ kind: IssuedToken.Kind,
        at issuedAt: Instant,
        until expiresAt: Instant,
        grace: Interval,
        now: Instant
    ) -> IssuedToken {
        makeRoom(grace, now)
        last += 1
        let token = IssuedToken(number: last, kind: kind, issuedAt: issuedAt, expiresAt: expiresAt)
        tokens.append(token)
        return token
    }

    /// Ends a token; the earlier of two ends counts.
    mutating func end(_ number: Int64, _ manner: IssuedToken.Manner, at: Instant) {
        guard let place = tokens.firstIndex(where: { $0.number == number }) else { return }
        tokens[place].end(manner, at: at)
    }

    /// Ends all tokens of some kinds.
    mutating func endAll(_ kinds: [IssuedToken.Kind], _ manner: IssuedToken.Manner, at: Instant) {
        for place in tokens.indices where kinds.contains(tokens[place].kind) { tokens[place].end(manner, at: at) }
    }

    /// Drops tokens of which nothing has to be remembered.
    ///
    /// A refresh token that is not kept counts as spent, an access token as revoked.
    private mutating func makeRoom(_ grace: Interval, _ now: Instant) {
        guard tokens.count >= Self.usualTokens else { return }
        tokens.removeAll { $0.isForgotten(grace, now) }
        // A client that refreshes while the clock stands still has many good access tokens, and one refresh token.
        for kind in IssuedToken.Kind.allCases where tokens.count >= Self.mostTokens {
            var surplus = tokens.count - Self.mostTokens / 2
            tokens.removeAll { token in
                guard surplus > 0, token.kind == kind else { return false }
                surplus -= 1
                return true
            }
        }
    }
}

/// A token of a session.
package struct IssuedToken: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, CaseIterable, Sendable { case access, refresh }

    /// The way in which a token ends before its time.
    package enum Manner: String, Codable, CaseIterable, Sendable {
        /// A refresh token was exchanged for another.
        case spent
        case expired, revoked
    }

    /// The end of a token before its time.
    package struct End: Codable, Sendable, Equatable {
        package var manner: Manner
        package var at: Instant
    }

    package let number: Int64
    package let kind: Kind
    package let issuedAt: Instant
    package let expiresAt: Instant
    package private(set) var end: End?

    init(number: Int64, kind: Kind, issuedAt: Instant, expiresAt: Instant) {
        self.number = number
        self.kind = kind
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Tells whether it is neither over nor ended.
    func isGood(_ now: Instant) -> Bool { now < expiresAt && ended(now) == nil }

    /// The way in which it has ended before its time; nil if it has not.
    func ended(_ now: Instant) -> Manner? {
        guard let end, end.at <= now || end.manner == .spent else { return nil }
        return end.manner
    }

    fileprivate mutating func end(_ manner: Manner, at: Instant) {
        if let end, end.manner == .spent || manner != .spent && end.at <= at { return }
        end = End(manner: manner, at: at)
    }

    /// Tells whether its answers are the same whether it is kept or not.
    fileprivate func isForgotten(_ grace: Interval, _ now: Instant) -> Bool {
        if expiresAt <= now { return true }
        guard kind == .refresh, let end, end.manner == .spent else { return false }
        return now - end.at >= grace
    }
}
