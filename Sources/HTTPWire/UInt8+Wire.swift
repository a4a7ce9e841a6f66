extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let comma: UInt8 = 0x2C
    static let colon: UInt8 = 0x3A

    // The grammar helpers of HTTPMessage say the same, but a call into another module for each byte would cost more
    // than all the rest of the parser.

    /// A byte of a token (RFC 9110 section 5.6.2), looked up in a 128-bit set.
    @inline(__always)
    var isToken: Bool {
        let set: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return self < 128 && (set >> UInt64(self & 63)) & 1 == 1
    }

    /// A byte of a field value (RFC 9110 section 5.5): visible, space, tab, or above ASCII.
    @inline(__always)
    var isFieldValue: Bool { (self >= 0x20 && self != 0x7F) || self == .tab }

    /// Space or tab.
    @inline(__always)
    var isBlank: Bool { self == .space || self == .tab }

    /// Visible ASCII.
    @inline(__always)
    var isVisible: Bool { self > 0x20 && self < 0x7F }

    @inline(__always)
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// The value of a hexadecimal digit.
    @inline(__always)
    var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// A to Z become a to z; every other byte stays.
    @inline(__always)
    var lowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension [UInt8] {
    /// Returns true if the bytes spell that lower-case text, compared without ASCII case.
    func spells(_ text: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == text.count else { return false }
        var place = range.lowerBound
        for byte in text {
            if self[place].lowercased != byte { return false }
            place += 1
        }
        return true
    }

    /// The first position from `start` on whose byte cannot be part of a field value; `end` if there is none.
    ///
    /// Values are long (a token has hundreds of bytes), so that whole blocks are tested with few vector instructions.
    /// A block with a tab or an offending byte in it is walked through byte by byte.
    func endOfFieldValue(from start: Int, to end: Int) -> Int {
        let bytes = span
        var index = start
        while index + Self.blockLength <= end {
            let block = bytes.extracting(index..<index + Self.blockLength)
            var controls: UInt8 = 0
            for position in block.indices {
                let byte = block[position]
                controls |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
            }
            if controls != 0 { break }
            index += Self.blockLength
        }
        while index < end, self[index].isFieldValue { index += 1 }
        return index
    }

    private static var blockLength: Int { 16 }

    /// The range without spaces and tabs at its ends.
    ///
    /// Nothing else is white space on the wire (RFC 9110 section 5.6.3).
    func trimmingBlanks(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank { lower += 1 }
        while upper > lower, self[upper - 1].isBlank { upper -= 1 }
        return lower..<upper
    }

    /// Adds a number in decimal.
    mutating func append(decimal number: Int) {
        guard number >= 10 else {
            append(0x30 + UInt8(truncatingIfNeeded: Swift.max(number, 0)))
            return
        }
        var divisor = 10
        while number / divisor >= 10 { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: rest / divisor))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Adds a number in lower-case hexadecimal.
    mutating func append(hexadecimal number: Int) {
        var shift = 60
        while shift > 0, number >> shift == 0 { shift -= 4 }
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: (number >> shift) & 15)
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            shift -= 4
        }
    }
}
