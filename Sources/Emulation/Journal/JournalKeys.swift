/// The keys of the exchanges in a journal: request ids, made unique by a suffix when a client repeats one.
///
/// It holds no more than the journal itself does, since an entry takes its key along when it goes.
struct JournalKeys: Sendable {
    private struct Record: Sendable {
        /// The last suffix tried for this id.
        var lastSuffix = 1
        /// Entries present that were made from this id, the one of the plain key included.
        var present = 1
        /// Whether the plain key belongs to an entry that is counted in `present`.
        var holdsPlainKey = true
        /// The id that this key was made of by a suffix.
        var base: String?
    }

    private var records = ShardedMap<Record>()
    /// Our own ids only count up, so that the newest tells which were given out.
    private var newestOwn = ""

    /// A key for the next entry.
    mutating func key(for id: String, isOwn: Bool) -> String {
        if isOwn { newestOwn = id }
        guard records.count > 0 || !isOwn else { return id }
        guard let known = records[id] else {
            if isOwn { return id }
            guard wasGivenOut(id) else {
                records[id] = Record()
                return id
            }
            return suffixed(id, Record(present: 0, holdsPlainKey: false))
        }
        return suffixed(id, known)
    }

    private mutating func suffixed(_ id: String, _ known: Record) -> String {
        var record = known
        var key: String
        repeat {
            record.lastSuffix += 1
            key = "\(id)-\(record.lastSuffix)"
        } while records[key] != nil
        record.present += 1
        records[id] = record
        records[key] = Record(base: id)
        return key
    }

    /// The entry of that key has gone.
    mutating func remove(_ key: String) {
        guard records.count > 0, let record = records[key], record.holdsPlainKey else { return }
        release(key, isPlain: true)
        if let base = record.base { release(base, isPlain: false) }
    }

    private mutating func release(_ id: String, isPlain: Bool) {
        guard var record = records[id] else { return }
        record.present -= 1
        if isPlain { record.holdsPlainKey = false }
        records[id] = record.present > 0 ? record : nil
    }

    /// Makes room for an entry that has its key already.
    mutating func restore(_ entry: JournalEntry) {
        if let base = entry.givenID {
            var record = records[base] ?? Record(present: 0, holdsPlainKey: false)
            record.present += 1
            if entry.id.hasPrefix(base + "-"), let suffix = Int(entry.id.dropFirst(base.count + 1)) {
                record.lastSuffix = max(record.lastSuffix, suffix)
            }
            records[base] = record
            records[entry.id] = Record(base: base)
        } else if !entry.isOwnID {
            records[entry.id] = Record()
        }
    }

    /// Says which of our own ids was given out last.
    mutating func resume(newestOwn id: String) { newestOwn = id }

    private func wasGivenOut(_ id: String) -> Bool {
        guard let number = RequestID.number(ofOwn: id), let newest = RequestID.number(ofOwn: newestOwn) else {
            return false
        }
        return number <= newest
    }
}
