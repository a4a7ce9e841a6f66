import Backend
import CivilTime
import Conditions
import HTTPMessage

/// Consecutive entries of a journal: the first ones may be packed, the others are not.
struct JournalChunk: Sendable {
    /// The packed entries; nil where one has been removed.
    private(set) var packed: [PackedEntry?] = []
    /// The entries after those; nil where one has been removed.
    private(set) var open: [JournalEntry?] = []
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
    func isOpen(_ index: Int) -> Bool { index >= packed.count && open[index - packed.count]?.seq != nil }

    /// The whole entry; nil where one has been removed.
    subscript(index: Int) -> JournalEntry? {
        index < packed.count ? packed[index]?.entry : open[index - packed.count]
    }

    mutating func append(_ entry: consuming JournalEntry?) {
        open.append(entry)
        if isOpen(indices.upperBound - 1) { count += 1 }
    }

    /// Tells whether there is an entry.
    func isTaken(_ index: Int) -> Bool { index < packed.count ? packed[index] != nil : isOpen(index) }

    /// Returns an entry in a line.
    func line(_ index: Int) -> JournalLine? {
        guard index >= packed.count else { return packed[index]?.entry.map { JournalLine($0) } }
        let place = index - packed.count
        // Member by member, in place: a copy of the whole entry would cost more than the line.
        guard let id = open[place]?.id, let seq = open[place]?.seq, let at = open[place]?.at,
            let startedAt = open[place]?.startedAt, let api = open[place]?.api,
            let method = open[place]?.method.rawValue, let path = open[place]?.path,
            let status = open[place]?.status.code, let timings = open[place]?.timings,
            let requestBytes = open[place]?.body.length, let responseBytes = open[place]?.responseBody.length,
            let isPlain = open[place]?.decisions.isEmpty
        else { return nil }
        return JournalLine(
            id: id,
            seq: seq,
            at: at,
            startedAt: startedAt,
            endedAt: open[place]?.endedAt,
            api: api,
            route: open[place]?.route,
            user: open[place]?.user?.label,
            method: method,
            path: path,
            query: open[place]?.query,
            status: status,
            outcome: open[place]?.outcome,
            timings: timings,
            requestBytes: requestBytes,
            responseBytes: responseBytes,
            fault: isPlain ? nil : open[place]?.decisions.lineName,
            scenario: open[place]?.scenario,
            gate: open[place]?.gate,
            replayOf: open[place]?.replayOf
        )
    }

    /// Tells whether something else than the API's own routes answered the request of an entry; it is read in place.
    func isTakenElsewhere(_ index: Int) -> Bool {
        index < packed.count
            ? packed[index]?.entry?.isTakenElsewhere == true : open[index - packed.count]?.isTakenElsewhere == true
    }

    /// Returns the bytes that an entry counts for, and its key.
    ///
    /// They are read in place: a copy of the whole entry would cost more than its removal.
    func cost(_ index: Int) -> (charged: Int, id: String)? {
        guard index >= packed.count else { return packed[index]?.entry.map { ($0.charged, $0.id) } }
        guard let charged = open[index - packed.count]?.charged, let id = open[index - packed.count]?.id else {
            return nil
        }
        return (charged, id)
    }

    /// Tells whether an entry belongs to an API; it is read in place.
    func isOf(_ api: String, _ index: Int) -> Bool {
        index < packed.count ? packed[index]?.entry?.api == api : open[index - packed.count]?.api == api
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
            open[index - packed.count] = entry
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
        guard var entry = open[index - packed.count] else { return }
        open[index - packed.count] = nil
        work(&entry)
        open[index - packed.count] = entry
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
        // In place: copying an entry out and back would cost more than the rest of the exchange's journal.
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
        for entry in open { all.append(entry.map { PackedEntry($0, shelf) }) }
        packed = all
        open = []
    }
}
