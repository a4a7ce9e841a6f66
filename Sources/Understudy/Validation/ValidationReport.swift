package import Emulation

/// What was found in one file or folder.
package struct ValidationReport: Sendable {
    /// As it was named.
    package var path: String
    /// What it was taken for: `seeds of omnichat`, `faults`, `recording`.
    package var kind: String
    package var problems: [SeedError.Item]
    /// Oddities that are no problems.
    package var notes: [String] = []

    package init(_ path: String, _ kind: String, _ problems: [SeedError.Item] = [], notes: [String] = []) {
        self.path = path
        self.kind = kind
        self.problems = problems
        self.notes = notes
    }
}
