package import CivilTime

/// Writes small values one after the other in as few bytes as they need.
package struct PackedWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving count: Int) { bytes.reserveCapacity(count) }

    /// Writes bytes unchanged.
    package mutating func raw(_ value: [UInt8]) { bytes += value }

    /// Writes seven bits in each byte, the lowest first.
    package mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a signed number, which is short if it is small in either direction.
    package mutating func signed(_ value: Int64) { number(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    package mutating func instant(_ value: Instant) { signed(value.microseconds) }

    /// Writes every bit of it; numbers of few digits are short.
    package mutating func double(_ value: Double) { number(value.bitPattern.byteSwapped) }

    package mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func block(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes += value
    }

    package mutating func text(_ value: String) {
        number(UInt64(value.utf8.count))
        bytes += value.utf8
    }

    package mutating func optional(_ value: String?) {
        flag(value != nil)
        if let value { text(value) }
    }

    package mutating func optional(_ value: Int64?) {
        flag(value != nil)
        if let value { signed(value) }
    }

    package mutating func optional(_ value: Int?) {
        flag(value != nil)
        if let value { signed(Int64(value)) }
    }

    package mutating func optional(_ value: [UInt8]?) {
        flag(value != nil)
        if let value { block(value) }
    }
}

/// Reads what `PackedWriter` wrote, in the same order; nil for anything else.
package struct PackedReader {
    private let bytes: [UInt8]
    private var place = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { place >= bytes.count }

    package mutating func number() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    package mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    package mutating func int() -> Int? { signed().flatMap { Int(exactly: $0) } }

    package mutating func instant() -> Instant? { signed().map { Instant(microseconds: $0) } }

    package mutating func double() -> Double? { number().map { Double(bitPattern: $0.byteSwapped) } }

    package mutating func flag() -> Bool? { number().map { $0 == 1 } }

    private mutating func slice() -> ArraySlice<UInt8>? {
        guard let count = number().flatMap({ Int(exactly: $0) }), count <= bytes.count - place else { return nil }
        defer { place += count }
        return bytes[place..<(place + count)]
    }

    package mutating func block() -> [UInt8]? { slice().map { Array($0) } }

    package mutating func text() -> String? { slice().map { String(decoding: $0, as: UTF8.self) } }

    /// Reads an optional value; the inner nil stands for its absence.
    package mutating func optional<Value>(_ read: (inout PackedReader) -> Value?) -> Value?? {
        guard let isThere = flag() else { return nil }
        guard isThere else { return .some(nil) }
        return read(&self).map { .some($0) }
    }
}
