import Backend

/// An index from the marks inside short tokens, handles and tokens of digits to the worlds they stand for (`WorldTag`).
///
/// With one world or ten thousand, a token's world is found in the same time. Worlds that share a mark are in the order
/// of their creation.
package struct WorldMarks {
    private var short = Index()
    private var digits = Index()

    package init() {}

    package mutating func add(_ name: String, key: Int) {
        if let mark = Self.packed(WorldTag.shortMark(of: name)) { short.add(mark, key) }
        digits.add(name.fnv1a64, key)
    }

    package mutating func remove(_ name: String, key: Int) {
        if let mark = Self.packed(WorldTag.shortMark(of: name)) { short.remove(mark, key) }
        digits.remove(name.fnv1a64, key)
    }

    /// Returns the keys of the worlds with that mark of six characters.
    package func keys(ofShort mark: String) -> [Int] { Self.packed(mark).map(short.keys) ?? [] }

    /// Returns the key of the first world with that mark of sixteen digits.
    package func key(ofDigits mark: String) -> Int? {
        // A mark has lowercase digits only.
        guard mark.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
        return UInt64(mark, radix: 16).flatMap { digits.keys($0).first }
    }

    /// Returns the characters of a short mark as a number; nil for a text that is not one.
    private static func packed(_ mark: String) -> UInt64? {
        guard mark.utf8.count <= 8 else { return nil }
        return mark.utf8.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Keys of worlds by the number of a mark.
    private struct Index {
        private var alone: [UInt64: Int] = [:]
        /// The lists of shared marks.
        ///
        /// Of ten thousand worlds two rarely share one, so a list for each would be wasteful.
        private var shared: [UInt64: [Int]] = [:]

        mutating func add(_ mark: UInt64, _ key: Int) {
            if var keys = shared[mark] {
                keys.append(key)
                shared[mark] = keys
            } else if let other = alone.removeValue(forKey: mark) {
                shared[mark] = [other, key]
            } else {
                alone[mark] = key
            }
        }

        mutating func remove(_ mark: UInt64, _ key: Int) {
            guard let keys = shared[mark]?.filter({ $0 != key }) else {
                if alone[mark] == key { alone[mark] = nil }
                return
            }
            shared[mark] = keys.count > 1 ? keys : nil
            if keys.count == 1 { alone[mark] = keys[0] }
        }

        func keys(_ mark: UInt64) -> [Int] { shared[mark] ?? alone[mark].map { [$0] } ?? [] }
    }
}
