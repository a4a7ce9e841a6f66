/// Prints of secrets by the hash of their beginnings, in sixteen bytes each.
///
/// It is divided into many small tables that grow one by one, so that no single insertion takes long.
struct SecretTable: Sendable {
    /// A print, which is never zero, because it contains a length.
    private struct Cell: Sendable {
        var key: UInt64 = 0
        var value: UInt64 = 0
    }

    private struct Shard: Sendable {
        var slots: [Cell] = []
        var count = 0

        mutating func insert(_ key: UInt64, _ value: UInt64) -> Bool {
            // Fuller than usual: few searches come this far, and a table that has just grown is nearly half empty.
            if count * 16 >= slots.count * 13 { grow() }
            var place = Int(truncatingIfNeeded: key) & (slots.count - 1)
            while slots[place].value != 0 {
                if slots[place].key == key, slots[place].value == value { return false }
                place = (place + 1) & (slots.count - 1)
            }
            slots[place] = Cell(key: key, value: value)
            count += 1
            return true
        }

        private mutating func grow() {
            let former = slots
            slots = [Cell](repeating: Cell(), count: max(former.count * 2, 8))
            for slot in former where slot.value != 0 {
                var place = Int(truncatingIfNeeded: slot.key) & (slots.count - 1)
                while slots[place].value != 0 { place = (place + 1) & (slots.count - 1) }
                slots[place] = slot
            }
        }

        func first(_ key: UInt64, _ fits: (UInt64) -> Bool) -> UInt64? {
            guard !slots.isEmpty else { return nil }
            var place = Int(truncatingIfNeeded: key) & (slots.count - 1)
            while slots[place].value != 0 {
                if slots[place].key == key, fits(slots[place].value) { return slots[place].value }
                place = (place + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    private var shards = [Shard](repeating: Shard(), count: 256)

    /// Adds a print; false if it is there already.
    mutating func insert(_ key: UInt64, _ value: UInt64) -> Bool { shards[Int(key >> 56)].insert(key, value) }

    /// Returns the first print under that hash that satisfies a condition.
    func first(_ key: UInt64, _ fits: (UInt64) -> Bool) -> UInt64? { shards[Int(key >> 56)].first(key, fits) }
}
