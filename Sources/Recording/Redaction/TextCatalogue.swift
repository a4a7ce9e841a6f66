import HTTPMessage

/// The places where a backend sends the texts of a user interface, in which `password` is the name of a label.
enum TextCatalogue {
    /// Names of addresses and of members below which there are only such texts, in lower case and without separators.
    private static let names: Set<String> = [
        "i18n", "l10n", "intl", "locale", "locales", "localization", "localizations", "localisation", "localisations",
        "translation", "translations", "strings", "texts", "labels", "placeholders", "captions", "phrases",
        "dictionary", "dictionaries", "lang", "langs", "uitexts", "uistrings",
    ]

    /// Language codes that are no words of English, by which a catalogue has a member for each language.
    private static let languages: Set<String> = [
        "ar", "bg", "bn", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hr", "hu", "ja", "ka",
        "ko", "lt", "lv", "nb", "nl", "nn", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th", "tr", "uk", "ur",
        "vi", "zh",
    ]

    /// The names of members that tell what is wrong with the values below, by their names.
    private static let refusals: Set<String> = [
        "errors", "fielderrors", "formerrors", "nonfielderrors", "validationerrors", "errormessages", "validation",
        "violations", "modelstate", "validationmessages", "error", "problems", "issues", "failures",
    ]

    /// The endings of files that hold texts.
    private static let endings: Set<String> = [
        "json", "json5", "properties", "strings", "arb", "xml", "resx", "po", "ftl", "yml", "yaml", "js", "mjs", "ts",
        "txt", "csv", "ini", "toml", "xlf", "xliff",
    ]

    /// Returns true for an address that names a catalogue: `/i18n/en`, `/assets/locales/sv.json`, `/texts/pt-BR.json`,
    /// `/static/messages_de.properties`.
    static func isAddress(_ url: String) -> Bool {
        let path = HARAddress(url)?.path ?? String(url.prefix { $0 != "?" && $0 != "#" })
        return path.split(separator: "/").contains { segment in
            segment.split(separator: ".").contains { isName($0) } || isFile(segment)
        }
    }

    /// Returns true for a file of texts whose name has a language: `sv-SE.json`, `messages_de.json`, `app.pt_BR.arb`.
    private static func isFile(_ segment: Substring) -> Bool {
        let words = segment.split { $0 == "." || $0 == "_" || $0 == "-" }
        guard words.count > 1, segment.contains("."), let ending = words.last, endings.contains(ending.lowercased())
        else { return false }
        return words.dropLast().contains { isLanguage($0) }
    }

    /// Returns true for the name of a member that contains messages about values.
    static func isRefusal(_ name: String) -> Bool {
        (5...20).contains(name.utf8.count) && refusals.contains(plain(name))
    }

    /// Returns true for the name of a member that contains a catalogue.
    static func isName(_ name: some StringProtocol) -> Bool {
        (4...16).contains(name.utf8.count) && names.contains(plain(name))
    }

    /// Returns a name in lower case and without separators.
    private static func plain(_ name: some StringProtocol) -> String {
        let bytes = name.utf8.compactMap { byte -> UInt8? in
            byte == 0x5F || byte == 0x2D ? nil : byte &- 0x41 < 26 ? byte | 0x20 : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns true for the name of a language, such as `sv` and `pt-BR`.
    static func isLanguage(_ name: some StringProtocol) -> Bool {
        guard name.utf8.count == 2 || name.utf8.count == 5 else { return false }
        let parts = name.lowercased().split { $0 == "-" || $0 == "_" }
        guard let first = parts.first, languages.contains(String(first)) else { return false }
        return parts.count == 1 || parts.count == 2 && parts[1].utf8.count == 2
    }

    /// Returns true for a value that people read: words, none of which looks generated.
    static func isWording(_ value: String) -> Bool {
        guard value.utf8.count <= 4_096, !Redactor.isOpaque(value), value.contains(where: \.isLetter) else {
            return false
        }
        let words = value.split { $0.isWhitespace }
        return !words.contains { isGenerated($0, isAlone: words.count == 1) }
    }

    /// Words that say something of others.
    private static let particles: Set<String> = [
        "the", "too", "not", "and", "are", "has", "for", "been", "must", "may", "should", "cannot", "muss", "nicht",
        "måste", "inte", "för", "doit", "pas", "est", "trop", "debe", "deve",
    ]

    /// Returns true for a sentence: words of which one is a particle or as short as one, or with a mark at their end, as
    /// passphrases don't have them.
    static func isSentence(_ value: String) -> Bool {
        let words = value.split { $0.isWhitespace }
        guard words.count > 1, isWording(value) else { return false }
        return value.hasSuffix(".") || value.hasSuffix("!")
            || words.contains { word in
                let letters = word.filter(\.isLetter)
                return (1...2).contains(letters.count) && !word.contains(where: \.isNumber)
                    || particles.contains(letters.lowercased())
            }
    }

    /// Returns true for the code of a message: words and short numbers with something between them, as in `ERR_1001` and
    /// `password.min:8`, one of which may be both, as in `E1001` and `ERR_2FA`.
    static func isCode(_ value: String) -> Bool {
        let pieces = value.utf8.split { !($0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26) }
        guard value.utf8.count <= 64, value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        guard pieces.count > 1 else { return isNumbered(value.utf8[...]) }
        let mixed = pieces.filter { piece in
            !(piece.count <= 4 && piece.allSatisfy { $0 &- 0x30 < 10 }
                || piece.count <= 14 && piece.allSatisfy { ($0 | 0x20) &- 0x61 < 26 })
        }
        return mixed.count < 2 && mixed.allSatisfy { isNumbered($0) || isFactor($0) }
            && pieces.contains { ($0.first ?? 0) | 0x20 > 0x60 || isFactor($0) }
    }

    /// Returns true for capitals and a number, as in `E1001` and `AADSTS50126`.
    private static func isNumbered(_ word: Substring.UTF8View) -> Bool {
        let digits = word.drop { $0 &- 0x41 < 26 }
        return (1...8).contains(word.count - digits.count) && (1...6).contains(digits.count)
            && digits.allSatisfy { $0 &- 0x30 < 10 }
    }

    /// Returns true for a digit and a few letters, as in `2FA`.
    private static func isFactor(_ word: Substring.UTF8View) -> Bool {
        let letters = word.dropFirst()
        return (word.first ?? 0) &- 0x30 < 10 && (1...3).contains(letters.count)
            && letters.allSatisfy { ($0 | 0x20) &- 0x61 < 26 }
    }

    /// Returns true for a word of letters and digits, which is short in a sentence, or with capitals in its middle.
    private static func isGenerated(_ word: Substring, isAlone: Bool) -> Bool {
        // Scripts without blanks between words have numbers in the middle of a sentence.
        let isMixed =
            word.unicodeScalars.contains { $0.properties.isAlphabetic && $0.value < 0xE00 }
            && word.utf8.contains { $0 &- 0x30 < 10 }
        if isMixed, isAlone || word.utf8.count >= 12 {
            // A sentence may have a time, or the pattern that a value has to match.
            let isKnown =
                word.utf8.contains { "^[]{}|\\".utf8.contains($0) } || Fingerprinter.timeKind("\(word)") != nil
            return isAlone || !isKnown
        }
        let rises = zip(word.utf8, word.utf8.dropFirst()).count { $0 &- 0x61 < 26 && $1 &- 0x41 < 26 }
        return rises > 1 && word.utf8.count >= 12
    }
}
