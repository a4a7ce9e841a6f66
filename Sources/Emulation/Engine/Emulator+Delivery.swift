package import CivilTime

/// What becomes of answers while they are played.
extension Emulator {
    /// A timeline reached an effect; answers what it changed, or nil if it is out of date.
    @discardableResult
    package func perform(effect: Int, of exchange: UInt64, at hostTime: HostTime) -> ExchangeGroup? {
        guard let entry = pending[exchange], entry.effects.indices.contains(effect), !entry.isOutdated else {
            return nil
        }
        let now = entry.hosted.world.tick(to: hostTime)
        entry.effects[effect].change(&entry.hosted.world, now)
        return ExchangeGroup(world: entry.hosted.key, api: entry.api)
    }

    /// The client of an exchange under way has ended its side: that it went away is what stands in the journal until an
    /// answer reaches it after all.
    package func peerEnded(_ exchange: UInt64) {
        guard let entry = pending[exchange], !entry.isOutdated else { return }
        entry.hosted.world.journal.mark(entry.seq, .interrupted)
    }

    /// The client of an exchange that a gate holds has left: the gate holds it no more (control contract, section 19).
    package func left(_ exchange: UInt64) {
        guard let entry = pending[exchange] else { return }
        entry.hosted.held.removeAll { $0.visit.exchange == exchange }
    }

    /// An exchange has ended.
    ///
    /// `contentSent` is how many bytes of content left before the end, when not all did. `ended` is when that was, in real
    /// time: up to then a gate may have held it.
    package func finish(
        _ exchange: UInt64,
        outcome: JournalEntry.Outcome,
        timings: JournalEntry.Timings,
        contentSent: Int?,
        at ended: Instant? = nil
    ) {
        if !admitted.isEmpty { admitted[exchange] = nil }
        if !asking.isEmpty { asking[exchange] = nil }
        guard let entry = pending.removeValue(forKey: exchange) else { return }
        let handle = Double(entry.handled.microseconds) / 1_000
        metrics.noteEnd(api: entry.api, seconds: (timings.receive + handle + timings.wait + timings.send) / 1_000)
        if !entry.hosted.held.isEmpty { entry.hosted.held.removeAll { $0.visit.exchange == exchange } }
        // An answer is use until it has ended, however long it took.
        if let ended { entry.hosted.lastUsed = max(entry.hosted.lastUsed, ended) }
        guard !entry.isOutdated else { return }
        var timings = timings
        timings.handle = handle
        // A request that a gate holds has been received, and waits.
        var held = entry.held
        if let ended, let since = entry.heldSince { held = held + (ended - since) }
        let waited = min(timings.receive, Double(held.microseconds) / 1_000)
        timings.receive -= waited
        timings.wait += waited
        entry.hosted.world.journal.settle(entry.seq, outcome, timings, contentSent: contentSent)
    }

    /// The present time of a world, for the waits of its exchanges.
    package func now(worldKey key: Int, at hostTime: HostTime) -> Instant? {
        hosted(key: key)?.world.now(hostTime)
    }

    /// World seconds per real second of a world; nil if it is gone.
    package func speed(worldKey key: Int) -> Double? { hosted(key: key)?.world.core.clock.speed }
}
