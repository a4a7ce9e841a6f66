import CivilTime
import Control
import Engine

/// The control calls that wait for something to happen.
///
/// Belongs to the loop's thread.
struct WaitingCalls {
    final class Entry: WaitingEntry {
        let exchange: Exchange
        let call: PendingControlCall
        /// The part of the journal that has been searched for the call, if it waits for requests.
        var watch: VerificationWatch?
        /// The world in which it waits.
        let world: Int?

        init(_ exchange: Exchange, _ call: PendingControlCall, world: Int?) {
            self.exchange = exchange
            self.call = call
            self.world = world
            watch = call.watch
        }
    }

    /// The number of bytes that the orders of all calls may take.
    static let mostBytes = 64 * 1024 * 1024

    /// The number of calls that may wait.
    let most: Int
    /// The entries in the order of their exchanges, which reference them too.
    private var entries: [Entry] = []
    private var bytes = 0
    /// The start of the last check, its duration, and a flag that says that another is scheduled.
    var settling = (last: Instant.epoch, cost: Interval.zero, isDue: false)
    /// The calls that the current round has not checked yet.
    var round: [UInt64] = []
    /// The worlds whose journals keep entries for waiting calls.
    var kept: Set<Int> = []
    /// Tells whether a worker is searching a journal for them; `lastLooked` is the world of the last search.
    var isLooking = false
    var lastLooked = -1

    init(most: Int) { self.most = most }

    var isEmpty: Bool { entries.isEmpty }
    /// In the order in which they came.
    var exchanges: [UInt64] { entries.map(\.exchange.id) }

    subscript(exchange: UInt64) -> Entry? {
        let index = index(of: exchange)
        return index < entries.count && entries[index].exchange.id == exchange ? entries[index] : nil
    }

    /// The index of an exchange's call, or the index at which it would be inserted.
    private func index(of exchange: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].exchange.id < exchange { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Tells whether one more call may wait whose order takes that many bytes.
    func hasRoom(for count: Int) -> Bool { entries.count < most && bytes + count <= Self.mostBytes }

    mutating func add(_ entry: Entry) {
        entry.exchange.control = entry
        entries.insert(entry, at: index(of: entry.exchange.id))
        bytes += entry.call.bytes
    }

    @discardableResult
    mutating func remove(_ exchange: UInt64) -> Entry? {
        guard let entry = self[exchange] else { return nil }
        entries.remove(at: index(of: exchange))
        entry.exchange.control = nil
        bytes -= entry.call.bytes
        return entry
    }

    /// Notes the progress of a call.
    func note(_ watch: VerificationWatch, of exchange: UInt64) { self[exchange]?.watch = watch }
}
