import CivilTime
package import JSON

extension Emulator {
    /// A world or a snapshot that a store has to hold.
    package struct Kept: Sendable {
        package let key: Int
        /// The world that a snapshot belongs to; nil for a world.
        package let owner: Int?
        package let name: String
        package let facts: JSON
    }

    /// Every world, and every snapshot after its world, in order of their making.
    package var keptKeys: [(key: Int, owner: Int?)] {
        var keys: [(key: Int, owner: Int?)] = []
        keys.reserveCapacity(worldNames.count)
        for name in worldNames {
            guard let slot = self[world: name] else { continue }
            keys.append((slot.key, nil))
            for snapshot in slot.snapshots { keys.append((snapshot.key, slot.key)) }
        }
        return keys
    }

    /// What a store notes of a world or a snapshot; nil if it is gone.
    package func kept(key: Int, owner: Int?) -> Kept? {
        guard let owner else {
            guard let slot = slot(key: key) else { return nil }
            let facts = StoredWorld.Facts(
                timeToLive: slot.timeToLive,
                lastEvent: slot.events.lastSeq,
                createdAt: slot.world.createdAt
            )
            return Kept(key: key, owner: nil, name: slot.world.name, facts: StateCoding.json(facts))
        }
        guard let snapshot = slot(key: owner)?.snapshots.first(where: { $0.key == key }) else { return nil }
        let facts = StoredWorld.Facts(timeToLive: nil, lastEvent: 0, createdAt: snapshot.createdAt)
        return Kept(key: key, owner: owner, name: snapshot.name, facts: StateCoding.json(facts))
    }

    /// What the next process has to go on with.
    package var counts: JSON {
        ["lastKey": .integer(Int64(lastKey)), "lastMadeUpName": .integer(Int64(lastMadeUpName))]
    }

    /// Whether an answer of that API in that world tells of something that is not written yet.
    package func hasChanged(worldKey key: Int, api index: Int) -> Bool {
        slot(key: key)?.world.hasChanged(apis[index], index) ?? false
    }

    /// The worlds whose journals have grown since they were last taken.
    package var worldsWithNews: [Int] {
        worldNames.compactMap { self[world: $0] }.filter { $0.world.journal.hasChanged }.map(\.key)
    }

    /// What has changed in a world since the last call; nil if it is gone.
    package func takeChanges(worldKey key: Int) -> WorldChanges? {
        guard let slot = slot(key: key) else { return nil }
        let clock = ClockRecord(running: slot.world.core.clock)
        return slot.world.takeChanges(apis, clock: clock)
    }

    /// Everything in a snapshot; nil if it is gone.
    package func takeSnapshot(key: Int, owner: Int) -> WorldChanges? {
        guard let snapshot = slot(key: owner)?.snapshots.first(where: { $0.key == key }) else { return nil }
        var copy = snapshot.world
        copy.untrack()
        return copy.takeChanges(apis, clock: ClockRecord(copy.core.clock, standing: snapshot.takenAt))
    }

    /// Lets the next taking be of everything: what was taken did not reach the store.
    package func untrackAll() {
        for name in worldNames { self[world: name]?.world.untrack() }
    }

    /// Goes on with the worlds of a store, `main` among them.
    package func adopt(_ stored: [StoredWorld], counts: JSON, at real: RealTime) throws(StoredWorldError) {
        guard stored.contains(where: { $0.owner == nil && $0.key == 0 && $0.name == WorldName.main }) else {
            throw StoredWorldError(detail: "there is no world main")
        }
        for world in stored where world.owner == nil {
            guard world.key == 0 || self[world: world.name] == nil else {
                throw StoredWorldError(detail: "there are two worlds named \(world.name)")
            }
            let facts = try facts(world)
            let value = try value(world, named: world.name, at: real)
            install(value, key: world.key, timeToLive: facts.timeToLive, lastEvent: facts.lastEvent, at: real)
            // It is in the store already, but for APIs that are new to it.
            _ = takeChanges(worldKey: world.key)
            for (index, api) in apis.enumerated() where world.content.apis[api.identity.name] == nil {
                slot(key: world.key)?.world.mark(index, [])
            }
        }
        for snapshot in stored {
            guard let owner = snapshot.owner else { continue }
            guard let slot = slot(key: owner), !slot.snapshots.contains(where: { $0.name == snapshot.name }) else {
                throw StoredWorldError(detail: "the snapshot \(snapshot.name) belongs to no world, or is there twice")
            }
            let facts = try facts(snapshot)
            let value = try value(snapshot, named: slot.world.name, at: real)
            slot.snapshots.append(
                Snapshot(
                    key: snapshot.key,
                    name: snapshot.name,
                    world: value,
                    takenAt: real,
                    createdAt: facts.createdAt
                )
            )
        }
        let highest = stored.map(\.key).max() ?? 0
        resume(
            lastKey: max(highest, Int(counts["lastKey"]?.intValue ?? 0)),
            lastMadeUpName: UInt64(clamping: counts["lastMadeUpName"]?.intValue ?? 0)
        )
    }

    private func facts(_ stored: StoredWorld) throws(StoredWorldError) -> StoredWorld.Facts {
        do throws(JSONDecodingError) {
            return try StateCoding.read(StoredWorld.Facts.self, stored.facts)
        } catch {
            throw StoredWorldError(detail: "world \(stored.name): \(error)")
        }
    }

    private func value(_ stored: StoredWorld, named name: String, at real: RealTime) throws(StoredWorldError) -> World {
        var reading = WorldReading(
            apis: apis,
            journalBytes: configuration.journalBytes,
            outboxMessages: configuration.outboxMessages,
            issued: configuration.issued,
            real: real,
            isStore: true
        )
        guard let world = reading.world(stored.content, named: name) else {
            let first = reading.faults.first.map { "\($0.documentPath.formattedJSONPath): \($0.reason)" }
            throw StoredWorldError(detail: "world \(stored.name): \(first ?? "it does not fit")")
        }
        return world
    }
}
