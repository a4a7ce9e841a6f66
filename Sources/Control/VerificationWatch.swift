package import Emulation
import HTTPMessage
import JSON
import Locking

/// The part of its journal that a waiting verification has seen: each entry is looked at once, and what has been let go
/// of for want of room still counts.
///
/// Entries that were cleared don't: it then begins anew with what is left.
package struct VerificationWatch: Sendable {
    private let order: Verification
    /// The journal that this is of.
    package private(set) var stamp: JournalStamp
    /// The number of the newest entry seen.
    package private(set) var lastSeen: UInt64 = 0
    /// The entries that were there before the wait are looked at as a whole.
    private var isOldUpTo: UInt64
    private var count = 0
    private var newest: [String] = []
    /// The part of the order that has come, and the entry that fitted last.
    private var place = 0
    private var last: Verification.Break.After?
    private var next: Matcher?

    init(_ order: Verification, _ world: World) {
        self.order = order
        stamp = world.journalStamp
        isOldUpTo = world.journal.lastSeq
        next = order.order.isEmpty ? nil : order.order[0]
    }

    /// The cost of a look at one entry, in comparisons of a method.
    var weight: Int { order.weight }

    var looksAtBody: Bool { order.matcher.looksAtBody || next?.looksAtBody == true }

    /// Tells whether the journal of that world has entries that were not seen.
    package func hasNews(in world: World) -> Bool {
        stamp != world.journalStamp || lastSeen != world.journal.lastSeq
    }

    /// Begins anew, if the journal is not what it was.
    package mutating func follow(_ world: World) {
        if stamp != world.journalStamp { self = VerificationWatch(order, world) }
    }

    mutating func take(_ glance: JournalGlance) {
        let id = glance.place.id ?? ""
        lastSeen = glance.place.seq
        if glance.fits(order.matcher) {
            count += 1
            newest.append(id)
            if newest.count > Verification.mostShown { newest.removeFirst() }
        }
        guard let wanted = next, glance.fits(wanted) else { return }
        place += 1
        last = Verification.Break.After(id: id, seq: lastSeen)
        next = place < order.order.count ? order.order[place] : nil
    }

    /// There is nothing more up to that number.
    mutating func skip(to seq: UInt64) { lastSeen = max(lastSeen, seq) }

    var finding: Verification.Finding {
        Verification.Finding(
            count: count,
            ids: newest,
            orderBreak: next == nil ? nil : Verification.Break(place: place, after: last)
        )
    }

    /// The verdict once further requests can't change it.
    var settled: Response? {
        guard lastSeen >= isOldUpTo, order.patience(finding) == nil else { return nil }
        return ControlAnswer.json(order.verdict(finding, in: nil))
    }

    /// Looks at all that is new.
    mutating func catchUp(_ world: World) {
        follow(world)
        catchUp(world.journal)
    }

    mutating func catchUp(_ journal: Journal, _ wanted: Wanted? = nil) {
        let paths = JournalPaths()
        journal.forEachPlaceOldestFirst(after: lastSeen) { place in
            take(JournalGlance(place, paths))
            return settled == nil && wanted?.holds != false
        }
        if settled == nil { skip(to: journal.lastSeq) }
    }

    /// The verdict as things stand, near misses included.
    func verdict(in journal: Journal, _ wanted: Wanted) -> Response {
        ControlAnswer.json(order.verdict(finding, in: journal, wanted))
    }
}
