extension IssuedSecrets {
    /// Returns the ranges of our secrets in a text, whatever surrounds them; of several that begin at one place the
    /// longest.
    ///
    /// A secret at a place counts if `isMeant` is true for it. With `endsAtFirst` the search ends there.
    package func places(
        in bytes: [UInt8],
        _ filter: Filter? = nil,
        endsAtFirst: Bool = false,
        isMeant: (Int) -> Bool
    ) -> [Range<Int>] {
        guard bytes.count >= SecretHash.shortest else { return [] }
        var found: [Range<Int>] = []
        for level in (filter ?? self.filter).levels {
            var next = 0
            var place = 0
            while let window = level.window(in: bytes, after: place) {
                place = window + 4
                for start in max(window - 3, next)..<max(window + 1, next) {
                    guard let end = secret(in: bytes, at: start, level), isMeant(start) else { continue }
                    found.append(start..<end)
                    guard !endsAtFirst else { return found }
                    next = end
                    break
                }
            }
        }
        return found
    }

    /// Returns the end of the longest secret that begins at a place.
    private func secret(in bytes: [UInt8], at start: Int, _ level: Filter.Level) -> Int? {
        guard start + SecretHash.shortest <= bytes.count else { return nil }
        let key = SecretHash.start(SecretHash.word(bytes, start), SecretHash.word(bytes, start + 8))
        guard level.holds(UInt32(truncatingIfNeeded: key >> 16)) else { return nil }
        var end: Int?
        _ = first(key) { value in
            let length = Int(value & 0xFFFF)
            guard start + length <= bytes.count, start + length > end ?? 0,
                SecretHash.value(Array(bytes[start..<(start + length)])) == value
            else { return false }
            end = start + length
            return false
        }
        return end
    }
}

extension IssuedSecrets.Filter.Level {
    /// Tells whether the window of a secret may have that hash.
    @inline(__always)
    fileprivate func holds(_ window: UInt32) -> Bool {
        let bits = SecretHash.bits(window)
        return words[Int(window >> shift)] & bits == bits
    }

    /// Returns the next place from one on that may be the window of a secret.
    ///
    /// Each secret has four windows, one of which begins at a multiple of four.
    fileprivate func window(in bytes: [UInt8], after first: Int) -> Int? {
        var place = first
        guard place + SecretHash.window <= bytes.count else { return nil }
        let (words, shift) = (words, shift)
        var word = SecretHash.word(bytes, place)
        while true {
            let hash = SecretHash.window(word)
            let bits = SecretHash.bits(hash)
            if words[Int(hash &>> shift)] & bits == bits { return place }
            place &+= 4
            if place &+ 8 <= bytes.count {
                let next =
                    UInt32(bytes[place &+ 4]) | UInt32(bytes[place &+ 5]) &<< 8
                    | UInt32(bytes[place &+ 6]) &<< 16 | UInt32(bytes[place &+ 7]) &<< 24
                word = word &>> 32 | UInt64(next) &<< 32
            } else {
                guard place + SecretHash.window <= bytes.count else { return nil }
                word = SecretHash.word(bytes, place)
            }
        }
    }
}
