import CivilTime
import HTTPMessage
import JSON

/// A route with the numbers that rules look up.
package struct RouteInfo: Sendable {
    package var api: String
    package var method: String
    /// The template, or the path with names written as `{id}`.
    package var route: String
    package var operation: OperationKnowledge?
    /// The place of its limits.
    package var limits: Int
}

/// Everything that rules look at, and to which they report.
package struct RuleContext: Sendable {
    /// The rows of the present epoch and of those before it.
    package private(set) var rows: [Row] = []
    package var routes: [RouteInfo] = []
    package var credentials: [KnownCredential] = []
    package var sessions: [KnownSession] = []
    package var users: [(name: String?, id: String?)] = []
    /// The first row by which a place held a session.
    package var placeSessions: [Int32: Int32] = [:]
    /// The entity tags that answers have brought.
    package var tags = IssuedTags()
    /// The writes of clients.
    package var writes = Writes()
    /// The paths and queries that the API handed out with a token in them.
    package var handedOut: Set<UInt64> = []
    /// The credentials by their text.
    package var tokens: [String: Int32] = [:]
    let recogniser: CredentialRecogniser?
    /// The segments before an API's own part of a path.
    var bases: [String: Int] = [:]
    package let table: LimitTable
    private var limitCache: [[Limits?]] = []

    /// The rule that is at work.
    package var rule: Int = 0
    /// The rows of the situations by rule.
    package private(set) var situations: [[Int32]]
    private(set) var occurrences: [Occurrence] = []

    init(_ table: LimitTable, _ recogniser: CredentialRecogniser?) {
        self.recogniser = recogniser
        self.table = table
        situations = Array(repeating: [], count: table.rules.declarations.count)
    }

    /// Forgets what was known before a restore or an import, but not what was found.
    mutating func beginEpoch() {
        credentials = []
        tokens = [:]
        sessions = []
        placeSessions = [:]
        handedOut = []
        tags = IssuedTags()
        writes = Writes()
    }

    package mutating func add(_ row: Row) { rows.append(row) }

    package subscript(index: Int32) -> Row { rows[Int(index)] }

    // MARK: Limits

    /// Makes room for the limits of one more route.
    mutating func addLimits() -> Int {
        limitCache.append(Array(repeating: nil, count: table.rules.declarations.count))
        return limitCache.count - 1
    }

    /// The limits of the rule at work on the route of an exchange.
    package mutating func limits(_ route: Int32) -> Limits {
        let place = routes[Int(route)].limits
        if let limits = limitCache[place][rule] { return limits }
        let info = routes[Int(route)]
        let made = table.limits(rule, api: info.api, method: info.method, route: info.route)
        limitCache[place][rule] = made
        return made
    }

    package mutating func limits(_ x: JudgedExchange) -> Limits { limits(x.row.route) }

    // MARK: Words

    /// Tells whether a client knew an answer when it made a request.
    package func knows(_ answer: Row, _ request: Row) -> Bool {
        guard answer.isDelivered, !request.isFree else { return false }
        if answer.connection > 0, answer.connection == request.connection { return request.begin >= answer.end }
        return request.begin >= answer.end + request.grace
    }

    /// The time in microseconds in which an answer becomes known on other connections.
    func grace(isLocal: Bool) -> Int64 { (table.settings.graceMs ?? (isLocal ? 20 : 100)) * 1_000 }

    /// The same for an end without an answer, which a client sees at once.
    package func sawEnd(_ former: Row, _ request: Row) -> Bool {
        former.isDelivered ? knows(former, request) : !request.isFree && request.begin >= former.end
    }

    /// Tells whether a write that ended after a request began may have changed what a later one asks for.
    package func mayHaveChanged(_ x: JudgedExchange, since former: Row) -> Bool {
        writes.end(about: x).map { $0 > former.begin } ?? false
    }

    /// Tells whether a session had signed out, or its refresh had been refused, when a request began.
    package func isOver(_ session: KnownSession, at begin: Int64) -> Bool {
        [session.signedOutBy, session.refusedBy].contains { $0 >= 0 && self[$0].end <= begin }
    }

    // MARK: Reporting

    /// Notes that the rule's situation arose.
    package mutating func situation(_ x: JudgedExchange) { situations[rule].append(x.index) }

    /// Notes that the situation arose, for a row.
    package mutating func situation(_ row: Int32) { situations[rule].append(row) }

    /// Notes a breach, proved by these rows, the breach last.
    package mutating func breach(_ proof: [Int32], _ seen: String) {
        guard let last = proof.last else { return }
        let limits = limits(self[last].route)
        guard let severity = limits.severity else { return }
        occurrences.append(
            Occurrence(rule: Int32(rule), rows: proof, severity: severity, instance: limits.instance, seen: seen)
        )
    }

    /// Takes back a breach of the rule at work that a later exchange has refuted.
    package mutating func withdraw(_ proof: [Int32]) {
        guard let place = occurrences.lastIndex(where: { Int($0.rule) == rule && $0.rows == proof }) else { return }
        occurrences.remove(at: place)
    }

    /// The name of an exchange.
    package func id(_ row: Int32) -> String { self[row].id }

    /// `GET /path/{id}`.
    package func name(_ row: Int32) -> String {
        let route = routes[Int(self[row].route)]
        return "\(route.method) \(route.route)"
    }
}

/// The words of numbers in findings.
package enum Words {
    /// A duration in microseconds as people write it.
    package static func duration(_ microseconds: Int64) -> String {
        let milliseconds = microseconds / 1_000
        if milliseconds < 10_000 { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000) s"
    }

    /// A time that has to pass, in whole seconds unless it is short; a part of one counts as a whole.
    package static func wait(_ microseconds: Int64) -> String {
        microseconds < 10_000_000 ? duration(microseconds) : "\((microseconds + 999_999) / 1_000_000) s"
    }

    /// `1 time`, `2 times`.
    package static func times(_ count: Int64) -> String { count == 1 ? "once" : "\(count) times" }
}

extension RuleContext {
    /// Tells whether a text is, or has as a part of it, an access or refresh token that was issued.
    package func holdsIssuedToken(_ text: String, of api: String) -> Bool {
        guard text.utf8.count >= 10 else { return false }
        let parts = text.utf8.split(whereSeparator: Self.endsWord)
        if parts.contains(where: { isIssuedToken($0, of: api) }) { return true }
        // An address inside of an address.
        guard text.utf8.contains(where: Self.endsPart) else { return false }
        return text.utf8.split { Self.endsWord($0) || Self.endsPart($0) }.contains { isIssuedToken($0, of: api) }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\""): true
        default: false
        }
    }

    /// Tells whether a byte ends a part of an address.
    private static func endsPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "?"), UInt8(ascii: "/"), UInt8(ascii: "#"): true
        default: false
        }
    }

    private func isIssuedToken(_ text: Substring.UTF8View, of api: String) -> Bool {
        guard text.count >= 10 else { return false }
        let token = String(Substring(text))
        if let number = tokens[token] { return credentials[Int(number)].kind != .identity }
        return recogniser?(api, token).map { $0.kind != .identity } ?? false
    }

    /// A token as reports show it: its first six characters, and the exchange that issued it.
    package func token(_ number: Int32) -> String {
        let credential = credentials[Int(number)]
        let start = credential.start.filter { $0.isASCII && $0 > " " && $0 != "`" }
        return credential.issuedBy >= 0 ? "\(start)…, issued by \(id(credential.issuedBy))" : "\(start)…"
    }
}

extension RuleContext {
    /// The number of segments before an API's own part of a path.
    package func baseSegments(of api: String) -> Int { bases[api] ?? 0 }
}

extension RuleContext {
    /// The names of the user behind a row, in lower case.
    package func userNames(of row: Int32) -> [String] {
        let user = self[row].user
        guard user >= 0 else { return [] }
        let known = users[Int(user)]
        return [known.name, known.id].compactMap { $0?.lowercased() }
    }
}
