/// The severity and the numbers of a rule on one route.
package struct Limits: Sendable {
    /// Nil for a rule that is switched off there.
    package var severity: ConductSeverity?
    /// The name of the instance that stands for the rule there.
    package var instance: String?
    private var numbers: [Int64]
    /// Statuses that count beside those of the rule.
    package var statuses: [Int]
    package var spansBucket: Bool

    package init(_ declaration: RuleDeclaration) {
        severity = declaration.severity
        numbers = Array(repeating: 0, count: SettingName.allCases.count)
        statuses = []
        spansBucket = false
        for (name, value) in declaration.settings { numbers[name.place] = value }
    }

    package subscript(name: SettingName) -> Int64 {
        get { numbers[name.place] }
        set { numbers[name.place] = newValue }
    }

    /// The number of milliseconds as microseconds.
    package func milliseconds(_ name: SettingName) -> Int64 {
        self[name].multipliedReportingOverflow(by: 1_000).partialValue
    }

    /// The number of seconds as microseconds.
    package func seconds(_ name: SettingName) -> Int64 {
        self[name].multipliedReportingOverflow(by: 1_000_000).partialValue
    }

    package mutating func take(_ part: RuleInstance.Part) {
        if let given = part.severity { severity = given }
        for (name, value) in part.settings { self[name] = value }
        statuses += part.statuses
        spansBucket = spansBucket || part.spansBucket
    }

    package mutating func take(_ change: ConductSettings.RuleChange) {
        switch change.severity {
        case .error?: severity = .error
        case .warning?: severity = .warning
        case .off?: severity = nil
        case nil: break
        }
        for (name, value) in change.numbers { self[name] = value }
    }
}

/// The limits of all rules on all routes: defaults, what instances change, and a world's settings (conduct contract,
/// sections 7 and 11).
package struct LimitTable: Sendable {
    package let rules: RuleRegistry
    package let settings: ConductSettings
    /// The parts of instances that are about a rule on an API, by `rule api`.
    private let parts: [String: [(instance: String, part: RuleInstance.Part)]]

    init(_ rules: RuleRegistry, _ settings: ConductSettings) {
        self.rules = rules
        self.settings = settings
        var parts: [String: [(String, RuleInstance.Part)]] = [:]
        for instance in rules.instances {
            for part in instance.parts {
                parts["\(part.rule) \(instance.api)", default: []].append((instance.id, part))
            }
        }
        self.parts = parts
    }

    /// The limits of a rule on a route of an API.
    package func limits(_ rule: Int, api: String, method: String, route: String) -> Limits {
        let declaration = rules.declarations[rule]
        var limits = Limits(declaration)
        let name = method + " " + route
        let candidates = (parts["\(declaration.id) \(api)"] ?? []).filter { $0.part.routes?.contains(name) ?? true }
        // Those of all routes first, so that the more specific ones win.
        let ordered = candidates.filter { $0.part.routes == nil } + candidates.filter { $0.part.routes != nil }
        for (_, part) in ordered { limits.take(part) }
        if let change = settings.rules[declaration.id] { limits.take(change) }
        for (instance, _) in ordered {
            limits.instance = instance
            if let change = settings.rules[instance] { limits.take(change) }
        }
        if rules.isOff(declaration.id, api: api), settings.rules[declaration.id]?.severity == nil {
            limits.severity = nil
        }
        return limits
    }

    /// The severity of a rule where no instance changes it; nil if it is switched off.
    package func severity(_ rule: Int) -> ConductSeverity? {
        let declaration = rules.declarations[rule]
        var limits = Limits(declaration)
        if let change = settings.rules[declaration.id] { limits.take(change) }
        return limits.severity
    }
}
