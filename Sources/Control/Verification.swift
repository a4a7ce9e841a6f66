import CivilTime
import Emulation
import JSON

/// What is expected of the requests in a journal (control contract, section 11).
struct Verification: Sendable {
    /// The longest wait of a call.
    static let longest = Interval.minutes(10)
    private static let mostRequests: Int64 = 1_000_000_000

    let matcher: Matcher
    let minimum: Int
    /// Nil for no bound.
    let maximum: Int?
    /// Requests that have to come in this order, others between them.
    let order: [Matcher]
    /// How long to wait for it; nil for not at all.
    let within: Interval?

    /// Reads the body of a call.
    init(_ call: ControlCall) throws(ControlFault) {
        let apis = call.emulator.apis.map(\.identity.name)
        let scope = call.api.map { apis[$0] }
        var check = BodyCheck(try call.object())
        matcher = Matcher.read(&check, apis: apis, scope: scope)
        (minimum, maximum) = Self.bounds(&check)
        order = Self.order(&check, apis: apis, scope: scope)
        within = Self.duration(&check)
        try check.finish()
    }

    private static func bounds(_ check: inout BodyCheck) -> (Int, Int?) {
        guard check.value("count") != nil else { return (1, nil) }
        let found = check.inner("count") { inner -> (Int, Int?) in
            let least = inner.integer("min", in: 0...mostRequests)
            let most = inner.integer("max", in: 0...mostRequests)
            let exact = inner.integer("exactly", in: 0...mostRequests)
            if least == nil, most == nil, exact == nil, inner.items.isEmpty {
                inner.fault("needs min, max or exactly; leave count out for at least one")
            }
            if let least, let most, least > most { inner.fault("min", "must not be larger than max, which is \(most)") }
            if let exact, let least, least > exact { inner.fault("min", "contradicts exactly, which is \(exact)") }
            if let exact, let most, most < exact { inner.fault("max", "contradicts exactly, which is \(exact)") }
            return (Int(exact ?? least ?? 0), (exact ?? most).map(Int.init))
        }
        return found ?? (1, nil)
    }

    private static func order(_ check: inout BodyCheck, apis: [String], scope: String?) -> [Matcher] {
        guard let value = check.value("order") else { return [] }
        guard let items = value.arrayValue else {
            check.fault("order", "must be a list of match objects")
            return []
        }
        var matchers: [Matcher] = []
        for (place, item) in items.enumerated() {
            guard let object = item.objectValue else {
                check.fault("order[\(place)]", "must be a match object, found \(item.typeName)")
                continue
            }
            var inner = BodyCheck(object, at: "$.order[\(place)]")
            matchers.append(Matcher(&inner, apis: apis, scope: scope))
            inner.refuseUnknown()
            check.add(inner.items)
        }
        return matchers
    }

    private static func duration(_ check: inout BodyCheck) -> Interval? {
        guard let text = check.string("within") else { return nil }
        do throws(DurationError) {
            let length = try Interval(iso8601Duration: text)
            guard (.zero...longest).contains(length) else {
                check.fault("within", "must be from PT0S to PT10M")
                return nil
            }
            return length
        } catch {
            check.fault("within", "\(error)")
            return nil
        }
    }

    // MARK: Looking

    /// Where an order broke off.
    struct Break {
        /// The place in `order` that found no request.
        var place: Int
        /// The request that the one before it found; nil for the first.
        var after: JournalEntry?
    }

    /// What a journal has of it.
    struct Finding {
        var count: Int
        /// The journal keys of the first that match, oldest first.
        var ids: [String]
        /// Nil if the order holds.
        var orderBreak: Break?
    }

    /// What the journal has of it as it stands.
    func find(in journal: Journal) -> Finding {
        var count = 0
        var newest: [String] = []
        var search = JournalSearch(matcher)
        journal.forEachPlaceNewestFirst { place in
            guard search.takes(place) else { return true }
            count += 1
            if newest.count < Self.mostShown, let id = place.id { newest.append(id) }
            return true
        }
        return Finding(count: count, ids: newest.reversed(), orderBreak: orderBreak(in: journal))
    }

    static let mostShown = 10

    private func orderBreak(in journal: Journal) -> Break? {
        guard !order.isEmpty else { return nil }
        var place = 0
        var last: JournalEntry?
        var searches = order.map { JournalSearch($0) }
        journal.forEachPlaceOldestFirst { candidate in
            guard searches[place].takes(candidate) else { return true }
            last = candidate.entry
            place += 1
            return place < searches.count
        }
        return place == searches.count ? nil : Break(place: place, after: last)
    }

    /// Whether it holds.
    func holds(_ finding: Finding) -> Bool {
        finding.count >= minimum && !exceeds(finding) && finding.orderBreak == nil
    }

    /// Whether there are more than may be, which no further request can mend.
    func exceeds(_ finding: Finding) -> Bool { maximum.map { finding.count > $0 } ?? false }

    /// How much longer the answer may be put off; nil once further requests can't change it.
    ///
    /// It waits until it holds (control contract, section 11), not for what may come after that.
    func patience(_ finding: Finding) -> Interval? {
        guard let within, !exceeds(finding), !holds(finding) else { return nil }
        return within
    }
}
