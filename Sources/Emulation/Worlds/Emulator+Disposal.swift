/// Something out of use that takes long to free.
package enum Discarded {
    case world(World)
    case worlds([World])
    case journal(Journal)
    /// Of large worlds.
    case states([any Sendable])
}

extension Emulator {
    /// A world of so many exchanges is freed in microseconds.
    private static let smallWorld = 64
    /// No more of them wait; without an owner who frees them they don't pile up.
    private static let mostDiscarded = 64

    /// Returns a world, or one API in it, to its seed.
    ///
    /// That takes the same time whatever the world held; to let go of what it held does not, and is left to whoever owns this.
    package func reset(_ hosted: HostedWorld, only api: Int? = nil, keepClock: Bool, at hostTime: HostTime) {
        // One API's part leaves the rest in use, which is then better not shared.
        if api == nil { discard(hosted.world) }
        hosted.world.reset(apis, only: api, keepClock: keepClock, at: hostTime)
    }

    /// Empties the journal of a world, or takes one API's entries out of it.
    package func clearJournal(of hosted: HostedWorld, only api: Int?) {
        if let api {
            hosted.world.journal.removeAll(api: apis[api].identity.name)
        } else {
            discard(.journal(hosted.world.journal))
            hosted.world.journal.removeAll()
        }
    }

    /// Keeps the entries of a world's journal from a number on, since calls wait that have not looked at them.
    package func keepEntries(worldKey key: Int, from seq: UInt64) { hosted(key: key)?.world.journal.keep(from: seq) }

    /// Puts aside what takes long to free.
    func discard(_ world: World) {
        if world.requestCount > Self.smallWorld { discard(.world(world)) }
    }

    /// Puts aside snapshots, which hold journals as large as their worlds.
    func discard(_ snapshots: [Snapshot]) {
        if !snapshots.isEmpty { discard(.worlds(snapshots.map(\.world))) }
    }

    private func discard(_ item: Discarded) {
        if discarded.count == Self.mostDiscarded { discarded.removeFirst() }
        discarded.append(item)
    }

    /// What is to be freed, which is its taker's from here on.
    package func takeDiscarded() -> [Discarded] {
        defer { discarded = [] }
        let states = bin.take()
        return states.isEmpty ? discarded : discarded + [.states(states)]
    }

    /// Whether anything is to be freed.
    package var hasDiscarded: Bool { !discarded.isEmpty || hasLargeWorlds && !bin.isEmpty }
}
