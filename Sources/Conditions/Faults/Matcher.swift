package import Backend
package import HTTPMessage
package import JSON
import RegularExpressions

/// The `match` object of faults, gates, latency and verification, which selects requests (control contract, section 8).
///
/// An absent member matches anything, so the empty matcher matches every request.
package struct Matcher: Sendable {
    private struct Pair: Sendable {
        var name: String
        var condition: ValueCondition
    }

    private struct FieldPair: Sendable {
        var name: FieldName
        var shown: String
        var lower: String
        var condition: ValueCondition
    }

    /// The identity of a matcher whose result may be found out in advance.
    final class Identity: Sendable {}

    /// The highest number of values in a body pattern, and of names in a query and in fields (control contract, section
    /// 19).
    package static let mostValues = 1_000

    /// The name in `query` that means every other one (own-API contract, section 6).
    package static let otherNames = "*"

    /// The name of the API; nil for all.
    package private(set) var api: String?
    package private(set) var method: String?
    private var path: PathCondition?
    private var query: [Pair] = []
    /// The only names that a query may have; nil for any.
    private var onlyNames: Set<ExactName>?
    private var fields: [FieldPair] = []
    private var user: String?
    /// Tells whether the request has to be on a connection that was used before; nil for any.
    private var isReused: Bool?
    private var body: JSONPattern?
    private var bodyText: ValueCondition?
    private var source = JSONObject()
    private(set) var identity: Identity?
    /// The approximate nanoseconds that a request takes, without what depends on its length.
    private(set) var effort = 0

    /// Tells whether it searches the path of a request.
    var searchesPath: Bool {
        guard case .pattern(let pattern)? = path else { return false }
        return pattern.isSearch
    }

    /// The steps that each byte of a request's path, head and body takes at most.
    private(set) var steps = MatchSteps()

    /// Creates a matcher that matches every request.
    package init() {}

    /// Creates a matcher that matches every request of one API.
    package init(api: String) {
        self.api = api
        source["api"] = .string(api)
    }

    /// Tells whether it reads the body, which is not there yet when a head is decided on.
    package var looksAtBody: Bool { body != nil || bodyText != nil }

    /// The member that looks at the content; nil if none does.
    var bodyMember: String? { bodyText != nil ? "match.bodyText" : body != nil ? "match.body" : nil }

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
                check.fault("api", MemberReason.choice(.string(name), among: apis))
            } else if let scope, scope != name {
                check.fault("api", "must be \(scope), the API that the call is addressed to")
            }
        } else if let scope {
            source["api"] = .string(scope)
            api = scope
        }
        if let text = check.string("method") {
            source["method"] = .string(text)
            let upper = text.uppercased()
            if !Self.methods.contains(upper) {
                check.fault("method", MemberReason.choice(.string(upper), among: Self.methods))
            }
            method = upper
        }
        readPath(&check)
        for (name, condition) in readPairs("query", &check) {
            if name == Self.otherNames, case .absent = condition {
                onlyNames = []
            } else {
                query.append(Pair(name: name, condition: condition))
            }
        }
        if onlyNames != nil { onlyNames = Set(query.map { ExactName(text: $0.name) }) }
        for (name, condition) in readPairs("headers", &check) {
            if let field = FieldName(name) {
                fields.append(FieldPair(name: field, shown: name, lower: name.lowercased(), condition: condition))
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
        if let object = check.object("bodyText") {
            source["bodyText"] = .object(object)
            bodyText = check.inner("bodyText", ValueCondition.readText)
        }
        if let value = check.value(Self.connectionMember) {
            source[Self.connectionMember] = value
            isReused = check.choice(Self.connectionMember, ConnectionUse.self).map { $0 == .reused }
        }
        identity = Identity()
        let conditions = query.map(\.condition) + fields.map(\.condition)
        effort = 100 * (conditions.count + (body?.values ?? 0)) + (path?.text.utf8.count ?? 0)
        effort += conditions.reduce(0) { $0 + $1.length }
        if case .expression(let expression)? = path { steps.path = expression.size }
        steps.head = conditions.reduce(0) { $0 + $1.steps }
        steps.body = bodyText?.steps ?? 0
    }

    private mutating func readPath(_ check: inout BodyCheck) {
        guard let value = check.value("path") else { return }
        source["path"] = value
        if value.objectValue != nil {
            path = check.inner("path") { inner in
                let expression = ValueCondition.expression(&inner)
                if inner.value("regex") == nil { inner.fault("regex", "is required") }
                if let expression, !PathCondition.expression(expression).mayMatch {
                    inner.fault(
                        "regex",
                        "matches no path: paths begin with /, have no query, and are percent-encoded like URLs"
                    )
                }
                return expression.map { .expression($0) }
            }
        } else if let text = value.stringValue {
            if let reason = PathPattern.refusal(of: text) {
                check.fault("path", reason)
            } else {
                path = .pattern(PathPattern(text))
            }
        } else {
            check.fault("path", "must be a string, or an object with a regex")
        }
    }

    /// Reads the `match` member of a body; without one the matcher matches everything in the scope.
    package static func read(_ check: inout BodyCheck, apis: [String], scope: String?) -> Matcher {
        check.inner("match") { Matcher(&$0, apis: apis, scope: scope) } ?? scope.map { Matcher(api: $0) } ?? Matcher()
    }

    private static let connectionMember = "connection"

    /// The use of a connection before a request (wire contract, section 5).
    enum ConnectionUse: String, CaseIterable, Sendable {
        case reused
        /// The request is the first one of its connection.
        case fresh

        init(isReused: Bool) { self = isReused ? .reused : .fresh }
    }

    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private mutating func readPairs(
        _ name: String,
        _ check: inout BodyCheck
    ) -> [(name: String, condition: ValueCondition)] {
        guard let object = check.object(name) else { return [] }
        guard object.count - (object[Self.otherNames] == nil ? 0 : 1) <= Self.mostValues else {
            check.fault(name, "must have at most \(Self.mostValues) names")
            return []
        }
        source[name] = .object(object)
        var inner = BodyCheck(JSONObject(), at: "\(check.path).\(name)")
        let pairs = object.members.compactMap { member in
            ValueCondition.read(member.value, member.name, &inner).map { (name: member.name, condition: $0) }
        }
        check.add(inner.items)
        return pairs
    }

    // MARK: Matching

    /// Returns whether a request matches.
    package func matches(_ subject: MatchSubject) -> Bool {
        if let api, api != subject.api { return false }
        if let method, method != subject.method.rawValue { return false }
        guard means(subject.user) else { return false }
        if let identity, let known = subject.forecast?[identity] { return known }
        return meansContent(of: subject)
    }

    /// Returns whether requests of a user are meant.
    func means(_ found: CallUser?) -> Bool { user.map { Self.isUser(found, $0) } ?? true }

    /// Returns whether the request's own content matches, API and method aside.
    func meansContent(of subject: MatchSubject) -> Bool {
        if let isReused, isReused != subject.isReused { return false }
        if case .pattern(let pattern)? = path,
            !pattern.matches(subject.segments, endingInSlash: subject.hasTrailingSlash)
        {
            return false
        }
        if !query.allSatisfy({ Self.has(subject, $0) }) || otherName(of: subject) != nil { return false }
        if !fields.allSatisfy({ Self.has(subject, $0) }) { return false }
        if case .expression(let expression)? = path, !expression.matchesWhole(subject.path) { return false }
        if let body, subject.json?.holds(body) != true { return false }
        guard let bodyText else { return true }
        return subject.text.map { bodyText.fits($0) } ?? false
    }

    /// Returns whether the API and the method match, which is cheaper to compare than the rest.
    package func admits(api found: String?, method named: HTTPMessage.HTTPMethod?) -> Bool {
        if let api, api != found { return false }
        if let method, method != named?.rawValue { return false }
        return true
    }

    /// The condition on the path; nil for any path.
    package var pathCondition: PathCondition? { path }

    /// Tells whether every path matches.
    var takesAnyPath: Bool {
        switch path {
        case nil: true
        case .pattern(let pattern)?: ["**", "/**"].contains(pattern.text)
        case .expression?: false
        }
    }

    /// The names of the path's parameters, one for each of its parts; none without a template.
    var pathNames: [String?] {
        guard case .pattern(let pattern)? = path else { return [] }
        return pattern.names
    }

    /// Returns the values of the path's parameters in a request that matches.
    package func parameters(of segments: [String]) -> [(name: String, value: String)] {
        guard case .pattern(let pattern)? = path else { return [] }
        return pattern.parameters(of: segments)
    }

    /// Tells whether it has more conditions than API, method and path.
    package var looksBeyondPath: Bool {
        !query.isEmpty || onlyNames != nil || !fields.isEmpty || user != nil || isReused != nil || looksAtBody
    }

    /// Returns the distance of a request from a match, for the order of near misses; 0 if it matches.
    ///
    /// Each difference counts. Another API counts most, and another path the more the less of it is alike.
    package func distance(to subject: MatchSubject, _ differences: [String]) -> Double {
        var distance = Double(differences.count)
        if let api, api != subject.api { distance += 8 }
        if let method, method != subject.method.rawValue { distance += 1 }
        // An expression is not run a second time.
        if let path, let told = differences.first(where: { $0.hasPrefix(Self.pathDiffers) }),
            !told.hasSuffix(Self.slashDiffers)
        {
            // The difference is counted already.
            distance += max(NearRoute.distance(path.filled(from: subject.segments), subject.path) - 1, 0)
        }
        return distance
    }

    private static let pathDiffers = "path: "
    private static let slashDiffers = ", which differs by the slash at its end"

    /// Returns the differences, one readable line for each part; none if the request matches.
    ///
    /// For near misses: `method: expected POST, found GET`.
    package func differences(from subject: MatchSubject) -> [String] {
        var found: [String] = []
        if let api, api != subject.api { found.append("api: expected \(api), found \(subject.api)") }
        if let method, method != subject.method.rawValue {
            found.append("method: expected \(method), found \(subject.method.rawValue)")
        }
        if let path, !path.matches(subject) {
            let slash = path.differsBySlash(from: subject) ? Self.slashDiffers : ""
            found.append("\(Self.pathDiffers)expected \(path.shown), found \(subject.path)\(slash)")
        }
        for pair in query where !Self.has(subject, pair) {
            guard found.count < Self.mostDifferences else { return found }
            let values = subject.query.all(pair.name)
            found.append("query.\(pair.name): expected \(pair.condition.shown), found \(Self.list(values))")
        }
        if let name = otherName(of: subject) {
            found.append("query.\(name.cut): expected none, found \(Self.list(subject.query.all(name)))")
        }
        for pair in fields where !Self.has(subject, pair) {
            guard found.count < Self.mostDifferences else { return found }
            let values = subject.fields.values(pair.name)
            found.append("headers.\(pair.shown): expected \(pair.condition.shown), found \(Self.list(values))")
        }
        if let user, !Self.isUser(subject.user, user) {
            found.append("user: expected \(user), found \(subject.user?.label ?? "nobody")")
        }
        if let isReused, isReused != subject.isReused {
            let (wanted, use) = (ConnectionUse(isReused: isReused), ConnectionUse(isReused: subject.isReused))
            found.append("\(Self.connectionMember): expected \(wanted.rawValue), found \(use.rawValue)")
        }
        guard looksAtBody else { return found }
        guard subject.isWhole else { return found + ["body: is kept only in part, so it can't be compared"] }
        if let body {
            let before = found.count
            if let json = subject.json {
                Self.collect(body, json, at: "body", into: &found)
            } else {
                found.append("body: expected JSON, found \(subject.content.isEmpty ? "none" : "something else")")
            }
            // What the JSON lacks says more than the expression that holds it to be all.
            guard found.count == before else { return found }
        }
        if let bodyText {
            if let text = subject.text {
                if case .expression = bodyText, body != nil, !bodyText.fits(text) {
                    found.append(
                        "bodyText: has the expected JSON, but does not match the expression: \(Self.quoted(text))"
                    )
                } else if !bodyText.fits(text) {
                    found.append("bodyText: expected \(bodyText.shown), found \(Self.quoted(text))")
                }
            } else {
                found.append("bodyText: expected \(bodyText.shown), found bytes that are not UTF-8")
            }
        }
        return found
    }

    /// Returns the first name in the query that it may not have; nil without one.
    private func otherName(of subject: MatchSubject) -> String? {
        guard let onlyNames else { return nil }
        return subject.query.items.first { !onlyNames.contains(ExactName(text: $0.name)) }?.name
    }

    private static func isUser(_ found: CallUser?, _ wanted: String) -> Bool {
        found?.answers(to: wanted) ?? false
    }

    /// Returns whether the query has the value under the name.
    ///
    /// They are compared by code points, as JSON compares: `é` is not `e` with an accent.
    private static func has(_ subject: MatchSubject, _ pair: Pair) -> Bool {
        let hasFew = subject.query.items.count <= fewPairs
        switch pair.condition {
        case .equal(let value):
            guard hasFew else { return subject.queryPairs.contains(ExactPair(pair.name, value)) }
            return subject.query.items.contains {
                $0.value.utf8.elementsEqual(value.utf8) && $0.name.utf8.elementsEqual(pair.name.utf8)
            }
        case .absent:
            guard hasFew else { return !subject.queryNames.contains(ExactName(text: pair.name)) }
            return !subject.query.items.contains { $0.name.utf8.elementsEqual(pair.name.utf8) }
        case .contains, .expression:
            return subject.query.items.contains {
                $0.name.utf8.elementsEqual(pair.name.utf8) && pair.condition.fits($0.value)
            }
        }
    }

    /// Returns whether one line of the field has the value, or all its lines joined.
    private static func has(_ subject: MatchSubject, _ pair: FieldPair) -> Bool {
        if case .equal(let value) = pair.condition, subject.fields.count > fewPairs {
            return subject.fieldPairs.contains(ExactPair(pair.lower, value))
        }
        let values = subject.fields.values(pair.name)
        switch pair.condition {
        case .absent: return values.isEmpty
        case .equal(let value):
            return values.contains(value) || (values.count > 1 && values.joined(separator: ", ") == value)
        case .contains, .expression:
            return values.contains { pair.condition.fits($0) }
                || (values.count > 1 && pair.condition.fits(values.joined(separator: ", ")))
        }
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

    static func quoted(_ text: String) -> String { shown(.string(text)) }

    private static func list(_ values: [String]) -> String {
        values.isEmpty ? "none" : values.map(quoted).joined(separator: ", ")
    }
}
