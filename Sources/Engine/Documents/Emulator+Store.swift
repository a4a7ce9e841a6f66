package import Backend
import Basics
import CivilTime
package import JSON
package import Journal
package import Worlds

extension Emulator {
    /// A world or a snapshot as a store records it.
    package struct Kept: Sendable {
        package let key: Int
        /// The world that a snapshot belongs to; nil for a world.
        package let owner: Int?
        package let name: String
        fileprivate let facts: StoredWorld.Facts

        /// The text of what the registry knows of it.
        package var factsText: [UInt8] { StateCoding.text(of: facts) }
    }

    /// Every world, then what it began with and its snapshots, in order of creation.
    package var keptKeys: [(key: Int, owner: Int?)] {
        var keys: [(key: Int, owner: Int?)] = []
        keys.reserveCapacity(worldNames.count)
        for name in worldNames {
            guard let hosted = self[world: name] else { continue }
            keys.append((hosted.key, nil))
            if let origin = hosted.origin { keys.append((origin.key, hosted.key)) }
            for snapshot in hosted.snapshots { keys.append((snapshot.key, hosted.key)) }
        }
        return keys
    }

    /// Returns the store's record of a world or a snapshot; nil if it is gone.
    package func kept(key: Int, owner: Int?) -> Kept? {
        guard let owner else {
            guard let hosted = hosted(key: key) else { return nil }
            let facts = StoredWorld.Facts(
                timeToLive: hosted.timeToLive,
                lastEvent: hosted.events.lastSeq,
                createdAt: hosted.world.createdAt
            )
            return Kept(key: key, owner: nil, name: hosted.world.name, facts: facts)
        }
        guard let hosted = hosted(key: owner) else { return nil }
        if let origin = hosted.origin, origin.key == key { return Self.kept(origin, of: hosted) }
        return hosted.snapshots.first { $0.key == key }.map { Self.kept($0, of: owner) }
    }

    /// The counters that the next process continues.
    package var counts: JSON {
        ["lastKey": .integer(Int64(lastKey)), "lastMadeUpName": .integer(Int64(lastMadeUpName))]
    }

    /// Returns whether a response of that API in that world may report changes that are not written yet.
    package func hasChanged(worldKey key: Int, api index: Int) -> Bool {
        guard !stepKeys.contains(key), let hosted = hosted(key: key) else { return stepKeys.contains(key) }
        let count = hosted.world.parts[index].changes?.value
        guard !hosted.world.hasChanged(apis[index], index) else { return true }
        if let count { hosted.world.rest(index, at: count) }
        return false
    }

    // MARK: Steps

    /// Returns the steps to write before anything that is taken from the worlds from now on.
    package func takeSteps() -> [StoreStep] {
        defer {
            steps = []
            stepKeys = []
        }
        return steps
    }

    package var hasSteps: Bool { !steps.isEmpty }

    /// Notes that another world or snapshot branches off a world, with all changes up to here.
    func noteBranch(of hosted: HostedWorld, as key: Int) {
        guard isKept, let kept = kept(key: hosted.key, owner: nil), let changes = takeChanges(worldKey: hosted.key)
        else {
            return
        }
        steps.append(.changes(kept, changes))
        steps.append(.branch(from: hosted.key, to: key))
        stepKeys.formUnion([hosted.key, key])
    }

    /// Notes that a world branches off a snapshot; later changes of the copy are tracked from here.
    func noteBranch(of snapshot: inout Snapshot, as key: Int) {
        guard isKept else { return }
        _ = snapshot.takeChanges(apis)
        steps.append(.branch(from: snapshot.key, to: key))
        stepKeys.insert(key)
    }

    /// Notes the differences of a new snapshot from its world.
    func note(_ snapshot: inout Snapshot, of hosted: HostedWorld) {
        guard isKept else { return }
        let changes = snapshot.takeChanges(apis)
        steps.append(.changes(Self.kept(snapshot, of: hosted.key), changes))
    }

    private static func kept(_ snapshot: Snapshot, of owner: Int) -> Kept {
        let facts = StoredWorld.Facts(timeToLive: nil, lastEvent: 0, createdAt: snapshot.createdAt)
        return Kept(key: snapshot.key, owner: owner, name: snapshot.name, facts: facts)
    }

    /// The name of the record of what a world began with: no snapshot can have it.
    private static let originName = ""

    private static func kept(_ origin: WorldOrigin, of hosted: HostedWorld) -> Kept {
        let facts = StoredWorld.Facts(
            timeToLive: nil,
            lastEvent: 0,
            createdAt: origin.world.createdAt,
            seeded: origin.seeded
        )
        return Kept(key: origin.key, owner: hosted.key, name: originName, facts: facts)
    }

    /// Notes what a world began with that is the copy of another, in its present state.
    func noteOrigin(of hosted: HostedWorld) {
        var origin = WorldOrigin(key: newKey(), hosted.world, seeded: [])
        if isKept {
            steps.append(.branch(from: hosted.key, to: origin.key))
            steps.append(.changes(Self.kept(origin, of: hosted), origin.takeChanges(apis)))
        }
        hosted.origin = origin
    }

    /// Notes that a world has begun with the seed, by its making or by a reset; the store keeps the rows for processes
    /// with other seeds.
    func noteSeedOrigin(of hosted: HostedWorld) {
        hosted.origin = nil
        guard isKept else { return }
        let origin = seedOrigin(of: hosted)
        hosted.origin = origin
        hosted.world.takeUnusedParts(of: origin.world)
        steps.append(.branch(from: origin.key, to: hosted.key))
        stepKeys.insert(hosted.key)
    }

    /// The most seeds that are known at a time: one for each day of the week, on which seeds may depend, and one.
    private static let mostSeeds = 8

    /// Returns the number of a world's seed among the steps; the store learns of a new one.
    private func seedKey(of world: World, _ changes: WorldChanges) -> Int {
        if let place = seeds.firstIndex(where: { $0.isSeed(of: world) }) {
            let seed = seeds.remove(at: place)
            seeds.append(seed)
            return seed.key
        }
        // Files of before are not read again.
        seeds.removeAll { !$0.has(apis) }
        if seeds.count == Self.mostSeeds { seeds.removeFirst() }
        let seed = StoredSeed(key: newKey(), of: world)
        seeds.append(seed)
        steps.append(.seed(key: seed.key, changes.ofSeed, live: seeds.map(\.key)))
        return seed.key
    }

    /// Makes the store learn of every seed anew, because it may not have got steps that were taken.
    package func forgetSeeds() { seeds = [] }

    /// Notes that one API of a world begins with the seed from here.
    func noteSeedOrigin(of hosted: HostedWorld, api: Int) {
        guard var origin = hosted.origin else { return }
        hosted.origin = nil
        renew([api], of: &origin, in: hosted, isStored: isKept)
        hosted.origin = origin
    }

    /// Makes APIs of a world's beginning those of the seed.
    private func renew(_ places: [Int], of origin: inout WorldOrigin, in hosted: HostedWorld, isStored: Bool) {
        guard !places.isEmpty else { return }
        let seeded = hosted.world.asSeeded
        for index in places { origin.takePart(index, of: seeded) }
        guard isStored else { return }
        // The world, its forks and its snapshots stand on the layer of before.
        steps.append(.branch(from: origin.key, to: origin.key))
        steps.append(.changes(Self.kept(origin, of: hosted), origin.takeChanges(apis)))
    }

    /// Makes this emulator one that a store keeps; `isNew` tells that the store has had none of its worlds.
    ///
    /// Worlds of a store that has kept no beginnings are taken to have begun with the seeds of now.
    package func beginKeeping(isNew: Bool) {
        isKept = true
        for hosted in worldNames.compactMap({ self[world: $0] }) where hosted.origin == nil {
            if isNew { noteSeedOrigin(of: hosted) } else { hosted.origin = seedOrigin(of: hosted) }
        }
    }

    /// Returns the beginning of a world that began with the seed of its parts, which a store has upon its seed.
    func seedOrigin(of hosted: HostedWorld) -> WorldOrigin {
        guard isKept else { return WorldOrigin(key: newKey(), hosted.world.asSeeded, seeded: apiNames) }
        var seeded = hosted.world.seedToStore
        let changes = seeded.takeChanges(apis, clock: ClockRecord(running: seeded.core.clock))
        let seed = seedKey(of: seeded, changes)
        let origin = WorldOrigin(key: newKey(), taken: seeded, seeded: apiNames)
        steps.append(.branch(from: seed, to: origin.key))
        steps.append(.changes(Self.kept(origin, of: hosted), changes.uponSeed(start: seeded.start)))
        return origin
    }

    /// The worlds whose journals have grown since they were last taken.
    package var worldsWithNews: [Int] {
        worldNames.compactMap { self[world: $0] }.filter { $0.world.journal.hasChanged }.map(\.key)
    }

    /// Returns the changes of a world since the last call; nil if it is gone.
    ///
    /// Journal entries that are not selected are kept for a later call.
    package func takeChanges(worldKey key: Int, journal wanted: Journal.Wanted = .all) -> WorldChanges? {
        guard let hosted = hosted(key: key) else { return nil }
        let clock = ClockRecord(running: hosted.world.core.clock)
        return hosted.world.takeChanges(apis, clock: clock, journal: wanted)
    }

    /// Returns the number of the journal entry of an exchange in progress; nil if it has none or its world was
    /// replaced.
    package func journalSeq(of exchange: UInt64) -> UInt64? {
        exchanges[exchange].flatMap { $0.hasWorld && !$0.isOutdated ? $0.journalEntry : nil }
    }

    /// Returns whether a response of any API of a world may report changes that are not written yet.
    package func hasChanged(worldKey key: Int) -> Bool {
        apis.indices.contains { hasChanged(worldKey: key, api: $0) }
    }

    /// Returns whether a world has journal entries that have not been taken and have waited long enough.
    package func hasDueEntries(worldKey key: Int) -> Bool { hosted(key: key)?.world.journal.hasDue ?? false }

    /// Returns whether a world has journal entries that have not been taken.
    package func hasNews(worldKey key: Int) -> Bool { hosted(key: key)?.world.journal.hasChanged ?? false }

    /// Advances the waiting in the journal of a world: entries from `looks` calls ago have waited long enough.
    package func ageJournal(worldKey key: Int, looks: Int) { hosted(key: key)?.world.journal.age(looks: looks) }

    /// Returns everything in a snapshot, or in what a world began with; nil if it is gone.
    package func takeSnapshot(key: Int, owner: Int) -> WorldChanges? {
        guard let hosted = hosted(key: owner) else { return nil }
        if var origin = hosted.origin, origin.key == key {
            origin.untrack()
            return origin.takeChanges(apis)
        }
        guard var copy = hosted.snapshots.first(where: { $0.key == key }) else { return nil }
        copy.world.untrack()
        return copy.takeChanges(apis)
    }

    /// Makes the next `takeChanges` of a world return everything.
    package func untrack(worldKey key: Int) { hosted(key: key)?.world.untrack() }

    /// Restores the worlds of a store, including `main`.
    ///
    /// Each layer comes after its parent. Layers are freed as they are read.
    package func adopt(_ content: inout StoredContent, at hostTime: HostTime) throws(StoredWorldError) {
        let stored = content.worlds
        guard stored.contains(where: { $0.owner == nil && $0.key == 0 && $0.name == WorldName.main }) else {
            throw StoredWorldError(detail: "there is no world main")
        }
        let views = try views(&content)
        for world in stored where world.owner == nil {
            guard world.key == 0 || self[world: world.name] == nil else {
                throw StoredWorldError(detail: "there are two worlds named \(world.name)")
            }
            let facts = try facts(world)
            let value = try value(world, views, named: world.name, at: hostTime)
            install(value, key: world.key, timeToLive: facts.timeToLive, lastEvent: facts.lastEvent, at: hostTime)
            // The store has it already, except for APIs that are new to the store.
            _ = takeChanges(worldKey: world.key)
            for index in newAPIs(in: views[world.layer]) { hosted(key: world.key)?.world.mark(index, []) }
        }
        for stored in stored {
            guard let owner = stored.owner else { continue }
            guard let hosted = hosted(key: owner), !hosted.snapshots.contains(where: { $0.name == stored.name }) else {
                throw StoredWorldError(detail: "the snapshot \(stored.name) belongs to no world, or is there twice")
            }
            let facts = try facts(stored)
            if stored.name == Self.originName {
                var origin = WorldOrigin(
                    key: stored.key,
                    try value(stored, views, named: hosted.world.name, at: hostTime),
                    seeded: facts.seeded ?? []
                )
                _ = origin.takeChanges(apis)
                let reset = (facts.resets ?? []).compactMap { apiNames.firstIndex(of: $0) }
                let places = Set(newAPIs(in: views[stored.layer]) + reset).sorted()
                renew(places, of: &origin, in: hosted, isStored: true)
                hosted.origin = origin
                continue
            }
            var snapshot = Snapshot(
                key: stored.key,
                name: stored.name,
                world: try value(stored, views, named: hosted.world.name, at: hostTime),
                takenAt: hostTime,
                createdAt: facts.createdAt
            )
            note(newAPIs(in: views[stored.layer]), in: &snapshot, of: hosted)
            hosted.snapshots.append(snapshot)
        }
        func count(_ name: String) -> Int64 {
            min(max(content.counts[name]?.intValue ?? 0, 0), StoredSource.store.largestCount)
        }
        let highest = stored.map(\.key).max() ?? 0
        resume(
            lastKey: max(highest, Int(count("lastKey"))),
            lastMadeUpName: UInt64(count("lastMadeUpName"))
        )
    }

    /// Returns the merged content of each layer and its ancestors; each layer is freed as soon as it has been read.
    private func views(_ content: inout StoredContent) throws(StoredWorldError) -> [Int: LayerView] {
        var views: [Int: LayerView] = [:]
        for place in content.layers.indices {
            let key = content.layers[place].key
            var view = LayerView(journalBytes: configuration.journalBytes)
            if let parent = content.layers[place].parent {
                guard let base = views[parent] else {
                    throw StoredWorldError(detail: "layer \(key) has a missing parent")
                }
                view = base
            }
            try view.amend(content.layers[place], apis)
            content.layers[place].journal = []
            content.layers[place].parts = [:]
            views[key] = view
        }
        return views
    }

    /// Returns the APIs that a world was stored without.
    private func newAPIs(in view: LayerView?) -> [Int] {
        apis.indices.filter { view?.boxes[apis[$0].identity.name] == nil }
    }

    /// Makes the store take APIs that are new to a snapshot, so that changes of a world restored from it are tracked.
    private func note(_ new: [Int], in snapshot: inout Snapshot, of hosted: HostedWorld) {
        guard !new.isEmpty else { return }
        _ = snapshot.takeChanges(apis)
        for index in new { snapshot.world.mark(index, []) }
        let changes = snapshot.takeChanges(apis)
        steps.append(.branch(from: snapshot.key, to: snapshot.key))
        steps.append(.changes(Self.kept(snapshot, of: hosted.key), changes))
    }

    private func facts(_ stored: StoredWorld) throws(StoredWorldError) -> StoredWorld.Facts {
        do throws(JSONDecodingError) {
            return try StateCoding.read(StoredWorld.Facts.self, stored.facts)
        } catch {
            throw StoredWorldError(detail: "world \(stored.name): \(error)")
        }
    }

    private func value(
        _ stored: StoredWorld,
        _ views: [Int: LayerView],
        named name: String,
        at hostTime: HostTime
    ) throws(StoredWorldError) -> World {
        guard let view = views[stored.layer] else {
            throw StoredWorldError(detail: "world \(stored.name) has no layer")
        }
        var reading = WorldReading(
            apis: apis,
            journalBytes: configuration.journalBytes,
            outboxMessages: configuration.outboxMessages,
            issued: configuration.issued,
            hostTime: hostTime,
            source: .store
        )
        guard let world = reading.world(WorldContent(view), named: name) else {
            let first = reading.faults.first.map { "\($0.documentPath.formattedJSONPath): \($0.reason)" }
            throw StoredWorldError(detail: "world \(stored.name): \(first ?? "invalid record")")
        }
        return world
    }
}

extension Snapshot {
    /// Returns the changes since the last call; everything at the first.
    mutating func takeChanges(_ apis: [AnyAPI]) -> WorldChanges {
        world.takeChanges(apis, clock: ClockRecord(world.core.clock, at: takenAt))
    }
}
