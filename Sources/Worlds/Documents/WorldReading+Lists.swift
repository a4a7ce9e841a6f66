import Backend
import CivilTime
import JSON
import Journal

/// The outbox and the journal of a document.
extension WorldReading {
    mutating func outbox(_ rows: [LoadedRow], _ record: WorldRecord) -> Outbox? {
        var placed: [(place: Int, row: Outbox.Message)] = []
        var last: UInt64 = 0
        func isNext(_ id: String) -> Bool {
            guard let number = UInt64(id), "\(number)" == id else { return false }
            guard number > last, number <= record.posted else { return false }
            last = number
            return true
        }
        let reason = "must be a rising number of at most posted, \(record.posted)"
        for (row, loaded) in rows.enumerated() where faults.count < StateForm.mostFaults {
            do throws(JSONDecodingError) {
                let message = try StateCoding.read(Outbox.Message.self, loaded.content)
                guard isNext(message.id) else {
                    fault(.outbox(row: row), ["id"], reason)
                    continue
                }
                placed.append((loaded.place ?? row, message))
            } catch {
                let refused = RefusedRow<Outbox.Message>(loaded.content, error.issues, .none)
                for issue in refused.issues { fault(.outbox(row: row), issue.path, issue.reason) }
                if let id = refused.id, !isNext(id) { fault(.outbox(row: row), ["id"], reason) }
            }
        }
        guard let table = Table(placed: placed) else {
            fault(.outbox(row: nil), [], "must be in a valid order")
            return nil
        }
        // If there are more than this process keeps, the oldest are dropped, as on posting.
        return Outbox(table, posted: record.posted, capacity: outboxMessages)
    }

    mutating func journal(_ rows: [JSON], _ record: WorldRecord, world: String) -> Journal? {
        var entries: [JournalEntry] = []
        entries.reserveCapacity(rows.count)
        var order = JournalOrder(lastSeq: record.lastSeq)
        for (row, json) in rows.enumerated() where faults.count < StateForm.mostFaults {
            do throws(JSONDecodingError) {
                // A store has many and writes them itself, so unknown members are not checked for.
                let stored =
                    try isStore
                    ? JSONDecoding.decode(JournalRecord.self, from: json) : StateCoding.read(JournalRecord.self, json)
                let found = order.faults(stored)
                if found.isEmpty, let entry = try? stored.entry(in: world) {
                    if record.lastSeq - entry.seq < Self.longestJournal { entries.append(entry) }
                } else {
                    fault(inEntry: row, found + stored.faults(in: world))
                }
            } catch {
                explain(entry: json, row, error.issues, &order, world)
            }
        }
        guard record.lastSeq <= largestCount else { return nil }
        return Journal(
            capacity: journalBytes,
            entries: entries,
            lastSeq: record.lastSeq,
            ownIDs: Self.ownIDs(record.counters, apis)
        )
    }

    /// Adds everything that is wrong with an entry that could not be read.
    private mutating func explain(
        entry json: JSON,
        _ row: Int,
        _ known: [JSONIssue],
        _ order: inout JournalOrder,
        _ world: String
    ) {
        let explanation = StateCoding.explain(JournalRecord.self, json)
        guard let stored = explanation.value else {
            let issues = explanation.issues.isEmpty ? known : explanation.issues
            return fault(inEntry: row, issues.map { PartFault(path: $0.path, $0.reason) })
        }
        let found = order.faults(stored, besides: explanation.misfits)
        fault(
            inEntry: row,
            explanation.issues.map { PartFault(path: $0.path, $0.reason) } + found
                + stored.faults(in: world, besides: explanation.misfits)
        )
    }

    private mutating func fault(inEntry row: Int, _ found: [PartFault]) {
        for item in found { fault(.journal(row: row), item.path, item.reason) }
    }
}

/// The comparison of the entries of a journal with those before them.
private struct JournalOrder {
    let lastSeq: UInt64
    private var last: UInt64 = 0
    private var seen: Set<ExactText> = []

    init(lastSeq: UInt64) { self.lastSeq = lastSeq }

    /// Returns what does not fit of an entry, besides members that could not be read.
    mutating func faults(_ stored: JournalRecord, besides misfits: [[JSONPathElement]] = []) -> [PartFault] {
        var found: [PartFault] = []
        func isRead(_ member: String) -> Bool { !misfits.contains { $0.first == .key(member) } }
        if isRead("seq") {
            if stored.seq > last, stored.seq <= lastSeq {
                last = stored.seq
            } else {
                found.append(PartFault(path: ["seq"], "must rise, and be at most lastSeq, \(lastSeq)"))
            }
        }
        if isRead("id"), !seen.insert(ExactText(stored.id)).inserted { found.append(.taken(stored.id)) }
        if isRead("timings"), !stored.timings.allSatisfy(WorldReading.timings.contains) {
            found.append(PartFault(path: ["timings"], "must be from -1e15 to 1e15"))
        }
        return found
    }
}
