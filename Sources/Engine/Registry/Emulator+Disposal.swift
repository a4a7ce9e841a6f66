package import Backend
package import Journal
package import Worlds

/// A discarded value that takes long to free.
package enum Discarded {
    case world(World)
    case worlds([World])
    case journal(Journal)
    /// States of large worlds.
    case states([any Sendable])
}

extension Emulator {
    /// The number of exchanges up to which a world is freed in microseconds.
    private static let smallWorld = 64
    /// The number of discarded values that wait at most, in case no owner frees them.
    private static let mostDiscarded = 64

    /// Returns a world, or one API in it, to its seed.
    ///
    /// That takes the same time whatever the world held. Freeing what it held may take long, and is left to the
    /// emulator's owner.
    package func reset(_ hosted: HostedWorld, only api: Int? = nil, keepClock: Bool, at hostTime: HostTime) {
        onJournalEnd?(hosted, api)
        // The new journal counts from the beginning again.
        hosted.judgement = nil
        // The reset of one API leaves the rest in use, where sharing it would cost copies.
        if api == nil { discard(hosted.world) }
        hosted.world.reset(apis, only: api, stubs: seedStubs, keepClock: keepClock, at: hostTime)
        if let api { noteSeedOrigin(of: hosted, api: api) } else { noteSeedOrigin(of: hosted) }
    }

    /// Empties the journal of a world, or removes one API's entries from it.
    package func clearJournal(of hosted: HostedWorld, only api: Int?) {
        onJournalEnd?(hosted, api)
        hosted.world.coverage.clear(api: api, named: api.map { apiNames[$0] })
        if api == nil { hosted.world.notes.removeAll() }
        if let api {
            hosted.world.journal.removeAll(api: apis[api].identity.name)
        } else {
            discard(.journal(hosted.world.journal))
            hosted.world.journal.removeAll()
        }
    }

    /// Protects the entries of a world's journal from a number on, because calls wait that have not read them.
    package func keepEntries(worldKey key: Int, from seq: UInt64) { hosted(key: key)?.world.journal.keep(from: seq) }

    /// Discards a world if it takes long to free.
    func discard(_ world: World) {
        if world.requestCount > Self.smallWorld { discard(.world(world)) }
    }

    /// Discards snapshots, which hold journals as large as their worlds.
    func discard(_ snapshots: [Snapshot]) {
        if !snapshots.isEmpty { discard(.worlds(snapshots.map(\.world))) }
    }

    private func discard(_ item: Discarded) {
        if discarded.count == Self.mostDiscarded { discarded.removeFirst() }
        discarded.append(item)
    }

    /// Returns the discarded values, which the caller frees.
    package func takeDiscarded() -> [Discarded] {
        defer { discarded = [] }
        let states = discardedStates.take()
        return states.isEmpty ? discarded : discarded + [.states(states)]
    }

    /// Tells whether there are discarded values.
    package var hasDiscarded: Bool { !discarded.isEmpty || hasLargeWorlds && !discardedStates.isEmpty }
}
