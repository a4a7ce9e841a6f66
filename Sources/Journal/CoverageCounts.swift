/// The endpoints and scenarios that a world has seen; a part of its value (console contract, section 8).
///
/// Counts begin when the world is made, reset or its journal cleared, and continue when entries drop out of the journal.
package struct CoverageCounts: Sendable {
    /// The answers of an endpoint with one status.
    package struct Count: Sendable, Equatable {
        package let status: Int
        package internal(set) var count: Int
    }

    /// The number up to which is counted.
    private static let mostCounted = 1 << 53

    /// The counts of each API by the index of the endpoint; empty for an API without a request.
    private var endpoints: [[[Count]]] = []
    /// The names of the scenarios that were on during an exchange of their API, in order of the first.
    package private(set) var scenarios: [String] = []
    /// The requests of each API that nothing answered.
    private var unmatched: [Int] = []

    package init() {}

    /// Tells that nothing was counted.
    package var isEmpty: Bool {
        scenarios.isEmpty && unmatched.allSatisfy { $0 == 0 } && endpoints.allSatisfy(\.isEmpty)
    }

    /// Tells whether an endpoint of an API has answered.
    package func hasAnswers(api: Int) -> Bool { api < endpoints.count && !endpoints[api].isEmpty }

    /// Counts an exchange, or several at once.
    package mutating func note(api: Int, endpoint: Int?, status: Int, isUnmatched: Bool, times: Int = 1) {
        while endpoints.count <= api {
            endpoints.append([])
            unmatched.append(0)
        }
        if isUnmatched { unmatched[api] = min(unmatched[api] + times, Self.mostCounted) }
        guard let endpoint, status > 0 else { return }
        while endpoints[api].count <= endpoint { endpoints[api].append([]) }
        guard let place = endpoints[api][endpoint].firstIndex(where: { $0.status == status }) else {
            endpoints[api][endpoint].append(Count(status: status, count: times))
            return
        }
        endpoints[api][endpoint][place].count = min(endpoints[api][endpoint][place].count + times, Self.mostCounted)
    }

    /// Creates counts with scenarios that were seen before, each once.
    package init(scenarios: [String]) { self.scenarios = scenarios }

    package mutating func note(scenario: String) {
        if !scenarios.contains(scenario) { scenarios.append(scenario) }
    }

    /// Removes the counts of one API, or all.
    package mutating func clear(api: Int?, named name: String?) {
        guard let api, let name else {
            self = CoverageCounts()
            return
        }
        scenarios.removeAll { $0.hasPrefix(name + "/") }
        guard api < endpoints.count else { return }
        endpoints[api] = []
        unmatched[api] = 0
    }

    /// The answers of an endpoint by status.
    package func answers(api: Int, endpoint: Int) -> [Count] {
        guard api < endpoints.count, endpoint < endpoints[api].count else { return [] }
        return endpoints[api][endpoint].sorted { $0.status < $1.status }
    }

    /// The requests that nothing answered, of one API or of all.
    package func unmatched(api: Int?) -> Int {
        guard let api else { return unmatched.reduce(0, +) }
        return api < unmatched.count ? unmatched[api] : 0
    }
}
