package import JSON

/// A whole world as it stands, ready to be spelled elsewhere.
package struct WorldDump: Sendable {
    let record: WorldRecord
    let outbox: Table<Outbox.Message>
    let journal: Journal
    let apis: [(name: String, epoch: Epoch, parts: [PartDump])]

    /// The format of the document.
    static let format = "understudy-world"
    static let version = 1

    init(_ world: World, _ apis: [AnyAPI], at real: RealTime) {
        record = WorldRecord(world, clock: ClockRecord(world.core.clock, standing: real))
        outbox = world.core.outbox.rows
        journal = world.journal
        self.apis = apis.enumerated().map { index, api in
            (api.identity.name, world.parts[index].epoch, api.stateForm.dump(world, index))
        }
    }

    /// The world as one document (control contract, section 4).
    package var document: JSON {
        var root: JSONObject = ["format": .string(Self.format), "version": .integer(Int64(Self.version))]
        if let members = StateCoding.json(record).objectValue {
            for member in members.members { root.append(member.name, member.value) }
        }
        root.append("outbox", .array(outbox.rows.map { StateCoding.json($0) }))
        var states = JSONObject()
        for api in apis {
            var parts: JSONObject = ["epoch": StateCoding.json(api.epoch.t0)]
            for part in api.parts {
                let rows = part.rows().map { $0.content() }
                parts.append(part.name, part.isRows ? .array(rows) : rows.first ?? .null)
            }
            states.append(api.name, .object(parts))
        }
        root.append("apis", .object(states))
        root.append("journal", .array(journal.entries.map { JournalRecord.json($0) }))
        return .object(root)
    }
}
