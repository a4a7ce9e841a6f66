package import HTTPMessage
import Journal
package import Worlds

/// A walk of the waiting verifications over new journal entries, in steps.
///
/// Each entry is read once for all of them, and they share one copy of the journal.
package struct VerificationWalk: Sendable {
    private struct Watcher: Sendable {
        var call: UInt64
        var watch: VerificationWatch
        var isSettled = false
    }

    private var journal: Journal
    /// The verifications, those that have seen least first.
    private var watchers: [Watcher]
    /// The number of them that have not seen the next entry.
    private var active = 0
    private var weight = 0
    private var seen: UInt64
    private var newlySettled: [(call: UInt64, answer: Response)] = []
    /// Tells whether all entries have been examined.
    package private(set) var isOver = false

    /// Creates a walk over the present journal of a world for the calls that wait there.
    package init(_ world: World, _ watches: [(call: UInt64, watch: VerificationWatch)]) {
        journal = world.journal
        watchers = watches.map { item in
            var watch = item.watch
            watch.follow(world)
            return Watcher(call: item.call, watch: watch)
        }
        watchers.sort { ($0.watch.lastSeen, $0.call) < ($1.watch.lastSeen, $1.call) }
        seen = watchers.first?.watch.lastSeen ?? 0
    }

    /// Examines entries for a few milliseconds.
    package mutating func advance() {
        var left = Self.share
        let paths = JournalPaths()
        let journal = journal
        var isWhole = true
        journal.forEachPlaceOldestFirst(after: seen) { place in
            seen = place.seq
            left -= look(JournalCandidate(place, paths))
            isWhole = left > 0
            return isWhole
        }
        guard isWhole else { return }
        for index in watchers.indices where !watchers[index].isSettled {
            watchers[index].watch.skip(to: journal.lastSeq)
            settle(index)
        }
        isOver = true
    }

    /// Releases the journal, which may have the last reference to evicted entries.
    package mutating func release() { journal = Journal(capacity: 0) }

    private static let share = 40_000
    /// The cost of reading an entry at all.
    private static let entryWeight = 10

    /// Has the verifications examine an entry that they have not seen; returns the cost.
    private mutating func look(_ candidate: JournalCandidate) -> Int {
        let seq = candidate.place.seq
        while active < watchers.count, watchers[active].watch.lastSeen < seq {
            weight += watchers[active].watch.weight
            active += 1
        }
        var readsBody = false
        for index in 0..<active where !watchers[index].isSettled {
            readsBody = readsBody || watchers[index].watch.looksAtBody
            watchers[index].watch.take(candidate)
            settle(index)
        }
        let body = readsBody ? (candidate.place.entry?.body.kept.count ?? 0) / 16 : 0
        return Self.entryWeight + weight + body
    }

    private mutating func settle(_ index: Int) {
        guard let answer = watchers[index].watch.settled else { return }
        watchers[index].isSettled = true
        weight -= index < active ? watchers[index].watch.weight : 0
        newlySettled.append((watchers[index].call, answer))
    }

    /// Returns the responses of the calls that were settled since the last call.
    package mutating func takeSettled() -> [(call: UInt64, answer: Response)] {
        defer { newlySettled = [] }
        return newlySettled
    }

    /// Removes calls that no longer wait.
    package mutating func keep(_ isWaiting: (UInt64) -> Bool) {
        for index in watchers.indices where !watchers[index].isSettled && !isWaiting(watchers[index].call) {
            watchers[index].isSettled = true
            weight -= index < active ? watchers[index].watch.weight : 0
        }
    }

    /// The progress of the calls that still wait.
    package var watches: [(call: UInt64, watch: VerificationWatch)] {
        watchers.filter { !$0.isSettled }.map { ($0.call, $0.watch) }
    }
}
