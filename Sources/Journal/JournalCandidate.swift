package import Conditions
import HTTPMessage

/// An entry that many matchers examine one after the other; the parts that they need are read once.
package final class JournalCandidate {
    package let place: JournalPlace
    private let paths: JournalPaths
    private lazy var api = place.api
    private lazy var method = place.method
    private lazy var path = place.path.map { paths.path($0) }
    private lazy var subject = place.entry.map { MatchSubject($0) }

    package init(_ place: JournalPlace, _ paths: JournalPaths) {
        self.place = place
        self.paths = paths
    }

    /// Returns whether the entry matches; cheap comparisons come first.
    package func fits(_ matcher: Matcher) -> Bool {
        guard matcher.admits(api: api, method: method) else { return false }
        guard !matcher.isAnything else { return true }
        if let pattern = matcher.pathCondition {
            guard let path, pattern.matches(path) else { return false }
        }
        guard matcher.looksBeyondPath else { return true }
        return subject.map { matcher.matches($0) } ?? false
    }
}

/// Paths that occurred, as they were read, because clients repeat theirs.
package final class JournalPaths {
    private static let most = 256
    private var known: [String: Path] = [:]

    package init() {}

    fileprivate func path(_ text: String) -> Path {
        if let path = known[text] { return path }
        let path = MatchSubject.path(text)
        if known.count < Self.most { known[text] = path }
        return path
    }
}
