/// A matcher on its way through a journal: it remembers what it thought of a path, since clients repeat theirs.
package struct JournalSearch {
    /// Paths that are remembered; a client that makes up more of them costs time, not memory.
    private static let mostPaths = 1_024

    package let matcher: Matcher
    private var paths: [String: Bool] = [:]

    package init(_ matcher: Matcher) { self.matcher = matcher }

    /// Whether the entry is meant; what is cheap to look at comes first.
    package mutating func takes(_ place: JournalPlace) -> Bool {
        guard matcher.admits(api: place.api, method: place.method) else { return false }
        guard !matcher.isAnything else { return true }
        guard takesPath(of: place) else { return false }
        guard matcher.looksBeyondPath, let entry = place.entry else { return !matcher.looksBeyondPath }
        return matcher.matches(MatchSubject(entry))
    }

    private mutating func takesPath(of place: JournalPlace) -> Bool {
        guard let pattern = matcher.pathPattern else { return true }
        guard let path = place.path else { return false }
        if let known = paths[path] { return known }
        let answer = pattern.matches(MatchSubject.segments(of: path))
        if paths.count < Self.mostPaths { paths[path] = answer }
        return answer
    }
}
