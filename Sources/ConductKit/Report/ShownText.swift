import Backend
import Basics
import HTTPMessage

/// Texts of the journal as a report may show them: without secrets and control characters (conduct contract,
/// section 17).
package enum ShownText {
    /// A path whose segments may hold anything.
    package static func path(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            let text = String(segment)
            // An address of mail has something before its sign; a name such as @alice has not.
            let rest = text.lowercased().dropFirst()
            if rest.contains("@") || rest.contains("%40") { return mail(text) }
            if text.utf8.count > 60 || text.hasPrefix("eyJ") { return "{id}" }
            return clean(text)
        }.joined(separator: "/")
    }

    /// An e-mail address as `a…@…`.
    package static func mail(_ text: String) -> String { (text.first.map { clean(String($0)) } ?? "") + "…@…" }

    /// The text without control characters.
    package static func clean(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
            return text
        }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) {
            shown.append(scalar)
        }
        return String(shown)
    }
}
