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

    /// Entries that are there.
    package private(set) var count = 0

    private(set) var chunks: [JournalChunk] = []
    /// The seq of the first place of the first chunk.
    private var firstPlace: UInt64 = 1
    /// The oldest seq that may be present.
    private var oldest: UInt64 = 1
    /// The oldest that somebody waits to look at.
    private var unseen = UInt64.max
    private var keys = JournalKeys()
    /// How often entries were taken out other than by age.
    private(set) var clearings = 0
    /// What has changed since somebody last took note; nil while nobody does.
    fileprivate var noted: Noted?

    package init(capacity: Int) { self.capacity = capacity }

    /// The key for an exchange: the id itself, or with a suffix when a client repeats one or another API has given it out.
    package mutating func key(for id: String, isOwn: Bool, of api: String = "") -> String {
        keys.key(for: id, isOwn: isOwn, of: api)
    }

    /// Takes one API's entries out, whose requests are numbered from 1 again.
    ///
    /// `seq` goes on: watchers and searches resume by it.
    mutating func restart(api: String) {
        removeAll(api: api)
        keys.restart(api)
    }

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
            // A test's world has a handful of exchanges, and there may be ten thousand worlds: the first chunk grows.
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
            // Over the bound for a while, where somebody has still to look at it.
            if oldest >= unseen, bytes <= capacity + Self.mostUnseen { return }
            dropOldest()
        }
    }

    /// Keeps the entries from a number on until they have been looked at, though the bound would let them go.
    package mutating func keep(from seq: UInt64) {
        unseen = seq
        shrink()
    }

    /// Bytes beyond the bound of entries that are kept so.
    private static let mostUnseen = 16 * 1024 * 1024

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

    /// Puts an entry in the place of the one of that number; nothing happens if that is gone.
    mutating func replace(_ seq: UInt64, with entry: consuming JournalEntry) {
        let entry = entry
        update(seq) { $0 = entry }
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
        chunks[place / Self.chunkSize].settle(place % Self.chunkSize, outcome, timings)
    }

    /// Says what has become of an exchange so far, ahead of its end.
    mutating func mark(_ seq: UInt64, _ outcome: JournalEntry.Outcome) {
        guard seq >= oldest, seq <= lastSeq, !chunks.isEmpty else { return }
        noted?.note(seq)
        let place = Int(seq - firstPlace)
        chunks[place / Self.chunkSize].settle(place % Self.chunkSize, outcome)
    }

    /// Keeps the entries of a short journal in little room, since nobody is adding to it.
    ///
    /// What they say stays the same. A long journal is left as it is: it is bounded anyway, and this takes its time.
    package mutating func rest(_ shelf: HeaderLinePool) {
        guard chunks.count == 1 else { return }
        chunks[0].pack(shelf)
    }

    /// Walks from the newest to the oldest until the body answers false.
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
        oldest = lastSeq + 1
        firstPlace = lastSeq + 1
    }

    /// Takes one API's entries out.
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

    /// Walks from the oldest entry of a larger number to the newest until the body answers false.
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

    private mutating func dropOldest() {
        let place = Int(oldest - firstPlace)
        if let (charged, id) = chunks[place / Self.chunkSize].cost(place % Self.chunkSize) {
            bytes -= charged
            keys.remove(id)
            count -= 1
            chunks[place / Self.chunkSize].clear(place % Self.chunkSize)
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
    fileprivate struct Noted: Sendable {
        /// The first entry that nobody has come to.
        var next: UInt64 = 1
        /// Entries before it that were passed over, in order.
        var backlog: [Range<UInt64>] = []
        /// Taken ones that have changed since.
        var changed: Set<UInt64> = []
        /// Entries with a smaller number have waited long enough.
        var due: UInt64 = 0
        /// The next numbers at the last looks at the time, oldest first.
        var marks: [UInt64] = []
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

    /// The entries that are wanted of those that nobody has taken.
    package struct Wanted: Sendable {
        /// Every entry from this number on.
        package var from: UInt64
        /// The most of earlier ones, of those that have waited long enough.
        package var mostDue: Int

        package init(from: UInt64, mostDue: Int) {
            self.from = from
            self.mostDue = mostDue
        }

        /// All that there are.
        package static let all = Wanted(from: 0, mostDue: 0)
    }

    /// Whether anything has changed since the last call of `takeChanges`.
    var hasChanged: Bool {
        guard let noted else { return true }
        return noted.isWhole || noted.next <= lastSeq || !noted.changed.isEmpty
            || noted.backlog.contains { $0.upperBound > oldest }
    }

    /// Whether an entry that nobody has taken has waited long enough.
    var hasDue: Bool {
        guard let noted else { return true }
        guard !noted.isWhole else { return true }
        let first = noted.backlog.first { $0.upperBound > oldest }?.lowerBound ?? noted.next
        return max(first, oldest) < min(noted.due, lastSeq + 1)
    }

    /// Looks at the time: what was there `looks` calls ago has waited long enough from now on.
    mutating func age(looks: Int) {
        guard noted?.isWhole == false else { return }
        noted?.marks.append(lastSeq + 1)
        while let count = noted?.marks.count, count > looks, let mark = noted?.marks.removeFirst() { noted?.due = mark }
    }

    /// What is wanted of what has changed since the last call; everything at the first.
    mutating func takeChanges(_ wanted: Wanted = .all) -> Changes {
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

    /// Takes no note of changes any more, so that the next taking is of everything.
    mutating func untrack() { noted = nil }

    /// Every entry, oldest first.
    package var entries: [JournalEntry] { chunks.flatMap { chunk in chunk.indices.compactMap { chunk[$0] } } }

    /// A journal of entries that are there already, in order of their numbers, the last number ever given, and how many
    /// request ids of our own each API has given out.
    init(
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

    /// More places than this are never left empty.
    private static let mostGaps: UInt64 = 2_000_000

    /// Lets the entries below a number go and puts others, in order of their numbers, some in the place of what is there.
    mutating func amend(_ entries: [JournalEntry], below: UInt64) {
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

    /// Says how many request ids of our own each API has given out.
    mutating func resume(ownIDs: [(api: String, number: UInt64)]) { keys.resume(ownIDs) }

    /// Says which number was given last to an entry, and how many request ids of our own each API has given out.
    mutating func resume(lastSeq: UInt64, ownIDs: [(api: String, number: UInt64)]) {
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
        if entry != nil { count += 1 }
        chunks[chunks.count - 1].append(entry)
    }
}
