package import Backend
import HTTPMessage
import JSON
package import Journal

extension OutgoingCheck.Place {
    /// The refusal of a request that holds a credential of ours, which shows nothing of it.
    package var problem: Problem {
        if case .hidden(let reason) = self {
            return Problem(
                .ownCredential,
                "The request may contain one of Understudy's own credentials, because \(reason). Nothing was sent.",
                items: [Problem.Item(path: path, reason: reason)]
            )
        }
        return Problem(
            .ownCredential,
            "The request has one of Understudy's own credentials \(quoted.words). Nothing was sent to the real backend.",
            items: [Problem.Item(path: quoted.path, reason: "contains one of Understudy's own credentials")]
        )
    }

    /// The place with as much of a field's name as a problem quotes.
    private var quoted: Self {
        if case .field(let name) = self { .field(name.cut) } else { self }
    }
}

extension OutgoingCheck {
    /// The replacement for a value that must not be shown.
    private static let blank = "redacted-own-credential"

    /// Returns the journal's view of a refused request, without any text that holds one of the emulator's own
    /// credentials.
    package func shown(_ shown: JournalDisclosure, found place: Place) -> JournalDisclosure {
        var clean = shown
        if let path = shown.path, holds(path) {
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            let rest = segments.map { holds(String($0)) ? Self.blank : String($0) }.joined(separator: "/")
            clean.path = holds(rest) ? "/" + Self.blank : rest
        }
        let text = shown.text
        clean.text = { holds($0) ? Self.blank : text?($0) ?? $0 }
        if let query = shown.query, place == .query || holds(query) { clean.query = Self.blank }
        var fields = Fields()
        for line in 0..<shown.fields.count {
            let name = String(decoding: shown.fields.nameBytes(at: line), as: UTF8.self)
            let value = String(decoding: shown.fields.valueBytes(at: line), as: UTF8.self)
            guard let field = FieldName(name), !holds(name) else { continue }
            // A part of a credential is hidden as well.
            let isFound = place == .head || place == .field(name) || holds(value)
            fields.append(field, isFound ? Self.blank : value)
        }
        clean.fields = fields
        if !shown.body.isEmpty,
            place == .content || place.path == "$" || holds(String(decoding: shown.body, as: UTF8.self))
        {
            clean.body = Array(Self.blank.utf8)
            clean.length = max(shown.length, clean.body.count)
        }
        return clean
    }

    private func holds(_ text: String) -> Bool { holds(Array(text.utf8)) }
}
