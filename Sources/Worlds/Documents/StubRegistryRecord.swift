import Backend
import Conditions
import JSON

/// The stubs of a world in their stored form.
struct StubRegistryRecord: Codable, Sendable {
    struct Line: Codable, Sendable {
        var id: String
        /// The stub as it was written.
        var stub: JSONObject
        var origin: String
        var isEnabled: Bool
        var matches: Int
        var hits: Int
        var draws: UInt64
    }

    var lastNumber: Int
    /// The numbers of APIs that were reset alone.
    var restarted: [Counters.Line]
    var stubs: [Line]

    /// The counts of one stub, which a store keeps apart from what is written of it.
    struct Counts: Codable, Sendable {
        var id: String
        var matches: Int
        var hits: Int
        var draws: UInt64
    }

    /// Returns the counts of the stubs that have any.
    static func counts(of book: StubRegistry) -> [Counts]? {
        guard book.isUsed else { return nil }
        return book.stubs.filter { $0.matches > 0 }.map { stub in
            Counts(id: stub.id, matches: stub.matches, hits: stub.hits, draws: stub.draws)
        }
    }

    /// Returns the record with those counts in it.
    func counted(_ counts: [Counts]) -> StubRegistryRecord {
        var record = self
        let known = Dictionary(counts.map { ($0.id, $0) }) { $1 }
        for place in record.stubs.indices {
            let found = known[record.stubs[place].id]
            record.stubs[place].matches = found?.matches ?? 0
            record.stubs[place].hits = found?.hits ?? 0
            record.stubs[place].draws = found?.draws ?? 0
        }
        return record
    }

    /// Creates the record; nil for a world that never had a stub.
    init?(_ book: StubRegistry) {
        guard book.isUsed else { return nil }
        lastNumber = Int(book.numbering.last)
        restarted = book.numbering.restarted
        stubs = book.stubs.map { stub in
            Line(
                id: stub.id,
                stub: stub.spec.source,
                origin: stub.origin.text,
                isEnabled: stub.isEnabled,
                matches: stub.matches,
                hits: stub.hits,
                draws: stub.draws
            )
        }
    }

    /// The numbers that a document limits.
    var numbers: [UInt64] {
        [UInt64(max(lastNumber, 0))] + restarted.map(\.value)
            + stubs.flatMap { [UInt64(max($0.matches, 0)), UInt64(max($0.hits, 0)), $0.draws] }
    }
}
