import Emulation
import HTTPMessage
import JSON

/// Which entries of a journal a call means, by its query (control contract, section 11).
struct JournalSelection {
    private var api: String?
    private var method: String?
    private var path: PathPattern?
    private var status: String?
    private var user: String?
    private var since: UInt64
    private var offset: Int
    private var limit: Int

    init(_ call: ControlCall) throws(ControlFault) {
        api = call.api.map { call.emulator.apis[$0].identity.name }
        method = call.query.last("method")?.uppercased()
        path = call.query.last("path").map { PathPattern($0) }
        status = call.query.last("status")?.lowercased()
        user = call.query.last("user")
        since = UInt64(try call.number("since", default: 0))
        offset = try call.number("offset", default: 0)
        limit = try call.number("limit", default: Int.max)
        if let status, !Self.isStatus(status) {
            throw ControlFault(
                .invalidParameter,
                "?status= takes a status such as 404, or a class such as 4xx.",
                items: [ControlFault.Item(path: "?status", reason: "must be a status or a class")]
            )
        }
    }

    private static func isStatus(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x39).contains(bytes[0]) else { return false }
        return text.hasSuffix("xx") || bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Hands on the entries of the page that is asked for, newest first, and answers how many there are on all pages.
    func forEach(in journal: Journal, _ body: (JournalEntry) -> Void) -> Int {
        var total = 0
        var taken = 0
        journal.forEachNewestFirst { entry in
            if entry.seq <= since { return false }
            guard takes(entry) else { return true }
            if total >= offset, taken < limit {
                taken += 1
                body(entry)
            }
            total += 1
            return true
        }
        return total
    }

    private func takes(_ entry: JournalEntry) -> Bool {
        if let api, entry.api != api { return false }
        if let method, entry.method.rawValue != method { return false }
        if let user, entry.user?.id != user, entry.user?.email != user { return false }
        if let status {
            let code = "\(entry.status.code)"
            guard code == status || (status.hasSuffix("xx") && code.first == status.first) else { return false }
        }
        return path?.matches(entry.path) ?? true
    }
}
