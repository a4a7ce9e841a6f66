package import CivilTime

/// A breach of a rule, folded over all its occurrences (conduct contract, section 8).
package struct ConductFinding: Sendable {
    package enum Suppression: Sendable, Equatable {
        case allowed(reason: String)
        case baseline
    }

    package var rule: String
    /// The name of the instance on its API.
    package var instance: String?
    package var severity: ConductSeverity
    /// The world; nil unless several are judged.
    package var world: String?
    package var api: String
    package var method: String
    package var route: String
    package var user: String?
    package var title: String
    package var seen: String
    package var expected: String
    package var why: String
    package var fix: String
    /// The ids of the exchanges that prove the first occurrence, the breach last.
    package var requests: [String]
    package var count: Int
    package var first: Instant
    package var last: Instant
    package var fingerprint: String
    package var suppressed: Suppression?
    package var source: [RuleSource]
    package var help: String
    /// The number of the first breach, for the order of findings.
    package var firstSeq: UInt64
    /// The file of the first breach; nil for a journal.
    package var file: String?

    package init(
        rule: String,
        instance: String? = nil,
        severity: ConductSeverity,
        world: String? = nil,
        api: String,
        method: String,
        route: String,
        user: String? = nil,
        title: String,
        seen: String,
        expected: String,
        why: String,
        fix: String,
        requests: [String],
        count: Int,
        first: Instant,
        last: Instant,
        fingerprint: String,
        suppressed: Suppression? = nil,
        source: [RuleSource],
        help: String,
        firstSeq: UInt64,
        file: String? = nil
    ) {
        self.rule = rule
        self.instance = instance
        self.severity = severity
        self.world = world
        self.api = api
        self.method = method
        self.route = route
        self.user = user
        self.title = title
        self.seen = seen
        self.expected = expected
        self.why = why
        self.fix = fix
        self.requests = requests
        self.count = count
        self.first = first
        self.last = last
        self.fingerprint = fingerprint
        self.suppressed = suppressed
        self.source = source
        self.help = help
        self.firstSeq = firstSeq
        self.file = file
    }
}
