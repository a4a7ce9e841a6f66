/// The counters of the process since its start (control contract, section 15).
package struct Metrics: Sendable {
    /// The upper bounds of the latency histogram in seconds.
    package static let bounds: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]

    /// The durations of one API.
    package struct Histogram: Sendable {
        /// The counts by bound, not cumulative, with one more for everything longer.
        package var counts = [UInt64](repeating: 0, count: Metrics.bounds.count + 1)
        package var sum = 0.0
        package var count: UInt64 = 0

        mutating func note(_ seconds: Double) {
            let place = Metrics.bounds.firstIndex { seconds <= $0 } ?? Metrics.bounds.count
            counts[place] += 1
            sum += seconds
            count += 1
        }
    }

    /// Statuses with their counts, in order of first occurrence.
    package typealias Statuses = [(code: Int, count: UInt64)]

    /// The statuses by API, then by route, up to the last route that took a request.
    package private(set) var requests: [[Statuses]]
    /// The statuses of requests that no route took, by API.
    package private(set) var unmatched: [Statuses]
    package private(set) var durations: [Histogram]
    /// The effects of faults with their counts by API, in order of first occurrence.
    package private(set) var faults: [[(effect: String, count: UInt64)]]

    init(apis: Int) {
        requests = Array(repeating: [], count: apis)
        unmatched = Array(repeating: [], count: apis)
        durations = Array(repeating: Histogram(), count: apis)
        faults = Array(repeating: [], count: apis)
    }

    /// Counts a response; `route` is nil when no route took the request.
    mutating func noteAnswer(api: Int, route: Int?, status: Int) {
        guard let route else { return Self.count(status, in: &unmatched[api]) }
        while requests[api].count <= route { requests[api].append([]) }
        Self.count(status, in: &requests[api][route])
    }

    private static func count(_ status: Int, in statuses: inout Statuses) {
        if let known = statuses.firstIndex(where: { $0.code == status }) {
            statuses[known].count += 1
        } else {
            statuses.append((status, 1))
        }
    }

    mutating func noteEnd(api: Int, seconds: Double) { durations[api].note(seconds) }

    /// Counts a fault that acted.
    package mutating func noteFault(api: Int, effect: String) {
        if let known = faults[api].firstIndex(where: { $0.effect == effect }) {
            faults[api][known].count += 1
        } else {
            faults[api].append((effect, 1))
        }
    }
}
