package import Backend
import CivilTime

/// A change of rows that a scenario of Trendy makes (contract, section 13).
package struct TrendyChange: Decodable, Sendable {
    enum Operation: String, Decodable, CaseIterable, Sendable {
        /// Ends every issued access token.
        case expireAccessTokens
        /// Ends every issued refresh token.
        case endRefreshTokens
        /// Ends every session, like a global logout elsewhere.
        case endSessions
        /// Makes the limiters refuse all requests for `count` seconds.
        case closeLimiters
        /// Fills the change log of the account with the most events up to `count` entries.
        case fillChangeLog
    }

    var change: Operation
    var count: Int?
}

extension TrendyAPI {
    package static func apply(
        _ change: TrendyChange,
        to state: inout TrendyState,
        core: inout WorldCore,
        epoch: Epoch
    ) -> [String] {
        let now = Timestamp.at(core.now)
        switch change.change {
        case .expireAccessTokens:
            return state.issuedAccess.rows.filter { $0.endedAt == nil }.map { row in
                state.issuedAccess.update(row.id) { $0.endedAt = now }
                return "issuedAccess/\(row.id)"
            }
        case .endRefreshTokens:
            return state.sessions.rows.filter { $0.endedAt == nil && $0.refreshEndedAt == nil }.map { row in
                state.sessions.update(row.id) { $0.refreshEndedAt = now }
                return "sessions/\(row.id)"
            }
        case .endSessions:
            return state.sessions.rows.filter { $0.endedAt == nil }.map { row in
                state.sessions.update(row.id) { $0.endedAt = now }
                return "sessions/\(row.id)"
            }
        case .closeLimiters:
            state.closedUntil = .at(core.now + .seconds(Int64(change.count ?? 60)))
            return []
        case .fillChangeLog: return fillChangeLog(to: change.count ?? 0, &state, now)
        }
    }

    package static func undo(_ change: TrendyChange, in state: inout TrendyState, core: inout WorldCore) {
        guard change.change == .closeLimiters else { return }
        state.knocks.removeAll()
        state.closedUntil = nil
    }

    /// Edits the events of the account with the most events in turn until its log has that length.
    private static func fillChangeLog(to length: Int, _ state: inout TrendyState, _ now: Timestamp) -> [String] {
        var busiest = ""
        for account in state.accounts.rows
        where state.events.count(in: account.id) > state.events.count(in: busiest) { busiest = account.id }
        let events = state.events.rows(in: busiest)
        guard !events.isEmpty else { return [] }
        var changed: Set<String> = []
        var order: [String] = []
        var turn = 0
        while state.changes.count(in: busiest) < min(length, 100_000) {
            let id = events[turn % events.count].id
            turn += 1
            state.events.update(id) { $0.updatedAt = now }
            if let event = state.events[id] { state.log(.update, .event(event), at: now) }
            if changed.insert(id).inserted { order.append("events/\(id)") }
        }
        return order
    }
}
