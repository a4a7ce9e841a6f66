import CivilTime
package import JSON

/// A report as the server printed it, read to be printed in another form and compared with a baseline.
extension JudgementReport {
    /// Reads a report; nil for a document that is none.
    ///
    /// `failOn` and `required` are not in the document: they are the caller's, with the names in `required` that were not
    /// exercised.
    package init?(json: JSON, failOn: ConductFailure, required: [String], missing: [String]) {
        guard json["format"] == "understudy-conduct", json["version"] == 1,
            let verdict = json["verdict"]?.stringValue.flatMap(Verdict.init), let journal = json["journal"],
            let findings = json["findings"]?.arrayValue, let rules = json["rules"]?.arrayValue,
            let allow = json["allow"]?.arrayValue
        else { return nil }
        let read = findings.enumerated().compactMap { ConductFinding(json: $0.element, place: UInt64($0.offset)) }
        let lines = rules.compactMap(RuleResult.init(json:))
        guard read.count == findings.count, lines.count == rules.count else { return nil }
        self.init(
            verdict: verdict,
            world: json["world"]?.stringValue,
            files: json["files"]?.arrayValue?.compactMap(\.stringValue),
            journal: JournalRange(
                from: journal["from"]?.intValue.flatMap { UInt64(exactly: $0) },
                to: journal["to"]?.intValue.flatMap { UInt64(exactly: $0) },
                entries: Int(clamping: journal["entries"]?.intValue ?? 0),
                isComplete: journal["complete"]?.boolValue ?? true
            ),
            findings: read,
            rules: lines,
            allow: allow.compactMap(AllowResult.init(json:)),
            gone: [],
            failOn: failOn,
            required: required,
            missing: missing
        )
        judge()
    }

    /// Suppresses the findings of a baseline.
    package mutating func apply(baseline: [ConductSettings.BaselineEntry]) {
        gone = Baseline.apply(baseline, to: &findings)
        findings =
            findings.enumerated().sorted { left, right in
                let (first, second) = (left.element.isLeft ? 0 : 1, right.element.isLeft ? 0 : 1)
                return (first, left.offset) < (second, right.offset)
            }.map(\.element)
        for place in rules.indices {
            let left = findings.count { $0.rule == rules[place].id && $0.isLeft }
            rules[place].findings = left
            if rules[place].status == .failed, left == 0 { rules[place].status = .passed }
        }
        judge()
    }

    /// Decides the verdict anew.
    private mutating func judge() {
        let fails = findings.contains { $0.isLeft && failOn.isReached(by: $0.severity) }
        if journal.entries == 0 { missing = [] }
        verdict = fails || !missing.isEmpty ? .fail : .pass
    }
}

extension ConductFinding {
    /// Reads a finding; nil for a document that is none.
    fileprivate init?(json: JSON, place: UInt64) {
        func text(_ name: String) -> String? { json[name]?.stringValue }
        func instant(_ name: String) -> Instant? { text(name).flatMap { Instant(iso8601: $0) } }
        guard let rule = text("rule"), let severity = text("severity").flatMap(ConductSeverity.init),
            let api = text("api"), let method = text("method"), let route = text("route"), let title = text("title"),
            let seen = text("seen"), let expected = text("expected"), let why = text("why"), let fix = text("fix"),
            let first = instant("first"), let last = instant("last"), let fingerprint = text("fingerprint")
        else { return nil }
        self.init(
            rule: rule,
            instance: text("as"),
            severity: severity,
            world: text("world"),
            api: api,
            method: method,
            route: route,
            user: text("user"),
            title: title,
            seen: seen,
            expected: expected,
            why: why,
            fix: fix,
            requests: json["requests"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            count: Int(clamping: json["count"]?.intValue ?? 1),
            first: first,
            last: last,
            fingerprint: fingerprint,
            suppressed: Suppression(json: json["suppressed"]),
            source: (json["source"]?.arrayValue ?? []).compactMap { source in
                source["title"]?.stringValue.map { RuleSource($0, source["url"]?.stringValue) }
            },
            help: text("help") ?? "",
            firstSeq: place
        )
    }
}

extension ConductFinding.Suppression {
    fileprivate init?(json: JSON?) {
        switch json?["by"]?.stringValue {
        case "allow"?: self = .allowed(reason: json?["reason"]?.stringValue ?? "")
        case "baseline"?: self = .baseline
        default: return nil
        }
    }
}

extension JudgementReport.RuleResult {
    fileprivate init?(json: JSON) {
        guard let id = json["id"]?.stringValue,
            let status = json["status"]?.stringValue.flatMap(JudgementReport.Status.init)
        else { return nil }
        self.init(
            id: id,
            severity: json["severity"]?.stringValue.flatMap(ConductSeverity.init),
            status: status,
            judged: Int(clamping: json["judged"]?.intValue ?? 0),
            findings: Int(clamping: json["findings"]?.intValue ?? 0),
            reason: json["reason"]?.stringValue,
            exercisedBy: json["exercisedBy"]?.arrayValue?.compactMap(\.stringValue) ?? []
        )
    }
}

extension JudgementReport.AllowResult {
    fileprivate init?(json: JSON) {
        guard let rule = json["rule"]?.stringValue, let reason = json["reason"]?.stringValue,
            let state = json["state"]?.stringValue.flatMap(State.init)
        else { return nil }
        self.init(
            entry: ConductSettings.Allowance(
                rule: rule,
                api: json["api"]?.stringValue,
                route: json["route"]?.stringValue,
                reason: reason,
                until: json["until"]?.stringValue
            ),
            state: state,
            findings: Int(clamping: json["findings"]?.intValue ?? 0)
        )
    }
}
