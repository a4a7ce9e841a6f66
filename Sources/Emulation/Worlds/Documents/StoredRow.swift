package import JSON

/// A row on its way out of the process; whoever writes it spells it. Bytes in it become base 64.
package struct StoredRow: Sendable {
    /// Unique in its part.
    package let id: String
    /// Where it stands among the rows of its part.
    package let place: Int
    private let row: any Encodable & Sendable

    init(id: String, place: Int, _ row: any Encodable & Sendable) {
        self.id = id
        self.place = place
        self.row = row
    }

    var content: JSON { StateCoding.json(row) }

    /// The text of the content.
    package var text: [UInt8] { StateCoding.text(of: row) }
}

/// A row on its way in.
package struct LoadedRow: Sendable {
    /// Where it stood; nil counts on from the row before.
    package var place: Int?
    /// What it was stored under; nil if only its content tells.
    package var id: String?
    package var content: JSON

    package init(place: Int? = nil, id: String? = nil, content: JSON) {
        self.place = place
        self.id = id
        self.content = content
    }
}

/// What is wrong with a part that was to be read.
package struct PartFault: Error, Sendable, Equatable {
    /// The row, counted from 0; nil for the part itself.
    package var row: Int?
    package var path: [JSONPathElement]
    package var reason: String

    package init(row: Int? = nil, path: [JSONPathElement] = [], _ reason: String) {
        self.row = row
        self.path = path
        self.reason = reason
    }
}

/// What of a part has to be written since the last time.
package enum PartChanges: Sendable {
    case nothing
    /// Rows to put, and the ids of rows to take out.
    case some(@Sendable () -> (put: [StoredRow], gone: [String]))
    /// The part as a whole, in the place of all that was there.
    case whole(@Sendable () -> [StoredRow])
    /// The one row of a part that is a value; perhaps it is as it was.
    case value(StoredRow)
}

extension PartChanges {
    /// The most rows that are looked for at once; a copy of the table would cost more to keep.
    private static let mostInPlace = 64

    /// Hands on what was noted of a table; the rows of many are looked for by whoever writes them.
    init<Element: Row & Codable>(_ noted: Table<Element>.Noted) {
        @Sendable func changed() -> (put: [StoredRow], gone: [String]) {
            let (present, gone) = noted.rows
            return (present.map { StoredRow(id: $0.row.id, place: $0.place, $0.row) }, gone)
        }
        if noted.changes.isWhole {
            self = .whole { noted.table.storedRows }
        } else if noted.changes.isEmpty {
            self = .nothing
        } else if noted.changes.ids.count <= Self.mostInPlace {
            let rows = changed()
            self = .some { rows }
        } else {
            self = .some(changed)
        }
    }
}

extension Table where Element: Codable {
    /// Every row as it is written.
    var storedRows: [StoredRow] { placedRows.map { StoredRow(id: $0.row.id, place: $0.place, $0.row) } }
}
