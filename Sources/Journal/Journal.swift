package import CivilTime

/// The exchanges of a world, oldest first, limited in bytes.
///
/// They are kept in chunks, which copies of a world share.
package struct Journal: Sendable {
    private static var chunkSize: Int { 64 }

    /// The limit in bytes.
    package let capacity: Int
    /// The bytes of the kept entries, as counted against the limit.
    package private(set) var bytes = 0
    /// The number of the newest entry ever; entries count from 1 and are never renumbered.
    package private(set) var lastSeq: UInt64 = 0

    /// The number of entries.
    package private(set) var count = 0
    /// The number of entries that the limit has pushed out since the journal was made or cleared.
    package private(set) var dropped = 0

    private(set) var chunks: [JournalChunk] = []
    /// The number of the first index of the first chunk.
    private var firstPlace: UInt64 = 1
    /// The lowest number that may be present.
    private var oldest: UInt64 = 1
    /// The lowest number that is protected from eviction until it is read.
    private var unseen = UInt64.max
    private var keys = JournalKeys()
    /// The number of removals of entries other than by age.
    package private(set) var clearings = 0
    /// The changes since the last `takeChanges`; nil while nothing tracks them.
    fileprivate var noted: Noted?

    package init(capacity: Int) { self.capacity = capacity }

    /// Returns the key for an exchange: the id itself, or with a suffix when a client repeats one or another API has
    /// issued it.
    package mutating func key(for id: String, isOwn: Bool, of api: String = "") -> String {
        keys.key(for: id, isOwn: isOwn, of: api)
    }

    /// Removes the entries of one API, whose requests are numbered from 1 again.
    ///
    /// `seq` continues, because watchers and searches resume by it.
    package mutating func restart(api: String) {
        removeAll(api: api)
        keys.restart(api)
    }

    /// The number of the next entry.
    package var nextSeq: UInt64 { lastSeq + 1 }

    /// Adds the newest entry and evicts the oldest ones until the limit holds.
    ///
    /// The newest entry is kept even if it alone exceeds the limit.
    package mutating func append(_ entry: consuming JournalEntry) {
        lastSeq += 1
        if chunks.isEmpty {
            firstPlace = lastSeq
            oldest = lastSeq
        }
        if Int(lastSeq - firstPlace) % Self.chunkSize == 0 {
            // A test's world has few exchanges and there may be ten thousand worlds, so the first chunk grows.
            chunks.append(JournalChunk(reserving: !chunks.isEmpty || lastSeq > Self.chunkSize ? Self.chunkSize : 0))
        }
        entry.charged = entry.cost
        bytes += entry.charged
        chunks[chunks.count - 1].append(consume entry)
        count += 1
        shrink()
    }

    private mutating func shrink() {
        while bytes > capacity, oldest < lastSeq {
            // Protected entries may exceed the limit for a while.
            if oldest >= unseen, bytes <= capacity + Self.mostUnseen { return }
            dropped += dropOldest()
        }
    }

    /// Protects the entries from a number on from eviction until they have been read.
    package mutating func keep(from seq: UInt64) {
        unseen = seq
        shrink()
    }

    /// The number of bytes by which protected entries may exceed the limit.
    private static let mostUnseen = 16 * 1024 * 1024

    /// The entry of that number; nil if it is gone.
    package subscript(seq: UInt64) -> JournalEntry? {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return nil }
        let place = Int(seq - firstPlace)
        return chunks[place / Self.chunkSize][place % Self.chunkSize]
    }

    /// The entry of that number in a line; nil if it is gone.
    package func line(_ seq: UInt64) -> JournalLine? {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return nil }
        let place = Int(seq - firstPlace)
        return chunks[place / Self.chunkSize].line(place % Self.chunkSize)
    }

    /// Tells whether something else than the API's own routes answered the request of that number.
    package func isTakenElsewhere(_ seq: UInt64) -> Bool {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return false }
        let place = Int(seq - firstPlace)
        return chunks[place / Self.chunkSize].isTakenElsewhere(place % Self.chunkSize)
    }

    /// Changes an entry in place; nothing happens if it is gone.
    package mutating func update(_ seq: UInt64, _ change: (inout JournalEntry) -> Void) {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return }
        noted?.note(seq)
        let place = Int(seq - firstPlace)
        var difference = 0
        chunks[place / Self.chunkSize].change(place % Self.chunkSize) { entry in
            difference -= entry.charged
            change(&entry)
            entry.charged = entry.cost
            difference += entry.charged
        }
        bytes += difference
        shrink()
    }

    /// Replaces the entry of that number; nothing happens if it is gone.
    package mutating func replace(_ seq: UInt64, with entry: consuming JournalEntry) {
        let entry = entry
        update(seq) { $0 = entry }
    }

    /// Notes the end of an exchange, and cuts off content that was not sent.
    ///
    /// Returns the entry in a line; nil if it is gone. `line` would get a copy of the journal.
    @discardableResult
    package mutating func settle(
        _ seq: UInt64,
        _ outcome: JournalEntry.Outcome,
        _ timings: JournalEntry.Timings,
        endedAt: Instant? = nil,
        contentSent: Int?
    ) -> JournalLine? {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return nil }
        noted?.note(seq)
        if let contentSent {
            update(seq) { $0.cutContent(at: contentSent) }
        }
        let place = Int(seq - firstPlace)
        chunks[place / Self.chunkSize].settle(place % Self.chunkSize, outcome, timings, endedAt: endedAt)
        return line(seq)
    }

    /// Notes the outcome of an exchange so far, before its end.
    package mutating func mark(_ seq: UInt64, _ outcome: JournalEntry.Outcome) {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return }
        noted?.note(seq)
        let place = Int(seq - firstPlace)
        chunks[place / Self.chunkSize].settle(place % Self.chunkSize, outcome)
    }

    /// Packs the entries of a short journal, because its world is not in use.
    ///
    /// Their content stays the same. A long journal is left as it is: it is limited anyway, and packing would take
    /// long.
    package mutating func rest(_ shelf: HeaderLinePool) {
        guard chunks.count == 1 else { return }
        chunks[0].pack(shelf)
    }

    /// Walks from the newest to the oldest until the body returns false.
    package func forEachNewestFirst(_ body: (JournalEntry) -> Bool) {
        forEachPlaceNewestFirst { $0.entry.map(body) ?? true }
    }

    package mutating func removeAll() {
        clearings += 1
        chunks.removeAll()
        if noted != nil { noted = Noted(isWhole: true) }
        keys = JournalKeys()
        bytes = 0
        count = 0
        dropped = 0
        oldest = lastSeq + 1
        firstPlace = lastSeq + 1
    }

    /// Removes the entries of one API.
    package mutating func removeAll(api: String) {
        clearings += 1
        if noted != nil { noted = Noted(isWhole: true) }
        for chunk in chunks.indices {
            for place in chunks[chunk].indices {
                guard chunks[chunk].isOf(api, place), let (charged, id) = chunks[chunk].cost(place) else { continue }
                bytes -= charged
                keys.remove(id)
                count -= 1
                chunks[chunk].clear(place)
            }
        }
    }

    /// Walks from the oldest entry with a larger number to the newest until the body returns false.
    package func forEachPlaceOldestFirst(after seq: UInt64, _ body: (JournalPlace) -> Bool) {
        guard lastSeq > seq, !chunks.isEmpty else { return }
        let start = seq < firstPlace ? 0 : Int(seq + 1 - firstPlace)
        for number in chunks.indices.dropFirst(start / Self.chunkSize) {
            let chunk = chunks[number]
            for index in chunk.indices {
                let place = JournalPlace(chunk: chunk, index: index)
                guard place.isTaken, place.seq > seq else { continue }
                guard body(place) else { return }
            }
        }
    }

    /// Removes the oldest entry, and returns the number of entries that are gone: none where it had been removed.
    @discardableResult
    private mutating func dropOldest() -> Int {
        let place = Int(oldest - firstPlace)
        var gone = 0
        if let (charged, id) = chunks[place / Self.chunkSize].cost(place % Self.chunkSize) {
            bytes -= charged
            keys.remove(id)
            count -= 1
            chunks[place / Self.chunkSize].clear(place % Self.chunkSize)
            gone = 1
        }
        oldest += 1
        if Int(oldest - firstPlace) >= Self.chunkSize {
            chunks.removeFirst()
            firstPlace += UInt64(Self.chunkSize)
        }
        return gone
    }

    /// The numbers of the oldest and of the newest entry; nil while there is none.
    package var range: ClosedRange<UInt64>? {
        var (from, to): (UInt64?, UInt64?)
        forEachPlaceOldestFirst { place in
            from = place.seq
            return false
        }
        forEachPlaceNewestFirst { place in
            to = place.seq
            return false
        }
        guard let from, let to else { return nil }
        return from...to
    }

    /// Returns the number of chunks that have places below a number, and of such places in the last of them.
    func bounds(before seq: UInt64) -> (chunks: Int, places: Int) {
        guard seq > firstPlace, !chunks.isEmpty else { return (0, 0) }
        let places = Int(clamping: min(seq - firstPlace, lastSeq + 1 - firstPlace))
        let last = max(places - 1, 0) / Self.chunkSize
        guard places > 0, last < chunks.count else { return (chunks.count, Self.chunkSize) }
        return (last + 1, places - last * Self.chunkSize)
    }

    /// Returns the number of entries with a smaller number.
    package func count(before seq: UInt64) -> Int {
        var total = 0
        var first = firstPlace
        for chunk in chunks {
            guard first < seq else { break }
            let next = first + UInt64(Self.chunkSize)
            if next <= seq {
                total += chunk.count
            } else {
                total += chunk.indices.count { first + UInt64($0) < seq && chunk.isTaken($0) }
            }
            first = next
        }
        return total
    }
}

extension Journal {
    /// The changes since the last `takeChanges`.
    fileprivate struct Noted: Sendable {
        /// The first entry that has not been reached yet.
        var next: UInt64 = 1
        /// Entries before it that were skipped, in order.
        var backlog: [Range<UInt64>] = []
        /// Taken entries that have changed since.
        var changed: Set<UInt64> = []
        /// The number below which entries have waited long enough.
        var due: UInt64 = 0
        /// The next numbers at the last calls of `age`, oldest first.
        var marks: [UInt64] = []
        var isWhole: Bool

        init(isWhole: Bool) { self.isWhole = isWhole }

        mutating func note(_ seq: UInt64) {
            if seq < next, !isWhole { changed.insert(seq) }
        }
    }

    /// The changes in the form that a store takes.
    package enum Changes: Sendable {
        case nothing
        /// The entries to store. Those with a smaller number than `oldest` are gone.
        case some([JournalEntry], oldest: UInt64)
        /// Every entry, in the place of all that were stored.
        case whole(Journal)
    }

    /// The selection among the entries that have not been taken.
    package struct Wanted: Sendable {
        /// The number from which every entry is selected.
        package var from: UInt64
        /// The highest number of earlier entries, among those that have waited long enough.
        package var mostDue: Int

        package init(from: UInt64, mostDue: Int) {
            self.from = from
            self.mostDue = mostDue
        }

        /// Selects all entries.
        package static let all = Wanted(from: 0, mostDue: 0)
    }

    /// Tells whether anything has changed since the last call of `takeChanges`.
    package var hasChanged: Bool {
        guard let noted else { return true }
        return noted.isWhole || noted.next <= lastSeq || !noted.changed.isEmpty
            || noted.backlog.contains { $0.upperBound > oldest }
    }

    /// Tells whether an entry that has not been taken has waited long enough.
    package var hasDue: Bool {
        guard let noted else { return true }
        guard !noted.isWhole else { return true }
        let first = noted.backlog.first { $0.upperBound > oldest }?.lowerBound ?? noted.next
        return max(first, oldest) < min(noted.due, lastSeq + 1)
    }

    /// Advances the waiting: entries from `looks` calls ago have waited long enough from now on.
    package mutating func age(looks: Int) {
        guard noted?.isWhole == false else { return }
        noted?.marks.append(lastSeq + 1)
        while let count = noted?.marks.count, count > looks, let mark = noted?.marks.removeFirst() { noted?.due = mark }
    }

    /// Returns the selected changes since the last call; everything at the first.
    package mutating func takeChanges(_ wanted: Wanted = .all) -> Changes {
        guard var former = noted, !former.isWhole else {
            noted = Noted(isWhole: false)
            noted?.next = lastSeq + 1
            return .whole(self)
        }
        var entries: [JournalEntry] = []
        for seq in former.changed.sorted() {
            if let entry = self[seq] { entries.append(entry) }
        }
        former.changed = []
        var waiting = former.backlog
        if former.next <= lastSeq { waiting.append(former.next..<lastSeq + 1) }
        former.next = lastSeq + 1
        former.backlog = []
        var left = wanted.mostDue
        for range in waiting where range.upperBound > oldest {
            let range = max(range.lowerBound, oldest)..<range.upperBound
            let late = min(max(wanted.from, range.lowerBound), range.upperBound)
            let due = min(max(former.due, range.lowerBound), late)
            let end = min(range.lowerBound + UInt64(left), due)
            left -= Int(end - range.lowerBound)
            for places in [range.lowerBound..<end, late..<range.upperBound] {
                for seq in places {
                    if let entry = self[seq] { entries.append(entry) }
                }
            }
            if end < late { former.backlog.append(end..<late) }
        }
        noted = former
        return entries.isEmpty ? .nothing : .some(entries, oldest: oldest)
    }

    /// Stops tracking changes, so that the next call of `takeChanges` returns everything.
    package mutating func untrack() { noted = nil }

    /// Every entry, oldest first.
    package var entries: [JournalEntry] { chunks.flatMap { chunk in chunk.indices.compactMap { chunk[$0] } } }

    /// Restores a journal from its entries in the order of their numbers, the last number ever given, and the number of
    /// request ids of our own that each API has issued.
    package init(
        capacity: Int,
        entries: [JournalEntry],
        lastSeq: UInt64,
        ownIDs: [(api: String, number: UInt64)] = []
    ) {
        self.init(capacity: capacity)
        let first = entries.first?.seq ?? lastSeq + 1
        firstPlace = first
        oldest = first
        self.lastSeq = first - 1
        keys.resume(ownIDs)
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

    /// The highest number of indexes that may be left empty.
    private static let mostGaps: UInt64 = 2_000_000

    /// Removes the entries below a number and stores others, in the order of their numbers, some in the place of
    /// existing ones.
    package mutating func amend(_ entries: [JournalEntry], below: UInt64) {
        if below > lastSeq { self = Journal(capacity: capacity) }
        while !chunks.isEmpty, oldest < below { dropOldest() }
        for entry in entries {
            if !chunks.isEmpty, entry.seq > lastSeq, entry.seq - lastSeq > Self.mostGaps {
                self = Journal(capacity: capacity)
            }
            if chunks.isEmpty {
                firstPlace = entry.seq
                oldest = entry.seq
                lastSeq = entry.seq - 1
            }
            guard entry.seq >= oldest else { continue }
            var entry = entry
            entry.charged = entry.cost
            bytes += entry.charged
            guard entry.seq <= lastSeq else {
                while lastSeq + 1 < entry.seq { place(nil) }
                keys.restore(entry)
                place(entry)
                continue
            }
            let place = Int(entry.seq - firstPlace)
            if let (charged, id) = chunks[place / Self.chunkSize].cost(place % Self.chunkSize) {
                bytes -= charged
                keys.remove(id)
            } else {
                count += 1
            }
            keys.restore(entry)
            chunks[place / Self.chunkSize].put(entry, at: place % Self.chunkSize)
        }
        shrink()
    }

    /// Adds the entries that the limit had pushed out before.
    package mutating func resume(dropped count: Int) { dropped += count }

    /// Restores the number of request ids of our own that each API has issued.
    package mutating func resume(ownIDs: [(api: String, number: UInt64)]) { keys.resume(ownIDs) }

    /// Restores the number of the newest entry ever, and the number of request ids of our own that each API has issued.
    package mutating func resume(lastSeq: UInt64, ownIDs: [(api: String, number: UInt64)]) {
        if lastSeq > self.lastSeq, lastSeq - self.lastSeq > Self.mostGaps { self = Journal(capacity: capacity) }
        if chunks.isEmpty {
            self.lastSeq = lastSeq
            firstPlace = lastSeq + 1
            oldest = lastSeq + 1
        }
        while self.lastSeq < lastSeq { place(nil) }
        keys.resume(ownIDs)
    }

    private mutating func place(_ entry: JournalEntry?) {
        lastSeq += 1
        if Int(lastSeq - firstPlace) % Self.chunkSize == 0 { chunks.append(JournalChunk()) }
        guard let entry else { return chunks[chunks.count - 1].appendGap() }
        count += 1
        chunks[chunks.count - 1].append(entry)
    }
}
