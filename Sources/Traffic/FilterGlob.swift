/// A text with stars, each for any number of characters.
///
/// A name matches in either case of its ASCII letters. In a path case counts, a star stays within its segment, two stars alone
/// stand for any number of segments, and `{id}` for one.
struct FilterGlob: Sendable, Equatable {
    private enum Part: Sendable, Equatable {
        case piece([UInt8])
        case many
    }

    /// The parts of a path by segment; a name is one.
    private let parts: [Part]
    private let isPath: Bool

    init(_ text: String, isPath: Bool = false) {
        self.isPath = isPath
        guard isPath else {
            parts = [.piece(Array(Self.folded(text).utf8))]
            return
        }
        parts = text.split(separator: "/").map { segment in
            if segment == "**" || (segment.hasPrefix("{") && segment.hasSuffix("…}")) { return .many }
            return .piece(segment.hasPrefix("{") && segment.hasSuffix("}") ? [UInt8(ascii: "*")] : Array(segment.utf8))
        }
    }

    func matches(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        let found = isPath ? text.split(separator: "/").map { Array($0.utf8) } : [Array(Self.folded(text).utf8)]
        return Self.matches(parts[...], found[...])
    }

    /// A text with its ASCII letters in lower case.
    static func folded(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }

    /// Segments are matched with one point to return to, the last `**`, so that the time is at most the product.
    private static func matches(_ parts: ArraySlice<Part>, _ texts: ArraySlice<[UInt8]>) -> Bool {
        matches(
            Array(parts),
            Array(texts),
            isOpen: { $0 == .many },
            fits: { part, text in
                guard case .piece(let pattern) = part else { return false }
                return fits(pattern, text)
            }
        )
    }

    private static func fits(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        matches(pattern, text, isOpen: { $0 == UInt8(ascii: "*") }, fits: { $0 == $1 })
    }

    private static func matches<Sign, Value>(
        _ pattern: [Sign],
        _ values: [Value],
        isOpen: (Sign) -> Bool,
        fits: (Sign, Value) -> Bool
    ) -> Bool {
        var (sign, value) = (0, 0)
        var back: (sign: Int, value: Int)?
        while value < values.count {
            if sign < pattern.count, isOpen(pattern[sign]) {
                back = (sign, value)
                sign += 1
            } else if sign < pattern.count, fits(pattern[sign], values[value]) {
                sign += 1
                value += 1
            } else if let point = back {
                back = (point.sign, point.value + 1)
                (sign, value) = (point.sign + 1, point.value + 1)
            } else {
                return false
            }
        }
        return pattern[sign...].allSatisfy(isOpen)
    }
}
