import Backend

/// The keys of the exchanges in a journal: request ids, made unique by a suffix when one is repeated.
///
/// Clients repeat ids, and every API of a world numbers its own from 1. The records are no more than the journal's
/// entries, because a removed entry removes its key.
struct JournalKeys: Sendable {
    private struct Record: Sendable {
        /// The last suffix tried for this id.
        var lastSuffix = 1
        /// The number of entries made from this id, including the one of the plain key.
        var present = 1
        /// Tells whether the plain key belongs to an entry that is counted in `present`.
        var holdsPlainKey = true
        /// The id that this key was made of by a suffix.
        var base: String?
    }

    /// The ids of our own of one API, which have no records.
    ///
    /// They only count up, so the first and the newest show which were issued. Most worlds are used through one API,
    /// and need no records at all.
    private struct Counted: Sendable {
        let api: String
        let first: String
        var newest: String
    }

    private var records = ShardedMap<Record>()
    private var counted: Counted?

    init() {}

    /// Returns a key for the next entry, from an id of the client's or from our own for that API.
    mutating func key(for id: String, isOwn: Bool, of api: String) -> String {
        if isOwn {
            if counted == nil { counted = Counted(api: api, first: id, newest: id) }
            if counted?.api == api {
                counted?.newest = id
                guard records.count > 0, let known = records[id], known.holdsPlainKey else { return id }
                return suffixed(id, known)
            }
        }
        let wasCounted = wasCounted(id)
        guard var known = records[id] else {
            guard !wasCounted else { return suffixed(id, Record(present: 0, holdsPlainKey: false)) }
            records[id] = Record()
            return id
        }
        guard isOwn, !wasCounted, !known.holdsPlainKey else { return suffixed(id, known) }
        // Its API counts from 1 again, and only keys made of this id by a suffix are left.
        known.holdsPlainKey = true
        known.present += 1
        records[id] = known
        return id
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

    /// Notes that the entry of that key was removed.
    mutating func remove(_ key: String) {
        guard records.count > 0, let record = records[key], record.holdsPlainKey else { return }
        release(key, isPlain: true)
        if let base = record.base { release(base, isPlain: false) }
    }

    /// Notes that an API numbers its requests from 1 again, after the removal of its entries.
    mutating func restart(_ api: String) {
        if counted?.api == api { counted = nil }
    }

    private mutating func release(_ id: String, isPlain: Bool) {
        guard var record = records[id] else { return }
        record.present -= 1
        if isPlain { record.holdsPlainKey = false }
        records[id] = record.present > 0 ? record : nil
    }

    /// Adds the record of an entry that has its key already.
    mutating func restore(_ entry: JournalEntry) {
        if let base = entry.givenID {
            var record = records[base] ?? Record(present: 0, holdsPlainKey: false)
            record.present += 1
            if entry.id.hasPrefix(base + "-"), let suffix = Int(entry.id.dropFirst(base.count + 1)) {
                record.lastSuffix = max(record.lastSuffix, suffix)
            }
            records[base] = record
            records[entry.id] = Record(base: base)
        } else if !entry.isOwnID || counted?.api != entry.api || !wasCounted(entry.id) {
            var record = records[entry.id] ?? Record(present: 0)
            record.present += 1
            record.holdsPlainKey = true
            records[entry.id] = record
        }
    }

    /// Restores the number of ids of our own that each API has issued.
    ///
    /// The first call chooses the API of which no records are kept, so it must come before the API's entries.
    mutating func resume(_ given: [(api: String, number: UInt64)]) {
        guard let api = counted?.api else {
            // Among equals the first is chosen.
            guard let most = given.max(by: { $0.number < $1.number }), most.number > 0,
                let first = given.first(where: { $0.number == most.number })
            else { return }
            counted = Counted(api: first.api, first: RequestID.own(1), newest: RequestID.own(first.number))
            return
        }
        guard let number = given.first(where: { $0.api == api })?.number, number > 0 else {
            counted = nil
            return
        }
        counted?.newest = RequestID.own(number)
    }

    private func wasCounted(_ id: String) -> Bool {
        guard let counted, let number = RequestID.number(ofOwn: id),
            let first = RequestID.number(ofOwn: counted.first), let newest = RequestID.number(ofOwn: counted.newest)
        else { return false }
        return number >= first && number <= newest
    }
}
