import Backend
import ConductKit
import HTTPMessage
package import Journal

extension ConductExchange {
    /// The exchange of a journal entry; nil for one that is not judged: still under way, or a replay of our own.
    package init?(_ entry: JournalEntry, epoch: Int = 0) {
        guard let outcome = Self.outcome(entry), let end = entry.endedAt, entry.replayOf == nil else { return nil }
        self.init(
            id: entry.id,
            seq: entry.seq,
            at: entry.at,
            startedAt: entry.startedAt,
            endedAt: end,
            peer: entry.peer.map(Self.address),
            connection: entry.connection == 0 ? nil : Int(clamping: entry.connection),
            api: entry.api,
            route: entry.route,
            user: entry.user.map { $0.email ?? $0.id },
            userID: entry.user?.id,
            method: entry.method,
            path: entry.path,
            query: entry.query,
            fields: entry.headers,
            body: Self.body(entry.body, entry.headers),
            status: entry.status.code,
            responseFields: entry.responseHeaders,
            responseBody: Self.body(entry.responseBody, entry.responseHeaders),
            outcome: outcome,
            epoch: epoch,
            isEmulated: !entry.isTakenElsewhere
        )
        isLocal = peer.map(Self.isLoopback) ?? false
        isProxied = entry.way?.origin != nil
    }

    private static func outcome(_ entry: JournalEntry) -> Outcome? {
        switch entry.outcome {
        case .delivered?: .delivered
        case .interrupted?: .interrupted
        case .cut?: .cut
        case .held?, nil: nil
        }
    }

    private static func body(_ body: JournalEntry.Body, _ fields: Fields) -> Body {
        // What did not come whole is longer than what came.
        let shown = Body(body.kept, length: body.isPartial ? body.length + 1 : body.length, digest: body.digest)
        return body.coded == nil ? shown.decoded(fields) : shown
    }

    /// The address without its port.
    private static func address(_ peer: String) -> String {
        guard let colon = peer.lastIndex(of: ":") else { return peer }
        return String(peer[..<colon])
    }
}
