import CivilTime
import Control
import Emulation

/// The control calls that wait for something to happen.
///
/// Belongs to the loop's thread.
struct WaitingCalls {
    final class Entry: WaitingEntry {
        let exchange: Exchange
        let call: PendingControlCall
        /// The part of the journal that it has seen, where it waits for requests.
        var watch: VerificationWatch?
        /// The world that it waits in.
        let world: Int?

        init(_ exchange: Exchange, _ call: PendingControlCall, world: Int?) {
            self.exchange = exchange
            self.call = call
            self.world = world
            watch = call.watch
        }
    }

    /// Bytes that the orders of all may take.
    static let mostBytes = 64 * 1024 * 1024

    /// How many may wait.
    let most: Int
    /// In the order of their exchanges, on which they hang as well.
    private var entries: [Entry] = []
    private var bytes = 0
    /// When they were looked at last, how long that took, and whether they will be again.
    var settling = (last: Instant.epoch, cost: Interval.zero, isDue: false)
    /// Those that have not been looked at in the round under way.
    var round: [UInt64] = []
    /// The worlds whose journals keep entries for those that wait.
    var kept: Set<Int> = []
    /// Whether a worker is looking through a journal for them, and of which world that was last.
    var isLooking = false
    var lastLooked = -1

    init(most: Int) { self.most = most }

    var isEmpty: Bool { entries.isEmpty }
    /// In the order in which they came.
    var exchanges: [UInt64] { entries.map(\.exchange.id) }

    subscript(exchange: UInt64) -> Entry? {
        let place = place(of: exchange)
        return place < entries.count && entries[place].exchange.id == exchange ? entries[place] : nil
    }

    /// Where the call of an exchange is, or would be.
    private func place(of exchange: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].exchange.id < exchange { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether one more may wait that keeps so many bytes.
    func hasRoom(for count: Int) -> Bool { entries.count < most && bytes + count <= Self.mostBytes }

    mutating func add(_ entry: Entry) {
        entry.exchange.control = entry
        entries.insert(entry, at: place(of: entry.exchange.id))
        bytes += entry.call.bytes
    }

    @discardableResult
    mutating func remove(_ exchange: UInt64) -> Entry? {
        guard let entry = self[exchange] else { return nil }
        entries.remove(at: place(of: exchange))
        entry.exchange.control = nil
        bytes -= entry.call.bytes
        return entry
    }

    /// Notes how far a call has come.
    func note(_ watch: VerificationWatch, of exchange: UInt64) { self[exchange]?.watch = watch }
}
