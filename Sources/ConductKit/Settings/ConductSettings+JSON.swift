package import Backend
import CivilTime
package import JSON

/// The settings as JSON, and the changes that a `PUT` or a configuration file makes (conduct contract, section 11).
extension ConductSettings {
    /// The names that an allowance's `api` may be.
    package enum APINames: Sendable {
        /// Any name: what a world has stored was checked when it was set.
        case any
        case of([String])
        /// Those, and the hosts of files.
        case orHosts([String])
    }

    private static let mostMilliseconds: Int64 = 3_600_000
    private static let largestNumber: Int64 = 1_000_000_000

    /// Reads what a world has stored; a part that does not fit is left at its default.
    package init(stored: JSON?, _ rules: RuleRegistry) {
        self.init()
        guard let object = stored?.objectValue else { return }
        var check = BodyCheck(object)
        change(&check, rules, apis: .any)
    }

    /// The form in which a world stores them; nil for the defaults.
    package var stored: JSON? { self == ConductSettings() ? nil : json }

    package var json: JSON {
        [
            "graceMs": graceMs.map { .integer($0) } ?? .null,
            "failOn": .string(failOn.rawValue),
            "require": .array(require.map { .string($0) }),
            "rules": .object(
                JSONObject(rules.keys.sorted().map { JSONObject.Member(name: $0, value: rules[$0]?.json ?? .null) })
            ),
            "allow": .array(allow.map(\.json)),
        ]
    }

    /// Merges objects and replaces lists, and notes what does not fit; only then is something left unchanged.
    ///
    /// The caller refuses members that nobody has read.
    package mutating func change(_ check: inout BodyCheck, _ registry: RuleRegistry, apis: APINames) {
        if check.value("graceMs")?.isNull == true {
            graceMs = nil
        } else if let number = check.integer("graceMs", in: 0...Self.mostMilliseconds) {
            graceMs = number
        }
        if let level = check.choice("failOn", ConductFailure.self) { failOn = level }
        if let names = Self.required(&check, registry) { require = names }
        if let object = check.object("rules") { changeRules(object, &check, registry) }
        if let value = check.value("allow") { allow = Self.allowances(value, apis, &check, rules: registry) }
    }

    /// The refusal of an id that nothing has.
    private static func unknownRule(_ name: String, _ registry: RuleRegistry) -> String {
        let nearest = registry.unknown(name).nearest
        return "must be a rule or the name of an instance, found \"\(name.cut)\""
            + Suggestion.hint(nearest)
    }

    private static func isKnown(_ name: String, _ registry: RuleRegistry) -> Bool {
        registry.declaration(name) != nil || registry.instance(name) != nil
    }

    private static func required(_ check: inout BodyCheck, _ registry: RuleRegistry) -> [String]? {
        guard let value = check.value("require") else { return nil }
        guard let items = value.arrayValue, items.count <= BodyCheck.mostNames else {
            check.fault("require", "must be a list of at most \(BodyCheck.mostNames) rules")
            return nil
        }
        var names: [String] = []
        for (place, item) in items.enumerated() where !check.isFull {
            guard let name = item.stringValue, isKnown(name, registry) else {
                check.fault("require[\(place)]", unknownRule(item.stringValue ?? item.text, registry))
                continue
            }
            names.append(name)
        }
        return names
    }

    // MARK: Rules

    private mutating func changeRules(_ object: JSONObject, _ check: inout BodyCheck, _ registry: RuleRegistry) {
        for member in object.members where !check.isFull {
            let id = member.name
            guard Self.isKnown(id, registry) else {
                check.fault("rules.\(id.cut)", Self.unknownRule(id, registry))
                continue
            }
            if member.value.isNull {
                rules[id] = nil
                continue
            }
            guard let members = member.value.objectValue else {
                check.fault("rules.\(id)", "must be an object, or null for the default")
                continue
            }
            var change = rules[id] ?? RuleChange()
            var inner = BodyCheck(members, at: "\(check.path).rules.\(id)")
            change.take(&inner, Self.numbers(of: id, registry))
            check.add(inner.items)
            rules[id] = change == RuleChange() ? nil : change
        }
    }

    /// The numbers that a rule has, or the rules that an instance stands for.
    private static func numbers(of id: String, _ registry: RuleRegistry) -> [SettingName] {
        let ids = registry.instance(id)?.parts.map(\.rule) ?? [id]
        let declared = ids.compactMap(registry.declaration).flatMap { $0.settings.map(\.name) }
        return SettingName.allCases.filter(declared.contains)
    }

    package static func range(of name: SettingName) -> ClosedRange<Int64> {
        switch name {
        case .evenPercent: 0...100
        // "So many" of nothing is no limit.
        case .times, .unchanged: 1...largestNumber
        default: 0...largestNumber
        }
    }

    // MARK: Allow-list

    private static func allowances(
        _ value: JSON,
        _ apis: APINames,
        _ check: inout BodyCheck,
        rules registry: RuleRegistry
    ) -> [Allowance] {
        guard let items = value.arrayValue, items.count <= BodyCheck.mostNames else {
            check.fault("allow", "must be a list of at most \(BodyCheck.mostNames) entries")
            return []
        }
        var entries: [Allowance] = []
        for (place, item) in items.enumerated() where !check.isFull {
            guard let object = item.objectValue else {
                check.fault("allow[\(place)]", "must be an object such as {\"rule\":\"…\",\"reason\":\"…\"}")
                continue
            }
            var inner = BodyCheck(object, at: "\(check.path).allow[\(place)]")
            if let entry = Allowance(&inner, registry, apis: apis) { entries.append(entry) }
            check.add(inner.items)
        }
        return entries
    }
}

extension ConductSettings.RuleChange {
    package var json: JSON {
        var object = JSONObject()
        if let severity { object.append("severity", .string(severity.rawValue)) }
        for name in SettingName.allCases {
            if let number = numbers[name] { object.append(name.rawValue, .integer(number)) }
        }
        return .object(object)
    }

    /// Takes the members of a change; null takes one back to its default.
    fileprivate mutating func take(_ check: inout BodyCheck, _ names: [SettingName]) {
        if check.present("severity")?.isNull == true { severity = nil }
        if let level = check.choice("severity", Level.self) { severity = level }
        for name in names {
            if check.present(name.rawValue)?.isNull == true { numbers[name] = nil }
            if let number = check.integer(name.rawValue, in: ConductSettings.range(of: name)) { numbers[name] = number }
        }
        check.refuseUnknown()
    }
}

extension ConductSettings.Allowance {
    package var json: JSON {
        var object: JSONObject = ["rule": .string(rule)]
        if let api { object.append("api", .string(api)) }
        if let route { object.append("route", .string(route)) }
        object.append("reason", .string(reason))
        if let until { object.append("until", .string(until)) }
        return .object(object)
    }

    /// Reads an entry; nil if a part of it does not fit.
    fileprivate init?(_ check: inout BodyCheck, _ registry: RuleRegistry, apis: ConductSettings.APINames) {
        let rule = check.requiredString("rule")
        let reason = check.requiredString("reason")
        let api = check.string("api")
        let route = check.string("route")
        let until = check.string("until")
        if let rule { Self.checkRule(rule, &check, registry) }
        if let reason, reason.allSatisfy(\.isWhitespace) { check.fault("reason", "must not be blank") }
        if let api { Self.checkAPI(api, apis, &check) }
        if let route, !Self.isRoute(route) {
            check.fault("route", "must be a method and a path, such as GET /api/v1/flags or * /files/**")
        }
        if let until, !Self.isDate(until) { check.fault("until", "must be a date such as 2027-03-31") }
        check.refuseUnknown()
        guard check.items.isEmpty, let rule, let reason else { return nil }
        self.init(rule: rule, api: api, route: route, reason: reason, until: until)
    }

    private static func checkRule(_ rule: String, _ check: inout BodyCheck, _ registry: RuleRegistry) {
        var filter = ReportFilter()
        do throws(UnknownRule) {
            try registry.add(rule, to: &filter)
        } catch {
            let hint = Suggestion.hint(error.nearest)
            check.fault(
                "rule",
                "must be a rule, the name of an instance or a glob that fits one, found \"\(rule.cut)\"\(hint)"
            )
        }
    }

    private static func checkAPI(_ api: String, _ apis: ConductSettings.APINames, _ check: inout BodyCheck) {
        let known: [String]
        switch apis {
        case .any: return
        case .of(let names): known = names
        case .orHosts(let names):
            if api.contains(where: { $0 == "." || $0 == ":" }) || api == "localhost" { return }
            known = names
        }
        guard !known.contains(api) else { return }
        check.fault("api", MemberReason.choice(.string(api), among: known))
    }

    private static func isRoute(_ text: String) -> Bool {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("/") || parts[1].hasPrefix("*") else { return false }
        return parts[0] == "*" || !parts[0].isEmpty && parts[0].utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }

    private static func isDate(_ text: String) -> Bool {
        text.utf8.count == 10 && Instant(iso8601: text + "T00:00:00Z") != nil
    }
}
