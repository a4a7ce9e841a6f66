import HTTPMessage

/// An entry that many matchers examine one after the other; the parts that they need are read once.
package final class JournalGlance {
    package let place: JournalPlace
    private let paths: JournalPaths
    private lazy var api = place.api
    private lazy var method = place.method
    private lazy var segments = place.path.map { paths.segments(of: $0) }
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
            guard let segments, pattern.matches(segments) else { return false }
        }
        guard matcher.looksBeyondPath else { return true }
        return subject.map { matcher.matches($0) } ?? false
    }
}

/// The segments of paths that occurred, because clients repeat theirs.
package final class JournalPaths {
    private static let most = 256
    private var known: [String: [String]] = [:]

    package init() {}

    fileprivate func segments(of path: String) -> [String] {
        if let segments = known[path] { return segments }
        let segments = MatchSubject.segments(of: path)
        if known.count < Self.most { known[path] = segments }
        return segments
    }
}
