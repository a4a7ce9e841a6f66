import Backend
import CivilTime
import Crypto

/// The parameters of a list of events (contract, section 9.1).
struct EventQuery: Sendable {
    var text = ""
    var regionID: String?
    var cityID: String?
    /// Milliseconds since 1970, inclusive.
    var from: Double?
    var to: Double?
    var policy: Event.Policy?
    var isRegistrationRequired: Bool?
    var allowWaitlist: Bool?
    var capacityMinimum: Double?
    /// The number of the page, from 1; only without a cursor.
    var page = 1.0
    var pageSize = 20
    var cursor: EventCursor?
    /// Tells whether the page is cut before it is filtered (D19).
    var isSparse = false

    struct Page {
        var events: [Event]
        /// The beginning of the next page; nil at the end.
        var next: EventCursor?
    }

    /// The page of a list of events.
    func page(of rows: [Event], epoch: Epoch) -> Page {
        let published = rows.filter(\.isPublished).map { (key: EventCursor($0, epoch), row: $0) }
            .sorted { $1.key < $0.key }
        let found = isSparse ? published : published.filter { matches($0.row, epoch) }
        var start = 0
        if let cursor {
            start = found.firstIndex { $0.key < cursor } ?? found.count
        } else if page >= 2 {
            let offset = (page.rounded(.down) - 1) * Double(pageSize)
            start = offset < Double(found.count) ? Int(offset) : found.count
        }
        let cut = found[start...].prefix(pageSize)
        let next = cut.endIndex < found.endIndex ? cut.last?.key : nil
        return Page(events: cut.map(\.row).filter { !isSparse || matches($0, epoch) }, next: next)
    }

    private func matches(_ event: Event, _ epoch: Epoch) -> Bool {
        if let regionID, event.regionId != regionID { return false }
        if let cityID, event.cityId != cityID { return false }
        if let policy, event.registrationPolicy != policy { return false }
        if let isRegistrationRequired, event.isRegistrationRequired != isRegistrationRequired { return false }
        if let allowWaitlist, event.allowWaitlist != allowWaitlist { return false }
        if let capacityMinimum, Double(event.capacity ?? 0) < capacityMinimum { return false }
        let start = Double(event.startsAt.resolved(in: epoch).milliseconds)
        if let from, start < from { return false }
        if let to, start > to { return false }
        guard !text.isEmpty else { return true }
        return [event.title.en, event.title.ar, event.description.en, event.description.ar].contains {
            Self.occurs(text, in: $0.lowercased())
        }
    }

    /// Tells whether a text occurs in another, code unit by code unit as in JavaScript.
    ///
    /// A search by characters would not find `معا` in `معاً`, whose last letter carries a combining mark.
    private static func occurs(_ part: String, in whole: String) -> Bool {
        let part = Array(part.utf8)
        let whole = Array(whole.utf8)
        guard whole.count >= part.count else { return false }
        return (0...(whole.count - part.count)).contains { whole[$0..<($0 + part.count)].elementsEqual(part) }
    }
}

/// A position in the order of events: start, then id.
///
/// It does not count rows, so inserted or deleted events never cause others to be shown twice or left out.
struct EventCursor: Sendable, Equatable, Comparable {
    var start: Int64
    var id: String

    init(_ event: Event, _ epoch: Epoch) {
        start = event.startsAt.resolved(in: epoch).microseconds
        id = event.id
    }

    /// Reads what `text` wrote.
    init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), let content = String(validating: bytes, as: UTF8.self),
            let (start, id) = TokenIssuer.halves(content), let time = Int64(start), "\(time)|\(id)" == content
        else { return nil }
        self.start = time
        self.id = id
    }

    var text: String { Base64URL.encode(Array("\(start)|\(id)".utf8)) }

    static func < (left: EventCursor, right: EventCursor) -> Bool {
        guard left.start == right.start else { return left.start < right.start }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }
}
