import Backend
import CivilTime
import Conditions
import HTTPMessage

/// Consecutive entries of a journal: the first ones may be packed, the others are not.
struct JournalChunk: Sendable {
    /// The packed entries; nil where one has been removed.
    private(set) var packed: [PackedEntry?] = []
    /// The entries after those; nil where one has been removed.
    private(set) var open: [OpenEntry?] = []
    /// The number of entries, without those that were removed.
    private(set) var count = 0

    /// Creates an empty chunk with capacity for so many entries.
    init(reserving count: Int = 0) {
        if count > 0 { open.reserveCapacity(count) }
    }

    var indices: Range<Int> { 0..<(packed.count + open.count) }

    /// Returns the index of an entry among those that are not packed.
    func rank(_ index: Int) -> Int { index - packed.count }

    /// Tells whether there is an entry that is not packed.
    func isOpen(_ index: Int) -> Bool { index >= packed.count && open[index - packed.count] != nil }

    /// The whole entry; nil where one has been removed.
    subscript(index: Int) -> JournalEntry? {
        index < packed.count ? packed[index]?.entry : open[index - packed.count]?.entry
    }

    mutating func append(_ entry: consuming JournalEntry) {
        open.append(OpenEntry(entry))
        count += 1
    }

    /// Appends a place without an entry.
    mutating func appendGap() { open.append(nil) }

    /// Tells whether there is an entry.
    func isTaken(_ index: Int) -> Bool { index < packed.count ? packed[index] != nil : isOpen(index) }

    /// Returns an entry in a line.
    func line(_ index: Int) -> JournalLine? {
        guard index >= packed.count else { return packed[index]?.entry.map { JournalLine($0) } }
        guard let open = self.open[index - packed.count] else { return nil }
        let kept = open.kept
        return JournalLine(
            id: kept.entry.id,
            seq: kept.entry.seq,
            at: kept.entry.at,
            startedAt: kept.entry.startedAt,
            endedAt: open.endedAt,
            api: kept.entry.api,
            route: kept.entry.route,
            user: kept.entry.user?.label,
            method: kept.entry.method.rawValue,
            path: kept.entry.path,
            query: kept.entry.query,
            status: kept.entry.status.code,
            outcome: open.outcome,
            timings: open.timings,
            requestBytes: kept.entry.body.length,
            responseBytes: kept.entry.responseBody.length,
            fault: kept.entry.decisions.isEmpty ? nil : kept.entry.decisions.lineName,
            scenario: kept.entry.scenario,
            gate: kept.entry.gate,
            replayOf: kept.entry.replayOf,
            answeredBy: kept.entry.answeredBy,
            nearestStub: kept.entry.nearestStub,
            violations: kept.entry.violations?.count ?? 0
        )
    }

    /// Tells whether something else than the API's own routes answered the request of an entry; it is read in place.
    func isTakenElsewhere(_ index: Int) -> Bool {
        index < packed.count
            ? packed[index]?.entry?.isTakenElsewhere == true
            : open[index - packed.count]?.kept.entry.isTakenElsewhere == true
    }

    /// Returns the bytes that an entry counts for, and its key.
    ///
    /// They are read in place: a copy of the whole entry would cost more than its removal.
    func cost(_ index: Int) -> (charged: Int, id: String)? {
        guard index >= packed.count else { return packed[index]?.entry.map { ($0.charged, $0.id) } }
        return open[index - packed.count].map { ($0.kept.entry.charged, $0.kept.entry.id) }
    }

    /// Tells whether an entry belongs to an API; it is read in place.
    func isOf(_ api: String, _ index: Int) -> Bool {
        index < packed.count ? packed[index]?.entry?.api == api : open[index - packed.count]?.kept.entry.api == api
    }

    /// Removes an entry; its index stays.
    mutating func clear(_ index: Int) {
        if isTaken(index) { count -= 1 }
        if index < packed.count {
            packed[index] = nil
        } else {
            open[index - packed.count] = nil
        }
    }

    /// Stores an entry at an index.
    mutating func put(_ entry: JournalEntry, at index: Int) {
        if !isTaken(index) { count += 1 }
        if index < packed.count {
            packed[index] = packed[index].map { PackedEntry(entry, $0.shelf) }
        } else {
            open[index - packed.count] = OpenEntry(entry)
        }
    }

    /// Changes an entry, if it is there.
    mutating func change(_ index: Int, _ work: (inout JournalEntry) -> Void) {
        guard index >= packed.count else {
            guard var entry = packed[index]?.entry else { return }
            work(&entry)
            packed[index] = packed[index].map { PackedEntry(entry, $0.shelf) }
            return
        }
        guard var entry = open[index - packed.count]?.entry else { return }
        open[index - packed.count] = nil
        work(&entry)
        open[index - packed.count] = OpenEntry(entry)
    }

    /// Notes the outcome of an exchange.
    mutating func settle(
        _ index: Int,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings? = nil,
        endedAt: Instant? = nil
    ) {
        guard index >= packed.count else {
            return change(index) { entry in
                entry.outcome = outcome
                if let timings { entry.timings = timings }
                if let endedAt { entry.endedAt = endedAt }
            }
        }
        open[index - packed.count]?.outcome = outcome
        if let timings { open[index - packed.count]?.timings = timings }
        if let endedAt { open[index - packed.count]?.endedAt = endedAt }
    }

    /// Packs all entries.
    mutating func pack(_ shelf: HeaderLinePool) {
        guard !open.isEmpty else { return }
        var all: [PackedEntry?] = []
        all.reserveCapacity(packed.count + open.count)
        all += packed
        for entry in open { all.append(entry.map { PackedEntry($0.entry, shelf) }) }
        packed = all
        open = []
    }
}

/// An entry that is not packed, in one object, so that its place in the journal is small, beside what its end adds.
struct OpenEntry: Sendable {
    /// The entry as it was before its end.
    final class Kept: Sendable {
        let entry: JournalEntry

        init(_ entry: consuming JournalEntry) { self.entry = entry }
    }

    let kept: Kept
    var endedAt: Instant?
    var outcome: JournalEntry.Outcome?
    var timings: JournalEntry.Timings

    init(_ entry: consuming JournalEntry) {
        endedAt = entry.endedAt
        outcome = entry.outcome
        timings = entry.timings
        kept = Kept(entry)
    }

    /// The whole entry, which takes a copy.
    var entry: JournalEntry {
        var entry = kept.entry
        entry.endedAt = endedAt
        entry.outcome = outcome
        entry.timings = timings
        return entry
    }
}
