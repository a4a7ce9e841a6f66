package import JSON

/// Numbers that are equal in any spelling: `1`, `1.0` and `10e-1`.
///
/// The comparison is exact for any number of digits.
package enum NumberText {
    /// Returns the number in its plain spelling; anything else unchanged.
    package static func of(_ json: JSON) -> JSON {
        guard case .number(let number) = json, let text = text(number.text) else { return json }
        if let integer = Int64(text) { return .integer(integer) }
        return JSONNumber(text: text).map { .number($0) } ?? json
    }

    /// The number of digits above which a number keeps its spelling.
    private static let mostDigits = 400

    private static func text(_ spelled: String) -> String? {
        let bytes = Array(spelled.utf8)
        let isNegative = bytes.first == 0x2D
        let end = bytes.firstIndex { $0 | 0x20 == 0x65 } ?? bytes.endIndex
        var exponent = 0
        if end < bytes.endIndex {
            let written = String(decoding: bytes[(end + 1)...].drop { $0 == 0x2B }, as: UTF8.self)
            guard let value = Int(written), abs(value) <= mostDigits else { return nil }
            exponent = value
        }
        let mantissa = bytes[(isNegative ? 1 : 0)..<end]
        if let point = mantissa.firstIndex(of: 0x2E) { exponent -= mantissa.endIndex - point - 1 }
        var digits = mantissa.filter { $0 != 0x2E }
        guard digits.count <= mostDigits else { return nil }
        while digits.last == 0x30 {
            digits.removeLast()
            exponent += 1
        }
        digits = Array(digits.drop { $0 == 0x30 })
        guard !digits.isEmpty else { return "0" }
        if exponent >= 0 {
            digits += [UInt8](repeating: 0x30, count: exponent)
        } else {
            let missing = max(1 - exponent - digits.count, 0)
            digits = [UInt8](repeating: 0x30, count: missing) + digits
            digits.insert(0x2E, at: digits.count + exponent)
        }
        return (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }
}
