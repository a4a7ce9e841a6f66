import JSON

/// The values that plain scalars stand for in the core schema of YAML 1.2 (section 10.3.2).
///
/// `no`, `on` and `0777` are neither truth values nor octal there: the former are texts, the latter is 777.
enum CoreSchema {
    /// The defect of a scalar that JSON has no value for.
    struct NoValue: Error {
        let reason: String
    }

    /// Returns the value of a plain scalar without a tag.
    static func value(ofPlain text: String) throws(NoValue) -> JSON {
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: return try number(text) ?? .string(text)
        }
    }

    /// Returns the value of a scalar that has one of the schema's tags.
    static func value(of text: String, tagged tag: Tag) throws(NoValue) -> JSON {
        switch tag {
        case .string: return .string(text)
        case .null:
            if case .null = try value(ofPlain: text) { return .null }
        case .boolean:
            if case .bool(let value) = try value(ofPlain: text) { return .bool(value) }
        case .integer:
            if case .integer(let value) = try number(text) { return .integer(value) }
        case .float:
            if let value = try number(text) { return value }
        case .mapping, .sequence: break
        }
        throw NoValue(reason: "\(JSON.string(text.cut).text) is not a value of the tag !!\(tag.rawValue)")
    }

    /// A tag of the schema, by its name behind `tag:yaml.org,2002:`.
    enum Tag: String {
        case string = "str"
        case null
        case boolean = "bool"
        case integer = "int"
        case float
        case mapping = "map"
        case sequence = "seq"
    }

    /// Returns the number that a plain scalar stands for, or nil if it is a text.
    private static func number(_ text: String) throws(NoValue) -> JSON? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first == 0x2B || first == 0x2D || first == 0x2E || isDigit(first) else {
            return nil
        }
        if bytes.count > 2, first == 0x30, bytes[1] == UInt8(ascii: "x") || bytes[1] == UInt8(ascii: "o") {
            return try radixNumber(bytes)
        }
        let isSigned = first == 0x2B || first == 0x2D
        let magnitude = bytes.dropFirst(isSigned ? 1 : 0)
        switch String(decoding: magnitude, as: UTF8.self) {
        case ".inf", ".Inf", ".INF": throw NoValue(reason: "JSON has no infinite number")
        case ".nan", ".NaN", ".NAN":
            guard isSigned else { throw NoValue(reason: "JSON has no value for .nan") }
            return nil
        default: break
        }
        return decimalNumber(magnitude, isNegative: first == 0x2D)
    }

    /// `0x` and hexadecimal digits, or `0o` and octal ones.
    private static func radixNumber(_ bytes: [UInt8]) throws(NoValue) -> JSON? {
        let radix = bytes[1] == UInt8(ascii: "x") ? 16 : 8
        let digits = String(decoding: bytes[2...], as: UTF8.self)
        guard digits.utf8.allSatisfy({ isDigit($0) || ($0 | 0x20) &- 0x61 < 6 }) else { return nil }
        if let value = Int64(digits, radix: radix) { return .integer(value) }
        // Digits that the radix doesn't have make it a text.
        guard radix == 16 || !digits.utf8.contains(where: { $0 > 0x37 }) else { return nil }
        throw NoValue(reason: "the number \(String(decoding: bytes, as: UTF8.self).cut) is too large")
    }

    /// `[0-9]+`, or `(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, in the spelling of JSON.
    private static func decimalNumber(_ bytes: ArraySlice<UInt8>, isNegative: Bool) -> JSON? {
        var rest = bytes
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction = ArraySlice<UInt8>()
        var isFloat = false
        if rest.first == UInt8(ascii: ".") {
            isFloat = true
            rest = rest.dropFirst()
            fraction = rest.prefix(while: isDigit)
            rest = rest.dropFirst(fraction.count)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        var exponent = ""
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            isFloat = true
            rest = rest.dropFirst()
            exponent = "e"
            if let sign = rest.first, sign == 0x2B || sign == 0x2D {
                exponent += sign == 0x2D ? "-" : "+"
                rest = rest.dropFirst()
            }
            let digits = rest.prefix(while: isDigit)
            guard !digits.isEmpty else { return nil }
            exponent += String(decoding: digits, as: UTF8.self)
            rest = rest.dropFirst(digits.count)
        }
        guard rest.isEmpty else { return nil }
        let significant = whole.drop { $0 == 0x30 }
        var spelled = isNegative ? "-" : ""
        spelled += significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
        if !isFloat {
            // Minus zero is no integer of JSON's.
            if spelled != "-0", let value = Int64(spelled) { return .integer(value) }
            return spelled == "-0" ? .integer(0) : JSONNumber(text: spelled).map(JSON.number)
        }
        if !fraction.isEmpty { spelled += "." + String(decoding: fraction, as: UTF8.self) }
        if fraction.isEmpty, exponent.isEmpty { spelled += ".0" }
        return JSONNumber(text: spelled + exponent).map(JSON.number)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
