import Emulation
import HTTPMessage

/// Refuses a query of which a part would not be read, whatever source would answer (own-API contract, section 22).
struct QueryCheck: RequestCheck {
    func check(
        _ route: OwnRoute,
        _ state: inout OwnState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(OwnFailure) {
        let most = QueryItems.standardLimit
        // Most have too few separators to be read for this.
        guard let query = call.request.head.rawQuery, query.utf8.count(where: { $0 == UInt8(ascii: "&") }) >= most,
            call.query.isTruncated
        else { return }
        let reason = "has more than \(most) parameters"
        throw OwnFailure(.badRequest, "The query \(reason).", details: [OwnFailure.Detail(path: "?", reason: reason)])
    }
}
