/// The findings that were there before (conduct contract, section 11).
package enum Baseline {
    /// Suppresses the findings in it, and returns the entries without a finding.
    package static func apply(
        _ entries: [ConductSettings.BaselineEntry],
        to findings: inout [ConductFinding]
    ) -> [ConductSettings.BaselineEntry] {
        let known = Set(entries.map(\.fingerprint))
        for place in findings.indices where findings[place].suppressed == nil {
            if known.contains(findings[place].fingerprint) { findings[place].suppressed = .baseline }
        }
        let found = Set(findings.map(\.fingerprint))
        return entries.filter { !found.contains($0.fingerprint) }
    }
}
