import Backend
import Crypto
import JSON
import Secrets

/// Finds secrets by their form, in any text: tokens, e-mail addresses, phone and personal numbers, and credentials
/// after a scheme word or a telltale name.
///
/// The time is linear in the length of the text.
struct SecretScanner {
    struct Finding: Equatable {
        var range: Range<Int>
        var kind: SecretKind
        /// The unescaped bytes, for a finding that is written with escapes.
        var plain: [UInt8]?

        init(range: Range<Int>, kind: SecretKind, plain: [UInt8]? = nil) {
            self.range = range
            self.kind = kind
            self.plain = plain
        }
    }

    let bytes: [UInt8]
    private let pseudonyms: Pseudonyms
    /// Searches for numbers; false for binary content.
    private let findsNumbers: Bool
    /// True for images and the like, where a few bytes that look like an address are coincidence.
    let isBinary: Bool
    /// The sense that a text under a telltale name may have, beside a secret.
    private let wording: Wording
    /// Searches for known secrets that could be words, too; false for a name.
    private let takesWords: Bool
    /// Treats pseudonyms as the values that they stand for.
    private let takesPseudonyms: Bool
    var findings: [Finding] = []
    var endOfNamed = 0
    var endOfTag = 0
    /// The end of the last credential that was found by its beginning.
    private var endOfMarked = 0
    /// The at-sign behind the user information of an address, which does not belong to an e-mail address.
    private var endOfUser = -1

    private init(
        _ bytes: [UInt8],
        _ pseudonyms: Pseudonyms,
        findsNumbers: Bool,
        isBinary: Bool,
        wording: Wording,
        takesWords: Bool,
        takesPseudonyms: Bool
    ) {
        self.takesPseudonyms = takesPseudonyms
        self.wording = wording
        self.takesWords = takesWords
        self.bytes = bytes
        self.pseudonyms = pseudonyms
        self.findsNumbers = findsNumbers && !isBinary
        self.isBinary = isBinary
    }

    /// Returns every secret, in order, none inside another.
    static func find(
        _ bytes: [UInt8],
        _ pseudonyms: Pseudonyms,
        findsNumbers: Bool = true,
        isBinary: Bool = false,
        wording: Wording = .none,
        takesWords: Bool = true,
        takesPseudonyms: Bool = false
    ) -> [Finding] {
        var scanner = SecretScanner(
            bytes,
            pseudonyms,
            findsNumbers: findsNumbers,
            isBinary: isBinary,
            wording: wording,
            takesWords: takesWords,
            takesPseudonyms: takesPseudonyms
        )
        scanner.run()
        if !isBinary { scanner.lookBehindEscapes() }
        return scanner.settled()
    }

    /// Searches for secrets that are visible only without escapes and with plain digits, blanks and hyphens.
    private mutating func lookBehindEscapes() {
        for view in PlainView.layers(of: bytes) {
            var inner = SecretScanner(
                view.bytes,
                pseudonyms,
                findsNumbers: findsNumbers,
                isBinary: false,
                wording: wording,
                takesWords: takesWords,
                takesPseudonyms: takesPseudonyms
            )
            inner.run()
            for finding in inner.findings {
                let range = view.place(of: finding.range)
                let isSpelled = range.count > finding.range.count
                findings.append(
                    Finding(
                        range: range,
                        kind: finding.kind,
                        plain: finding.plain ?? (isSpelled ? Array(view.bytes[finding.range]) : nil)
                    )
                )
            }
        }
    }

    private mutating func run() {
        findings += pseudonyms.places(in: bytes, takesWords: takesWords).map { Finding(range: $0, kind: .token) }
        findings += codedPieces.map { Finding(range: $0, kind: .token) }
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if Self.isTokenByte(byte) {
                var end = place + 1
                while end < bytes.count, Self.isTokenByte(bytes[end]) { end += 1 }
                tokenRun(place..<end)
                place = end
                continue
            }
            if byte == 0x2F { userInformation(behind: place) }
            if byte == 0x25 {
                escapedUserInformation(at: place)
                if place + 2 < bytes.count, bytes[place + 1] == 0x33, bytes[place + 2] | 0x20 == 0x64 {
                    named(at: place, isEscaped: true)
                }
            }
            if byte == 0x3E { element(behind: place) }
            if byte == 0x3C, place >= endOfTag, !isBinary { tag(at: place) }
            if byte == 0x40, place != endOfUser { email(at: place, markLength: 1) }
            if byte == 0x25, place != endOfUser, place + 2 < bytes.count, bytes[place + 1] == 0x34,
                bytes[place + 2] == 0x30
            {
                email(at: place, markLength: 3)
            }
            if byte == 0x3D || byte == 0x3A { named(at: place) }
            place += 1
        }
        if !isBinary { findings += SentenceScanner.find(bytes) }
        if findsNumbers { findings += NumberScanner.find(bytes, takesPseudonyms: takesPseudonyms) }
        if findsNumbers { findings += AccountScanner.find(bytes) }
    }

    /// The words that contain secrets after decoding.
    private var codedPieces: [Range<Int>] {
        let pseudonyms = pseudonyms
        return SecretDecoder.codedPlaces(in: bytes) {
            pseudonyms.places(in: $0)
        } holdsInText: {
            !Self.find($0, pseudonyms, findsNumbers: false).isEmpty
        }
    }

    /// Returns true for the characters of tokens: letters, digits, `-`, `_`, `.` and `~`.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x2E, 0x7E: true
        default: false
        }
    }

    // MARK: Tokens

    private mutating func tokenRun(_ run: Range<Int>) {
        if takesPseudonyms { pseudonymTexts(run) }
        marked(run)
        if run.count == 5 || run.count == 6, let kind = scheme(run) { credential(after: run.upperBound, kind) }
        guard run.count > 16, bytes[run].count(where: { $0 == 0x2E }) >= 2 else { return }
        findJWTs(run)
    }

    /// Finds pseudonyms such as `redacted-token-12`, even among other letters.
    private mutating func pseudonymTexts(_ run: Range<Int>) {
        var place = run.lowerBound
        while let start = bytes[place..<run.upperBound].firstIndex(of: 0x72) {
            place = start + 1
            guard RedactionMark.begins(bytes[start..<run.upperBound]) else { continue }
            var end = start + RedactionMark.markBytes.count
            while end < run.upperBound, bytes[end] &- 0x61 < 26 { end += 1 }
            guard end < run.upperBound, bytes[end] == 0x2D, end > start + RedactionMark.markBytes.count else {
                continue
            }
            let digits = end + 1
            end = digits
            while end < run.upperBound, bytes[end] &- 0x30 < 10 { end += 1 }
            guard end > digits else { continue }
            findings.append(Finding(range: start..<end, kind: .token))
            place = end
        }
    }

    /// Finds the credentials that are recognised by their beginning, and the private keys that begin with the word.
    private mutating func marked(_ run: Range<Int>) {
        var place = max(run.lowerBound, endOfMarked)
        while place < run.upperBound {
            if let credential = CredentialForm.credential(in: bytes, at: place) {
                findings.append(Finding(range: credential, kind: .token))
                place = credential.upperBound
                endOfMarked = place
            } else {
                place += 1
            }
        }
        guard run.upperBound > endOfMarked, let key = PrivateKeyText.key(in: bytes, behind: run) else { return }
        findings.append(Finding(range: key, kind: .token))
        endOfMarked = key.upperBound
    }

    private mutating func findJWTs(_ run: Range<Int>) {
        var parts = bytes[run].split(separator: 0x2E, omittingEmptySubsequences: false)[...]
        while parts.count >= 3, let first = parts.first {
            let second = parts[parts.startIndex + 1]
            let third = parts[parts.startIndex + 2]
            guard let start = JWTForm.startOfHeader(in: first),
                JWTForm.isJSONObject(second) || JWTForm.isEncrypted(first)
            else {
                parts = parts.dropFirst()
                continue
            }
            // An encrypted token has five parts.
            let count = JWTForm.isEncrypted(first) && parts.count >= 5 ? 5 : 3
            let last = count == 5 ? parts[parts.startIndex + 4] : third
            findings.append(Finding(range: start..<last.endIndex, kind: .jwt))
            parts = parts.dropFirst(count)
        }
    }

    // MARK: Behind a word

    private static let bearer = Array("bearer".utf8)
    private static let basic = Array("basic".utf8)

    /// Returns the kind of the value behind a scheme word; nil for any other word.
    private func scheme(_ run: Range<Int>) -> SecretKind? {
        let word = bytes[run].map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
        return word == Self.bearer ? .token : word == Self.basic ? .basic : nil
    }

    /// Finds a credential after `Bearer` or `Basic` in running text.
    private mutating func credential(after end: Int, _ kind: SecretKind) {
        var start = end
        while start < bytes.count, bytes[start] == 0x20 { start += 1 }
        guard start > end else { return }
        var stop = start
        while stop < bytes.count, Self.isCredentialByte(bytes[stop]) { stop += 1 }
        // A word of a sentence is no credential.
        guard stop - start >= 8, bytes[start..<stop].contains(where: { !($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) })
        else { return }
        if kind == .basic {
            // `Basic` is a common word; user and password are separated by a colon.
            let text = bytes[start..<stop].prefix { $0 != 0x3D }
            let padding = [UInt8](repeating: 0x3D, count: (4 - text.count % 4) % 4)
            guard let pair = Base64.decode(Array(text) + padding), pair.contains(0x3A) else { return }
        }
        findings.append(Finding(range: start..<stop, kind: kind))
    }

    private static func isCredentialByte(_ byte: UInt8) -> Bool {
        isTokenByte(byte) || byte == 0x2B || byte == 0x2F || byte == 0x3D
    }

    /// Finds `name=value` and `name: value` with a telltale name, and `name%3Dvalue` in an address that is the value of
    /// another.
    private mutating func named(at place: Int, isEscaped: Bool = false) {
        // Inside a value that has been found: searching from each of its signs would take quadratic time.
        guard place >= endOfNamed else { return }
        var end = place
        while end > 0, let before = quoteOrBlank(before: end) { end = before }
        var start = end
        while start > 0, end - start < 64, Self.isNameByte(bytes[start - 1]) { start -= 1 }
        guard start < end else { return }
        // The character of an escape before the name does not belong to it.
        if isEscaped, start > 0, bytes[start - 1] == 0x25 { start = min(start + 2, end) }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        // Only `?code=` of a link: other values called `code` have no such mark.
        let isCode =
            SecretNames.isCodeName(name) && bytes[place] == 0x3D && start > 0
            && [0x3F, 0x26, 0x3B].contains(bytes[start - 1])
        let named = isCode ? .token : SecretNames.kind(of: name) ?? phraseKind(start, end)
        guard let kind = named, kind != .phone, kind != .person else { return }
        let isKey = Self.isKey(name)
        var from = place + (isEscaped ? 3 : 1)
        while from < bytes.count, bytes[from] == 0x20 { from += 1 }
        let quote = quote(at: from)
        from += quote.count
        var to = from
        if quote.count > 1 {
            // Inside another text, where the same marks end it.
            while to < bytes.count, bytes[to] != 0x0A, !bytes[to...].starts(with: quote) { to += 1 }
        } else {
            while to < bytes.count, !Self.endsValue(bytes[to], quote.first), !(isEscaped && endsEscaped(at: to)) {
                to += 1
            }
        }
        // `"password: the"` is a sentence, and `"token":null` has no value.
        guard to - from >= 3, !["null", "true", "false"].contains(String(decoding: bytes[from..<to], as: UTF8.self))
        else { return }
        endOfNamed = to
        guard !isKey || Redactor.isOpaque(text(from..<to)), !isWording(from..<to) else { return }
        if isCode {
            let isDigits = bytes[from..<to].allSatisfy { $0 &- 0x30 < 10 }
            guard isDigits ? (4...8).contains(to - from) : Redactor.isOpaque(text(from..<to)) else { return }
        }
        findings.append(Finding(range: from..<to, kind: kind))
    }

    /// Returns the kind that a name of several words implies, which some languages have for a password.
    private func phraseKind(_ start: Int, _ end: Int) -> SecretKind? {
        var first = start
        for _ in 0..<2 {
            guard first > 1, bytes[first - 1] == 0x20, Self.isNameByte(bytes[first - 2]) else { break }
            first -= 1
            while first > 0, end - first < 64, Self.isNameByte(bytes[first - 1]) { first -= 1 }
        }
        return first < start ? SecretNames.phrase(text(first..<end)) : nil
    }

    /// Returns true for `key`, whose value is no credential if it is short or made of words.
    static func isKey(_ name: String) -> Bool { name.lowercased() == "key" }

    /// Returns true for a value that is a text to be read.
    func isWording(_ value: Range<Int>) -> Bool { wording.takes(text(value), pseudonyms) }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Quotes inside another text: with a backslash, or as an HTML reference.
    private static let quotes: [[UInt8]] = ["\\\"", "\\'", "&quot;", "&#34;", "&#x22;", "&#39;", "&apos;"].map {
        Array($0.utf8)
    }

    /// Returns the mark that opens a quoted value; empty for an unquoted one.
    private func quote(at place: Int) -> [UInt8] {
        guard place < bytes.count else { return [] }
        switch bytes[place] {
        case 0x22, 0x27: return [bytes[place]]
        case 0x26, 0x5C: return Self.quotes.first { bytes[place...].starts(with: $0) } ?? []
        default: return []
        }
    }

    /// Returns the start of a quote or a blank that ends at a place.
    private func quoteOrBlank(before end: Int) -> Int? {
        switch bytes[end - 1] {
        case 0x22, 0x27: return end > 1 && bytes[end - 2] == 0x5C ? end - 2 : end - 1
        case 0x20: return end - 1
        case 0x3B:
            guard let quote = Self.quotes.first(where: { bytes[..<end].suffix($0.count).elementsEqual($0) }) else {
                return nil
            }
            return end - quote.count
        default: return nil
        }
    }

    /// Returns true for `%26` and `%23`: an ampersand or a hash ends a value in an address that is the value of
    /// another.
    private func endsEscaped(at place: Int) -> Bool {
        place + 2 < bytes.count && bytes[place] == 0x25 && bytes[place + 1] == 0x32
            && (bytes[place + 2] == 0x36 || bytes[place + 2] == 0x33)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    private static func endsValue(_ byte: UInt8, _ quote: UInt8?) -> Bool {
        if let quote { return byte == quote || byte == 0x0A }
        switch byte {
        case 0...0x20, 0x22, 0x26, 0x27, 0x29, 0x2C, 0x3B, 0x3C, 0x3E, 0x5C, 0x5D, 0x7D: return true
        default: return false
        }
    }

    /// Finds `//user:password@` of an address.
    private mutating func userInformation(behind slash: Int) {
        guard slash >= 2, bytes[slash - 1] == 0x2F, bytes[slash - 2] == 0x3A else { return }
        var end = slash + 1
        while end < bytes.count, end - slash <= 512, Self.isUserByte(bytes[end]) { end += 1 }
        guard end < bytes.count, bytes[end] == 0x40, end > slash + 1 else { return }
        endOfUser = end
        guard !isService(slash + 1..<end), !isVersion(behind: end) else { return }
        findings.append(Finding(range: slash + 1..<end, kind: .token))
    }

    /// Returns true for the at-sign of a package's version, as in `npm://lodash@4.17.21`, which no host follows.
    private func isVersion(behind sign: Int) -> Bool {
        let name = bytes[(sign + 1)...].prefix {
            $0 == 0x2E || $0 == 0x2D || $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26
        }
        let labels = name.prefix(64).split(separator: 0x2E, omittingEmptySubsequences: false)
        // Four numbers are the address of a host.
        let isHost = labels.count == 4 && labels.allSatisfy { $0.allSatisfy { $0 &- 0x30 < 10 } }
        return !isHost && isVersion(labels)
    }

    /// Finds the same in an address that is percent-encoded as the value of a query.
    private mutating func escapedUserInformation(at place: Int) {
        func isEscape(_ place: Int, _ high: UInt8, _ low: UInt8) -> Bool {
            place + 2 < bytes.count && bytes[place] == 0x25 && bytes[place + 1] == high
                && bytes[place + 2] | 0x20 == low
        }
        guard isEscape(place, 0x33, 0x61), isEscape(place + 3, 0x32, 0x66), isEscape(place + 6, 0x32, 0x66) else {
            return
        }
        let start = place + 9
        var end = start
        while end < bytes.count, end - start <= 512, Self.isUserByte(bytes[end]), bytes[end] != 0x26 {
            if isEscape(end, 0x34, 0x30 | 0x20) {
                guard end > start else { return }
                endOfUser = end
                findings.append(Finding(range: start..<end, kind: .token))
                return
            }
            // A slash, a question mark or a hash ends the authority.
            if isEscape(end, 0x32, 0x66) || isEscape(end, 0x33, 0x66) || isEscape(end, 0x32, 0x33) { return }
            end += 1
        }
    }

    /// Returns true for the bytes of user information (RFC 3986, section 3.2.1), and for those that people write there.
    private static func isUserByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x22, 0x23, 0x2F, 0x3C, 0x3E, 0x3F, 0x40, 0x5C, 0x7F: false
        default: true
        }
    }

    // MARK: Order

    /// Returns the findings in order; of two that overlap the longer stays.
    private func settled() -> [Finding] { Self.settled(findings) }

    static func settled(_ findings: [Finding]) -> [Finding] {
        var settled: [Finding] = []
        let ordered = findings.sorted {
            ($0.range.lowerBound, -$0.range.upperBound) < ($1.range.lowerBound, -$1.range.upperBound)
        }
        for finding in ordered {
            guard let last = settled.last, last.range.overlaps(finding.range) else {
                settled.append(finding)
                continue
            }
            if finding.range.count > last.range.count { settled[settled.count - 1] = finding }
        }
        return settled
    }
}
