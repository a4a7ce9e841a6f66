package import Backend
package import JSON
package import Journal

/// A copy of a whole world, which can be written elsewhere.
package struct WorldDump: Sendable {
    let record: WorldRecord
    let outbox: Table<Outbox.Message>
    let journal: JournalCopy
    let apis: [(name: String, epoch: Epoch, parts: @Sendable () -> [PartDump])]

    /// The format of the document.
    package static let format = "understudy-world"
    package static let version = 1

    package init(_ world: World, _ apis: [AnyAPI], journal: JournalCopy, at hostTime: HostTime) {
        record = WorldRecord(world, clock: ClockRecord(world.core.clock, at: hostTime))
        outbox = world.core.outbox.rows
        self.journal = journal
        self.apis = apis.indices.map { index in
            let (api, epoch) = (world.parts[index].api, world.parts[index].epoch)
            // As the first use would find it, and as the tables of the part show it.
            @Sendable func begun(_ box: AnyStateBox) -> [PartDump] {
                api.begin(box, epoch)
                return api.stateForm.dump(box)
            }
            guard let box = world.parts[index].box else {
                // An unused part may have a seed that has not been read yet, which takes a while.
                return (api.identity.name, epoch, { [core = world.core] in begun(api.makeState(core, epoch)) })
            }
            let parts = begun(box.copied())
            return (api.identity.name, epoch, { parts })
        }
    }

    /// The world as one document (control contract, section 4).
    package var document: JSON {
        var root = JSONObject()
        write { name, value in
            switch value {
            case .whole(let json): root.append(name, json)
            case .rows(let rows): root.append(name, .array(Array(rows)))
            }
        }
        return .object(root)
    }

    /// A member of the document: a value, or the rows of an array, each made when it is reached.
    package enum Member {
        case whole(JSON)
        case rows(AnySequence<JSON>)
    }

    /// Passes on the members of the document one by one, so that the whole is never in memory at once.
    package func write(_ member: (_ name: String, _ value: Member) -> Void) {
        member("format", .whole(.string(Self.format)))
        member("version", .whole(.integer(Int64(Self.version))))
        for found in StateCoding.json(record).objectValue?.members ?? [] { member(found.name, .whole(found.value)) }
        member("outbox", .rows(AnySequence(outbox.rows.lazy.map { StateCoding.json($0) })))
        var isOverrun = record.isOverrun
        var states = JSONObject()
        for api in apis {
            var parts: JSONObject = ["epoch": StateCoding.json(api.epoch.t0)]
            for part in api.parts() {
                let rows = part.rows().map { $0.content }
                isOverrun = isOverrun || rows.contains(where: part.counts.isOverrun)
                parts.append(part.name, part.isRows ? .array(rows) : rows.first ?? .null)
            }
            states.append(api.name, .object(parts))
        }
        member("apis", .whole(.object(states)))
        let entries = journal.hashed.entries.lazy.map { JournalRecord.json($0, in: record.name) }
        member("journal", .rows(AnySequence(entries)))
        // Only imported content can have counted that far, and an import of the document has to be told.
        if isOverrun { member("overrun", .whole(true)) }
    }
}
