/// The exchanges of a world, oldest first, bounded by bytes.
///
/// Kept in chunks, so that a copy of a world shares them.
package struct Journal: Sendable {
    private static var chunkSize: Int { 64 }

    /// The bound in bytes.
    package let capacity: Int
    /// What the kept entries take of it.
    package private(set) var bytes = 0
    /// The number of the newest entry ever; entries count from 1 and are never renumbered.
    package private(set) var lastSeq: UInt64 = 0

    private var chunks: [[JournalEntry?]] = []
    /// The seq of the first place of the first chunk.
    private var firstPlace: UInt64 = 1
    /// The oldest seq that may be present.
    private var oldest: UInt64 = 1
    private var keys = JournalKeys()
    /// What has changed since somebody last took note; nil while nobody does.
    private var noted: Noted?

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int {
        var total = 0
        forEachNewestFirst { _ in
            total += 1
            return true
        }
        return total
    }

    /// The key for an exchange: the id itself, or with a suffix when a client repeats one.
    package mutating func key(for id: String, isOwn: Bool) -> String { keys.key(for: id, isOwn: isOwn) }

    /// The number the next entry gets.
    package var nextSeq: UInt64 { lastSeq + 1 }

    /// Adds the newest entry and lets the oldest go until the bound holds.
    ///
    /// The newest is kept even if it alone exceeds it.
    package mutating func append(_ entry: consuming JournalEntry) {
        lastSeq += 1
        if chunks.isEmpty {
            firstPlace = lastSeq
            oldest = lastSeq
        }
        if Int(lastSeq - firstPlace) % Self.chunkSize == 0 {
            var chunk: [JournalEntry?] = []
            chunk.reserveCapacity(Self.chunkSize)
            chunks.append(chunk)
        }
        entry.charged = entry.cost
        bytes += entry.charged
        chunks[chunks.count - 1].append(consume entry)
        shrink()
    }

    private mutating func shrink() {
        while bytes > capacity, oldest < lastSeq { dropOldest() }
    }

    /// The entry of that number, if it is still there.
    package subscript(seq: UInt64) -> JournalEntry? {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return nil }
        let place = Int(seq - firstPlace)
        return chunks[place / Self.chunkSize][place % Self.chunkSize]
    }

    /// Changes an entry in place; nothing happens if it is gone.
    package mutating func update(_ seq: UInt64, _ change: (inout JournalEntry) -> Void) {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return }
        noted?.note(seq)
        let place = Int(seq - firstPlace)
        guard var entry = chunks[place / Self.chunkSize][place % Self.chunkSize] else { return }
        bytes -= entry.charged
        chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        change(&entry)
        entry.charged = entry.cost
        bytes += entry.charged
        chunks[place / Self.chunkSize][place % Self.chunkSize] = entry
        shrink()
    }

    /// Notes how an exchange ended; what was not sent of its content is cut off.
    mutating func settle(
        _ seq: UInt64,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings,
        contentSent: Int?
    ) {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return }
        noted?.note(seq)
        if let contentSent {
            update(seq) { $0.cutContent(at: contentSent) }
        }
        let place = Int(seq - firstPlace)
        // In place: copying an entry out and back would cost more than the rest of the exchange's journal.
        chunks[place / Self.chunkSize][place % Self.chunkSize]?.outcome = outcome
        chunks[place / Self.chunkSize][place % Self.chunkSize]?.timings = timings
    }

    /// Says what has become of an exchange so far, ahead of its end.
    mutating func mark(_ seq: UInt64, _ outcome: JournalEntry.Outcome) {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return }
        noted?.note(seq)
        let place = Int(seq - firstPlace)
        chunks[place / Self.chunkSize][place % Self.chunkSize]?.outcome = outcome
    }

    /// Walks from the newest to the oldest until the body answers false.
    package func forEachNewestFirst(_ body: (JournalEntry) -> Bool) {
        for chunk in chunks.reversed() {
            for case .some(let entry) in chunk.reversed() where !body(entry) { return }
        }
    }

    package mutating func removeAll() {
        chunks.removeAll()
        if noted != nil { noted = Noted(isWhole: true) }
        keys = JournalKeys()
        bytes = 0
        oldest = lastSeq + 1
        firstPlace = lastSeq + 1
    }

    /// Takes one API's entries out.
    package mutating func removeAll(api: String) {
        if noted != nil { noted = Noted(isWhole: true) }
        for chunk in chunks.indices {
            for place in chunks[chunk].indices {
                guard let entry = chunks[chunk][place], entry.api == api else { continue }
                bytes -= entry.charged
                keys.remove(entry.id)
                chunks[chunk][place] = nil
            }
        }
    }

    private mutating func dropOldest() {
        let place = Int(oldest - firstPlace)
        // Two members are read where they lie: a copy of the whole entry would cost more than its end.
        if let charged = chunks[place / Self.chunkSize][place % Self.chunkSize]?.charged,
            let id = chunks[place / Self.chunkSize][place % Self.chunkSize]?.id
        {
            bytes -= charged
            keys.remove(id)
            chunks[place / Self.chunkSize][place % Self.chunkSize] = nil
        }
        oldest += 1
        if Int(oldest - firstPlace) >= Self.chunkSize {
            chunks.removeFirst()
            firstPlace += UInt64(Self.chunkSize)
        }
    }
}

extension Journal {
    /// What has changed since the last time.
    private struct Noted: Sendable {
        /// The first entry that has not been taken.
        var next: UInt64 = 1
        /// Taken ones that have changed since.
        var changed: Set<UInt64> = []
        var isWhole: Bool

        init(isWhole: Bool) { self.isWhole = isWhole }

        mutating func note(_ seq: UInt64) {
            if seq < next, !isWhole { changed.insert(seq) }
        }
    }

    /// Changes as they are handed on.
    package enum Changes: Sendable {
        case nothing
        /// Entries to put; those with a smaller number than `oldest` are gone.
        case some([JournalEntry], oldest: UInt64)
        /// Every entry, in the place of all that were there.
        case whole(Journal)
    }

    /// Whether anything has changed since the last call of `takeChanges`.
    var hasChanged: Bool {
        guard let noted else { return true }
        return noted.isWhole || noted.next <= lastSeq || !noted.changed.isEmpty
    }

    /// What has changed since the last call; everything at the first.
    mutating func takeChanges() -> Changes {
        let former = noted
        noted = Noted(isWhole: false)
        noted?.next = lastSeq + 1
        guard let former, !former.isWhole else { return .whole(self) }
        guard former.next <= lastSeq || !former.changed.isEmpty else { return .nothing }
        var entries: [JournalEntry] = []
        for seq in former.changed.sorted() {
            if let entry = self[seq] { entries.append(entry) }
        }
        var seq = max(former.next, oldest)
        while seq <= lastSeq {
            if let entry = self[seq] { entries.append(entry) }
            seq += 1
        }
        return .some(entries, oldest: oldest)
    }

    /// Takes no note of changes any more, so that the next taking is of everything.
    mutating func untrack() { noted = nil }

    /// Every entry, oldest first.
    package var entries: [JournalEntry] { chunks.flatMap { $0.compactMap(\.self) } }

    /// A journal of entries that are there already, in order of their numbers, the last number ever given, and the number
    /// of the last request id of our own.
    init(capacity: Int, entries: [JournalEntry], lastSeq: UInt64, lastOwnID: UInt64) {
        self.init(capacity: capacity)
        let first = entries.first?.seq ?? lastSeq + 1
        firstPlace = first
        oldest = first
        self.lastSeq = first - 1
        if lastOwnID > 0 { _ = keys.key(for: RequestID.own(lastOwnID), isOwn: true) }
        for entry in entries {
            while self.lastSeq + 1 < entry.seq { place(nil) }
            var entry = entry
            entry.charged = entry.cost
            bytes += entry.charged
            keys.restore(entry)
            place(entry)
        }
        if !entries.isEmpty {
            while self.lastSeq < lastSeq { place(nil) }
        }
        self.lastSeq = lastSeq
        shrink()
    }

    private mutating func place(_ entry: JournalEntry?) {
        lastSeq += 1
        if Int(lastSeq - firstPlace) % Self.chunkSize == 0 { chunks.append([]) }
        chunks[chunks.count - 1].append(entry)
    }
}
