extension Router {
    /// A route that a request may have meant, and why it did not take it.
    package struct Suggestion: Sendable {
        package let row: Row
        /// In the order of the path, the method first; empty when the route would have taken the request.
        package let differences: [Difference]

        /// The differences in words, for people.
        package var differs: String { differences.map(\.description).joined(separator: "; ") }

        /// Tells whether nothing but letters of its segments differs, and perhaps the method: it was mistyped.
        package var isTypo: Bool {
            differences.allSatisfy { difference in
                switch difference {
                case .method, .typo: true
                case .segment, .missing, .surplus: false
                }
            }
        }
    }

    /// One thing that would have to change in a request.
    package enum Difference: Sendable, Equatable, CustomStringConvertible {
        case method(sent: HTTPMethod, known: HTTPMethod)
        /// A segment that nearly is the template's.
        case typo(sent: String, known: String)
        /// A segment that is another one altogether.
        case segment(sent: String, known: String)
        /// Segments of the template that the path lacks, at its start or later.
        case missing([String], isPrefix: Bool)
        /// Segments of the path that the template lacks, at its start or later.
        case surplus([String], isPrefix: Bool)

        package var description: String {
            switch self {
            case .method(let sent, let known): "method \(sent.rawValue) instead of \(known.rawValue)"
            case .typo(let sent, let known): "typo in the path: \(sent) instead of \(known)"
            case .segment(let sent, let known): "segment \(sent) instead of \(known)"
            case .missing(let segments, true): "missing prefix /\(segments.joined(separator: "/"))"
            case .missing(let segments, false): "missing /\(segments.joined(separator: "/"))"
            case .surplus(let segments, true): "surplus prefix /\(segments.joined(separator: "/"))"
            case .surplus(let segments, false): "surplus /\(segments.joined(separator: "/"))"
            }
        }
    }

    /// The routes nearest to a request that none took, nearest first.
    ///
    /// Of a long path only the first 12 segments, and of each only the first 32 bytes, are looked at, so the time is
    /// bounded by the size of the table.
    package func nearest(to path: Path, method: HTTPMethod, count: Int = 3) -> [Suggestion] {
        suggestions.nearest(to: path, method, count: count)
    }
}
