package import Backend
import CivilTime
import JSON
import Journal

/// The typed content of a layer of a store, merged with all layers underneath it.
///
/// A view is derived from the view underneath, so that worlds and snapshots share in memory what they share on disk.
package struct LayerView {
    var record: JSON = .null
    var outbox = Table<Outbox.Message>()
    var stubs: JSON?
    var foreign: JSON?
    var epochs: [String: JSON] = [:]
    /// The states by API, not yet bound to a world; an API that is missing was never stored.
    package var boxes: [String: AnyStateBox] = [:]
    var journal: Journal

    package init(journalBytes: Int) { journal = Journal(capacity: journalBytes) }

    private static let readMessage: RowReader<Outbox.Message> = { json throws(JSONDecodingError) in
        try StateCoding.read(Outbox.Message.self, json)
    }

    /// Applies the next layer.
    package mutating func amend(_ layer: StoredLayer, _ apis: [AnyAPI]) throws(StoredWorldError) {
        if let record = layer.record { self.record = record }
        if let stubs = layer.stubs { self.stubs = stubs }
        if let foreign = layer.foreign { self.foreign = foreign }
        if let epoch = layer.epoch { epochs = epochs.mapValues { _ in epoch } }
        var faults: [PartFault] = []
        if !StatePart<Void>.amend(&outbox, layer.outbox, .none, Self.readMessage, nil, nil, &faults) {
            throw Self.error(layer, "outbox", faults)
        }
        for api in apis {
            let name = api.identity.name
            if let epoch = layer.epochs[name] { epochs[name] = epoch }
            // An API with an epoch was stored, even without rows.
            guard epochs[name] != nil, layer.parts[name] != nil || boxes[name] == nil else { continue }
            switch api.stateForm.amend(boxes[name], layer.parts[name] ?? [:], .store) {
            case .success(let box): boxes[name] = box
            case .failure(let error):
                guard let item = error.items.first else { continue }
                throw Self.error(layer, "\(name).\(item.part)", [item.fault])
            }
        }
        if case .array(let lines)? = layer.record?["counters"], !layer.journal.isEmpty {
            // Unreadable numbers are reported where the record is read as a whole.
            let counters = (try? StateCoding.read([Counters.Line].self, .array(lines))) ?? []
            journal.resume(ownIDs: WorldReading.ownIDs(counters, apis))
        }
        try amendJournal(layer)
    }

    private mutating func amendJournal(_ layer: StoredLayer) throws(StoredWorldError) {
        guard !layer.journal.isEmpty || layer.below > 0 else { return }
        var entries: [JournalEntry] = []
        entries.reserveCapacity(layer.journal.count)
        var last: UInt64 = 0
        for bytes in layer.journal {
            let record = try Self.record(bytes, layer)
            guard record.seq > last, record.seq <= UInt64(StoredSource.store.largestCount) else {
                throw StoredWorldError(detail: "layer \(layer.key), journal: seq must rise")
            }
            last = record.seq
            do throws(PartFault) {
                guard record.timings.allSatisfy(WorldReading.timings.contains) else {
                    throw PartFault(path: ["timings"], "must be from -1e15 to 1e15")
                }
                entries.append(try record.entry(in: layer.name))
            } catch {
                throw Self.error(layer, "journal", [error])
            }
        }
        journal.amend(entries, below: layer.below)
    }

    private static func record(_ bytes: [UInt8], _ layer: StoredLayer) throws(StoredWorldError) -> JournalRecord {
        let json: JSON
        do throws(JSONSyntaxError) {
            let options = JSONReader.Options(maxDepth: StateDepth.maximum, allowDuplicateNames: false)
            json = try JSONReader.read(bytes, options: options)
        } catch {
            throw StoredWorldError(detail: "layer \(layer.key), journal: \(error)")
        }
        do throws(JSONDecodingError) {
            // There are many and they are our own, so unknown members are not checked for.
            return try JSONDecoding.decode(JournalRecord.self, from: json)
        } catch {
            throw StoredWorldError(detail: "layer \(layer.key), journal: \(error)")
        }
    }

    private static func error(_ layer: StoredLayer, _ part: String, _ faults: [PartFault]) -> StoredWorldError {
        let fault = faults.first
        let path = fault.map { $0.path.isEmpty ? "" : ", \($0.path.formattedJSONPath)" } ?? ""
        return StoredWorldError(detail: "layer \(layer.key), \(part)\(path): \(fault?.reason ?? "invalid value")")
    }
}
