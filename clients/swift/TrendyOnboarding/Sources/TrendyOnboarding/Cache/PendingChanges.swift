import Foundation

/// The changes of one user that the backend has not confirmed, and the pushes that carry them.
///
/// Members have tokens, because a push removes exactly what it has sent: a member that was changed after the push began has
/// another token, even if the value is the same again. Members that this version does not know stay for one that does.
struct PendingChanges: Codable, Equatable, Sendable {
    struct Member: Codable, Equatable, Sendable {
        var value: WireValue
        /// The mark of the change that set the value.
        var token: String
    }

    /// A push that has begun and not ended, in this process or another one.
    struct Flight: Codable, Equatable, Sendable {
        /// Seconds since 1970.
        var began: Double
        /// The tokens of the members that it carries, by their names.
        var tokens: [String: String]
    }

    var members: [String: Member] = [:]
    var flights: [String: Flight] = [:]
    /// The last push that was confirmed, so that a read which began before it is told from one that began after.
    var settled: String?

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        members = try container.decode([String: Member].self, forKey: .members)
        // Without these two nothing that the user did is lost.
        flights = (try? container.decodeIfPresent([String: Flight].self, forKey: .flights)) ?? [:]
        settled = (try? container.decodeIfPresent(String.self, forKey: .settled)) ?? nil
    }

    /// The seconds after which a push that has not ended counts as ended: its process has died.
    static let longestFlight = 300.0

    /// True if nothing waits that this version can send.
    var isEmpty: Bool { request.isEmpty }

    /// The waiting members that this version can send.
    var request: UpdateOnboardingStatusRequest {
        var request = UpdateOnboardingStatusRequest()
        for name in MemberName.allCases {
            if let member = members[name.rawValue] { request[name] = member.value }
        }
        return request
    }

    /// Adds the changes of a request; newer ones replace older ones of the same member.
    mutating func merge(_ request: UpdateOnboardingStatusRequest, token: String) {
        for (name, value) in request.changes { members[name.rawValue] = Member(value: value, token: token) }
    }

    /// Begins a push of everything that waits, and returns what it carries.
    mutating func begin(_ flight: String, at date: Date) -> Sending? {
        let now = date.timeIntervalSince1970
        flights = flights.filter { abs(now - $0.value.began) < Self.longestFlight }
        let request = request
        guard !request.isEmpty else { return nil }
        let names = request.changes.map(\.name.rawValue)
        let tokens = members.filter { names.contains($0.key) }.mapValues(\.token)
        flights[flight] = Flight(began: now, tokens: tokens)
        return Sending(flight: flight, request: request, tokens: tokens)
    }

    /// Ends a push that the backend has confirmed: removes what it carried and has not changed since.
    ///
    /// A member stays if another push carries another value of it, because that one may arrive later and win.
    mutating func confirm(_ sending: Sending) {
        flights[sending.flight] = nil
        settled = sending.flight
        members = members.filter { name, member in
            guard sending.tokens[name] == member.token else { return true }
            return flights.values.contains { $0.tokens[name].map { $0 != member.token } ?? false }
        }
    }

    /// Ends a push that the backend has refused: removes what it carried and has not changed since.
    mutating func refuse(_ sending: Sending) {
        flights[sending.flight] = nil
        drop(sending.tokens)
    }

    /// Ends a push without a result: everything stays.
    mutating func abort(_ sending: Sending) { flights[sending.flight] = nil }

    /// Removes members that still have these tokens.
    mutating func drop(_ tokens: [String: String]) {
        members = members.filter { tokens[$0.key] != $0.value.token }
    }
}

/// The members that a push carries.
struct Sending: Equatable, Sendable {
    var flight: String
    var request: UpdateOnboardingStatusRequest
    /// The tokens of the members by their names.
    var tokens: [String: String]
}
