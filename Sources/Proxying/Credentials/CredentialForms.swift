import Backend

/// Recognises the emulator's own credentials by their form.
///
/// It also finds those that no register of this process holds, such as tokens that the command line has minted and
/// tokens of worlds whose rows are gone.
final class CredentialForms {
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
    private(set) var collected: [UInt64] = []

    init(_ filter: IssuedSecrets.Filter, foreign: Set<UInt64>, collects: Bool = false) {
        worlds = filter.worlds
        shortMarks = filter.shortMarks
        self.foreign = foreign
        self.collects = collects
    }

    /// Tells whether a match counts: it does unless the real backend issued it.
    private func counts(_ base: UnsafePointer<UInt8>, _ length: Int) -> Bool {
        let print = SecretHunt.value(base, length)
        guard collects else { return !foreign.contains(print) }
        collected.append(print)
        return false
    }

    // MARK: Runs of letters, digits, - and _

    /// Tells whether a run holds a credential of the emulator's form; `kinds` are the combined roles of its bytes.
    func holds(
        _ run: UnsafePointer<UInt8>,
        _ count: Int,
        _ issued: IssuedSecrets,
        _ kinds: UInt8 = .max
    ) -> Bool {
        if count >= 24, run[0] == 0x65, run[1] == 0x79, run[2] == 0x4A, isOwnPayload(run, count, issued) {
            return true
        }
        guard count >= 18, kinds & ByteTables.Kind.dash != 0 else { return false }
        for place in 4..<(count - 3) {
            if run[place] == 0x2D {
                if run[place + 1] == 0x77, run[place + 2] == 0x2D, isTagged(run, count, at: place) { return true }
            } else if run[place] == 0x5F {
                if isHandle(run, count, at: place) || isDigits(run, count, at: place) { return true }
            }
        }
        return false
    }

    /// Tells whether a run is the payload of a token of the emulator, which may be cut off.
    private func isOwnPayload(_ run: UnsafePointer<UInt8>, _ count: Int, _ issued: IssuedSecrets) -> Bool {
        if Self.hasOwnIssuer(Base64Bits.bytes(of: run, count, fromBit: 0, atMost: .max)) { return counts(run, count) }
        guard count >= IssuedSecrets.headLength, !collects,
            issued.holdsHead(SecretHunt.value(run, IssuedSecrets.headLength))
        else { return false }
        return counts(run, count)
    }

    private static func hasOwnIssuer(_ payload: [UInt8]) -> Bool {
        guard contains(payload, sign) else { return false }
        return issuers.contains { contains(payload, $0) }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard text.count >= part.count else { return false }
        return text.withUnsafeBufferPointer { text in
            for start in 0...(text.count - part.count) where text[start] == part[0] {
                if part.indices.allSatisfy({ text[start + $0] == part[$0] }) { return true }
            }
            return false
        }
    }

    /// Tells whether a whole word is a credential of the emulator's form.
    func isWhole(_ word: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        if count == Self.shortLength { return isShort(word) }
        guard count >= 18 else { return false }
        for place in 3..<(count - 3) where run(word, place) {
            if word[place] == 0x2D {
                let tag = count - place - 3
                return word[place + 1] == 0x77 && word[place + 2] == 0x2D && tag >= 2
                    && ByteTables.shared.isShort[Int(word[0])] && isTagged(word, count, at: place)
            }
            let isTime = count > 17 && (17..<count).allSatisfy { word[$0] &- 0x30 < 10 }
            return place == 4 && isTime && isHandle(word, count, at: place)
                || place == 3 && count == 68 && isDigits(word, count, at: place)
        }
        return false
    }

    private func run(_ word: UnsafePointer<UInt8>, _ place: Int) -> Bool { word[place] == 0x2D || word[place] == 0x5F }

    /// Tells whether the text around `-w-` is a secret of the emulator and the name of a world.
    private func isTagged(_ run: UnsafePointer<UInt8>, _ count: Int, at mark: Int) -> Bool {
        let isShort = ByteTables.shared.isShort
        var start = mark
        var digits = 0
        while start > 0, isShort[Int(run[start - 1])] {
            start -= 1
            if run[start] < 0x3A { digits += 1 }
        }
        let length = mark - start
        // 24 or 32 random characters, or a secret with a beginning of its own: `cli0` where the command line made it,
        // `own0` where an own API did.
        var hasName = false
        if length > 40 {
            let names = [Array("cli0".utf8), Array("own0".utf8)]
            for first in start..<(mark - 40)
            where names.contains(where: { name in (0..<4).allSatisfy { run[first + $0] == name[$0] } }) {
                hasName = true
                start = first
                break
            }
        }
        guard length == 24 || length == 32 || hasName, digits > 0 else { return false }
        let first = mark + 3
        // A name has at most 64 characters; other text may follow it directly.
        for end in stride(from: min(count, first + 86), through: first + 2, by: -1) where (end - first) % 4 != 1 {
            let name = String(
                decoding: Base64Bits.bytes(of: run + first, end - first, fromBit: 0, atMost: .max),
                as: UTF8.self
            )
            if worlds.contains(name.fnv1a64) { return counts(run + start, end - start) }
        }
        return false
    }

    /// Tells whether `sess_` and the text after it are the handle of a chat.
    private func isHandle(_ run: UnsafePointer<UInt8>, _ count: Int, at line: Int) -> Bool {
        guard line >= 4, line + 13 <= count, run[line - 4] == 0x73, run[line - 3] == 0x65, run[line - 2] == 0x73,
            run[line - 1] == 0x73, run[line + 12] == 0x5F,
            (1...11).allSatisfy({ ByteTables.shared.isShort[Int(run[line + $0])] }),
            shortMarks.contains(Self.packed(run + line + 6))
        else { return false }
        return counts(run + line - 4, 17)
    }

    /// Tells whether `qlt_` or `sqr_` and the text after it are a token of digits with the mark of a world.
    private func isDigits(_ run: UnsafePointer<UInt8>, _ count: Int, at line: Int) -> Bool {
        guard line >= 3, line + 65 <= count else { return false }
        let isPrefix =
            run[line - 3] == 0x71 && run[line - 2] == 0x6C && run[line - 1] == 0x74
            || run[line - 3] == 0x73 && run[line - 2] == 0x71 && run[line - 1] == 0x72
        guard isPrefix else { return false }
        var mark: UInt64 = 0
        for place in (line + 1)...(line + 64) {
            guard let digit = Escapes.hex(run[place]), run[place] != run[place] & 0x5F || digit < 10 else {
                return false
            }
            mark = mark << 4 | UInt64(digit)
        }
        return worlds.contains(mark) && counts(run + line - 3, 68)
    }

    /// Six characters as a number.
    private static func packed(_ base: UnsafePointer<UInt8>) -> UInt64 {
        (0..<6).reduce(0) { $0 << 8 | UInt64(base[$1]) }
    }

    // MARK: Words of twelve

    /// The length of a short token.
    private static let shortLength = 12

    /// Tells whether a word of a run has twelve letters and digits and ends in the mark of a world.
    ///
    /// Adjacent letters, digits, `-` and `_` belong to the word. `kinds` are the combined roles of all bytes of the
    /// run.
    func holdsShort(_ run: UnsafePointer<UInt8>, _ count: Int, _ kinds: UInt8) -> Bool {
        guard !shortMarks.isEmpty else { return false }
        let ends = ByteTables.Kind.slash | ByteTables.Kind.lineEnd
        guard kinds & ends != 0 else { return count == Self.shortLength && isShort(run) }
        let table = ByteTables.shared.kinds
        var start = 0
        for place in 0..<count where table[Int(run[place])] & ends != 0 {
            if place - start == Self.shortLength, isShort(run + start) { return true }
            start = place + 1
        }
        return count - start == Self.shortLength && isShort(run + start)
    }

    private func isShort(_ word: UnsafePointer<UInt8>) -> Bool {
        let isShort = ByteTables.shared.isShort
        return (0..<Self.shortLength).allSatisfy { isShort[Int(word[$0])] }
            && shortMarks.contains(Self.packed(word + Self.shortLength - 6)) && counts(word, Self.shortLength)
    }

    // MARK: Stand-ins

    /// Tells whether ten characters begin like the stand-ins of redaction.
    static func beginsLikeStandIn(_ base: UnsafePointer<UInt8>) -> Bool {
        StandIn.isMark { base[$0] }
    }

    /// Tells whether a text that begins like a stand-in is one: a kind and a number follow.
    static func isStandIn(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let mark = StandIn.markBytes.count
        var place = mark
        while place < count, base[place] | 0x20 >= 0x61, base[place] | 0x20 <= 0x7A { place += 1 }
        let kind = String(
            decoding: UnsafeBufferPointer(start: base + mark, count: place - mark),
            as: UTF8.self
        )
        return kinds.contains(kind.lowercased()) && place + 1 < count && base[place] == 0x2D
            && base[place + 1] &- 0x30 < 10
    }

    /// The kinds of stand-ins of credentials; an e-mail address is no credential.
    private static let kinds: Set<String> = ["token", "cookie", "user", "jwt"]

    /// The beginnings of stand-ins, as short as a register can recognise them.
    static var standInBeginnings: [String] {
        Set(kinds.compactMap(\.first)).sorted().map { "\(StandIn.mark)\($0)" }
    }
}
