import Backend
import CivilTime
import Conditions
import JSON
package import Journal

/// The notes of a world in their stored form.
package struct NoteBookRecord: Codable, Sendable {
    var last: UInt64
    var notes: [NoteBook.Note]

    /// Creates the record; nil for a book that was never used.
    package init?(_ book: NoteBook) {
        guard book.last > 0 else { return nil }
        last = book.last
        notes = book.notes
    }
}

extension WorldReading {
    package mutating func noteBook(_ record: NoteBookRecord?) -> NoteBook {
        guard let record else { return NoteBook() }
        let most = largestCount
        if record.last > most { fault(.record, ["notes", "last"], "must be from 0 to 2^53") }
        if record.notes.count > NoteBook.most {
            fault(.record, ["notes", "notes"], "must be at most \(NoteBook.most) notes")
        }
        for (row, note) in record.notes.enumerated() {
            if note.after > most { fault(.record, ["notes", "notes", .index(row), "after"], "must be from 0 to 2^53") }
            if note.text.unicodeScalars.count > NoteBook.longestText {
                let reason = "must have at most \(NoteBook.longestText) characters"
                fault(.record, ["notes", "notes", .index(row), "text"], reason)
            }
        }
        return NoteBook(record.notes, last: record.last)
    }
}
