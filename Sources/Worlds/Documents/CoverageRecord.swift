import Backend
import HTTPMessage
import JSON
import Journal

/// The endpoints and scenarios that a world has seen, by names, since another version may have other endpoints.
struct CoverageRecord: Codable, Sendable {
    struct Answers: Codable, Sendable {
        var api: String
        var method: String
        var route: String
        var status: Int
        var count: Int
    }

    /// The answers of each endpoint and status, in the order of the OpenAPI documents.
    var answers: [Answers]
    var scenarios: [String]
    /// The requests that nothing answered, by API.
    var unmatched: [Counters.Line]

    /// Creates the record; nil for a book in which nothing was counted.
    init?(_ book: CoverageCounts, _ apis: [AnyAPI]) {
        guard !book.isEmpty else { return nil }
        answers = []
        unmatched = []
        scenarios = book.scenarios
        for (index, api) in apis.enumerated() {
            let missed = book.unmatched(api: index)
            if missed > 0 { unmatched.append(Counters.Line(name: api.identity.name, value: UInt64(missed))) }
            guard book.hasAnswers(api: index) else { continue }
            for (endpoint, route) in api.coveragePlaces.enumerated() {
                for line in book.answers(api: index, endpoint: endpoint) {
                    answers.append(
                        Answers(
                            api: api.identity.name,
                            method: route.method.rawValue,
                            route: route.template,
                            status: line.status,
                            count: line.count
                        )
                    )
                }
            }
        }
    }

    /// The numbers that count up.
    var numbers: [UInt64] { answers.map { UInt64(max($0.count, 0)) } + unmatched.map(\.value) }
}

extension WorldReading {
    /// More than all APIs have endpoints and statuses.
    private static let mostCoverageRows = 100_000

    /// Reads what a world has seen; endpoints and scenarios that are no longer there are dropped silently.
    mutating func coverageCounts(_ record: CoverageRecord?) -> CoverageCounts {
        guard let record else { return CoverageCounts() }
        for (name, count) in [
            ("answers", record.answers.count), ("scenarios", record.scenarios.count),
            ("unmatched", record.unmatched.count),
        ] where count > Self.mostCoverageRows {
            fault(.record, ["coverage", .key(name)], "must be at most \(Self.mostCoverageRows) rows")
            return CoverageCounts()
        }
        var seen: Set<String> = []
        var book = CoverageCounts(
            scenarios: record.scenarios.filter { name in
                apis.contains { name.hasPrefix($0.identity.name + "/") } && seen.insert(name).inserted
            }
        )
        for (row, line) in record.answers.enumerated() {
            let path: [JSONPathElement] = ["coverage", "answers", .index(row)]
            let isCounted = line.count > 0 && UInt64(line.count) <= largestCount
            if !isCounted { fault(.record, path + ["count"], "must be from 1 to 2^53") }
            guard (100...599).contains(line.status) else {
                fault(.record, path + ["status"], "must be from 100 to 599")
                continue
            }
            guard isCounted else { continue }
            guard let index = apis.firstIndex(where: { $0.identity.name == line.api }),
                let endpoint = apis[index].coveragePlace(line.method, line.route)
            else { continue }
            book.note(api: index, endpoint: endpoint, status: line.status, isUnmatched: false, times: line.count)
        }
        for (row, line) in record.unmatched.enumerated() {
            guard line.value <= largestCount else {
                fault(.record, ["coverage", "unmatched", .index(row), "value"], "must be from 0 to 2^53")
                continue
            }
            guard let index = apis.firstIndex(where: { $0.identity.name == line.name }) else { continue }
            book.note(api: index, endpoint: nil, status: 0, isUnmatched: true, times: Int(line.value))
        }
        return book
    }

    /// Returns the number of entries that the journal's bound had pushed out.
    mutating func dropped(_ record: WorldRecord) -> Int {
        let count = record.dropped ?? 0
        guard count >= 0, UInt64(count) <= largestCount else {
            fault(.record, ["dropped"], "must be from 0 to 2^53")
            return 0
        }
        return count
    }
}
