/// An exchange that was judged, in the few words that later ones are compared with.
///
/// Times are microseconds.
package struct Row: Sendable {
    package var id: String
    package var seq: UInt64
    package var begin: Int64
    package var end: Int64
    package var at: Int64
    package var connection: Int
    /// The client: a session, or an address with its `User-Agent`.
    package var client: Int32
    /// The address with its `User-Agent`.
    package var place: Int32
    /// The route, which tells the API and the method too.
    package var route: Int32
    /// The same number for the same request; negative where the body has no digest.
    package var request: Int32
    /// The same number for the same `Authorization`; 0 without one.
    package var authorization: Int32
    /// The user behind the client; negative if there is none.
    package var user: Int32
    package var status: Int16
    package var outcome: ConductExchange.Outcome
    /// Tells whether it is held to nothing: it may have waited in its client's own queue, or another client may have
    /// sent it, or it is an automatic repeat.
    var isFree: Bool
    /// Tells whether an HTTP library may have sent it by itself, after the same request was cut without an answer.
    ///
    /// Rules that count requests don't count it.
    package var isAutomatic = false
    /// The time in microseconds in which an answer on another connection becomes known to it.
    var grace: Int64
    /// Tells whether it is a file's, by the place in the list of files; negative for a journal.
    package var file: Int16 = -1

    package var isDelivered: Bool { outcome == .delivered && status > 0 }
    package var isSuccess: Bool { isDelivered && status >= 200 && status < 300 }
    /// The exchange ended before all of the answer had left.
    package var isBroken: Bool { !isDelivered }
    /// The client can't tell whether it was done.
    package var hasUnknownEnd: Bool { isBroken || status == 500 || status == 502 || status == 504 }
    /// It went wrong for reasons that may pass.
    package var isFailed: Bool {
        if isBroken { return outcome != .interrupted }
        return status >= 500 || status == 408 || status == 429
    }

    /// Tells whether the exchanges overlap in time; the other one began later.
    package func overlaps(_ later: Row) -> Bool { later.begin < end }
}
