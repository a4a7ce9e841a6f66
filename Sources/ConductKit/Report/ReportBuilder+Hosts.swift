extension ConductEngine {
    /// The findings about other hosts, each with the name of the host in place of an API.
    func hostFindings(_ filter: ReportFilter, place: Int, _ hosts: AskedHosts) -> [ConductFinding] {
        let declaration = context.table.rules.declarations[place]
        return hosts.others.compactMap { other in
            let limits = context.table.limits(place, api: other.host, method: other.method, route: other.text)
            guard let severity = limits.severity else { return nil }
            return ConductFinding(
                rule: declaration.id,
                severity: severity,
                api: other.host,
                method: other.method,
                route: other.text,
                title: declaration.title,
                seen: "The client asked the forward proxy for `\(other.text)` \(Words.times(Int64(other.count))).",
                expected: declaration.expected,
                why: declaration.why,
                fix: declaration.shortFix,
                requests: [],
                count: other.count,
                first: other.first,
                last: other.last,
                fingerprint: FindingFingerprint.make(
                    rule: declaration.id,
                    api: other.host,
                    method: other.method,
                    route: other.text
                ),
                source: declaration.source,
                help: declaration.help,
                firstSeq: 0
            )
        }
    }

    /// The hosts that a report is about: those of no user and of no API.
    func hosts(_ filter: ReportFilter, _ reportContext: ReportContext) -> AskedHosts {
        filter.user == nil && filter.api == nil ? reportContext.hosts : AskedHosts()
    }
}
