import HTTPMessage

/// The matchers that match the content of a request, found out in advance by a worker.
///
/// It does not have matchers that were added to the world later; those are evaluated in their turn.
package final class MatchForecast: Sendable {
    private let answers: [ObjectIdentifier: Bool]
    /// The matchers, kept so that no other matcher takes the identity of a deleted one.
    private let matchers: [Matcher]

    init(_ matchers: [Matcher], for subject: MatchSubject) {
        self.matchers = matchers
        var answers: [ObjectIdentifier: Bool] = [:]
        for matcher in matchers {
            guard let identity = matcher.identity else { continue }
            let isMeant = matcher.admits(api: subject.api, method: subject.method)
            answers[ObjectIdentifier(identity)] = isMeant && matcher.meansContent(of: subject)
        }
        self.answers = answers
    }

    subscript(identity: Matcher.Identity) -> Bool? { answers[ObjectIdentifier(identity)] }
}

/// The cost of many matchers together for each request.
struct MatchLoad: Sendable {
    /// The approximate nanoseconds for everything but searched paths.
    private(set) var effort = 0
    /// The number of patterns that search the path.
    private(set) var searches = 0

    mutating func add(_ matcher: Matcher) {
        effort += matcher.effort
        if matcher.searchesPath { searches += 1 }
    }

    static func + (left: MatchLoad, right: MatchLoad) -> MatchLoad {
        MatchLoad(effort: left.effort + right.effort, searches: left.searches + right.searches)
    }

    /// Returns whether a worker should evaluate a request with a path of so many bytes.
    func isHeavy(path: Int) -> Bool { effort + searches * 2 * path > Self.mostInPlace }

    /// Half a millisecond.
    private static let mostInPlace = 500_000
}

/// The preparation of a request by a worker before it is answered.
package struct PreparedRequest: Sendable {
    /// The result of the endpoint's own preparation.
    var own: (any Sendable)?
    var reading: ReadBody?
    var forecast: MatchForecast?
}
