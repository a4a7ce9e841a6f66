package import Backend

/// Searches bytes for issued secrets, in any coding (control contract, section 13).
package struct IssuedSearch {
    /// Rounds of decoding.
    private static let rounds = 4
    /// The number of bytes that are searched in all, decoded ones included, before a text counts as unreadable.
    private static let budget = 384 * 1_024 * 1_024

    private var decoder: SecretDecoder

    package init(_ issued: IssuedSecrets, _ filter: IssuedSecrets.Filter, _ forms: IssuedForms) {
        var search = SecretDecoder.Search { text in
            guard !forms.collects else { return [] }
            if let whole = Self.whole(filter.short, in: text) { return [whole] }
            // The register knows how pseudonyms begin; the rest of the text decides.
            return issued.places(in: text, filter, endsAtFirst: true) {
                !IssuedPseudonym.begins(in: text, at: $0) || IssuedPseudonym.isOne(in: text, at: $0)
            }
        }
        search.holdsInLine = { forms.holds($0, $1, issued, $2) }
        search.endsAtFirst = true
        search.hasBlanks = false
        // A secret that only counts as a whole value may be shorter.
        search.isASCII = filter.isASCII && filter.short.isEmpty
        decoder = SecretDecoder(search, rounds: Self.rounds, budget: Self.budget)
    }

    /// A part could not be searched because it expands to more than the limit.
    package var isUnreadable: Bool { decoder.isUnreadable }

    /// Tells whether the bytes hold a secret.
    package mutating func finds(in bytes: [UInt8]) -> Bool { !decoder.places(in: bytes).isEmpty }

    // MARK: Short secrets

    /// Returns the place of a secret that is too short to be searched for inside a text, and is one of its values as a
    /// whole.
    private static func whole(_ secrets: [[UInt8]], in text: [UInt8]) -> Range<Int>? {
        for secret in secrets where secret.count <= text.count {
            for start in 0...(text.count - secret.count)
            where text[start] == secret[0] && text[start...].starts(with: secret)
                && isValue(text, start..<(start + secret.count))
            {
                return start..<(start + secret.count)
            }
        }
        return nil
    }

    /// Tells whether a piece of a text is a whole value, by the characters before and after it.
    private static func isValue(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        func byte(before place: Int) -> UInt8 { place > 0 ? text[place - 1] : 0x01 }
        let after = range.upperBound < text.count ? text[range.upperBound] : 0x01
        var before = byte(before: range.lowerBound)
        if before == 0x20 {
            // In a list behind a semicolon, or in a field behind the scheme word of a credential.
            var place = range.lowerBound - 1
            while byte(before: place) == 0x20 { place -= 1 }
            if byte(before: place) != 0x3B { while (byte(before: place) | 0x20) &- 0x61 < 26 { place -= 1 } }
            before = byte(before: place)
            guard before == 0x01 || before == 0x3B else { return false }
        }
        if before == 0x22 || after == 0x22 || before == 0x27 || after == 0x27 { return before == after }
        let begins: [UInt8] = [0x01, 0x0A, 0x3D, 0x2F, 0x3F, 0x26, 0x3B]
        let ends: [UInt8] = [0x01, 0x0A, 0x0D, 0x26, 0x3B, 0x2F, 0x3F, 0x23]
        return begins.contains(before) && ends.contains(after)
    }
}
