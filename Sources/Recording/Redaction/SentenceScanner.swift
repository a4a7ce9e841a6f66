import Secrets

/// Finds secrets that sentences name: `Your code is 482913`, `the password is …`, `482913 is your code`, `G-482913`.
enum SentenceScanner {
    private typealias Words = [[UInt8]]

    private static func words(_ text: String) -> Words { text.split(separator: " ").map { Array($0.utf8) } }

    private static let passwords = words(
        "password passphrase passcode passwort kennwort lösenord lösenordet contraseña senha hasło wachtwoord passord "
            + "adgangskode salasana heslo passe пароль parola المرور السر"
    )
    private static let codes = words(
        "code codes kod koden codigo código codice kode koodi passcode pin otp token код رمز الرمز كود"
    )
    private static let verbs = words("is was are är blir ist lautet est es é er on jest — – هو هي")
    private static let owners = words("your the a din ditt ihr dein votre ton tu su seu din ваш رمز")
    private static let tellingBefore = words(
        "verification security confirmation login access your auth authentication one-time onetime sms mfa 2fa otp reset "
            + "activation din engångs"
    )
    /// Words for other kinds of codes.
    private static let otherBefore = words(
        "error status postal post zip country area exit bar qr promo discount coupon product response result currency "
            + "language color colour source http sort tax dress game item article iso region city state reason return unit "
            + "voucher gift vat invoice order dial sic hs swift"
    )
    private static let commands = words("use enter type ange skriv utilisez verwende usa")

    /// All of these words by their first byte.
    private static let byFirst: [[[UInt8]]] = {
        var lists = [[[UInt8]]](repeating: [], count: 256)
        for word in passwords + codes + commands { lists[Int(word[0])].append(word) }
        return lists
    }()

    /// Returns true if a word may be one of them, by its length and its first bytes alone.
    private static func mayTell(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        guard end - start <= 24, end - start > 1 else { return false }
        let first = bytes[start] < 0x80 ? bytes[start] | 0x20 : bytes[start]
        for word in byFirst[Int(first)] where word.count == end - start {
            // A capital of another script differs in its second byte.
            if word[1] >= 0x80 || word[1] == bytes[start + 1] | 0x20 { return true }
        }
        return false
    }

    static func find(_ bytes: [UInt8]) -> [SecretScanner.Finding] {
        var findings: [SecretScanner.Finding] = []
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if isDigit(byte) {
                let end = endOfDigits(bytes, place)
                if let finding = behind(bytes, place..<end) { findings.append(finding) }
                place = end
                continue
            }
            guard isLetter(byte) else {
                place += 1
                continue
            }
            var end = place + 1
            while end < bytes.count, isLetter(bytes[end]) { end += 1 }
            if mayTell(bytes, place, end), let finding = before(bytes, place..<end) {
                findings.append(finding)
            }
            place = end
        }
        return findings
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 || byte >= 0x80 }

    private static func endOfDigits(_ bytes: [UInt8], _ start: Int) -> Int {
        var end = start
        while end < bytes.count, isDigit(bytes[end]) { end += 1 }
        return end
    }

    /// Returns a word in lower case, for letters of ASCII and Cyrillic.
    private static func lower(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 } }
        return Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8)
    }

    /// Returns the word that ends before a place and blanks.
    private static func word(_ bytes: [UInt8], before place: Int) -> [UInt8] {
        var end = place
        while end > 0, bytes[end - 1] == 0x20 { end -= 1 }
        var start = end
        while start > 0, end - start < 24, isLetter(bytes[start - 1]) || [0x2D, 0x32].contains(bytes[start - 1]) {
            start -= 1
        }
        return lower(bytes[start..<end])
    }

    /// Returns the word that begins after blanks, and its end.
    private static func word(_ bytes: [UInt8], after place: Int) -> (word: [UInt8], end: Int) {
        var start = place
        while start < bytes.count, start - place < 4, bytes[start] == 0x20 { start += 1 }
        var end = start
        while end < bytes.count, end - start < 24, isLetter(bytes[end]) { end += 1 }
        return (lower(bytes[start..<end]), end)
    }

    // MARK: A word, then the secret

    private static func before(_ bytes: [UInt8], _ range: Range<Int>) -> SecretScanner.Finding? {
        let name = lower(bytes[range])
        let isPassword = passwords.contains(name)
        let isCode = codes.contains(name)
        let isCommand = commands.contains(name)
        guard isPassword || isCode || isCommand,
            range.lowerBound == 0 || bytes[range.lowerBound - 1] <= 0x20
                || [0x22, 0x27, 0x28, 0x3E, 0x2D].contains(bytes[range.lowerBound - 1])
        else { return nil }
        let (next, end) = word(bytes, after: range.upperBound)
        let hasVerb = !next.isEmpty && verbs.contains(next)
        var start = hasVerb ? end : range.upperBound
        let first = start
        while start < bytes.count, start - first < 4, [0x20, 0x3A, 0x3D].contains(bytes[start]) { start += 1 }
        guard start > first else { return nil }
        if start < bytes.count, [0x22, 0x27, 0x60, 0x2A].contains(bytes[start]) { start += 1 }
        if isCommand { return code(bytes, start, isCertain: false) }
        if isPassword, hasVerb, let found = password(bytes, start) { return found }
        guard isCode else { return nil }
        let previous = word(bytes, before: range.lowerBound)
        guard !otherBefore.contains(previous) else { return nil }
        let isMarked = hasVerb || bytes[first..<start].contains(0x3A)
        return code(bytes, start, isCertain: isMarked || tellingBefore.contains(previous))
    }

    private static func password(_ bytes: [UInt8], _ start: Int) -> SecretScanner.Finding? {
        var end = start
        while end < bytes.count, end - start < 256, bytes[end] > 0x20,
            ![0x22, 0x27, 0x3C, 0x60, 0x5C, 0x2C].contains(bytes[end])
        {
            end += 1
        }
        while end > start, [0x2E, 0x21, 0x3F, 0x3A, 0x3B, 0x29, 0x2A].contains(bytes[end - 1]) { end -= 1 }
        // "the password is required" names no password.
        guard end - start >= 6, bytes[start..<end].contains(where: isDigit) else { return nil }
        return SecretScanner.Finding(range: start..<end, kind: .token)
    }

    /// Finds digits, perhaps in two halves; six of them unless it is certain that they are a code.
    private static func code(_ bytes: [UInt8], _ start: Int, isCertain: Bool) -> SecretScanner.Finding? {
        var end = endOfDigits(bytes, start)
        var count = end - start
        if count == 3, end + 3 < bytes.count, bytes[end] == 0x2D || bytes[end] == 0x20,
            endOfDigits(bytes, end + 1) == end + 4
        {
            end += 4
            count = 6
        }
        guard isCertain ? (4...8).contains(count) : count == 6, isFree(bytes, start, end) else { return nil }
        return SecretScanner.Finding(range: start..<end, kind: .code)
    }

    private static func isFree(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        func isPart(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F }
        guard start == 0 || !isPart(bytes[start - 1]) else { return false }
        guard end < bytes.count else { return true }
        if [0x2E, 0x2C, 0x2D, 0x3A].contains(bytes[end]), end + 1 < bytes.count, isPart(bytes[end + 1]) {
            return false
        }
        return !isPart(bytes[end]) && bytes[end] != 0x25
    }

    // MARK: The secret, then words

    private static func behind(_ bytes: [UInt8], _ digits: Range<Int>) -> SecretScanner.Finding? {
        guard (4...8).contains(digits.count) else { return nil }
        let start = digits.lowerBound
        // `G-482913`.
        if digits.count == 6, start >= 2, bytes[start - 1] == 0x2D, bytes[start - 2] == 0x47,
            start == 2 || !isLetter(bytes[start - 3]) && !isDigit(bytes[start - 3]) && bytes[start - 3] != 0x2D,
            isFree(bytes, start, digits.upperBound)
        {
            return SecretScanner.Finding(range: digits, kind: .code)
        }
        guard isFree(bytes, start, digits.upperBound), digits.upperBound < bytes.count, bytes[digits.upperBound] == 0x20
        else { return nil }
        let (verb, end) = word(bytes, after: digits.upperBound)
        guard verbs.contains(verb) else { return nil }
        var place = end
        for step in 0..<5 {
            let (next, end) = word(bytes, after: place)
            if step == 0, !owners.contains(next) { return nil }
            if codes.contains(next) || passwords.contains(next) || next.ends(with: "code") || next.ends(with: "kod") {
                return SecretScanner.Finding(range: digits, kind: .code)
            }
            guard end > place, !otherBefore.contains(next) else { return nil }
            place = end
            if place < bytes.count, bytes[place] == 0x2D { place += 1 }
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
