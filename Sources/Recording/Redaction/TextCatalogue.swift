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

    /// Returns true for an address that names a catalogue: `/i18n/en`, `/assets/locales/sv.json`, `/texts/pt-BR.json`.
    static func isAddress(_ url: String) -> Bool {
        let path = HARAddress(url)?.path ?? String(url.prefix { $0 != "?" && $0 != "#" })
        return path.split(separator: "/").contains { segment in
            let words = segment.split(separator: ".")
            return words.contains { isName($0) } || words.count == 2 && words[0].utf8.count == 5 && isLanguage(words[0])
        }
    }

    /// Returns true for the name of a member that contains a catalogue.
    static func isName(_ name: some StringProtocol) -> Bool {
        names.contains(name.lowercased().filter { $0 != "_" && $0 != "-" })
    }

    /// Returns true for the name of a language, such as `sv` and `pt-BR`.
    static func isLanguage(_ name: some StringProtocol) -> Bool {
        let parts = name.lowercased().split { $0 == "-" || $0 == "_" }
        guard let first = parts.first, languages.contains(String(first)) else { return false }
        return parts.count == 1 || parts.count == 2 && parts[1].utf8.count == 2
    }

    /// Returns true for a value that people read: words, none of which looks generated.
    static func isWording(_ value: String) -> Bool {
        let words = value.split { $0.isWhitespace }
        guard value.utf8.count <= 4_096, !Redactor.isOpaque(value), value.contains(where: \.isLetter) else {
            return false
        }
        let mixed = words.filter { word in word.contains(where: \.isLetter) && word.utf8.contains { $0 &- 0x30 < 10 } }
        return words.count == 1 ? mixed.isEmpty : mixed.allSatisfy { $0.utf8.count < 12 }
    }
}
