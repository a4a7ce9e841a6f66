import CivilTime

/// The facts of a report beside those that the engine found.
package struct ReportContext: Sendable {
    package var world: String?
    package var files: [String]?
    package var journal: JudgementReport.JournalRange
    package var baseline: [ConductSettings.BaselineEntry] = []
    /// The machine's date in UTC, as `2027-03-31`.
    package var today = ""
    /// The reasons why rules can't be judged: of those that need the contract, the group `auth`, and all.
    package var lacksContract = false
    package var lacksCredentials = false
    package var lacksTimes = false
    /// The APIs of which own rules are shown though no exchange is there.
    package var failOn: ConductFailure?
    package var require: [String] = []
    /// The hosts that the forward proxy was asked for, and that are in no journal.
    package var hosts = AskedHosts()

    package init(world: String?, files: [String]? = nil, journal: JudgementReport.JournalRange) {
        self.world = world
        self.files = files
        self.journal = journal
    }
}

extension ConductEngine {
    private var registry: RuleRegistry { context.table.rules }

    /// Makes the report of what was judged so far.
    package func report(_ filter: ReportFilter = ReportFilter(), _ reportContext: ReportContext) -> JudgementReport {
        let reasons = registry.declarations.enumerated().map { reason($0.offset, $0.element, reportContext) }
        let chosen = chosenRules(filter)
        var findings = fold(filter, chosen, reasons, reportContext)
        let hosts = hosts(filter, reportContext)
        for (place, declaration) in registry.declarations.enumerated()
        where declaration.judgesHosts && chosen.contains(place) && reasons[place] == nil {
            findings += hostFindings(filter, place: place, hosts)
        }
        let settings = context.table.settings
        let allow = AllowList.apply(settings.allow, to: &findings, today: reportContext.today)
        let gone = Baseline.apply(reportContext.baseline, to: &findings)
        findings.sort(by: Self.comesFirst)
        var rules: [JudgementReport.RuleResult] = []
        for (place, declaration) in registry.declarations.enumerated() where chosen.contains(place) {
            let severity = context.table.severity(place)
            let own = findings.filter { $0.rule == declaration.id && $0.suppressed == nil }.count
            let besides = declaration.judgesHosts ? hosts.count : 0
            let judged = reasons[place] == nil ? situations(of: place, filter) + besides : 0
            let status: JudgementReport.Status =
                reasons[place] != nil ? .notJudged : own > 0 ? .failed : judged > 0 ? .passed : .notExercised
            rules.append(
                JudgementReport.RuleResult(
                    id: declaration.id,
                    severity: severity ?? declaration.severity,
                    status: status,
                    judged: judged,
                    findings: own,
                    reason: reasons[place],
                    exercisedBy: status == .notExercised ? declaration.exercisedBy : []
                )
            )
        }
        rules.sort { $0.id < $1.id }
        let failOn = reportContext.failOn ?? settings.failOn
        var required: [String] = []
        for name in settings.require + reportContext.require where !required.contains(name) { required.append(name) }
        let missing = required.filter { !isExercised($0, rules, reasons, filter) }
        let fails = findings.contains { $0.suppressed == nil && failOn.isReached(by: $0.severity) }
        let isEmpty = reportContext.journal.entries == 0
        return JudgementReport(
            verdict: fails || !missing.isEmpty && !isEmpty ? .fail : .pass,
            world: reportContext.world,
            files: reportContext.files,
            journal: reportContext.journal,
            findings: findings,
            rules: rules,
            allow: allow,
            gone: gone,
            failOn: failOn,
            required: required,
            missing: isEmpty ? [] : missing
        )
    }

    /// Errors first, then by rule, API and first request; suppressed ones last.
    static func comesFirst(_ left: ConductFinding, _ right: ConductFinding) -> Bool {
        if (left.suppressed == nil) != (right.suppressed == nil) { return left.suppressed == nil }
        if left.severity != right.severity { return left.severity == .error }
        return (left.rule, left.api, left.firstSeq, left.fingerprint) < (
            right.rule, right.api, right.firstSeq, right.fingerprint
        )
    }

    /// Tells whether a rule, or one of those that a name stands for, was passed or failed.
    private func isExercised(
        _ name: String,
        _ rules: [JudgementReport.RuleResult],
        _ reasons: [String?],
        _ filter: ReportFilter
    ) -> Bool {
        func holds(_ id: String) -> Bool {
            guard let result = rules.first(where: { $0.id == id }) else { return false }
            return result.status == .passed || result.status == .failed
        }
        if registry.places[name] != nil { return holds(name) }
        guard let instance = registry.instance(name) else { return false }
        return instance.parts.contains { part in
            guard let place = registry.places[part.rule], reasons[place] == nil else { return false }
            return context.situations[place].contains {
                isOf(instance, part, context[$0]) && isMeant(context[$0], filter)
            }
        }
    }

    /// Tells whether an exchange is one of those on which an instance stands for a rule.
    private func isOf(_ instance: RuleInstance, _ part: RuleInstance.Part, _ row: Row) -> Bool {
        let route = context.routes[Int(row.route)]
        return route.api == instance.api && (part.routes?.contains("\(route.method) \(route.route)") ?? true)
    }

    private func chosenRules(_ filter: ReportFilter) -> Set<Int> {
        var apis = Set(context.routes.map(\.api))
        if let api = filter.api { apis = [api] }
        var chosen: Set<Int> = []
        for (place, declaration) in registry.declarations.enumerated() {
            if let rules = filter.rules {
                if rules.contains(declaration.id) { chosen.insert(place) }
            } else if declaration.api.map(apis.contains) ?? true {
                chosen.insert(place)
            }
        }
        return chosen
    }

    private func reason(_ place: Int, _ declaration: RuleDeclaration, _ reportContext: ReportContext) -> String? {
        if context.table.severity(place) == nil, !isOnSomewhere(declaration.id) { return "switched-off" }
        if reportContext.lacksTimes { return "no-times" }
        if reportContext.lacksContract, declaration.needsContract { return "needs-contract" }
        if reportContext.lacksCredentials, declaration.group == "auth" { return "no-credentials" }
        if !reportContext.journal.isComplete, declaration.needsWholeJournal { return "journal-truncated" }
        return nil
    }

    /// Tells whether an instance of a rule that is off is set to a severity of its own.
    private func isOnSomewhere(_ rule: String) -> Bool {
        registry.instances(of: rule).contains { instance in
            switch context.table.settings.rules[instance.id]?.severity {
            case .error?, .warning?: true
            case .off?, nil: false
            }
        }
    }

    private func isMeant(_ row: Row, _ filter: ReportFilter) -> Bool {
        guard row.seq > filter.since else { return false }
        if !filter.told.isEmpty, filter.told.contains(ExchangeMark(seq: row.seq, begin: row.begin)) { return false }
        if let api = filter.api, context.routes[Int(row.route)].api != api { return false }
        guard let user = filter.user else { return true }
        guard row.user >= 0 else { return false }
        let known = context.users[Int(row.user)]
        return known.id == user || known.name?.lowercased() == user.lowercased()
    }

    private func situations(of place: Int, _ filter: ReportFilter) -> Int {
        let id = registry.declarations[place].id
        let named = filter.instances.filter { $0.hasPrefix(id + " ") }.compactMap {
            registry.instance(String($0.dropFirst(id.utf8.count + 1)))
        }
        if named.isEmpty, filter.since == 0, filter.api == nil, filter.user == nil, filter.told.isEmpty {
            return context.situations[place].count
        }
        // A rule that was chosen by the name of an instance is exercised where that stands for it.
        return context.situations[place].count { index in
            let row = context[index]
            guard isMeant(row, filter) else { return false }
            return named.isEmpty
                || named.contains { instance in
                    instance.parts.contains { $0.rule == id && isOf(instance, $0, row) }
                }
        }
    }

    private func fold(
        _ filter: ReportFilter,
        _ chosen: Set<Int>,
        _ reasons: [String?],
        _ reportContext: ReportContext
    ) -> [ConductFinding] {
        let limited = Set(filter.instances.map { String($0.prefix { $0 != " " }) })
        var places: [String: Int] = [:]
        var findings: [ConductFinding] = []
        let ordered = context.occurrences.enumerated().sorted {
            (context[$0.element.breach].seq, $0.offset) < (context[$1.element.breach].seq, $1.offset)
        }
        for (_, occurrence) in ordered {
            let rule = Int(occurrence.rule)
            let row = context[occurrence.breach]
            guard chosen.contains(rule), reasons[rule] == nil, isMeant(row, filter) else { continue }
            let id = registry.declarations[rule].id
            if limited.contains(id), !filter.instances.contains("\(id) \(occurrence.instance ?? "")") { continue }
            let route = context.routes[Int(row.route)]
            // As the fingerprint has it: addresses of mail that differ are shown alike.
            let key = "\(rule) \(route.api) \(route.method) \(ShownText.path(route.route))"
            if let place = places[key] {
                findings[place].count += 1
                let at = Instant(microseconds: row.at)
                findings[place].first = min(findings[place].first, at)
                findings[place].last = max(findings[place].last, at)
                continue
            }
            let declaration = registry.declarations[rule]
            places[key] = findings.count
            findings.append(
                ConductFinding(
                    rule: declaration.id,
                    instance: occurrence.instance,
                    severity: occurrence.severity,
                    api: route.api,
                    method: route.method,
                    route: ShownText.path(route.route),
                    user: row.user >= 0 ? context.users[Int(row.user)].name : nil,
                    title: declaration.title,
                    seen: occurrence.seen,
                    expected: declaration.expected,
                    why: declaration.why,
                    fix: declaration.shortFix,
                    requests: occurrence.rows.map { context.id($0) },
                    count: 1,
                    first: Instant(microseconds: row.at),
                    last: Instant(microseconds: row.at),
                    fingerprint: FindingFingerprint.make(
                        rule: declaration.id,
                        api: route.api,
                        method: route.method,
                        route: ShownText.path(route.route)
                    ),
                    source: declaration.source,
                    help: declaration.help,
                    firstSeq: row.seq,
                    file: row.file >= 0
                        ? reportContext.files.flatMap { $0.indices.contains(Int(row.file)) ? $0[Int(row.file)] : nil }
                        : nil
                )
            )
        }
        return findings
    }
}
