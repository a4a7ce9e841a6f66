/// The judgement of a client's behavior from the journal (conduct contract, section 8).
///
///     let report = try await world.conduct()
///     print(report.verdict, report.findings.map(\.title))
public struct ConductReport: Sendable, Decodable {
    /// The weight of a finding.
    public enum Severity: String, Sendable, Codable, CaseIterable, Comparable {
        case warning, error

        /// A warning is less than an error.
        public static func < (first: Severity, second: Severity) -> Bool { first == .warning && second == .error }
    }

    /// A breach of a rule.
    public struct Finding: Sendable, Decodable {
        /// The id of the rule, such as `auth/repeat-after-401`.
        public var rule: String
        /// The name that the rule has for this backend.
        public var `as`: String?
        /// The weight.
        public var severity: Severity
        /// The world, where several were judged.
        public var world: String?
        /// The backend.
        public var api: String
        /// The method.
        public var method: String
        /// The route.
        public var route: String?
        /// The user.
        public var user: String?
        /// The breach in a few words.
        public var title: String
        /// The event as the server saw it.
        public var seen: String
        /// The behavior that was due.
        public var expected: String
        /// The reason why it matters.
        public var why: String
        /// The remedy.
        public var fix: String
        /// The journal's keys of the exchanges that prove it, the breach last.
        public var requests: [String]
        /// The number of times that it happened.
        public var count: Int
        /// The same in every run.
        public var fingerprint: String
        /// The entry that suppresses it, with its reason.
        public var suppressed: JSONValue?
        /// The world's time of the first breach.
        public var first: String
        /// The world's time of the last breach.
        public var last: String
        /// The documents that the rule stands on.
        public var source: [JSONValue]
        /// The address of the rule's page.
        public var help: String
    }

    /// A rule and whether the client kept it.
    public struct Rule: Sendable, Decodable {
        /// The result.
        public enum Status: String, Sendable, Codable {
            case passed, failed, notExercised, notJudged
        }

        /// The id.
        public var id: String
        /// The weight of its findings; nil for a rule that is off.
        public var severity: Severity?
        /// The result.
        public var status: Status
        /// The number of times that its situation arose.
        public var judged: Int
        /// The number of findings.
        public var findings: Int
        /// The reason why it was not judged.
        public var reason: String?
        /// The scenarios and faults that bring its situation about.
        public var exercisedBy: [String]?

        private enum CodingKeys: String, CodingKey { case id, severity, status, judged, findings, reason, exercisedBy }

        /// Reads a rule as the control API writes it.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            severity = Severity(rawValue: try container.decode(String.self, forKey: .severity))
            status = try container.decode(Status.self, forKey: .status)
            judged = try container.decode(Int.self, forKey: .judged)
            findings = try container.decode(Int.self, forKey: .findings)
            reason = try container.decodeIfPresent(String.self, forKey: .reason)
            exercisedBy = try container.decodeIfPresent([String].self, forKey: .exercisedBy)
        }
    }

    /// The findings and rules in numbers.
    public struct Counts: Sendable, Decodable {
        /// The rules by their result.
        public struct Rules: Sendable, Decodable {
            /// The number of rules that were kept.
            public var passed: Int
            /// The number of rules that were broken.
            public var failed: Int
            /// The number of rules whose situation never arose.
            public var notExercised: Int
            /// The number of rules that could not be judged.
            public var notJudged: Int
        }

        /// The number of findings that are errors.
        public var error: Int
        /// The number of findings that are warnings.
        public var warning: Int
        /// The number of findings that are suppressed.
        public var suppressed: Int
        /// The rules by their result.
        public var rules: Rules
    }

    /// `pass` or `fail`.
    public var verdict: String
    /// Tells whether the verdict is `pass`.
    ///
    ///     let report = try await world.conduct()
    ///     print(report.isPass ? "well behaved" : report.text)
    public var isPass: Bool { verdict == "pass" }
    /// The breaches, errors first, suppressed ones last.
    public var findings: [Finding]
    /// Every rule.
    public var rules: [Rule]
    /// The findings and rules in numbers.
    public var counts: Counts
    /// The report for people; nil if it was read from a document.
    public internal(set) var text: String = ""
    /// The ids of the rules for which the names of the backends stand, such as `sawaed/refresh-once`.
    var instances: [String: [String]] = [:]

    private enum CodingKeys: String, CodingKey { case verdict, findings, rules, counts }

    /// The rules of these ids, or of names that a backend gives to rules, that were not exercised, with what exercises
    /// them; nil for a name that no rule of the report has.
    package func unexercised(_ names: [String]) -> [(name: String, means: [String]?)] {
        names.compactMap { name in
            let ids = instances[name] ?? [name]
            let known = rules.filter { ids.contains($0.id) }
            guard !known.isEmpty else { return (name, nil) }
            guard !known.contains(where: { $0.status == .passed || $0.status == .failed }) else { return nil }
            return (name, known.flatMap { $0.exercisedBy ?? [] })
        }
    }

    /// The findings at or above a level that nothing suppresses.
    ///
    ///     let report = try await world.conduct()
    ///     let errors = report.findings(atLeast: .error)
    public func findings(atLeast level: Severity) -> [Finding] {
        findings.filter { $0.suppressed == nil && $0.severity >= level }
    }
}

extension ConductReport.Finding: CustomStringConvertible {
    /// The finding in words: what was seen, what was expected, what to do.
    public var description: String {
        """
        \(rule): \(title) (\(method) \(route ?? "") of \(api)\(count > 1 ? ", \(count) times" : ""))
          seen: \(seen)
          expected: \(expected)
          fix: \(fix)
        """
    }
}

/// A rule of conduct, as its page tells it.
public struct ConductRule: Sendable, Decodable {
    /// The id.
    public var id: String
    /// The rule in a few words.
    public var title: String
    /// `error` or `warning`.
    public var severity: String
    /// The name that the rule has for its backend, for a rule of one.
    public var `as`: String?
    /// Marks of the rule, such as `opinion`.
    public var marks: [String]
    /// The names that backends give to the rule.
    public var instances: [JSONValue]
    /// The documents that it stands on.
    public var source: [JSONValue]
    /// The address of the rule's page.
    public var help: String
    /// The backend, for a rule of its own.
    public var api: String?
    /// The situation that exercises the rule.
    public var situation: String
    /// The behavior that breaks it.
    public var breach: String
    /// The circumstances that excuse a breach.
    public var excused: [String]
    /// The settings, each with `default` and `unit`.
    public var settings: JSONValue
    /// Scenarios and faults that exercise the rule.
    public var exercisedBy: [String]
    /// The explanation, on the page of one rule.
    public var what: String?
    /// The reason why it matters, on the page of one rule.
    public var why: String?
    /// The code to write instead, on the page of one rule: `urlsession` and `fetch`.
    public var fix: JSONValue?
}
