import Backend

/// The pseudonyms of credentials, which go to no real backend either.
package enum IssuedPseudonym {
    /// The kinds of credentials; an e-mail address is none.
    private static let kinds: Set<String> = ["token", "cookie", "user", "jwt"]

    /// The beginnings of pseudonyms, as short as a register can recognise them.
    package static var beginnings: [String] {
        Set(kinds.compactMap(\.first)).sorted().map { "\(RedactionMark.mark)\($0)" }
    }

    /// Tells whether text begins like a pseudonym.
    static func begins(in text: [UInt8], at place: Int) -> Bool {
        place + RedactionMark.markBytes.count <= text.count && RedactionMark.isMark { text[place + $0] }
    }

    /// Tells whether text that begins like a pseudonym is one: a kind and a number follow.
    static func isOne(in text: [UInt8], at place: Int) -> Bool {
        let rest = text[(place + RedactionMark.markBytes.count)...]
        let kind = rest.prefix { ($0 | 0x20) &- 0x61 < 26 }
        let number = rest[kind.endIndex...]
        return kinds.contains(String(decoding: kind, as: UTF8.self).lowercased()) && number.first == 0x2D
            && number.dropFirst().first.map { $0 &- 0x30 < 10 } == true
    }
}
