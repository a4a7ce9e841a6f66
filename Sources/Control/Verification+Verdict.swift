import Basics
import Conditions
import HTTPMessage
import JSON
import Journal

extension Verification {
    private static let mostNearMisses = 5
    /// The number of newest entries that are searched for near misses.
    private static let reach = 2_000

    /// Returns the response of the call.
    func verdict(in journal: Journal, otherHosts: [String], _ wanted: Wanted) -> JSON {
        verdict(find(in: journal, otherHosts: otherHosts, wanted), in: journal, wanted)
    }

    /// Returns the response for a finding; near misses are searched for in the journal, if there is one.
    func verdict(_ finding: Finding, in journal: Journal?, _ wanted: Wanted = Wanted()) -> JSON {
        let verdict = verdict(finding)
        var answer: JSONObject = [
            "verdict": .string(verdict.rawValue), "count": .integer(Int64(finding.count)),
        ]
        if verdict != .pass { answer.append("reason", .string(reason(finding, verdict))) }
        if finding.dropped > 0 { answer.append("dropped", .integer(Int64(finding.dropped))) }
        let misses = verdict == .pass ? [] : journal.map { nearMisses(finding, in: $0, wanted) } ?? []
        answer.append("nearMisses", .array(misses))
        return .object(answer)
    }

    // MARK: The reason

    private func reason(_ finding: Finding, _ verdict: Verdict) -> String {
        let found = difference(finding)
        guard verdict == .incomplete else { return found }
        let entries = finding.unseen == 1 ? "1 entry" : "\(finding.unseen) entries"
        return "the journal has dropped \(entries), which may change this: \(found)"
    }

    private func difference(_ finding: Finding) -> String {
        guard !finding.otherHosts.isEmpty else { return requestDifference(finding) }
        let shown = finding.otherHosts.prefix(Self.mostShown).joined(separator: ", ")
        let more = finding.otherHosts.count - Self.mostShown
        let hosts = "the clients asked for other hosts: \(shown)" + (more > 0 ? " and \(more) more" : "")
        let isMet = finding.count >= minimum && !exceeds(finding) && finding.orderBreak == nil
        return isMet ? hosts : "\(requestDifference(finding)); \(hosts)"
    }

    private func requestDifference(_ finding: Finding) -> String {
        guard let orderBreak = finding.orderBreak, finding.count >= minimum, !exceeds(finding) else {
            let shown = finding.ids.joined(separator: ", ")
            let which = finding.count > finding.ids.count ? "the newest are \(shown)" : shown
            return "expected \(bounds), found \(finding.count)" + (finding.ids.isEmpty ? "" : ": \(which)")
        }
        guard let after = orderBreak.after else { return "no request fits order[0]" }
        return "no request fits order[\(orderBreak.place)] after \(after.id), which fits order[\(orderBreak.place - 1)]"
    }

    private var bounds: String {
        func requests(_ count: Int) -> String { count == 1 ? "1 request" : "\(count) requests" }
        return switch maximum {
        case minimum?: "exactly \(requests(minimum))"
        case let most? where minimum == 0: "at most \(requests(most))"
        case let most?: "\(minimum) to \(requests(most))"
        case nil: "at least \(requests(minimum))"
        }
    }

    // MARK: Near misses

    /// Returns the requests that came closest to a match, best first, and of equally close ones the newest first.
    private func nearMisses(_ finding: Finding, in journal: Journal, _ stillWanted: Wanted) -> [JSON] {
        // If there are too many requests, no near miss explains it.
        guard !exceeds(finding) else { return [] }
        let wanted: Matcher
        var after: Break.After?
        if finding.count < minimum {
            wanted = matcher
        } else if let orderBreak = finding.orderBreak {
            wanted = order[orderBreak.place]
            after = orderBreak.after
        } else {
            return []
        }
        return Self.nearMisses(of: wanted, after: after, in: journal, stillWanted)
    }

    /// Returns the requests that came closest to a match, of one API or of those after another one if that is given.
    static func nearMisses(
        of wanted: Matcher,
        api: String? = nil,
        after: Break.After? = nil,
        in journal: Journal,
        _ stillWanted: Wanted
    ) -> [JSON] {
        var misses: [(distance: Double, id: String, differences: [String])] = []
        var looked = 0
        // Requests that are alike in everything compared miss alike, so no more of a kind are examined than are shown.
        var kinds: [String: Int] = [:]
        journal.forEachPlaceNewestFirst { place in
            guard api == nil || place.api == api else { return stillWanted.holds }
            looked += 1
            if !wanted.looksBeyondPath, after == nil, let path = place.path, let method = place.method {
                let seen = kinds["\(method.rawValue) \(place.api ?? "") \(path)", default: 0]
                guard seen < mostNearMisses else { return looked < reach }
                kinds["\(method.rawValue) \(place.api ?? "") \(path)"] = seen + 1
            }
            guard let entry = place.entry else { return true }
            let subject = MatchSubject(entry)
            var differences = wanted.differences(from: subject)
            var distance = wanted.distance(to: subject, differences)
            if let after, entry.seq <= after.seq {
                differences.append("order: expected after \(after.id), found before it or the same")
                distance += 0.5
            }
            if !differences.isEmpty { keep((distance, entry.id, differences), in: &misses) }
            return looked < reach && stillWanted.holds
        }
        return misses.map { miss in
            ["id": .string(miss.id), "differences": .array(miss.differences.map { .string($0) })]
        }
    }

    private static func keep(
        _ miss: (distance: Double, id: String, differences: [String]),
        in misses: inout [(distance: Double, id: String, differences: [String])]
    ) {
        let place = misses.firstIndex { $0.distance > miss.distance } ?? misses.count
        guard place < mostNearMisses else { return }
        misses.insert(miss, at: place)
        if misses.count > mostNearMisses { misses.removeLast() }
    }
}
