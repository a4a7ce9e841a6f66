package import Backend
import HTTPMessage

/// The matchers that match the content of a request, found out in advance by a worker.
///
/// It does not have matchers that were added to the world later; those are evaluated in their turn.
package final class MatchForecast: Sendable {
    private let answers: [ObjectIdentifier: Bool]
    /// The matchers, kept so that no other matcher takes the identity of a deleted one.
    private let matchers: [Matcher]
    /// The stubs whose match fits, by method, of the book with that stamp; nil where the loop looks for them.
    private let stubs: (stamp: StubRegistry.Stamp?, ranks: [(method: HTTPMethod, ranks: [Int64])])?

    package init(_ matchers: [Matcher], _ stubs: StubRegistry?, for subject: MatchSubject) {
        self.matchers = matchers
        self.stubs = stubs.map { book in
            let methods = subject.method == .head ? [.head, .get] : [subject.method]
            return (book.stamp, methods.map { ($0, book.ranks(fitting: subject, $0)) })
        }
        var answers: [ObjectIdentifier: Bool] = [:]
        for matcher in matchers {
            guard let identity = matcher.identity else { continue }
            let isMeant = matcher.admits(api: subject.api, method: subject.method)
            answers[ObjectIdentifier(identity)] = isMeant && matcher.meansContent(of: subject)
        }
        self.answers = answers
    }

    subscript(identity: Matcher.Identity) -> Bool? { answers[ObjectIdentifier(identity)] }

    /// The ranks of the stubs whose match fits; nil if they are not known, or the stubs have changed since.
    func stubs(of book: StubRegistry, _ method: HTTPMethod) -> [Int64]? {
        guard let stubs, stubs.stamp === book.stamp else { return nil }
        return stubs.ranks.first { $0.method == method }?.ranks
    }
}

/// The steps of regular expressions and searches for each byte of the parts of a request.
struct MatchSteps: Sendable {
    var path = 0
    /// For the query and the fields together.
    var head = 0
    var body = 0

    static func + (left: MatchSteps, right: MatchSteps) -> MatchSteps {
        MatchSteps(path: left.path + right.path, head: left.head + right.head, body: left.body + right.body)
    }
}

/// The cost of many matchers together for each request.
package struct MatchLoad: Sendable {
    /// The approximate nanoseconds for everything that does not depend on a request's length.
    private(set) var effort = 0
    /// The number of patterns that search the path.
    private(set) var searches = 0
    private(set) var steps = MatchSteps()

    mutating func add(_ matcher: Matcher) {
        effort += matcher.effort
        if matcher.searchesPath { searches += 1 }
        steps = steps + matcher.steps
    }

    /// Adds what it takes to find so many matchers and to look whether they may act.
    mutating func addLookups(_ count: Int) { effort += count * 150 }

    package static func + (left: MatchLoad, right: MatchLoad) -> MatchLoad {
        MatchLoad(
            effort: left.effort + right.effort,
            searches: left.searches + right.searches,
            steps: left.steps + right.steps
        )
    }

    /// Returns the approximate nanoseconds for a request with a path, a query and fields, and a body of so many bytes.
    package func work(path: Int, head: Int, body: Int) -> Int {
        // A step of a regular expression takes a few nanoseconds for each of its states.
        let taken = steps.path * path + steps.head * head + steps.body * body
        return effort + searches * 2 * path + Self.nanosecondsOfStep * taken
    }

    /// Returns whether a worker should evaluate a request with a path, a query and fields, and a body of so many bytes.
    func isHeavy(path: Int, head: Int, body: Int) -> Bool {
        work(path: path, head: head, body: body) > WorkBudget.inPlace
    }

    private static let nanosecondsOfStep = 3
}

/// The preparation of a request by a worker before it is answered.
package struct PreparedRequest: Sendable {
    /// The result of the endpoint's own preparation.
    package var own: (any Sendable)?
    package var reading: ReadBody?
    package var forecast: MatchForecast?
    /// The digest of the content.
    package var digest: [UInt8]?

    package init(own: (any Sendable)? = nil, reading: ReadBody? = nil, forecast: MatchForecast? = nil) {
        self.own = own
        self.reading = reading
        self.forecast = forecast
    }
}
