import Backend
import Basics
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// The expectation of the requests in a journal (control contract, section 11).
struct Verification: Sendable {
    /// The longest wait of a call.
    static let longest = Interval.minutes(10)

    // MARK: Members

    private static let least = BodyMember("min", .count())
    private static let most = BodyMember("max", .count())
    private static let exact = BodyMember("exactly", .count())
    private static let within = BodyMember(
        "within",
        RequestValue(.string(format: "duration")) { json, issues -> Interval? in
            guard let text = json.stringValue else {
                issues.note(.wrongType(.string), json)
                return nil
            }
            do throws(DurationError) {
                let length = try Interval(iso8601Duration: text)
                if (.zero...longest).contains(length) { return length }
                issues.note(.rule("must be from PT0S to PT10M"), json)
            } catch {
                issues.note(.rule("\(error)"), json)
            }
            return nil
        }
    )
    private static let allowDropped = BodyMember("allowDropped", .boolean)
    private static let noOtherHosts = BodyMember("noOtherHosts", .boolean)

    static let schema = JSONSchema.closed(
        Matcher.property,
        JSONSchema.Property("count", .closed(least.property, most.property, exact.property), isRequired: false),
        JSONSchema.Property("order", .array(Matcher.schema, minItems: 1, maxItems: longestOrder), isRequired: false),
        within.property,
        allowDropped.property,
        noOtherHosts.property
    )

    let matcher: Matcher
    let minimum: Int
    /// The upper limit; nil for none.
    let maximum: Int?
    /// Requests that must come in this order, with others allowed between them.
    let order: MatcherList
    /// The cost of examining one entry, in comparisons of a method.
    let weight: Int
    /// The time to wait for it; nil for no wait.
    let within: Interval?
    /// Tells that what the journal has kept is judged, whatever has been dropped.
    let allowsDropped: Bool
    /// Tells that the clients must not have asked the forward proxy for other hosts (proxy contract, section 7).
    let judgesHosts: Bool

    fileprivate init(_ order: VerificationOrder) throws(Problem) {
        let (apis, scope) = (order.apis, order.scope)
        var check = BodyCheck(try ControlCall.object(try ControlCall.json(order.request, order.bounds)))
        matcher = Matcher.read(&check, apis: apis, scope: scope)
        judgesHosts = check.read(Self.noOtherHosts) ?? false
        // By itself it judges nothing else.
        let judgesRequests = ["match", "count", "order"].contains { check.value($0) != nil }
        (minimum, maximum) = judgesHosts && !judgesRequests ? (0, nil) : Self.bounds(&check)
        self.order = Self.order(&check, apis: apis, scope: scope)
        within = check.read(Self.within)
        allowsDropped = check.read(Self.allowDropped) ?? false
        weight = 1 + order.request.body.bytes.count / 64
        try check.finish()
    }

    private static func bounds(_ check: inout BodyCheck) -> (Int, Int?) {
        guard check.value("count") != nil else { return (1, nil) }
        let found = check.inner("count") { inner -> (Int, Int?) in
            let least = inner.read(Self.least)
            let most = inner.read(Self.most)
            let exact = inner.read(Self.exact)
            if least == nil, most == nil, exact == nil, inner.items.isEmpty {
                inner.fault("needs min, max or exactly; leave count out for at least one")
            }
            if let least, let most, least > most { inner.fault("min", "must not be larger than max, which is \(most)") }
            if let exact, let least, least > exact { inner.fault("min", "contradicts exactly, which is \(exact)") }
            if let exact, let most, most < exact { inner.fault("max", "contradicts exactly, which is \(exact)") }
            return (exact ?? least ?? 0, exact ?? most)
        }
        return found ?? (1, nil)
    }

    /// The maximum number of items in an order.
    static let longestOrder = 1_000

    private static func order(_ check: inout BodyCheck, apis: [String], scope: String?) -> MatcherList {
        var matchers = MatcherList(apis: apis, scope: scope)
        guard let value = check.value("order") else { return matchers }
        guard let items = value.arrayValue else {
            check.fault("order", "must be a list of match objects")
            return matchers
        }
        guard (1...longestOrder).contains(items.count) else {
            check.fault("order", "must have 1 to \(longestOrder) items, found \(items.count)")
            return matchers
        }
        for (place, item) in items.enumerated() {
            guard let object = item.objectValue else {
                check.fault("order[\(place)]", "must be a match object, found \(item.typeName)")
                continue
            }
            var inner = BodyCheck(object, at: "$.order[\(place)]")
            _ = Matcher(&inner, apis: apis, scope: scope)
            matchers.append(object)
            inner.refuseUnknown()
            check.add(inner.items)
        }
        return matchers
    }

    // MARK: Looking

    /// The point at which an order broke off.
    struct Break {
        /// The index in `order` of the request that was not found.
        var place: Int
        /// The request found before it; nil for the first.
        var after: After?

        /// A request that was found.
        struct After: Sendable {
            var id: String
            var seq: UInt64
        }
    }

    /// The result of searching a journal.
    struct Finding {
        var count: Int
        /// The journal keys of the first that match, oldest first.
        var ids: [String]
        /// The break of the order; nil if the order holds.
        var orderBreak: Break?
        /// The number of entries that the journal has dropped since it was last cleared.
        var dropped: Int
        /// The number of those that were never searched.
        var unseen: Int
        /// The other hosts that the clients asked for, where that is judged.
        var otherHosts: [String]
    }

    /// The three verdicts.
    enum Verdict: String, CaseIterable {
        case pass, fail
        /// Entries that the journal has dropped may change it.
        case incomplete
    }

    /// Searches the journal.
    func find(in journal: Journal, otherHosts: [String], _ wanted: Wanted) -> Finding {
        var count = 0
        var newest: [String] = []
        var search = JournalSearch(matcher)
        journal.forEachPlaceNewestFirst { place in
            guard search.takes(place) else { return wanted.holds }
            count += 1
            if newest.count < Self.mostShown, let id = place.id { newest.append(id) }
            return wanted.holds
        }
        return Finding(
            count: count,
            ids: newest.reversed(),
            orderBreak: orderBreak(in: journal, wanted),
            dropped: journal.dropped,
            unseen: journal.dropped,
            otherHosts: otherHosts
        )
    }

    static let mostShown = 10

    private func orderBreak(in journal: Journal, _ wanted: Wanted) -> Break? {
        guard !order.isEmpty else { return nil }
        var place = 0
        var last: Break.After?
        // Only one of them is searched for at a time.
        var search = JournalSearch(order[0])
        journal.forEachPlaceOldestFirst { candidate in
            guard search.takes(candidate) else { return wanted.holds }
            last = Break.After(id: candidate.id ?? "", seq: candidate.seq)
            place += 1
            if place < order.count { search = JournalSearch(order[place]) }
            return place < order.count && wanted.holds
        }
        return place == order.count ? nil : Break(place: place, after: last)
    }

    /// Returns the verdict on a finding.
    ///
    /// Requests that were never searched can add matches, and take none away.
    func verdict(_ finding: Finding) -> Verdict {
        if exceeds(finding) || !finding.otherHosts.isEmpty { return .fail }
        let isMet = finding.count >= minimum && finding.orderBreak == nil
        guard misses(finding) else { return isMet ? .pass : .fail }
        return isMet && !mayExceed(finding) ? .pass : .incomplete
    }

    /// Returns whether there would be too many matches if all of those that were never searched were some.
    private func mayExceed(_ finding: Finding) -> Bool {
        maximum.map { finding.count + finding.unseen > $0 } ?? false
    }

    /// Returns whether it matters that entries were dropped before they were searched.
    func misses(_ finding: Finding) -> Bool { finding.unseen > 0 && !allowsDropped }

    /// Returns whether there are too many matches, which no further request can correct.
    func exceeds(_ finding: Finding) -> Bool { maximum.map { finding.count > $0 } ?? false }

    /// Returns the time for which the response may still wait; nil once further requests can't change it.
    ///
    /// It waits until the expectation is met (control contract, section 11), not for requests that may come after that.
    func patience(_ finding: Finding) -> Interval? {
        guard let within, !exceeds(finding), finding.otherHosts.isEmpty, verdict(finding) != .pass else { return nil }
        // Further requests only bring it closer to an upper limit that unknown entries may have exceeded.
        return misses(finding) && mayExceed(finding) ? nil : within
    }
}

/// The body of a call as it came, with everything needed to read it on any thread.
struct VerificationOrder: Sendable {
    fileprivate let request: HTTPRequest
    fileprivate let bounds: BodyBounds
    fileprivate let apis: [String]
    fileprivate let scope: String?

    init(_ call: ControlCall) {
        request = call.request
        bounds = BodyBounds(
            jsonDepth: call.emulator.configuration.bounds.depth(),
            jsonValues: call.emulator.configuration.bounds.values
        )
        apis = call.emulator.apis.map(\.identity.name)
        scope = call.api.map { call.emulator.apis[$0].identity.name }
    }

    /// Reads only the matcher.
    func matcher() throws(Problem) -> Matcher {
        var check = BodyCheck(try ControlCall.object(try ControlCall.json(request, bounds)))
        let matcher = Matcher.read(&check, apis: apis, scope: scope)
        try check.finish()
        return matcher
    }

    /// Reads the order.
    func read() -> Result<Verification, Problem> {
        do throws(Problem) {
            return .success(try Verification(self))
        } catch {
            return .failure(error)
        }
    }
}
