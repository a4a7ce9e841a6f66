import Basics
import Conditions
import HTTPMessage
import JSON
import Journal
package import Worlds

/// The part of its journal that a waiting verification has seen.
///
/// Each entry is examined once, and evicted entries still count.
///
/// Cleared entries do not count: the watch then starts again with those that are left.
package struct VerificationWatch: Sendable {
    private let order: Verification
    /// The stamp of the journal that it belongs to.
    package private(set) var stamp: JournalStamp
    /// The number of the newest entry seen.
    package private(set) var lastSeen: UInt64 = 0
    /// The number up to which entries are older than the wait; they are examined as a whole.
    private var isOldUpTo: UInt64
    private var count = 0
    /// The number of entries that the journal has dropped, and of those that were dropped before they were seen.
    private var dropped: Int
    private var unseen: Int
    private var newest: [String] = []
    /// The number of requests of the order that have come, and the last of them.
    private var place = 0
    private var last: Verification.Break.After?
    private var next: Matcher?
    /// The other hosts that the clients have asked for, as far as it was told.
    package internal(set) var otherHosts: [String]

    init(_ order: Verification, _ world: World, otherHosts: [String]) {
        self.order = order
        self.otherHosts = otherHosts
        stamp = world.journalStamp
        isOldUpTo = world.journal.lastSeq
        dropped = world.journal.dropped
        unseen = dropped
        next = order.order.isEmpty ? nil : order.order[0]
    }

    /// The cost of examining one entry, in comparisons of a method.
    var weight: Int { order.weight }

    var judgesHosts: Bool { order.judgesHosts }

    var looksAtBody: Bool { order.matcher.looksAtBody || next?.looksAtBody == true }

    /// Tells whether the journal of that world has entries that were not seen.
    package func hasNews(in world: World) -> Bool {
        stamp != world.journalStamp || lastSeen != world.journal.lastSeq
    }

    /// Starts again if the journal was cleared or replaced.
    ///
    /// Notes what the journal has dropped since.
    package mutating func follow(_ world: World) {
        guard stamp == world.journalStamp else {
            self = VerificationWatch(order, world, otherHosts: otherHosts)
            return
        }
        guard world.journal.dropped != dropped else { return }
        let first = world.journal.range?.lowerBound ?? world.journal.lastSeq + 1
        let passed = Int(clamping: first > lastSeen ? first - lastSeen - 1 : 0)
        unseen += min(world.journal.dropped - dropped, passed)
        dropped = world.journal.dropped
    }

    mutating func take(_ candidate: JournalCandidate) {
        let id = candidate.place.id ?? ""
        lastSeen = candidate.place.seq
        if candidate.fits(order.matcher) {
            count += 1
            newest.append(id)
            if newest.count > Verification.mostShown { newest.removeFirst() }
        }
        guard let wanted = next, candidate.fits(wanted) else { return }
        place += 1
        last = Verification.Break.After(id: id, seq: lastSeen)
        next = place < order.order.count ? order.order[place] : nil
    }

    /// Notes that there is nothing more up to that number.
    mutating func skip(to seq: UInt64) { lastSeen = max(lastSeen, seq) }

    var finding: Verification.Finding {
        Verification.Finding(
            count: count,
            ids: newest,
            orderBreak: next == nil ? nil : Verification.Break(place: place, after: last),
            dropped: dropped,
            unseen: unseen,
            otherHosts: otherHosts
        )
    }

    /// The verdict, once further requests can't change it.
    var settled: Response? {
        guard lastSeen >= isOldUpTo, order.patience(finding) == nil else { return nil }
        return ControlAnswer.json(order.verdict(finding, in: nil))
    }

    /// Examines all new entries.
    mutating func catchUp(_ world: World) {
        follow(world)
        catchUp(world.journal)
    }

    mutating func catchUp(_ journal: Journal, _ wanted: Wanted? = nil) {
        let paths = JournalPaths()
        journal.forEachPlaceOldestFirst(after: lastSeen) { place in
            take(JournalCandidate(place, paths))
            return settled == nil && wanted?.holds != false
        }
        if settled == nil { skip(to: journal.lastSeq) }
    }

    /// Returns the verdict for the present state, near misses included.
    func verdict(in journal: Journal, _ wanted: Wanted) -> Response {
        ControlAnswer.json(order.verdict(finding, in: journal, wanted))
    }
}
