/// Checks between the tables of a seed: unique ids, and references that resolve.
///
/// Collects every problem. Files that came with the build are not checked: its tests have done so.
package struct SeedCheck {
    private let files: SeedFiles
    private var items: [SeedError.Item] = []

    package init(files: SeedFiles) { self.files = files }

    /// Checks that every value occurs once.
    package mutating func unique(_ file: String, _ member: String, _ values: [String]) {
        guard !files.isBuiltIn else { return }
        var seen: Set<String> = []
        for (row, value) in values.enumerated() where !seen.insert(value).inserted {
            fault(file, row, member, "\"\(value)\" is taken by an earlier row")
        }
    }

    /// Checks that every value names a row.
    package mutating func known(
        _ file: String,
        _ member: String,
        _ values: [String?],
        among known: Set<String>,
        _ what: String
    ) {
        guard !files.isBuiltIn else { return }
        for (row, value) in values.enumerated() {
            guard let value, !known.contains(value) else { continue }
            fault(file, row, member, "there is no \(what) \"\(value)\"")
        }
    }

    package mutating func fault(_ file: String, _ row: Int, _ member: String, _ reason: String) {
        items.append(files.fault(in: file, row: row, member: member, reason))
    }

    /// Throws if there are problems.
    package func finish() throws(SeedError) {
        guard items.isEmpty else { throw SeedError(items) }
    }
}
