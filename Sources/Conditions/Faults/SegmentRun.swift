import JSON

/// A run of pattern parts between two open ones, to search for in a path in one pass.
///
/// All possible starts are followed at once, one bit for each part (shift-and), so that a run of thousands of parts
/// costs little more than the path is long.
struct SegmentRun: Sendable {
    let parts: [PathPattern.Part]
    /// The indexes of each text among the parts.
    private let places: [ExactName: [Int]]
    /// The parts that match every segment, as bits.
    private let open: [UInt64]
    /// The indexes of the parts with stars.
    private let starred: [Int]

    init(_ parts: [PathPattern.Part]) {
        self.parts = parts
        var places: [ExactName: [Int]] = [:]
        var open = [UInt64](repeating: 0, count: (parts.count + 63) / 64)
        var starred: [Int] = []
        for (place, part) in parts.enumerated() {
            switch part {
            case .text(let text): places[ExactName(text: text), default: []].append(place)
            case .pieces: starred.append(place)
            case .one, .many, .rest: open[place / 64] |= 1 << UInt64(place % 64)
            }
        }
        self.places = places
        self.open = open
        self.starred = starred
    }

    /// Returns the end of the first occurrence; nil if there is none.
    func end(in segments: ArraySlice<String>) -> Int? {
        guard !parts.isEmpty else { return segments.startIndex }
        guard parts.count <= segments.count else { return nil }
        // Most patterns have one or two parts.
        if parts.count <= 4 {
            return (segments.startIndex...segments.endIndex - parts.count).first { start in
                zip(parts, segments[start...]).allSatisfy { PathPattern.fits($0, $1) }
            }.map { $0 + parts.count }
        }
        var masks: [ExactName: [UInt64]] = [:]
        var state = [UInt64](repeating: 0, count: open.count)
        let last = (word: (parts.count - 1) / 64, bit: UInt64(1) << UInt64((parts.count - 1) % 64))
        for place in segments.indices {
            let name = ExactName(text: segments[place])
            let mask = masks[name] ?? mask(of: name)
            masks[name] = mask
            var carry: UInt64 = 1
            for word in state.indices {
                let next = state[word] >> 63
                state[word] = (state[word] << 1 | carry) & mask[word]
                carry = next
            }
            if state[last.word] & last.bit != 0 { return place + 1 }
        }
        return nil
    }

    /// Returns the parts that match a segment, as bits.
    private func mask(of name: ExactName) -> [UInt64] {
        var mask = open
        for place in places[name] ?? [] { mask[place / 64] |= 1 << UInt64(place % 64) }
        for place in starred where PathPattern.fits(parts[place], name.text) {
            mask[place / 64] |= 1 << UInt64(place % 64)
        }
        return mask
    }
}
