import HTTPMessage
package import JSON

/// The `match` object of faults, gates, latency and verification, which selects requests (control contract, section 8).
///
/// An absent member matches anything, so the empty matcher matches every request.
package struct Matcher: Sendable {
    private struct Pair: Sendable {
        var name: String
        var value: String
    }

    private struct FieldPair: Sendable {
        var name: FieldName
        var shown: String
        var lower: String
        var value: String
    }

    /// The identity of a matcher whose result may be found out in advance.
    final class Identity: Sendable {}

    /// The highest number of values in a body pattern, and of names in a query and in fields (control contract, section
    /// 19).
    package static let mostValues = 1_000

    /// The name of the API; nil for all.
    package private(set) var api: String?
    private var method: String?
    private var path: PathPattern?
    private var query: [Pair] = []
    private var fields: [FieldPair] = []
    private var user: String?
    private var body: JSONPattern?
    private var source = JSONObject()
    private(set) var identity: Identity?
    /// The approximate nanoseconds that a request takes, its path aside.
    private(set) var effort = 0

    /// Tells whether it searches the path of a request.
    var searchesPath: Bool { path?.isSearch == true }

    /// Creates a matcher that matches every request.
    package init() {}

    /// Creates a matcher that matches every request of one API.
    package init(api: String) {
        self.api = api
        source["api"] = .string(api)
    }

    /// Tells whether it reads the body, which is not there yet when a head is decided on.
    package var looksAtBody: Bool { body != nil }

    /// The object that it was read from, with the API that its place implied.
    package var json: JSON { .object(source) }

    /// Tells whether it matches every request.
    package var isAnything: Bool { source.isEmpty }

    // MARK: Reading

    /// Reads a `match` object; mistakes are noted in `check`.
    ///
    /// `scope` is the API of the call itself (its port, or `?api=`); the matcher is then narrowed to it.
    package init(_ check: inout BodyCheck, apis: [String], scope: String? = nil) {
        check.limitSize()
        if let name = check.string("api") {
            source["api"] = .string(name)
            api = name
            if !apis.contains(name) {
                let hint = Suggestion.nearest(to: name, among: apis).map { "; did you mean \($0)?" } ?? ""
                check.fault("api", "must be one of \(apis.joined(separator: ", "))\(hint)")
            } else if let scope, scope != name {
                check.fault("api", "another API than the call is addressed to, which is \(scope)")
            }
        } else if let scope {
            source["api"] = .string(scope)
            api = scope
        }
        if let text = check.string("method") {
            source["method"] = .string(text)
            let upper = text.uppercased()
            if !Self.methods.contains(upper) {
                let hint = Suggestion.nearest(to: upper, among: Self.methods).map { "; did you mean \($0)?" } ?? ""
                check.fault("method", "must be one of \(Self.methods.joined(separator: ", "))\(hint)")
            }
            method = upper
        }
        if let text = check.string("path") {
            source["path"] = .string(text)
            if let reason = PathPattern.refusal(of: text) {
                check.fault("path", reason)
            } else {
                path = PathPattern(text)
            }
        }
        for (name, value) in readPairs("query", &check) { query.append(Pair(name: name, value: value)) }
        for (name, value) in readPairs("headers", &check) {
            if let field = FieldName(name) {
                fields.append(FieldPair(name: field, shown: name, lower: name.lowercased(), value: value))
            } else {
                check.fault("headers.\(name.cut)", "is not the name of a header field")
            }
        }
        if let text = check.string("user") {
            source["user"] = .string(text)
            if text.isEmpty { check.fault("user", "must be an e-mail or an id") }
            user = text
        }
        if let value = check.value("body") {
            source["body"] = value
            let pattern = JSONPattern(value)
            if pattern.values > Self.mostValues {
                check.fault("body", "must have at most \(Self.mostValues) values")
            }
            body = pattern
        }
        identity = Identity()
        let pieces = query.count + fields.count + (body?.values ?? 0)
        let bytes = query.reduce(0) { $0 + $1.value.utf8.count } + fields.reduce(0) { $0 + $1.value.utf8.count }
        effort = 100 * pieces + bytes + (path?.text.utf8.count ?? 0)
    }

    /// Reads the `match` member of a body; without one the matcher matches everything in the scope.
    package static func read(_ check: inout BodyCheck, apis: [String], scope: String?) -> Matcher {
        check.inner("match") { Matcher(&$0, apis: apis, scope: scope) } ?? scope.map { Matcher(api: $0) } ?? Matcher()
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private mutating func readPairs(_ name: String, _ check: inout BodyCheck) -> [(name: String, value: String)] {
        guard let object = check.object(name) else { return [] }
        guard object.count <= Self.mostValues else {
            check.fault(name, "must have at most \(Self.mostValues) names")
            return []
        }
        source[name] = .object(object)
        return object.members.compactMap { member in
            switch member.value {
            case .string(let text): return (member.name, text)
            case .integer, .number, .bool: return (member.name, member.value.text)
            case .null, .array, .object:
                check.fault("\(name).\(member.name.cut)", "must be a string, a number or a boolean")
                return nil
            }
        }
    }

    // MARK: Matching

    /// Returns whether a request matches.
    package func matches(_ subject: MatchSubject) -> Bool {
        if let api, api != subject.api { return false }
        if let method, method != subject.method.rawValue { return false }
        if let user, !Self.isUser(subject.user, user) { return false }
        if let identity, let known = subject.forecast?[identity] { return known }
        return meansContent(of: subject)
    }

    /// Returns whether the request's own content matches, API and method aside.
    func meansContent(of subject: MatchSubject) -> Bool {
        if let path, !path.matches(subject.segments) { return false }
        if !query.allSatisfy({ Self.has(subject, $0) }) { return false }
        if !fields.allSatisfy({ Self.has(subject, $0) }) { return false }
        guard let body else { return true }
        return subject.json?.holds(body) ?? false
    }

    /// Returns whether an exchange of the journal matches; cheap comparisons come first.
    package func matches(_ entry: JournalEntry) -> Bool {
        guard admits(api: entry.api, method: entry.method) else { return false }
        return isAnything || matches(MatchSubject(entry))
    }

    /// Returns whether the API and the method match, which is cheaper to compare than the rest.
    func admits(api found: String?, method named: HTTPMessage.HTTPMethod?) -> Bool {
        if let api, api != found { return false }
        if let method, method != named?.rawValue { return false }
        return true
    }

    /// The path pattern; nil for any path.
    var pathPattern: PathPattern? { path }

    /// Tells whether it has more conditions than API, method and path.
    package var looksBeyondPath: Bool { !query.isEmpty || !fields.isEmpty || user != nil || body != nil }

    /// Returns the distance of a request from a match, for the order of near misses; 0 if it matches.
    ///
    /// Each difference counts. Another API counts most, and another path the more the less of it is alike.
    package func distance(to subject: MatchSubject, _ differences: [String]) -> Double {
        var distance = Double(differences.count)
        if let api, api != subject.api { distance += 8 }
        if let method, method != subject.method.rawValue { distance += 1 }
        if let path, !path.matches(subject.segments) { distance += 4 * (1 - Self.likeness(path.text, subject.path)) }
        return distance
    }

    /// Returns the part of two texts that is the same at their beginnings and their ends, from 0 to 1.
    private static func likeness(_ left: String, _ right: String) -> Double {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        let most = max(left.count, right.count)
        guard most > 0 else { return 1 }
        let same = zip(left, right).prefix { $0 == $1 }.count
        let rest = min(left.count, right.count) - same
        let end = zip(left.reversed(), right.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return Double(same + end) / Double(most)
    }

    /// Returns the differences, one readable line for each part; none if the request matches.
    ///
    /// For near misses: `method: expected POST, found GET`.
    package func differences(from subject: MatchSubject) -> [String] {
        var found: [String] = []
        if let api, api != subject.api { found.append("api: expected \(api), found \(subject.api)") }
        if let method, method != subject.method.rawValue {
            found.append("method: expected \(method), found \(subject.method.rawValue)")
        }
        if let path, !path.matches(subject.segments) {
            found.append("path: expected \(path.text), found \(subject.path)")
        }
        for pair in query where !Self.has(subject, pair) {
            guard found.count < Self.mostDifferences else { return found }
            let values = subject.query.all(pair.name)
            found.append("query.\(pair.name): expected \(Self.quoted(pair.value)), found \(Self.list(values))")
        }
        for pair in fields where !Self.has(subject, pair) {
            guard found.count < Self.mostDifferences else { return found }
            let values = subject.fields.values(pair.name)
            found.append("headers.\(pair.shown): expected \(Self.quoted(pair.value)), found \(Self.list(values))")
        }
        if let user, !Self.isUser(subject.user, user) {
            found.append("user: expected \(user), found \(subject.user?.label ?? "nobody")")
        }
        guard let body else { return found }
        if let json = subject.json {
            Self.collect(body, json, at: "body", into: &found)
        } else if !subject.isWhole {
            found.append("body: is kept only in part, so that it can't be compared")
        } else {
            found.append("body: expected JSON, found \(subject.content.isEmpty ? "none" : "something else")")
        }
        return found
    }

    private static func isUser(_ found: CallUser?, _ wanted: String) -> Bool {
        found?.answers(to: wanted) ?? false
    }

    /// Returns whether the query has the value under the name.
    ///
    /// They are compared by code points, as JSON compares: `é` is not `e` with an accent.
    private static func has(_ subject: MatchSubject, _ pair: Pair) -> Bool {
        guard subject.query.items.count <= fewPairs else {
            return subject.queryPairs.contains(ExactPair(pair.name, pair.value))
        }
        return subject.query.items.contains {
            $0.value.utf8.elementsEqual(pair.value.utf8) && $0.name.utf8.elementsEqual(pair.name.utf8)
        }
    }

    /// Returns whether one line of the field has the value, or all its lines joined.
    private static func has(_ subject: MatchSubject, _ pair: FieldPair) -> Bool {
        guard subject.fields.count <= fewPairs else {
            return subject.fieldPairs.contains(ExactPair(pair.lower, pair.value))
        }
        let values = subject.fields.values(pair.name)
        return values.contains(pair.value) || (values.count > 1 && values.joined(separator: ", ") == pair.value)
    }

    /// The number of pairs up to which comparing one by one is faster than looking them up.
    private static let fewPairs = 16
    /// The highest number of differences that are listed.
    private static let mostDifferences = 100

    private static func collect(
        _ pattern: JSONPattern,
        _ value: JSONSubject,
        at path: String,
        into found: inout [String]
    ) {
        guard found.count < mostDifferences, !value.holds(pattern) else { return }
        guard case .object(let wanted) = pattern.json, case .object = value.value else {
            found.append("\(path): expected \(shown(pattern.json)), found \(shown(value.value))")
            return
        }
        for member in wanted.members where found.count < mostDifferences {
            let place = "\(path).\(member.name)"
            if let inner = value[member.name] {
                collect(JSONPattern(member.value), inner, at: place, into: &found)
            } else {
                found.append("\(place): expected \(shown(member.value)), found none")
            }
        }
    }

    private static func shown(_ value: JSON) -> String {
        let text = value.text(upTo: 121)
        return text.utf8.count <= 120 ? text : String(text.prefix(100)) + "…"
    }

    private static func quoted(_ text: String) -> String { shown(.string(text)) }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "none" : values.map(quoted).joined(separator: ", ")
    }
}
