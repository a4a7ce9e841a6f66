import Backend
package import Conditions

extension MatchSubject {
    /// Creates the subject of an exchange of the journal.
    package convenience init(_ entry: JournalEntry) {
        self.init(
            api: entry.api,
            method: entry.method,
            path: Self.path(entry.path),
            fields: entry.headers,
            user: entry.user,
            rawQuery: entry.query,
            content: entry.body.kept,
            isWhole: !entry.body.isTruncated,
            isReused: entry.isOnReused
        )
    }
}

extension Matcher {
    /// Returns whether an exchange of the journal matches; cheap comparisons come first.
    package func matches(_ entry: JournalEntry) -> Bool {
        guard admits(api: entry.api, method: entry.method) else { return false }
        return isAnything || matches(MatchSubject(entry))
    }
}
