/// An exchange that was judged, in the few words that later ones are compared with.
///
/// Times are microseconds.
struct Row: Sendable {
    var id: String
    var seq: UInt64
    var begin: Int64
    var end: Int64
    var at: Int64
    var connection: Int
    /// The client: a session, or an address with its `User-Agent`.
    var client: Int32
    /// The address with its `User-Agent`.
    var place: Int32
    /// The route, which tells the API and the method too.
    var route: Int32
    /// The same number for the same request; negative where the body has no digest.
    var request: Int32
    /// The same number for the same `Authorization`; 0 without one.
    var authorization: Int32
    /// The user behind the client; negative if there is none.
    var user: Int32
    var status: Int16
    var outcome: ConductExchange.Outcome
    /// Tells whether it is held to nothing: it may have waited in its client's own queue, or another client may have
    /// sent it, or it is an automatic repeat.
    var isFree: Bool
    /// Tells whether an HTTP library may have sent it by itself, after the same request was cut without an answer.
    ///
    /// Rules that count requests don't count it.
    var isAutomatic = false
    /// The time in microseconds in which an answer on another connection becomes known to it.
    var grace: Int64
    /// Tells whether it is a file's, by the place in the list of files; negative for a journal.
    var file: Int16 = -1

    var isDelivered: Bool { outcome == .delivered && status > 0 }
    var isSuccess: Bool { isDelivered && status >= 200 && status < 300 }
    /// The exchange ended before all of the answer had left.
    var isBroken: Bool { !isDelivered }
    /// The client can't tell whether it was done.
    var hasUnknownEnd: Bool { isBroken || status == 500 || status == 502 || status == 504 }
    /// It went wrong for reasons that may pass.
    var isFailed: Bool {
        if isBroken { return outcome != .interrupted }
        return status >= 500 || status == 408 || status == 429
    }

    /// Tells whether the exchanges overlap in time; the other one began later.
    func overlaps(_ later: Row) -> Bool { later.begin < end }
}
