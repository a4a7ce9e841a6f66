package import Backend

/// The numbers in the names of a world's faults or gates.
///
/// They count up through the world. For an API that was reset alone they begin at 1 again, as after a reset of the
/// world, and skip names that are in use.
package struct Numbering: Sendable {
    package private(set) var last: UInt64
    /// The APIs that were reset alone since the last reset of the world, with the last number of each.
    package private(set) var restarted: [Counters.Line]

    package init(last: UInt64 = 0, restarted: [Counters.Line] = []) {
        self.last = last
        self.restarted = restarted
    }

    func isRestarted(_ api: String?) -> Bool { api.map { name in restarted.contains { $0.name == name } } ?? false }

    mutating func restart(_ api: String) {
        restarted.removeAll { $0.name == api }
        restarted.append(Counters.Line(name: api, value: 0))
    }

    /// Returns the next number for something of that API, or of all.
    mutating func next(_ api: String?, isTaken: (UInt64) -> Bool) -> UInt64 {
        guard let place = restarted.firstIndex(where: { $0.name == api }) else {
            repeat { last += 1 } while isTaken(last)
            return last
        }
        repeat { restarted[place].value += 1 } while isTaken(restarted[place].value)
        last = max(last, restarted[place].value)
        return restarted[place].value
    }
}
