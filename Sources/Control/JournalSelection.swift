import Backend
import Basics
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// The selection of journal entries by the query of a call (control contract, section 11).
struct JournalSelection: Sendable {
    private var api: String?
    private var method: String?
    private var path: PathPattern?
    private var statuses: ClosedRange<Int>?
    private var user: String?
    private var since: UInt64
    private var before: UInt64?
    private var text: JournalText?
    private var offset: Int
    private var limit: Int
    /// The form of the entries.
    let view: EntryView

    enum View: String, CaseIterable { case whole, line }

    /// The length of a text to search for, in characters.
    static let longestText = 256
    /// The number of lines that a call returns, and that it returns without a limit.
    private static let mostLines = 5_000
    private static let usualLines = 500

    /// The parameter `q`.
    static func textParameter(_ summary: String) -> Parameter {
        Parameter("q", in: .query, .string(minLength: 1, maxLength: longestText), summary)
    }

    /// Reads the query; only lists of entries have views.
    init(_ call: ControlCall, hasViews: Bool = false) throws(Problem) {
        api = call.api.map { call.emulator.apis[$0].identity.name }
        method = call.query.last("method")?.uppercased()
        path = call.query.last("path").flatMap { PathPattern.refusal(of: $0) == nil ? PathPattern($0) : nil }
        let status = call.query.last("status")?.lowercased()
        user = call.query.last("user")
        since = UInt64(try call.number("since", default: 0))
        offset = try call.number("offset", default: 0)
        before = call.query.last("before") == nil ? nil : UInt64(try call.number("before", default: 0))
        let chosen = hasViews ? try call.choice("view", View.self) ?? .whole : .whole
        switch chosen {
        case .whole: limit = try call.number("limit", default: Int.max)
        case .line: limit = try call.number("limit", default: Self.usualLines, in: 1...Self.mostLines)
        }
        let full: EntryView = chosen == .line ? .line : .whole
        view = if hasViews, let fields = call.query.last("fields") { try full.selecting(fields) } else { full }
        text = try Self.text(call.query.last("q"))
        if let text = call.query.last("path"), let reason = PathPattern.refusal(of: text) {
            throw Problem(
                .invalidParameter,
                "?path= \(reason), found \"\(text.cut)\".",
                items: [Problem.Item(path: "?path", reason: reason)]
            )
        }
        statuses = status.flatMap(Self.statuses)
        if status != nil, statuses == nil {
            throw Problem(
                .invalidParameter,
                "?status= takes a status such as 404, a class such as 4xx, or 0 for requests without a response.",
                items: [Problem.Item(path: "?status", reason: "must be a status, a class or 0")]
            )
        }
    }

    static func text(_ text: String?) throws(Problem) -> JournalText? {
        guard let text else { return nil }
        guard (1...longestText).contains(text.unicodeScalars.count) else {
            throw Problem(
                .invalidParameter,
                "?q= takes 1 to \(longestText) characters, found \(text.unicodeScalars.count).",
                items: [Problem.Item(path: "?q", reason: "must have 1 to \(longestText) characters")]
            )
        }
        return JournalText(text)
    }

    /// Returns the codes of `404` or `4xx`, or `0` for unanswered requests; nil for anything else.
    private static func statuses(_ text: String) -> ClosedRange<Int>? {
        if text == "0" { return 0...0 }
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x39).contains(bytes[0]) else { return nil }
        if text.hasSuffix("xx") {
            let first = Int(bytes[0] - 0x30) * 100
            return first...first + 99
        }
        guard bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).map { $0...$0 }
    }

    /// Returns the entries of the requested page, newest first, and the number on all pages.
    func places(in journal: Journal, _ wanted: Wanted) -> (page: [JournalPlace], total: Int) {
        var total = 0
        var page: [JournalPlace] = []
        // Without conditions, entries need not be read to be counted.
        let isWhole = api == nil && method == nil && path == nil && statuses == nil && user == nil && text == nil
        var paths: [String: Bool] = [:]
        journal.forEachPlaceNewestFirst(before: before ?? .max) { place in
            if place.seq <= since { return false }
            guard wanted.holds else { return false }
            guard takes(place, &paths) else { return true }
            if total >= offset, page.count < limit { page.append(place) }
            total += 1
            return !isWhole || page.count < limit
        }
        guard isWhole else { return (page, total) }
        let selected = journal.count(before: before ?? .max) - journal.count(before: since &+ 1)
        return (page, max(selected, 0))
    }

    private func takes(_ place: JournalPlace, _ paths: inout [String: Bool]) -> Bool {
        if let api, place.api != api { return false }
        if let method, place.method?.rawValue != method { return false }
        if let statuses, !(place.status.map { statuses.contains($0.code) } ?? false) { return false }
        if let user, !(place.user?.answers(to: user) ?? false) { return false }
        if let path, let found = place.path, !takes(found, path, &paths) { return false }
        guard let text else { return true }
        return place.entry.map(text.isIn) ?? false
    }

    private func takes(_ found: String, _ path: PathPattern, _ paths: inout [String: Bool]) -> Bool {
        if let known = paths[found] { return known }
        let answer = path.matches(found)
        if paths.count < Self.mostPaths { paths[found] = answer }
        return answer
    }

    /// The number of remembered paths; clients repeat theirs.
    private static let mostPaths = 1_024
}
