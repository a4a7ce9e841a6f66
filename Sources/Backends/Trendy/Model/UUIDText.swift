import Backend
import CivilTime

/// UUIDs as this API writes them: 36 characters, lower case.
enum UUIDText {
    /// The id in lower case; nil if the text is not 8-4-4-4-12 hexadecimal digits (D13: both cases are accepted).
    static func canonical(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var lower: [UInt8] = []
        lower.reserveCapacity(36)
        for (place, byte) in bytes.enumerated() {
            switch (place, byte) {
            case (8, 0x2D), (13, 0x2D), (18, 0x2D), (23, 0x2D): lower.append(byte)
            case (8, _), (13, _), (18, _), (23, _): return nil
            case (_, 0x30...0x39), (_, 0x61...0x66): lower.append(byte)
            case (_, 0x41...0x46): lower.append(byte + 0x20)
            default: return nil
            }
        }
        return String(decoding: lower, as: UTF8.self)
    }

    /// The milliseconds since 1970 in a UUID of version 7; nil for any other version.
    static func embeddedMilliseconds(_ canonical: String) -> Int64? {
        let digits = canonical.utf8.filter { $0 != 0x2D }
        guard digits.count == 32, digits[12] == UInt8(ascii: "7") else { return nil }
        return Int64(String(decoding: digits[..<12], as: UTF8.self), radix: 16)
    }

    /// A random UUID (version 4).
    static func version4(_ stream: inout SeededStream) -> String {
        text(high: stream.next() & ~0xF000 | 0x4000, low: stream.next())
    }

    /// A UUID that begins with the time (version 7).
    static func ordered(at time: Instant, _ stream: inout SeededStream) -> String {
        let milliseconds = UInt64(max(0, time.milliseconds)) & 0xFFFF_FFFF_FFFF
        return text(high: milliseconds << 16 | 0x7000 | stream.next() & 0x0FFF, low: stream.next())
    }

    /// The UUID derived from a text, always the same for the same text.
    static func derived(from text: String) -> String {
        var stream = SeededStream(seed: text.fnv1a64)
        return version4(&stream)
    }

    private static func text(high: UInt64, low: UInt64) -> String {
        // The variant of RFC 9562.
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = Array(hexadecimal(high) + hexadecimal(low))
        let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    private static func hexadecimal(_ value: UInt64) -> [UInt8] {
        (0..<16).map { place in
            let digit = UInt8(truncatingIfNeeded: value >> UInt64(60 - place * 4) & 0xF)
            return digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }
}
