package import JSON

/// A row to be stored; its writer makes the text.
///
/// Bytes in it become base 64.
package struct StoredRow: Sendable {
    /// The id, unique in its part.
    package let id: String
    /// The row's place among the rows of its part.
    package let place: Int
    private let row: any Encodable & Sendable

    package init(id: String, place: Int, _ row: any Encodable & Sendable) {
        self.id = id
        self.place = place
        self.row = row
    }

    package var content: JSON { StateCoding.json(row) }

    /// The text of the content.
    package var text: [UInt8] { StateCoding.text(of: row) }
}

/// A stored row to be read.
package struct LoadedRow: Sendable {
    /// The row's place; nil for the one after the row before.
    package var place: Int?
    /// The id that it was stored under; nil if only its content has it.
    package var id: String?
    package var content: JSON

    package init(place: Int? = nil, id: String? = nil, content: JSON) {
        self.place = place
        self.id = id
        self.content = content
    }
}

/// A problem of a part that was read.
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

    /// Creates the problem of a row whose id an earlier one has.
    package static func taken(_ id: String, at member: String = "id", row: Int? = nil) -> PartFault {
        PartFault(row: row, path: [.key(member)], "\"\(id.cut)\" is taken by an earlier row")
    }
}

/// The changes of a part since the last time.
package enum PartChanges: Sendable {
    case nothing
    /// Rows to store, and the ids of rows to remove.
    case some(@Sendable () -> (put: [StoredRow], gone: [String]))
    /// The part as a whole, which replaces everything that was stored.
    case whole(@Sendable () -> [StoredRow])
    /// The one row of a part that is a value; it may be unchanged.
    case value(StoredRow)
}

extension PartChanges {
    /// The number of rows that are looked up at once; for a few, a copy of the table would cost more.
    private static let mostInPlace = 64

    /// Creates the tracked changes of a table; many rows are looked up by their writer.
    package init<Element: Row & Codable>(_ noted: Table<Element>.Noted) {
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
    /// Every row in its stored form.
    var storedRows: [StoredRow] { placedRows.map { StoredRow(id: $0.row.id, place: $0.place, $0.row) } }
}
