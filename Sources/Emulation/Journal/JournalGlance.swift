import HTTPMessage

/// An entry where many matchers look at it, one after the other: what they need of it is read once.
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

    /// Whether the entry is meant; what is cheap to look at comes first.
    package func fits(_ matcher: Matcher) -> Bool {
        guard matcher.admits(api: api, method: method) else { return false }
        guard !matcher.isAnything else { return true }
        if let pattern = matcher.pathPattern {
            guard let segments, pattern.matches(segments) else { return false }
        }
        guard matcher.looksBeyondPath else { return true }
        return subject.map { matcher.matches($0) } ?? false
    }
}

/// The segments of paths that came up, since clients repeat theirs.
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
