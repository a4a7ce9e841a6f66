package import Backend

/// Recognises issued credentials by their form.
///
/// It also finds those that no register of this process holds, such as tokens that the command line has minted and
/// tokens of worlds whose rows are gone.
package final class IssuedForms {
    private static let issuers = [
        #""iss":"https://understudy.invalid/@"#, #""understudy":"https://understudy.invalid/@"#,
        #""iss":"https://wrong-issuer.understudy.invalid""#,
    ].map { Array($0.utf8) }
    private static let sign = Array("understudy.invalid".utf8)

    private let worlds: Set<UInt64>
    private let shortMarks: Set<UInt64>
    /// Prints of the credentials that the real backend of this mode has issued.
    private let foreign: Set<UInt64>
    /// Tells whether matches are collected instead of reported as found.
    let collects: Bool
    package private(set) var collected: [UInt64] = []

    package init(_ filter: IssuedSecrets.Filter, foreign: Set<UInt64>, collects: Bool = false) {
        worlds = filter.worlds
        shortMarks = filter.shortMarks
        self.foreign = foreign
        self.collects = collects
    }

    /// Tells whether a match counts: it does unless the real backend issued it.
    private func counts(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        let print = SecretHash.value(Array(text[range]))
        guard collects else { return !foreign.contains(print) }
        collected.append(print)
        return false
    }

    // MARK: Lines of letters, digits, - and _

    /// Tells whether a line holds a credential of the emulator's form; `kinds` are the combined `ByteRoles.Run` of its
    /// run.
    func holds(_ text: [UInt8], _ line: Range<Int>, _ issued: IssuedSecrets, _ kinds: UInt8 = .max) -> Bool {
        if holdsShort(text, line, kinds) { return true }
        if line.count >= 24, text[line].starts(with: [0x65, 0x79, 0x4A]), isOwnPayload(text, line, issued) {
            return true
        }
        guard line.count >= 18, kinds & ByteRoles.Run.dash != 0 else { return false }
        for place in (line.lowerBound + 4)..<(line.upperBound - 3) {
            if text[place] == 0x2D {
                if text[place + 1] == 0x77, text[place + 2] == 0x2D, isTagged(text, line, at: place) { return true }
            } else if text[place] == 0x5F {
                if isHandle(text, line, at: place) || isDigits(text, line, at: place) { return true }
            }
        }
        return false
    }

    /// Tells whether a whole text is the payload of a token of the emulator, which may be cut off.
    package func isOwnPayload(_ text: [UInt8], _ issued: IssuedSecrets) -> Bool { holds(text, 0..<text.count, issued) }

    private func isOwnPayload(_ text: [UInt8], _ line: Range<Int>, _ issued: IssuedSecrets) -> Bool {
        if Self.hasOwnIssuer(Base64Run(text, line).bytes(fromBit: 0)) { return counts(text, line) }
        guard line.count >= IssuedSecrets.headLength, !collects,
            issued.holdsHead(SecretHash.value(Array(text[line].prefix(IssuedSecrets.headLength))))
        else { return false }
        return counts(text, line)
    }

    private static func hasOwnIssuer(_ payload: [UInt8]) -> Bool {
        contains(payload, sign) && issuers.contains { contains(payload, $0) }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        text.indices.contains { text[$0] == part[0] && text[$0...].starts(with: part) }
    }

    /// Tells whether a whole word is a credential of the emulator's form.
    package func isWhole(_ word: [UInt8]) -> Bool {
        let count = word.count
        if count == Self.shortLength { return isShort(word, at: 0) }
        guard count >= 18, let place = word[3..<(count - 3)].firstIndex(where: { $0 == 0x2D || $0 == 0x5F }) else {
            return false
        }
        if word[place] == 0x2D {
            return word[place + 1] == 0x77 && word[place + 2] == 0x2D && count - place - 3 >= 2
                && Self.isShort(word[0]) && isTagged(word, 0..<count, at: place)
        }
        let isTime = count > 17 && word[17...].allSatisfy { $0 &- 0x30 < 10 }
        return place == 4 && isTime && isHandle(word, 0..<count, at: place)
            || place == 3 && count == 68 && isDigits(word, 0..<count, at: place)
    }

    /// Tells whether a byte is a lower-case letter or a digit.
    private static func isShort(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte &- 0x30 < 10 }

    /// Tells whether the text around `-w-` is a secret of the emulator and the name of a world.
    private func isTagged(_ text: [UInt8], _ line: Range<Int>, at mark: Int) -> Bool {
        var start = mark
        var digits = 0
        while start > line.lowerBound, Self.isShort(text[start - 1]) {
            start -= 1
            if text[start] < 0x3A { digits += 1 }
        }
        let length = mark - start
        // 24 or 32 random characters, or a secret with a beginning of its own: `cli0` where the command line made it,
        // `own0` where a custom API did.
        var hasName = false
        if length > 40 {
            let names = [Array("cli0".utf8), Array("own0".utf8)]
            if let first = (start..<(mark - 40)).first(where: { first in
                names.contains { text[first...].starts(with: $0) }
            }) {
                hasName = true
                start = first
            }
        }
        guard length == 24 || length == 32 || hasName, digits > 0 else { return false }
        let first = mark + 3
        // A name has at most 64 characters; other text may follow it directly.
        for end in stride(from: min(line.upperBound, first + 86), through: first + 2, by: -1)
        where (end - first) % 4 != 1 {
            let name = String(decoding: Base64Run(text, first..<end).bytes(fromBit: 0), as: UTF8.self)
            if worlds.contains(name.fnv1a64) { return counts(text, start..<end) }
        }
        return false
    }

    /// Tells whether `sess_` and the text after it are the handle of a chat.
    private func isHandle(_ text: [UInt8], _ line: Range<Int>, at mark: Int) -> Bool {
        guard mark >= line.lowerBound + 4, mark + 13 <= line.upperBound,
            text[(mark - 4)..<mark].elementsEqual("sess".utf8), text[mark + 12] == 0x5F,
            text[(mark + 1)...(mark + 11)].allSatisfy(Self.isShort), shortMarks.contains(Self.packed(text, mark + 6))
        else { return false }
        return counts(text, (mark - 4)..<(mark + 13))
    }

    /// Tells whether `qlt_` or `sqr_` and the text after it are a token of digits with the mark of a world.
    private func isDigits(_ text: [UInt8], _ line: Range<Int>, at mark: Int) -> Bool {
        guard mark >= line.lowerBound + 3, mark + 65 <= line.upperBound else { return false }
        let prefix = text[(mark - 3)..<mark]
        guard prefix.elementsEqual("qlt".utf8) || prefix.elementsEqual("sqr".utf8) else { return false }
        var world: UInt64 = 0
        for byte in text[(mark + 1)...(mark + 64)] {
            guard let digit = Escape.digit(byte), digit < 10 || byte & 0x20 != 0 else { return false }
            world = world << 4 | UInt64(digit)
        }
        return worlds.contains(world) && counts(text, (mark - 3)..<(mark + 65))
    }

    /// Six characters as a number.
    private static func packed(_ text: [UInt8], _ place: Int) -> UInt64 {
        text[place..<(place + 6)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Words of twelve

    /// The length of a short token.
    private static let shortLength = 12

    /// Tells whether a word of a line has twelve letters and digits and ends in the mark of a world.
    ///
    /// Adjacent letters, digits, `-` and `_` belong to the word.
    private func holdsShort(_ text: [UInt8], _ line: Range<Int>, _ kinds: UInt8) -> Bool {
        guard !shortMarks.isEmpty else { return false }
        guard kinds & ByteRoles.Run.slash != 0 else {
            return line.count == Self.shortLength && isShort(text, at: line.lowerBound)
        }
        var start = line.lowerBound
        for place in line where text[place] == 0x2B || text[place] == 0x2F {
            if place - start == Self.shortLength, isShort(text, at: start) { return true }
            start = place + 1
        }
        return line.upperBound - start == Self.shortLength && isShort(text, at: start)
    }

    private func isShort(_ text: [UInt8], at start: Int) -> Bool {
        let word = start..<(start + Self.shortLength)
        return text[word].allSatisfy(Self.isShort) && shortMarks.contains(Self.packed(text, start + 6))
            && counts(text, word)
    }
}
