/// The search for known secrets in a text, in one pass, whatever surrounds them.
///
/// Eight consecutive bytes of each secret are its mark. The marks are looked up at every place of the text, and the
/// whole secret is compared only where one is found. The secrets themselves are not stored here.
package struct SecretSearch: Sendable {
    /// The offset of the mark in a secret of some length.
    package struct Mark: Sendable, Equatable {
        var sign: UInt64
        var offset: UInt16
        var count: UInt16
    }

    private struct TextForm: Equatable {
        var offset: UInt16
        var count: UInt16
    }

    /// The length below which secrets have no mark.
    static let shortest = 8
    /// The maximum number of secrets of different shapes with the same mark; more would make a text of marks slow.
    private static let mostShapes = 32

    private(set) var count = 0
    private var shapes: [UInt64: [TextForm]] = [:]
    /// A bit for each mark, by which most places of a text are skipped.
    private var filter: [UInt64] = []
    private var shift: UInt64 = 64

    package init() {}

    /// Returns the possible marks of a secret, best first.
    package static func marks(of secret: [UInt8]) -> [Mark] {
        guard secret.count >= shortest, secret.count <= Int(UInt16.max) else { return [] }
        // Tokens begin alike, and many end alike, so the position of the mark depends on the text.
        let places = secret.count - shortest + 1
        let sum = secret.reduce(0) { ($0 &* 31 &+ UInt64($1)) }
        return [Int(sum % UInt64(places)), places / 2, 0, places - 1].map { place in
            let sign = secret[place..<place + shortest].reduce(0) { $0 << 8 | UInt64($1) }
            return Mark(sign: sign, offset: UInt16(place), count: UInt16(secret.count))
        }
    }

    package mutating func add(_ marks: [Mark]) {
        for mark in marks {
            let shape = TextForm(offset: mark.offset, count: mark.count)
            let known = shapes[mark.sign] ?? []
            if known.contains(shape) { return }
            guard known.count < Self.mostShapes else { continue }
            shapes[mark.sign, default: []].append(shape)
            count += 1
            if shapes.count * 16 > filter.count * 64 { grow() } else { set(mark.sign) }
            return
        }
    }

    /// Adds the marks of another search.
    mutating func add(_ other: SecretSearch) {
        // The order does not matter: the same shapes result.
        for (sign, others) in other.shapes {
            for shape in others { add([Mark(sign: sign, offset: shape.offset, count: shape.count)]) }
        }
    }

    private mutating func grow() {
        let bits = max(1_024, shapes.count * 32)
        var size = 1_024
        while size < bits { size *= 2 }
        filter = [UInt64](repeating: 0, count: size / 64)
        shift = 64 - UInt64(size.trailingZeroBitCount)
        for sign in shapes.keys { set(sign) }
    }

    private mutating func set(_ sign: UInt64) {
        let bit = Self.place(sign, shift)
        filter[bit >> 6] |= 1 << UInt64(bit & 63)
    }

    @inline(__always)
    private static func place(_ sign: UInt64, _ shift: UInt64) -> Int { Int((sign &* 0x9E37_79B9_7F4A_7C15) >> shift) }

    /// Returns the places of texts with the shape of a known secret for which `isSecret` is true.
    ///
    /// The work is limited by the text's length, whatever the secrets are.
    package func find(in bytes: [UInt8], _ isSecret: (ArraySlice<UInt8>) -> Bool) -> [Range<Int>] {
        guard count > 0, bytes.count >= Self.shortest else { return [] }
        var found: [Range<Int>] = []
        var left = 64 * bytes.count + 1_024 * 1_024
        for end in candidates(in: bytes) {
            let start = end - Self.shortest
            let sign = bytes[start..<end].reduce(0) { $0 << 8 | UInt64($1) }
            for shape in shapes[sign] ?? [] {
                let first = start - Int(shape.offset)
                let last = first + Int(shape.count)
                guard first >= 0, last <= bytes.count, left > 0 else { continue }
                left -= Int(shape.count)
                if isSecret(bytes[first..<last]) { found.append(first..<last) }
            }
        }
        return found
    }

    /// Returns the ends of eight bytes that are a mark.
    private func candidates(in bytes: [UInt8]) -> [Int] {
        var ends: [Int] = []
        let (filter, shift) = (filter, shift)
        var window: UInt64 = 0
        for place in bytes.indices {
            window = window << 8 | UInt64(bytes[place])
            let bit = Self.place(window, shift)
            if filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0, place >= 7, shapes[window] != nil {
                ends.append(place + 1)
            }
        }
        return ends
    }
}
