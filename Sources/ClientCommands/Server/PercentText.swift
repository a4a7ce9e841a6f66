/// Percent-encoding of parts of an address (RFC 3986).
enum PercentText {
    static func segment(_ text: String) -> String { encoded(text, keeping: "!$&'()*+,;=:@") }

    static func query(_ text: String) -> String { encoded(text, keeping: "!$'()*,;:@/?") }

    private static func encoded(_ text: String, keeping others: String) -> String {
        let kept = Set(others.utf8)
        var result = ""
        for byte in text.utf8 {
            let isUnreserved: Bool
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: isUnreserved = true
            default: isUnreserved = kept.contains(byte)
            }
            if isUnreserved {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }
}
