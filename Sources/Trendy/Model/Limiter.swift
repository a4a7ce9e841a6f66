import CivilTime
import Emulation

/// The backend's limiters (contract, section 8): a count that starts again after a silence, for
/// each limiter and address.
///
/// The window is not a calendar minute: whoever keeps knocking stays out.
struct Limiter: Sendable {
    /// What an address has to keep silent for, at least a little longer.
    static let silence = Interval.seconds(60)
    /// Addresses that have been silent are forgotten when so many have come together; invented ones can't fill the memory.
    private static let sweepAt = 65_536

    var rows = Table<Knocks>()

    /// Counts a request, refused or not, and answers whether it may pass.
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
            // A frozen clock lets nobody be silent; then the busiest half is remembered.
            rows.replaceAll(
                with: present.count < Self.sweepAt / 2
                    ? present : Array(present.sorted { $0.count > $1.count }.prefix(Self.sweepAt / 2))
            )
        }
        rows.insert(Knocks(id: id, count: 1, last: .at(now)))
        return 1
    }

    /// Forgets everybody.
    mutating func removeAll() {
        rows.replaceAll(with: [])
    }
}
