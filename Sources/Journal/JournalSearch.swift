package import Conditions

/// A matcher that searches a journal.
///
/// It remembers its result for a path, because clients repeat theirs.
package struct JournalSearch {
    /// The number of paths that are remembered; more of them cost time, not memory.
    private static let mostPaths = 1_024

    package let matcher: Matcher
    private var paths: [String: Bool] = [:]

    package init(_ matcher: Matcher) { self.matcher = matcher }

    /// Returns whether the entry matches; cheap comparisons come first.
    package mutating func takes(_ place: JournalPlace) -> Bool {
        guard matcher.admits(api: place.api, method: place.method) else { return false }
        guard !matcher.isAnything else { return true }
        guard takesPath(of: place) else { return false }
        guard matcher.looksBeyondPath, let entry = place.entry else { return !matcher.looksBeyondPath }
        return matcher.matches(MatchSubject(entry))
    }

    private mutating func takesPath(of place: JournalPlace) -> Bool {
        guard let pattern = matcher.pathCondition else { return true }
        guard let path = place.path else { return false }
        if let known = paths[path] { return known }
        let answer = pattern.matches(MatchSubject.path(path))
        if paths.count < Self.mostPaths { paths[path] = answer }
        return answer
    }
}
