import Backend
import CivilTime
import JSON
import Journal

/// The reading of a world from the layers of a store, which are shared with other worlds.
extension WorldReading {
    mutating func sharedOutbox(_ rows: Table<Outbox.Message>, _ record: WorldRecord) -> Outbox? {
        var last: UInt64 = 0
        for (row, message) in rows.rows.enumerated() {
            guard let number = UInt64(message.id), "\(number)" == message.id, number > last, number <= record.posted
            else {
                fault(.outbox(row: row), ["id"], "must be a rising number of at most posted, \(record.posted)")
                return nil
            }
            last = number
        }
        return Outbox(rows, posted: record.posted, capacity: outboxMessages)
    }

    mutating func sharedJournal(_ journal: Journal, _ record: WorldRecord) -> Journal? {
        guard journal.lastSeq <= record.lastSeq, record.lastSeq <= largestCount else {
            fault(.record, ["lastSeq"], "must be at least that of the newest entry, and at most 2^53")
            return nil
        }
        var journal = journal
        journal.resume(lastSeq: record.lastSeq, ownIDs: Self.ownIDs(record.counters, apis))
        return journal
    }

    mutating func sharedPart(
        _ api: AnyAPI,
        _ view: LayerView,
        _ core: WorldCore
    ) -> (api: AnyAPI, box: AnyStateBox?, epoch: Epoch) {
        let name = api.identity.name
        guard let box = view.boxes[name], let stored = view.epochs[name] else {
            return (api, nil, Epoch(start: core.now))
        }
        var epoch = Epoch(start: core.now)
        do throws(JSONDecodingError) {
            epoch = Epoch(start: try StateCoding.read(Instant.self, stored))
        } catch {
            for issue in error.issues { fault(.epoch(api: name), issue.path, issue.reason) }
        }
        return (api, api.stateForm.settle(box, core), epoch)
    }
}
