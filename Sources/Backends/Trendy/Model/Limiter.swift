import Backend
import CivilTime

/// The backend's limiters (contract, section 8): a count for each limiter and address that restarts after a silence.
///
/// The window is not a calendar minute: a client that keeps sending requests stays blocked.
struct Limiter: Sendable {
    /// The time for which an address has to be silent, exclusive.
    static let silence = Interval.seconds(60)
    /// The number of addresses at which silent ones are removed, so that invented addresses can't fill the memory.
    private static let sweepAt = 65_536

    var rows = Table<Knocks>()

    /// Counts a request, refused or not, and returns whether it may pass.
    mutating func admits(_ limiter: String, budget: Int, address: String, at now: Instant, in epoch: Epoch) -> Bool {
        let id = limiter + " " + address
        let count =
            rows.update(id) { row in
                row.count = now - row.last.resolved(in: epoch) > Self.silence ? 1 : min(row.count, 1_000_000) + 1
                row.last = .at(now)
                return row.count
            } ?? begin(id, at: now, in: epoch)
        return count <= budget
    }

    private mutating func begin(_ id: String, at now: Instant, in epoch: Epoch) -> Int {
        if rows.count >= Self.sweepAt {
            let present = rows.rows.filter { now - $0.last.resolved(in: epoch) <= Self.silence }
            // On a frozen clock no address is ever silent; then the busiest half is kept.
            rows.replaceAll(
                with: present.count < Self.sweepAt / 2
                    ? present : Array(present.sorted { $0.count > $1.count }.prefix(Self.sweepAt / 2))
            )
        }
        rows.insert(Knocks(id: id, count: 1, last: .at(now)))
        return 1
    }

    /// Removes all addresses.
    mutating func removeAll() {
        rows.replaceAll(with: [])
    }
}
