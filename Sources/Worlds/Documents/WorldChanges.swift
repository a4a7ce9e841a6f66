package import Backend
import Basics
package import CivilTime
import Conditions
package import JSON
package import Journal

/// The changes of a world since the last time.
package struct WorldChanges: Sendable {
    /// One part; the API is empty for the parts of the world itself.
    package struct Section: Sendable {
        package let api: String
        package let part: String
        package let changes: PartChanges
    }

    package let sections: [Section]
    package let journal: Journal.Changes

    /// The parts of the world itself.
    package static let worldPart = "world"
    package static let outboxPart = "outbox"
    /// The stubs as they are written, without their counts.
    package static let stubsPart = "stubs"
    /// The credentials that came from another world.
    package static let foreignPart = "foreign"
    /// The part of every API that holds its anchors, and of the world itself where its APIs began together.
    package static let epochPart = "epoch"
    /// The part of a layer that is a seed's; it has the digest of the layer's content.
    package static let seedPart = "seed"

    /// The name of the journal among the parts, for notes on it as a whole.
    package static let journalPart = "journal"

    /// The changes of a world that has just begun which all worlds with its seed share.
    package var ofSeed: WorldChanges {
        let shared = sections.filter { !$0.api.isEmpty || $0.part == Self.stubsPart }
        return WorldChanges(sections: shared, journal: .nothing)
    }

    /// Returns the changes that such a world has for itself upon its seed; `start` is the time at which all its APIs began.
    package func uponSeed(start: Instant?) -> WorldChanges {
        var own = sections.filter {
            $0.api.isEmpty ? $0.part != Self.stubsPart : $0.part == Self.epochPart && start == nil
        }
        if let start {
            let row = StoredRow(id: "", place: 0, start)
            own.append(Section(api: "", part: Self.epochPart, changes: .value(row)))
        }
        return WorldChanges(sections: own, journal: journal)
    }

    /// Returns the text of an entry; it names its world, because worlds and snapshots share it.
    package static func text(of entry: JournalEntry) -> [UInt8] { JournalRecord.text(of: entry, in: nil) }
}

extension World {
    /// Returns the changes since the last call; everything at the first.
    ///
    /// Journal entries that are not selected are kept for a later call.
    package mutating func takeChanges(
        _ apis: [AnyAPI],
        clock: ClockRecord,
        journal wanted: Journal.Wanted = .all
    ) -> WorldChanges {
        let record = WorldRecord(self, clock: clock, forStore: true)
        takenLasting = core.randomness.lasting
        takenFaultUses = faults.uses
        takenStubUses = stubs.uses
        var sections = [
            WorldChanges.Section(
                api: "",
                part: WorldChanges.worldPart,
                changes: .value(StoredRow(id: "", place: 0, record))
            )
        ]
        if let stamp = stubs.stamp, stamp !== takenStubStamp, let book = StubRegistryRecord(stubs) {
            takenStubStamp = stamp
            let row = StoredRow(id: "", place: 0, book)
            sections.append(WorldChanges.Section(api: "", part: WorldChanges.stubsPart, changes: .value(row)))
        }
        if !isForeignTaken {
            isForeignTaken = true
            let row = StoredRow(id: "", place: 0, foreign)
            sections.append(WorldChanges.Section(api: "", part: WorldChanges.foreignPart, changes: .value(row)))
        }
        if core.outbox.hasChanged {
            let posted = PartChanges(withCore { $0.outbox.takeChanges() })
            sections.append(WorldChanges.Section(api: "", part: WorldChanges.outboxPart, changes: posted))
        }
        for index in apis.indices {
            let api = parts[index].api
            let name = api.identity.name
            // Its anchors only move with the whole of it.
            let isNew = parts[index].marks.isEmpty
            let taken = take(index)
            if isNew {
                sections.append(
                    WorldChanges.Section(
                        api: name,
                        part: WorldChanges.epochPart,
                        changes: .value(StoredRow(id: "", place: 0, parts[index].epoch.t0))
                    )
                )
            }
            for (part, changes) in taken {
                sections.append(WorldChanges.Section(api: name, part: part, changes: changes))
            }
        }
        return WorldChanges(sections: sections, journal: journal.takeChanges(wanted))
    }

    /// Returns whether a response of that API may report changes that are not written yet.
    package func hasChanged(_ api: AnyAPI, _ index: Int) -> Bool {
        core.outbox.hasChanged || core.randomness.lasting != takenLasting || faults.uses != takenFaultUses
            || stubs.uses != takenStubUses
            || stateHasChanged(api, index)
    }

    /// Takes what the store does not have of a part.
    private mutating func take(_ index: Int) -> [(part: String, changes: PartChanges)] {
        let form = parts[index].api.stateForm
        guard parts[index].marks.count == form.parts.count, parts[index].box != nil else {
            let taken = form.takeWhole(owned(index), changeCount(index))
            mark(index, taken.marks)
            return taken.changes
        }
        // The box must have no other owner below, or its state would be copied.
        guard parts[index].isTouched, let taken = parts[index].box.map({ form.takeValues($0, parts[index].marks) })
        else {
            return []
        }
        var changes = taken.changes
        if !taken.tables.isEmpty { changes += form.takeTables(owned(index), taken.tables, changeCount(index)) }
        mark(index, taken.marks)
        return changes
    }

    private func partHasChanged(_ index: Int, isQuick: Bool = false) -> Bool {
        guard let box = parts[index].box else { return true }
        return parts[index].api.stateForm.hasChanged(box, parts[index].marks, isQuick)
    }

    private func stateHasChanged(_ api: AnyAPI, _ index: Int) -> Bool {
        guard parts[index].isTouched else { return false }
        let api = parts[index].api
        guard let count = parts[index].changes?.value, count == parts[index].countAtRest else {
            return partHasChanged(index)
        }
        let hasChanged = partHasChanged(index, isQuick: true)
        assert(
            hasChanged || !partHasChanged(index),
            "\(api.identity.name): a table was replaced as a whole where its rows have to be changed"
        )
        return hasChanged
    }
}

/// A world or a snapshot as it was found in a store.
package struct StoredWorld: Sendable {
    /// The registration of the world, besides its value.
    package struct Facts: Codable, Sendable {
        package var timeToLive: Interval?
        package var lastEvent: UInt64
        package var createdAt: Instant
        /// The APIs that began with the seed; nil for all but the beginnings of worlds.
        package var seeded: [String]?
        /// The APIs that were reset since, whose rows are still those of before; an earlier version wrote it.
        package var resets: [String]?

        package init(
            timeToLive: Interval? = nil,
            lastEvent: UInt64,
            createdAt: Instant,
            seeded: [String]? = nil,
            resets: [String]? = nil
        ) {
            self.timeToLive = timeToLive
            self.lastEvent = lastEvent
            self.createdAt = createdAt
            self.seeded = seeded
            self.resets = resets
        }
    }

    package var key: Int
    /// The world that a snapshot belongs to; nil for a world.
    package var owner: Int?
    package var name: String
    package var facts: JSON
    /// The layer with its latest changes.
    package var layer: Int

    package init(key: Int, owner: Int?, name: String, facts: JSON, layer: Int) {
        self.key = key
        self.owner = owner
        self.name = name
        self.facts = facts
        self.layer = layer
    }
}

/// The error of a store whose content is impossible.
package struct StoredWorldError: Error, Sendable {
    package var detail: String

    package init(detail: String) {
        self.detail = detail
    }
}

/// The whole content of a store.
package struct StoredContent: Sendable {
    /// Worlds and snapshots, in order of their keys.
    package var worlds: [StoredWorld] = []
    /// The layers, each after the one underneath.
    package var layers: [StoredLayer] = []
    package var counts: JSON = .null
    /// Records of the credentials that were issued.
    package var issued: [UInt8] = []

    package init() {}
}
