/// A header field that stands for several, which a tool has joined.
///
/// Browsers' debugging protocols join repeated fields by line ends, and `fetch` by commas.
enum JoinedField {
    /// Returns the values of the fields that were sent; only one where nothing was joined.
    static func values(_ name: String, _ value: String) -> [String] {
        let lower = name.lowercased()
        let isCookie = lower == "set-cookie"
        // Any other list is the same with commas (RFC 9110, section 5.3).
        guard value.utf8.contains(where: { isLineEnd($0) || isCookie && $0 == 0x2C }) else { return [value] }
        let values = isCookie ? CookieText.cookies(value) : lines(of: value, mayFold: lower != "cookie")
        // A line that is a field itself was never a value of this one.
        guard !values.dropFirst().contains(where: isField) else { return [value] }
        return values.isEmpty ? [""] : values
    }

    private static func lines(of value: String, mayFold: Bool) -> [String] {
        var lines: [String] = []
        for line in value.utf8.split(whereSeparator: isLineEnd) {
            let text = String(Substring(line.drop(while: isBlank)))
            // A line that begins with a blank continues the one before it (RFC 9112, section 5.2).
            if mayFold, line.first.map(isBlank) == true, !lines.isEmpty {
                lines[lines.count - 1] += " " + text
            } else {
                lines.append(text)
            }
        }
        return lines
    }

    /// Returns true for a text such as `Name: value`.
    private static func isField(_ line: String) -> Bool {
        let rest = line.utf8.drop { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A && $0 != 0x2C && $0 != 0x3B && $0 != 0x3D }
        return rest.startIndex > line.utf8.startIndex && rest.first == 0x3A
            && rest.dropFirst().first.map(isBlank) != false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
