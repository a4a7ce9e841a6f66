/// Classes in brackets and escapes.
extension RegularExpressionReader {
    /// One item of a class.
    private enum Item {
        case scalar(UInt32)
        case set(ranges: [ClosedRange<UInt32>], conditions: [ScalarSet.Condition])
    }

    /// The rest of a class, whose `[` has been read.
    mutating func characterClass(from start: Int) throws(RegularExpressionError) -> ScalarSet {
        let isNegated = skip("^")
        var ranges: [ClosedRange<UInt32>] = []
        var conditions: [ScalarSet.Condition] = []
        while !skip("]") {
            guard place < source.count else { throw failure("a class is not closed", at: start) }
            let before = place
            let first = try item()
            guard place + 1 < source.count, source[place] == "-", source[place + 1] != "]" else {
                Self.add(first, &ranges, &conditions)
                continue
            }
            place += 1
            let last = try item()
            guard case .scalar(let from) = first, case .scalar(let to) = last else {
                throw failure("a range goes from one character to another", at: before)
            }
            guard from <= to else { throw failure("a range is in the wrong order", at: before) }
            ranges.append(from...to)
        }
        return ScalarSet(ranges, conditions: conditions, isNegated: isNegated)
    }

    private static func add(
        _ item: Item,
        _ ranges: inout [ClosedRange<UInt32>],
        _ conditions: inout [ScalarSet.Condition]
    ) {
        switch item {
        case .scalar(let value): ranges.append(value...value)
        case .set(let more, let others):
            ranges += more
            conditions += others
        }
    }

    private mutating func item() throws(RegularExpressionError) -> Item {
        let start = place
        guard place < source.count else { throw failure("a class is not closed", at: start) }
        let scalar = source[place]
        place += 1
        guard scalar == "\\" else { return .scalar(scalar.value) }
        if skip("b") { return .scalar(0x08) }
        return try escaped(from: start)
    }

    /// The characters that an escape outside of a class stands for; its backslash has been read.
    mutating func escapedSet(from start: Int) throws(RegularExpressionError) -> ScalarSet {
        switch try escaped(from: start) {
        case .scalar(let value): ScalarSet(value)
        case .set(let ranges, let conditions): ScalarSet(ranges, conditions: conditions)
        }
    }

    private mutating func escaped(from start: Int) throws(RegularExpressionError) -> Item {
        guard place < source.count else { throw failure("a backslash at the end", at: start) }
        let scalar = source[place]
        place += 1
        switch scalar {
        case "d": return .set(ranges: ScalarSet.digits, conditions: [])
        case "D": return .set(ranges: ScalarSet.complement(ScalarSet.digits), conditions: [])
        case "w": return .set(ranges: ScalarSet.word, conditions: [])
        case "W": return .set(ranges: ScalarSet.complement(ScalarSet.word), conditions: [])
        case "s": return .set(ranges: ScalarSet.space, conditions: [])
        case "S": return .set(ranges: ScalarSet.complement(ScalarSet.space), conditions: [])
        case "p", "P":
            let property = try property(from: start)
            return .set(ranges: [], conditions: [.init(property: property, isNegated: scalar == "P")])
        case "k", "1"..."9": throw failure("back-references are not supported", at: start)
        default: return .scalar(try character(scalar, from: start))
        }
    }

    private mutating func property(from start: Int) throws(RegularExpressionError) -> ScalarProperty {
        guard skip("{"), let end = source[place...].firstIndex(of: "}") else {
            throw failure(#"\p is followed by a property in braces, as in \p{L}"#, at: start)
        }
        var name = ""
        name.unicodeScalars.append(contentsOf: source[place..<end])
        place = end + 1
        if let property = ScalarProperty(name) { return property }
        let isScript = ScalarProperty.isScript(name)
        throw failure(
            isScript ? "scripts are not supported: \(name)" : "no Unicode property is called \(name) here",
            at: start
        )
    }

    /// The character of an escape such as `\n`, `\x41` or `\.`.
    private mutating func character(
        _ scalar: Unicode.Scalar,
        from start: Int
    ) throws(RegularExpressionError) -> UInt32 {
        switch scalar {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "0":
            guard source[place...].first?.decimalDigit == nil else {
                throw failure("octal escapes are not supported", at: start)
            }
            return 0
        case "c":
            guard let letter = source[place...].first, letter.isASCII, letter.properties.isAlphabetic else {
                throw failure(#"\c is followed by a letter"#, at: start)
            }
            place += 1
            return letter.value % 32
        case "x":
            guard let value = hexadecimal(2) else { throw failure(#"\x is followed by two digits"#, at: start) }
            return value
        case "u": return try codePoint(from: start)
        default:
            guard scalar.isASCII, scalar.value > 0x20, scalar.value < 0x7F, !scalar.isWord || scalar == "_" else {
                throw failure("an unknown escape", at: start)
            }
            return scalar.value
        }
    }

    private mutating func codePoint(from start: Int) throws(RegularExpressionError) -> UInt32 {
        let reason = #"\u is followed by four digits, or by up to 10FFFF in braces"#
        if skip("{") {
            var value: UInt32?
            while place < source.count, let digit = source[place].hexDigit {
                let sum = (value ?? 0) * 16 + digit
                guard sum <= ScalarSet.last else { throw failure(reason, at: start) }
                value = sum
                place += 1
            }
            guard let value, skip("}") else { throw failure(reason, at: start) }
            return value
        }
        guard let value = hexadecimal(4) else { throw failure(reason, at: start) }
        // Two surrogates are one code point.
        let before = place
        guard (0xD800...0xDBFF).contains(value), skip("\\u"), let low = hexadecimal(4),
            (0xDC00...0xDFFF).contains(low)
        else {
            place = before
            return value
        }
        return 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00)
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32? {
        guard place + count <= source.count else { return nil }
        var value: UInt32 = 0
        for scalar in source[place..<place + count] {
            guard let digit = scalar.hexDigit else { return nil }
            value = value * 16 + digit
        }
        place += count
        return value
    }
}
