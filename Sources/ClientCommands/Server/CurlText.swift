import Basics

/// A request as a curl command that a shell of POSIX takes as it is.
package enum CurlText {
    /// A control call; the token is the variable, never its value (clients contract, section 9).
    static func line(_ method: String, _ url: String, hasToken: Bool, content: [UInt8]?, file: String?) -> String {
        var words = ["curl"]
        if method != "GET" { words += ["-X", method] }
        words.append(quoted(url))
        if hasToken { words.append("-H \"Authorization: Bearer $UNDERSTUDY_ADMIN_TOKEN\"") }
        if content != nil || (file != nil && method != "GET") { words.append("-H 'Content-Type: application/json'") }
        if let file {
            words.append(method == "GET" ? "-o \(quoted(file))" : "--data-binary \(quoted("@" + file))")
        } else if let content {
            words.append("-d \(quoted(String(decoding: content, as: UTF8.self)))")
        }
        return words.joined(separator: " ")
    }

    /// A word in single quotes where the shell would read it otherwise.
    package static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(isPlain)
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// A format of `printf` that prints exactly a text, in characters that every terminal shows as they are.
    package static func format(of text: String) -> String {
        var format = "'"
        var bytes = text.utf8[...]
        // A hyphen at the beginning would be a flag.
        if bytes.first == 0x2D {
            format += "\\055"
            bytes.removeFirst()
        }
        for byte in bytes {
            switch byte {
            case 0x5C: format += "\\\\"
            case 0x25: format += "%%"
            case 0x27: format += "'\\''"
            case 0x20..<0x7F: format.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 8)
                format += "\\" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
            }
        }
        return format + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x25, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x40, 0x5F: true
        default: false
        }
    }
}
