import Backend
import CivilTime
import Conditions
import JSON
package import Journal

/// The notes of a world in their stored form.
package struct WorldNotesRecord: Codable, Sendable {
    var last: UInt64
    var notes: [WorldNotes.Note]

    /// Creates the record; nil for a book that was never used.
    package init?(_ book: WorldNotes) {
        guard book.last > 0 else { return nil }
        last = book.last
        notes = book.notes
    }
}

extension WorldReading {
    package mutating func worldNotes(_ record: WorldNotesRecord?) -> WorldNotes {
        guard let record else { return WorldNotes() }
        let most = largestCount
        if record.last > most { fault(.record, ["notes", "last"], "must be from 0 to 2^53") }
        if record.notes.count > WorldNotes.most {
            fault(.record, ["notes", "notes"], "must be at most \(WorldNotes.most) notes")
        }
        for (row, note) in record.notes.enumerated() {
            if note.after > most { fault(.record, ["notes", "notes", .index(row), "after"], "must be from 0 to 2^53") }
            if note.text.unicodeScalars.count > WorldNotes.longestText {
                let reason = "must have at most \(WorldNotes.longestText) characters"
                fault(.record, ["notes", "notes", .index(row), "text"], reason)
            }
        }
        return WorldNotes(record.notes, last: record.last)
    }
}
