/// The number that a rule compares with; its name carries the unit.
package enum SettingName: String, Sendable, CaseIterable {
    case times, withinMs, withinSeconds, toleranceMs, immediateMs, belowMs, maxRepeats, minIntervalMs, unchanged
    case evenPercent, minPauseSeconds, minPauseMs, maxMs

    /// The unit of the number.
    package var unit: String {
        switch self {
        case .times, .maxRepeats, .unchanged: "count"
        case .withinMs, .toleranceMs, .immediateMs, .belowMs, .minIntervalMs, .minPauseMs, .maxMs: "milliseconds"
        case .withinSeconds, .minPauseSeconds: "seconds"
        case .evenPercent: "percent"
        }
    }

    /// The place in a list of all numbers.
    package var place: Int { Self.places[self] ?? 0 }

    private static let places = Dictionary(uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })
}

/// A document that a rule rests on.
package struct RuleSource: Sendable, Equatable {
    package var title: String
    package var url: String?

    package init(_ title: String, _ url: String? = nil) {
        self.title = title
        self.url = url
    }

    /// A section of an RFC.
    package static func rfc(_ number: Int, _ section: String) -> RuleSource {
        RuleSource("RFC \(number) section \(section)", "https://www.rfc-editor.org/rfc/rfc\(number)#section-\(section)")
    }
}

/// Everything about a rule but its code: one declaration from which reports, calls, pages and settings follow.
package struct RuleDeclaration: Sendable {
    package var id: String
    package var title: String
    package var severity: ConductSeverity
    /// The API that the rule is about; nil for a generic one.
    package var api: String?
    package var situation: String
    package var breach: String
    package var excused: [String]
    package var settings: [(name: SettingName, value: Int64)]
    package var source: [RuleSource]
    /// The scenarios, faults and calls that bring the situation about.
    package var exercisedBy: [String]
    /// Tells whether the rule needs the API's contract.
    package var needsContract: Bool
    /// Tells whether the rule needs the whole journal.
    package var needsWholeJournal: Bool
    /// Tells whether the rule judges the hosts that the forward proxy was asked for, which are in no journal.
    package var judgesHosts: Bool
    package var what: String
    package var why: String
    /// The sentence in a finding that says what a well-behaved client does.
    package var expected: String
    package var urlsession: String
    package var fetch: String

    package init(
        _ id: String,
        _ title: String,
        _ severity: ConductSeverity,
        api: String? = nil,
        situation: String,
        breach: String,
        excused: [String] = [],
        settings: [(name: SettingName, value: Int64)] = [],
        source: [RuleSource] = [],
        exercisedBy: [String],
        needsContract: Bool = false,
        needsWholeJournal: Bool = false,
        judgesHosts: Bool = false,
        what: String,
        why: String,
        expected: String,
        urlsession: String,
        fetch: String
    ) {
        self.id = id
        self.title = title
        self.severity = severity
        self.api = api
        self.situation = situation
        self.breach = breach
        self.excused = excused
        self.settings = settings
        self.source = source
        self.exercisedBy = exercisedBy
        self.needsContract = needsContract
        self.needsWholeJournal = needsWholeJournal
        self.judgesHosts = judgesHosts
        self.what = what
        self.why = why
        self.expected = expected
        self.urlsession = urlsession
        self.fetch = fetch
    }

    /// The part of the id before the slash.
    package var group: String { String(id.prefix { $0 != "/" }) }

    /// The address of the rule's page.
    package var help: String { "/__admin/conduct/rules/\(id)" }
}

extension RuleDeclaration {
    /// The way to mend a breach in one sentence; the rule's page has the code.
    package var shortFix: String {
        let line = urlsession.prefix { $0 != "\n" }
        return line.hasSuffix(":") ? line.dropLast() + "." : String(line)
    }
}
