import ConductKit

/// `url/double-encoded`.
struct DoubleEncoded: ConductRule {
    static let declaration = RuleDeclaration(
        "url/double-encoded",
        "Double-encoded URL",
        .warning,
        situation: "any request with `%` in path or query",
        breach: "`%25` followed by two hexadecimal digits",
        source: [.rfc(3986, "2.4")],
        exercisedBy: ["any call"],
        what: "Part of a URL was percent-encoded twice.",
        why: "The server reads `%20` where the user typed a space: searches find nothing, names look broken.",
        expected: "Encode each value once.",
        urlsession: """
            Leave the encoding to `URLComponents`, and encode nothing before it:

                components.queryItems = [URLQueryItem(name: "q", value: text)]
            """,
        fetch: """
            Leave the encoding to `URLSearchParams`, and encode nothing before it:

                new URLSearchParams({ q: text })
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard Self.hasEscapes(x.exchange.path) || x.exchange.query.map(Self.hasEscapes) ?? false else { return }
        context.situation(x)
        let isInPath = Self.isTwice(x.exchange.path)
        guard isInPath || x.exchange.query.map(Self.isTwice) ?? false else { return }
        context.breach(
            [x.index],
            "\(x.row.id) had `%25` before two hexadecimal digits in its \(isInPath ? "path" : "query"): it was encoded twice."
        )
    }

    private static func hasEscapes(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "%")) }

    static func isTwice(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 5 else { return false }
        for place in 0...(bytes.count - 5)
        where bytes[place] == UInt8(ascii: "%") && bytes[place + 1] == UInt8(ascii: "2")
            && bytes[place + 2] == UInt8(ascii: "5") && isHex(bytes[place + 3]) && isHex(bytes[place + 4])
        {
            return true
        }
        return false
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte) || (0x61...0x66).contains(byte)
    }
}
