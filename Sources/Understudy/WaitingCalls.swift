import CivilTime
import Control
import Emulation
import Transport

/// The control calls that wait for something to happen.
///
/// Belongs to the loop's thread.
struct WaitingCalls {
    struct Entry {
        let origin: CallOrigin
        let call: WaitingCall
        /// The part of the journal that it has seen, where it waits for requests.
        var watch: VerificationWatch?
        /// The world that it waits in.
        let world: Int?
    }

    /// Bytes that the orders of all may take.
    static let mostBytes = 64 * 1024 * 1024

    /// How many may wait.
    let most: Int
    private var entries: [UInt64: Entry] = [:]
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
    var exchanges: [UInt64] { entries.keys.sorted() }

    subscript(exchange: UInt64) -> Entry? { entries[exchange] }

    /// Whether one more may wait that keeps so many bytes.
    func hasRoom(for count: Int) -> Bool { entries.count < most && bytes + count <= Self.mostBytes }

    mutating func add(_ entry: Entry) {
        entries[entry.origin.exchange.serial] = entry
        bytes += entry.call.bytes
    }

    @discardableResult
    mutating func remove(_ exchange: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: exchange) else { return nil }
        bytes -= entry.call.bytes
        return entry
    }

    /// Notes how far a call has come.
    mutating func note(_ watch: VerificationWatch, of exchange: UInt64) { entries[exchange]?.watch = watch }
}
