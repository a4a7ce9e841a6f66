package import Backend

/// The result of checking one file or folder.
package struct ValidationReport: Sendable {
    /// The path as the user wrote it.
    package var path: String
    /// The kind of content that was recognised: `seeds of omnichat`, `faults`, `recording`.
    package var kind: String
    package var problems: [SeedError.Item]
    /// Oddities that are not problems.
    package var notes: [SeedError.Item] = []

    package init(_ path: String, _ kind: String, _ problems: [SeedError.Item] = [], notes: [SeedError.Item] = []) {
        self.path = path
        self.kind = kind
        self.problems = problems
        self.notes = notes
    }
}
