/// The settings of a world for the report (conduct contract, section 11).
package struct ConductSettings: Sendable, Equatable {
    /// The changes to a rule or to an instance of one.
    package struct RuleChange: Sendable, Equatable {
        package enum Level: String, Sendable, CaseIterable { case error, warning, off }

        package var severity: Level?
        package var numbers: [SettingName: Int64]

        package init(severity: Level? = nil, numbers: [SettingName: Int64] = [:]) {
            self.severity = severity
            self.numbers = numbers
        }
    }

    /// An entry of the allow-list.
    package struct Allowance: Sendable, Equatable {
        /// An id or a glob.
        package var rule: String
        package var api: String?
        /// `METHOD PATH`, the path a glob or a template.
        package var route: String?
        package var reason: String
        /// The last day on which it holds.
        package var until: String?

        package init(rule: String, api: String? = nil, route: String? = nil, reason: String, until: String? = nil) {
            self.rule = rule
            self.api = api
            self.route = route
            self.reason = reason
            self.until = until
        }
    }

    /// A finding that is known.
    package struct BaselineEntry: Sendable, Equatable {
        package var fingerprint: String
        package var rule: String
        package var route: String

        package init(fingerprint: String, rule: String, route: String) {
            self.fingerprint = fingerprint
            self.rule = rule
            self.route = route
        }
    }

    /// The time in which an answer becomes known on other connections; nil for 20 on the loopback interface and 100
    /// elsewhere.
    package var graceMs: Int64?
    package var failOn = ConductFailure.error
    package var require: [String] = []
    /// The changes by the id of a rule or of an instance.
    package var rules: [String: RuleChange] = [:]
    package var allow: [Allowance] = []

    package init() {}
}
