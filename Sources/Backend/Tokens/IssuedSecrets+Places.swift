extension IssuedSecrets {
    /// Returns the ranges of our secrets in a text, whatever surrounds them.
    package func places(in bytes: [UInt8]) -> [Range<Int>] {
        let filter = filter
        guard bytes.count >= SecretHash.shortest, !filter.levels.isEmpty else { return [] }
        var found: [Range<Int>] = []
        var next = 0
        // Each secret has four windows, one of which begins at a multiple of four.
        for place in stride(from: 0, to: bytes.count - SecretHash.window + 1, by: 4) {
            let word = SecretHash.word(bytes, place)
            let window = SecretHash.window(word)
            guard filter.levels.contains(where: { $0.holds(window) }) else { continue }
            for start in max(place - 3, next)..<max(place + 1, next) {
                guard let end = secret(in: bytes, at: start) else { continue }
                found.append(start..<end)
                next = end
                break
            }
        }
        return found
    }

    /// Returns the end of the longest secret that begins at a place.
    private func secret(in bytes: [UInt8], at start: Int) -> Int? {
        guard start + SecretHash.shortest <= bytes.count, !StandIn.begins(bytes[start...]) else {
            return nil
        }
        let key = SecretHash.start(SecretHash.word(bytes, start), SecretHash.word(bytes, start + 8))
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
    fileprivate func holds(_ window: UInt32) -> Bool {
        let bits = SecretHash.bits(window)
        return words[Int(window >> shift)] & bits == bits
    }
}
