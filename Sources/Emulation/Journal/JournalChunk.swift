/// Some entries of a journal next to each other: the first ones perhaps packed, the rest as they are.
struct JournalChunk: Sendable {
    /// The entries that nobody has worked on for a while; nil where one has gone.
    private(set) var packed: [PackedEntry?] = []
    /// The entries after those; nil where one has gone.
    private(set) var open: [JournalEntry?] = []

    /// No entries, and room for so many.
    init(reserving count: Int = 0) {
        if count > 0 { open.reserveCapacity(count) }
    }

    var indices: Range<Int> { 0..<(packed.count + open.count) }

    /// The place of an entry among those that are open.
    func rank(_ index: Int) -> Int { index - packed.count }

    /// Whether there is an entry that is not packed.
    func isOpen(_ index: Int) -> Bool { index >= packed.count && open[index - packed.count]?.seq != nil }

    /// The whole entry; nil where one has gone.
    subscript(index: Int) -> JournalEntry? {
        index < packed.count ? packed[index]?.entry : open[index - packed.count]
    }

    mutating func append(_ entry: consuming JournalEntry?) { open.append(entry) }

    /// What an entry counts for and its key.
    ///
    /// They are read where they lie: a copy of the whole entry would cost more than its end.
    func cost(_ index: Int) -> (charged: Int, id: String)? {
        guard index >= packed.count else { return packed[index]?.entry.map { ($0.charged, $0.id) } }
        guard let charged = open[index - packed.count]?.charged, let id = open[index - packed.count]?.id else {
            return nil
        }
        return (charged, id)
    }

    /// Whether an entry is of an API; read where it lies.
    func isOf(_ api: String, _ index: Int) -> Bool {
        index < packed.count ? packed[index]?.entry?.api == api : open[index - packed.count]?.api == api
    }

    /// Takes an entry out; its place stays.
    mutating func clear(_ index: Int) {
        if index < packed.count {
            packed[index] = nil
        } else {
            open[index - packed.count] = nil
        }
    }

    /// Puts an entry where one may have been.
    mutating func put(_ entry: JournalEntry, at index: Int) {
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

    /// Notes how an exchange ended, or stands.
    mutating func settle(_ index: Int, _ outcome: JournalEntry.Outcome, _ timings: JournalEntry.Timings? = nil) {
        guard index >= packed.count else {
            return change(index) { entry in
                entry.outcome = outcome
                if let timings { entry.timings = timings }
            }
        }
        // In place: copying an entry out and back would cost more than the rest of the exchange's journal.
        open[index - packed.count]?.outcome = outcome
        if let timings { open[index - packed.count]?.timings = timings }
    }

    /// Packs what is open.
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
