/// One exchange as a line shows it: the members of the journal's line (console contract, section 1).
package struct TrafficLine: Sendable, Equatable {
    package var id = ""
    package var seq: Int64 = 0
    /// The world's time, such as `2025-01-01T12:00:00.000Z`.
    package var at = ""
    package var api = ""
    package var world = "main"
    /// The route that took it; nil for a request that none did.
    package var route: String?
    package var user: String?
    package var method = ""
    package var path = ""
    package var query = ""
    package var status = 0
    package var outcome = "delivered"
    /// The milliseconds from the first byte to the last; nil while it is under way.
    package var milliseconds: Double?
    package var requestBytes: Int64 = 0
    package var responseBytes: Int64 = 0
    package var fault: String?
    package var scenario: String?
    package var gate: String?
    package var replayOf: String?
    /// The answerer in words, such as `sample 200 of listBikes`; nil for an endpoint of a built-in API.
    package var answeredBy: String?
    /// The stub of its path that was nearest to answering it, and why it did not.
    package var nearestStub: String?
    /// The number of the rules that it breaks of the API's document.
    package var violations = 0
    /// Tells that nothing answered it.
    package var isUnmatched = false
    /// The route that an unmatched request probably meant.
    package var nearest: String?
    /// The differences from the nearest, where its method and path are those of the request.
    package var differs: String?

    package init() {}
}
