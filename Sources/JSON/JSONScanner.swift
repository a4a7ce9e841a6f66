/// A reader of tokens by index over a byte array; it does not track nesting.
struct JSONScanner {
    let bytes: [UInt8]
    private let count: Int
    private(set) var index = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
    }

    var isAtEnd: Bool { index >= count }

    func peek() -> UInt8? {
        index < count ? bytes[index] : nil
    }

    mutating func advance() {
        index += 1
    }

    mutating func skipWhitespace() {
        while index < count {
            switch bytes[index] {
            case 0x20, 0x0A, 0x0D, 0x09: index += 1
            default: return
            }
        }
    }

    /// Skips the three bytes of a byte order mark.
    mutating func skipByteOrderMark() -> Bool {
        guard count - index >= 3, bytes[index] == 0xEF, bytes[index + 1] == 0xBB, bytes[index + 2] == 0xBF else {
            return false
        }
        index += 3
        return true
    }

    func failure(_ reason: JSONSyntaxError.Reason, _ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(reason, message, at: offset ?? index, in: bytes)
    }

    /// The error for a byte, or the end, where something else was expected.
    func unexpected(expected: String) -> JSONSyntaxError {
        guard index < count else { return failure(.unexpectedEnd, "expected \(expected), but the text ends here") }
        if let problem = utf8Problem(at: index) { return failure(.invalidUTF8, problem) }
        return failure(.unexpectedByte, "expected \(expected), found \(described(at: index))")
    }

    private func described(at offset: Int) -> String {
        let byte = bytes[offset]
        guard byte >= 0x20, byte != 0x7F else { return "the control character 0x\(hexadecimal(byte))" }
        let length = byte < 0x80 ? 1 : sequenceLength(at: offset) ?? 1
        return "'\(String(decoding: bytes[offset..<offset + length], as: UTF8.self))'"
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

// MARK: - Words

extension JSONScanner {
    /// Consumes exactly that word; the caller has seen its first letter.
    mutating func word(_ word: StaticString, bytes letters: [UInt8]) throws(JSONSyntaxError) {
        for letter in letters {
            guard index < count, bytes[index] == letter else { throw unexpected(expected: "the word '\(word)'") }
            index += 1
        }
    }
}

// MARK: - Numbers

extension JSONScanner {
    /// Consumes a number (RFC 8259 section 6); the caller has seen a minus sign or a digit.
    mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = index
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let digitsStart = index
        var magnitude: UInt64 = 0
        while index < count, bytes[index].isDigit {
            // Wraps for long runs; those are told apart by their length below.
            magnitude = magnitude &* 10 &+ UInt64(bytes[index] &- 0x30)
            index += 1
        }
        let digits = index - digitsStart
        guard digits > 0 else { throw numberFailure("expected a digit after the minus sign") }
        guard digits == 1 || bytes[digitsStart] != 0x30 else {
            throw failure(.invalidNumber, "a number must not start with a zero before other digits", at: digitsStart)
        }
        var isPlain = true
        if index < count, bytes[index] == UInt8(ascii: ".") {
            isPlain = false
            index += 1
            try skipDigits(after: "the decimal point")
        }
        if index < count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            isPlain = false
            index += 1
            if index < count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            try skipDigits(after: "the exponent sign")
        }
        // At most 19 digits never wrap 64 bits.
        if isPlain, digits <= 19, let value = signed(magnitude, isNegative: isNegative) { return .integer(value) }
        return .number(JSONNumber(verified: String(decoding: bytes[start..<index], as: UTF8.self)))
    }

    private func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        // Minus zero is not an integer: its text would be lost.
        guard magnitude > 0, magnitude <= Int64.min.magnitude else { return nil }
        return Int64(truncatingIfNeeded: 0 &- magnitude)
    }

    private mutating func skipDigits(after place: String) throws(JSONSyntaxError) {
        let start = index
        while index < count, bytes[index].isDigit { index += 1 }
        guard index > start else { throw numberFailure("expected a digit after \(place)") }
    }

    private func numberFailure(_ message: String) -> JSONSyntaxError {
        index < count ? failure(.invalidNumber, message) : failure(.unexpectedEnd, "\(message), but the text ends here")
    }
}

// MARK: - Strings

extension JSONScanner {
    /// Consumes a string (RFC 8259 section 7); the caller has seen its opening quote.
    mutating func string() throws(JSONSyntaxError) -> String {
        index += 1
        let start = index
        while index < count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let text = String(decoding: bytes[start..<index], as: UTF8.self)
                index += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            if byte < 0x20 { throw controlCharacter() }
            if byte < 0x80 { index += 1 } else { index += try multibyteLength() }
        }
        throw failure(.unexpectedEnd, "the string is not closed before the end of the text")
    }

    /// The rest of a string with escapes; everything from `start` up to `index` is plain.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var unescaped = Array(bytes[start..<index])
        while index < count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                return String(decoding: unescaped, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                try escape(into: &unescaped)
            } else if byte < 0x20 {
                throw controlCharacter()
            } else if byte < 0x80 {
                unescaped.append(byte)
                index += 1
            } else {
                let length = try multibyteLength()
                unescaped.append(contentsOf: bytes[index..<index + length])
                index += length
            }
        }
        throw failure(.unexpectedEnd, "the string is not closed before the end of the text")
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONSyntaxError) {
        let start = index
        guard start + 1 < count else {
            throw failure(.unexpectedEnd, "the string is not closed before the end of the text", at: count)
        }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): unescaped.append(0x22)
        case UInt8(ascii: "\\"): unescaped.append(0x5C)
        case UInt8(ascii: "/"): unescaped.append(0x2F)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): return try unicodeEscape(into: &unescaped)
        default: throw failure(.invalidEscape, "a backslash must be followed by one of \" \\ / b f n r t u", at: start)
        }
        index += 2
    }

    /// Consumes `\uXXXX`, or two of them when the first is a high surrogate.
    private mutating func unicodeEscape(into unescaped: inout [UInt8]) throws(JSONSyntaxError) {
        let start = index
        let first = try fourHexadecimalDigits()
        var scalar = UInt32(first)
        if first & 0xFC00 == 0xDC00 {
            throw failure(.loneSurrogate, "the escape of a low surrogate needs a high surrogate before it", at: start)
        }
        if first & 0xFC00 == 0xD800 {
            let message = "the escape of a high surrogate needs the escape of a low surrogate after it"
            guard index < count, bytes[index] == UInt8(ascii: "\\"),
                index + 1 >= count || bytes[index + 1] == UInt8(ascii: "u")
            else { throw failure(.loneSurrogate, message, at: start) }
            let second = try fourHexadecimalDigits()
            guard second & 0xFC00 == 0xDC00 else { throw failure(.loneSurrogate, message, at: start) }
            scalar = 0x10000 + (UInt32(first & 0x3FF) << 10) + UInt32(second & 0x3FF)
        }
        switch scalar {
        case ..<0x80:
            unescaped.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            unescaped.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
            unescaped.append(continuation(scalar))
        case ..<0x10000:
            unescaped.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
            unescaped.append(continuation(scalar >> 6))
            unescaped.append(continuation(scalar))
        default:
            unescaped.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
            unescaped.append(continuation(scalar >> 12))
            unescaped.append(continuation(scalar >> 6))
            unescaped.append(continuation(scalar))
        }
    }

    private func continuation(_ bits: UInt32) -> UInt8 {
        0x80 | UInt8(truncatingIfNeeded: bits & 0x3F)
    }

    /// Consumes a backslash, the letter u and four digits.
    private mutating func fourHexadecimalDigits() throws(JSONSyntaxError) -> UInt16 {
        let start = index
        var value: UInt16 = 0
        for place in start + 2..<start + 6 {
            guard place < count else {
                throw failure(.unexpectedEnd, "the string is not closed before the end of the text", at: count)
            }
            let digit: UInt8
            switch bytes[place] {
            case 0x30...0x39: digit = bytes[place] &- 0x30
            case 0x41...0x46: digit = bytes[place] &- 0x37
            case 0x61...0x66: digit = bytes[place] &- 0x57
            default: throw failure(.invalidEscape, "\\u must be followed by four hexadecimal digits", at: start)
            }
            value = value << 4 | UInt16(digit)
        }
        index = start + 6
        return value
    }

    private func controlCharacter() -> JSONSyntaxError {
        failure(.controlCharacter, "a string must escape the control character 0x\(hexadecimal(bytes[index]))")
    }
}

// MARK: - UTF-8

extension JSONScanner {
    private func multibyteLength() throws(JSONSyntaxError) -> Int {
        guard let length = sequenceLength(at: index) else {
            throw failure(.invalidUTF8, utf8Problem(at: index) ?? "the bytes are not valid UTF-8")
        }
        return length
    }

    private func utf8Problem(at offset: Int) -> String? {
        guard bytes[offset] >= 0x80, sequenceLength(at: offset) == nil else { return nil }
        return "the byte 0x\(hexadecimal(bytes[offset])) does not start a valid UTF-8 sequence"
    }

    /// The length of a well-formed sequence of several bytes (RFC 3629 section 4), or nil.
    private func sequenceLength(at offset: Int) -> Int? {
        let lead = bytes[offset]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: length = 2
        case 0xE0:
            length = 3
            second = 0xA0...0xBF
        case 0xED:
            length = 3
            second = 0x80...0x9F
        case 0xE1...0xEF: length = 3
        case 0xF0:
            length = 4
            second = 0x90...0xBF
        case 0xF1...0xF3: length = 4
        case 0xF4:
            length = 4
            second = 0x80...0x8F
        default: return nil
        }
        guard offset + length <= count, second.contains(bytes[offset + 1]) else { return nil }
        if length > 2, bytes[offset + 2] & 0xC0 != 0x80 { return nil }
        if length > 3, bytes[offset + 3] & 0xC0 != 0x80 { return nil }
        return length
    }
}
