import HTTPMessage

/// The requests that were cut without an answer, each of which an HTTP library may send once more by itself (conduct
/// contract, section 2; RFC 9110, section 9.2.2).
///
/// Times are microseconds.
struct AutomaticRepeats: Sendable {
    private struct Cut {
        var end: Int64
        var authorization: Int32
    }

    /// The longest pause that a library makes.
    private static let longestPause: Int64 = 1_000_000

    private var cuts: [Int32: [Cut]] = [:]

    /// Tells whether a library may have sent a request by itself; each request that was cut has one such repeat.
    package mutating func take(_ request: Int32, _ authorization: Int32, at begin: Int64) -> Bool {
        guard var list = cuts[request] else { return false }
        list.removeAll { $0.end < begin - Self.longestPause }
        let place = list.firstIndex { $0.end <= begin && $0.authorization == authorization }
        if let place { list.remove(at: place) }
        cuts[request] = list.isEmpty ? nil : list
        return place != nil
    }

    /// Notes a request that may be repeated, if its method is idempotent and it was cut without an answer.
    package mutating func note(_ row: Row, _ method: HTTPMethod) {
        guard row.outcome == .cut, row.status == 0, row.request >= 0, [.get, .put, .delete].contains(method) else {
            return
        }
        cuts[row.request, default: []].append(Cut(end: row.end, authorization: row.authorization))
    }
}
