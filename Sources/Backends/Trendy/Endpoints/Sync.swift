import Backend
import CivilTime
import HTTPMessage
import JSON

/// The change feed and the sync status (contract, sections 10.3 and 10.4).
extension TrendyAPI {
    static let syncEndpoints: [TrendyEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/me/sync",
            "What a client should know before it syncs",
            provenance: .beyondTheDocument,
            answers: [.json(SyncStatusResponse.self, "The status")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            call.answerFields.set(.cacheControl, "private, max-age=30")
            return json(syncStatus(state, call), state, call)
        },
        Endpoint(
            .get,
            "/api/v1/changes",
            "The caller's changes after a cursor",
            provenance: .beyondTheDocument,
            parameters: [
                Parameter("since", in: .query, .integer(), "The last id that is known; 0 if it is not sent"),
                Parameter("limit", in: .query, .integer(), "1 to 500; 100 otherwise"),
            ],
            answers: [
                .json(ChangePage.self, "A page, ascending by id"),
                APIError.declared(
                    .badRequest,
                    "since must be a whole number",
                    "since or limit is not a whole number"
                ),
            ] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in json(try changes(state, call), state, call) },
        Endpoint(
            .get,
            "/api/v1/changes/latest-cursor",
            "The id of the caller's last change",
            provenance: .beyondTheDocument,
            answers: [.json(CursorResponse.self, "The cursor; 0 without changes")] + protected,
            metadata: .backend
        ) { state, _, call throws(APIError) in
            json(CursorResponse(cursor: state.latestCursor(of: user(call))), state, call)
        },
    ]

    /// The page sizes that are allowed, and the default.
    private static let changeLimits = 1...500
    private static let usualChangeLimit: Int64 = 100

    private static func changes(_ state: TrendyState, _ call: Call) throws(APIError) -> ChangePage {
        let since = try wholeNumber("since", call) ?? 0
        let asked = try wholeNumber("limit", call) ?? usualChangeLimit
        let limit = Int(exactly: asked).flatMap { changeLimits.contains($0) ? $0 : nil } ?? Int(usualChangeLimit)
        let places = state.changes.places(in: user(call))
        // Entries are numbered in the order of the table.
        var range = 0..<places.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let isKnown = (state.changes.read(places[middle], \.number) ?? 0) <= since
            range = isKnown ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        let rest = places[range.lowerBound...]
        let page = rest.prefix(limit).compactMap { state.changes[place: $0] }
        return ChangePage(
            changes: page,
            nextCursor: page.last?.number ?? since,
            hasMore: rest.count > limit
        )
    }

    private static func wholeNumber(_ name: String, _ call: Call) throws(APIError) -> Int64? {
        guard let text = call.query.first(name), !text.isEmpty else { return nil }
        guard let number = Int64(text) else { throw .badRequest("\(name) must be a whole number") }
        return number
    }

    private static func syncStatus(_ state: TrendyState, _ call: Call) -> SyncStatusResponse {
        let user = user(call)
        let types = state.eventTypes.rows(in: user)
        let events = state.events.rows(in: user)
        let samples = events.filter { $0.source == .healthkit }
        let cursor = state.latestCursor(of: user)
        func latest(_ times: [Timestamp]) -> Timestamp? {
            times.map { $0.resolved(in: call.epoch) }.max().map { .at($0) }
        }
        var status = SyncStatusResponse.Status.allSynced
        var recommendations: [String] = []
        if types.isEmpty {
            status = .pendingChanges
            recommendations.append("There are no event types; create one to begin")
        } else if events.isEmpty {
            status = .pendingChanges
            recommendations.append("There are no events; track one to see data")
        }
        if cursor == 0, !types.isEmpty || !events.isEmpty {
            status = .resyncRecommended
            recommendations.append("There is data without a change log; sync everything anew")
        }
        return SyncStatusResponse(
            lastEvent: latest(events.map(\.timestamp)),
            lastEventType: latest(types.map(\.createdAt)),
            counts: SyncStatusResponse.Counts(events: events.count, eventTypes: types.count),
            health: SyncStatusResponse.Health(lastSync: latest(samples.map(\.timestamp)), count: samples.count),
            latestCursor: cursor,
            status: status,
            recommendations: recommendations
        )
    }
}
