import Basics
import JSON

/// Numbers as JavaScript's `Number()` makes them (contract, section 2.3).
enum JavaScriptNumber {
    /// The number of a text; nil where JavaScript has NaN.
    static func of(_ text: String) -> Double? {
        var bytes = Array(text.trimmed.utf8)
        // Characters that JavaScript trims beyond Unicode's white space.
        while bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        while bytes.suffix(3) == [0xEF, 0xBB, 0xBF] { bytes.removeLast(3) }
        guard let first = bytes.first else { return 0 }
        if first == UInt8(ascii: "0"), bytes.count > 2, let radix = radix(bytes[1]) {
            return integer(bytes[2...], radix: radix)
        }
        let sign = first == UInt8(ascii: "-") ? -1.0 : 1.0
        let body = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? bytes[1...] : bytes[...]
        if body.elementsEqual("Infinity".utf8) { return sign * .infinity }
        return decimal(body).map { sign * $0 }
    }

    /// The number of a JSON value; nil where JavaScript has NaN.
    static func of(_ json: JSON) -> Double? {
        switch json {
        case .null: return 0
        case .bool(let flag): return flag ? 1 : 0
        case .integer, .number: return json.doubleValue
        case .string(let text): return of(text)
        case .array(let elements):
            // The text of an array: empty without elements, that of a single element, and never a number for more.
            guard elements.count < 2 else { return nil }
            guard let only = elements.first, !only.isNull else { return 0 }
            switch only {
            // `true` and `false` as texts are no numbers.
            case .bool, .object: return nil
            default: return of(only)
            }
        case .object: return nil
        }
    }

    private static func radix(_ letter: UInt8) -> Double? {
        switch letter | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private static func integer(_ digits: ArraySlice<UInt8>, radix: Double) -> Double? {
        var value = 0.0
        for byte in digits {
            let digit: Double
            switch byte {
            case 0x30...0x39: digit = Double(byte - 0x30)
            case 0x41...0x46: digit = Double(byte - 0x41 + 10)
            case 0x61...0x66: digit = Double(byte - 0x61 + 10)
            default: return nil
            }
            guard digit < radix else { return nil }
            value = value * radix + digit
        }
        return value
    }

    /// Parses digits with at most one dot and an exponent; at least one digit precedes the exponent.
    private static func decimal(_ bytes: ArraySlice<UInt8>) -> Double? {
        var digits = 0
        var place = bytes.startIndex
        func skipDigits() -> Int {
            let start = place
            while place < bytes.endIndex, (0x30...0x39).contains(bytes[place]) { place += 1 }
            return place - start
        }
        digits += skipDigits()
        if place < bytes.endIndex, bytes[place] == UInt8(ascii: ".") {
            place += 1
            digits += skipDigits()
        }
        guard digits > 0 else { return nil }
        if place < bytes.endIndex, bytes[place] | 0x20 == UInt8(ascii: "e") {
            place += 1
            if place < bytes.endIndex, bytes[place] == UInt8(ascii: "-") || bytes[place] == UInt8(ascii: "+") {
                place += 1
            }
            guard skipDigits() > 0 else { return nil }
        }
        guard place == bytes.endIndex else { return nil }
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix(".") { text = "0" + text }
        return Double(text) ?? Double(text.replacing(".", with: ""))
    }
}
