import Backend
package import CivilTime
package import JSON

/// The notes of a world, marks between the entries of its journal; a part of its value (console contract, section 7).
package struct WorldNotes: Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// One of a control call.
        case note
        case clock, scenario, settings, reset, restore
        case imported = "import"
        case row, faults, stubs
    }

    package struct Note: Codable, Sendable {
        package var id: String
        package var kind: Kind
        /// The number of the last journal entry before it; 0 if there is none.
        package var after: UInt64
        package var at: Instant
        /// The machine's time.
        package var wallAt: Instant
        package var text: String
        package var data: JSON?

        /// The form that lists show.
        package var json: JSON {
            var object: JSONObject = [
                "id": .string(id), "kind": .string(kind.rawValue), "after": .integer(Int64(clamping: after)),
                "at": .string(at.iso8601(.milliseconds)), "wallAt": .string(wallAt.iso8601(.milliseconds)),
                "text": .string(text),
            ]
            if let data { object.append("data", data) }
            return .object(object)
        }
    }

    /// The number of notes that are kept, the newest.
    package static let most = 1_000
    /// The maximum length of a text in characters, and of its data in bytes.
    package static let longestText = 500
    package static let largestData = 16 * 1_024

    /// The notes, oldest first.
    package private(set) var notes: [Note] = []
    /// The number of notes ever made.
    package private(set) var last: UInt64 = 0

    package init() {}

    /// Restores notes; of too many the newest are kept.
    package init(_ notes: [Note], last: UInt64) {
        self.notes = Array(notes.suffix(Self.most))
        self.last = last
    }

    package mutating func add(
        _ kind: Kind,
        _ text: String,
        data: JSON? = nil,
        after: UInt64,
        at: Instant,
        wallAt: Instant
    ) -> Note {
        last += 1
        let text =
            text.unicodeScalars.count <= Self.longestText
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestText)))
        let note = Note(id: "note_\(last)", kind: kind, after: after, at: at, wallAt: wallAt, text: text, data: data)
        if notes.count >= Self.most { notes.removeFirst(notes.count - Self.most + 1) }
        notes.append(note)
        return note
    }

    /// Removes all notes; their numbers continue.
    package mutating func removeAll() { notes = [] }
}
