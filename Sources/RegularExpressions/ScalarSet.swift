/// A set of code points: ranges, and what has or lacks a Unicode property.
struct ScalarSet: Hashable, Sendable {
    /// A property that members have, or lack.
    struct Condition: Hashable, Sendable {
        let property: ScalarProperty
        let isNegated: Bool

        func contains(_ scalar: Unicode.Scalar) -> Bool { property.holds(for: scalar) != isNegated }
    }

    /// Sorted, without overlap.
    private(set) var ranges: [ClosedRange<UInt32>]
    private(set) var conditions: [Condition]
    private(set) var isNegated: Bool
    /// The members up to U+007F as bits.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ ranges: [ClosedRange<UInt32>], conditions: [Condition] = [], isNegated: Bool = false) {
        self.ranges = Self.merged(ranges)
        self.conditions = conditions
        self.isNegated = isNegated
        for value in UInt32(0)..<64 where searched(Unicode.Scalar(UInt8(value))) { low |= 1 << UInt64(value) }
        for value in UInt32(0)..<64 where searched(Unicode.Scalar(UInt8(value + 64))) { high |= 1 << UInt64(value) }
    }

    init(_ value: UInt32) { self.init([value...value]) }

    /// Tells whether a character belongs to it.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 64 { return low >> UInt64(value) & 1 == 1 }
        if value < 128 { return high >> UInt64(value - 64) & 1 == 1 }
        return searched(scalar)
    }

    private func searched(_ scalar: Unicode.Scalar) -> Bool {
        (isInRanges(scalar.value) || conditions.contains { $0.contains(scalar) }) != isNegated
    }

    private func isInRanges(_ value: UInt32) -> Bool {
        var (from, to) = (0, ranges.count)
        while from < to {
            let middle = (from + to) / 2
            if ranges[middle].upperBound < value { from = middle + 1 } else { to = middle }
        }
        return from < ranges.count && ranges[from].contains(value)
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    static func == (left: ScalarSet, right: ScalarSet) -> Bool {
        left.ranges == right.ranges && left.conditions == right.conditions && left.isNegated == right.isNegated
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ranges)
        hasher.combine(conditions)
        hasher.combine(isNegated)
    }
}

extension ScalarSet {
    /// The largest code point.
    static let last: UInt32 = 0x10FFFF
    /// The characters of `\d`.
    static let digits: [ClosedRange<UInt32>] = [0x30...0x39]
    /// The characters of `\w`.
    static let word: [ClosedRange<UInt32>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
    /// `\s`: white space and line ends (ECMA-262 sections 12.2 and 12.3).
    static let space: [ClosedRange<UInt32>] = [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ]
    /// `.`: all but line ends.
    static let anyButLineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)

    /// The code points that are in none of the ranges.
    static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var rest: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in merged(ranges) {
            if range.lowerBound > next { rest.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= last { rest.append(next...last) }
        return rest
    }
}

extension Unicode.Scalar {
    /// Tells whether `\w` takes it.
    var isWord: Bool {
        switch self {
        case "0"..."9", "A"..."Z", "a"..."z", "_": true
        default: false
        }
    }
}
