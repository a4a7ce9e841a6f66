/// A name that stands for a generic rule on one API (conduct contract, section 7).
package struct RuleInstance: Sendable {
    /// One rule that the name stands for, with what it changes.
    package struct Part: Sendable {
        package var rule: String
        /// The routes on which it holds, as `METHOD template`; nil for all of the API.
        package var routes: [String]?
        package var severity: ConductSeverity?
        package var settings: [(name: SettingName, value: Int64)]
        /// Statuses that count beside those of the rule.
        package var statuses: [Int]
        /// Tells whether all routes of a rate limit's bucket are meant together.
        package var spansBucket: Bool

        package init(
            _ rule: String,
            on routes: [String]? = nil,
            _ severity: ConductSeverity? = nil,
            _ settings: [(name: SettingName, value: Int64)] = [],
            statuses: [Int] = [],
            spansBucket: Bool = false
        ) {
            self.rule = rule
            self.routes = routes
            self.severity = severity
            self.settings = settings
            self.statuses = statuses
            self.spansBucket = spansBucket
        }
    }

    package var id: String
    package var parts: [Part]

    package init(_ id: String, _ parts: [Part]) {
        self.id = id
        self.parts = parts
    }

    /// The API, which is the part of the id before the slash.
    package var api: String { String(id.prefix { $0 != "/" }) }
}
