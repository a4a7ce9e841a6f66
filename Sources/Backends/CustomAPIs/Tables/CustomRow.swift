package import Backend
package import JSON

/// A row of a table: a JSON object with its members in order.
package struct CustomRow: Row, Codable, Sendable {
    /// The key as it is in an address; that of former days for a row of a store whose table has another key since (own-API
    /// contract, section 21).
    package let id: String
    /// The members in their stored form, in which anchored times of the seed are as they are written there.
    package let stored: JSONObject
    /// Tells whether the stored form is that of every world.
    package let isPlain: Bool
    /// The place in the order of all rows that the table has ever had; it never changes.
    package internal(set) var serial: Int

    init(id: String, stored: JSONObject, serial: Int = -1) {
        self.id = id
        self.stored = stored
        self.serial = serial
        isPlain = StoredText.isPlain(stored)
    }

    /// Reads the stored form; the key is in it under a name that only the table knows.
    package init(from decoder: any Decoder) throws {
        self.init(id: "", stored: try JSONObject(from: decoder))
    }

    /// Writes the stored form.
    package func encode(to encoder: any Encoder) throws { try stored.encode(to: encoder) }

    /// The key as the member of that name has it; nil if that holds none.
    func name(_ key: String) -> String? { stored[key].flatMap { RowKey($0) }?.text }

    /// Returns the members in a world.
    package func members(in epoch: Epoch, _ definition: TableDefinition) -> JSONObject {
        isPlain ? stored : StoredText.members(stored, in: epoch, definition.time)
    }
}

/// The key of a row: a text or a whole number.
package struct RowKey: Sendable, Equatable {
    package let json: JSON
    /// The key as it is in an address.
    package let text: String
    /// The number; nil for a text.
    let number: Int64?

    /// Takes the value of a key member; nil for one that is neither a text nor a whole number, or is empty.
    package init?(_ json: JSON) {
        self.json = json
        if let text = json.stringValue {
            guard !text.isEmpty, text.utf8.count <= Self.longest, !text.utf8.contains(0) else { return nil }
            self.text = text
            number = nil
        } else if let number = json.intValue {
            self.number = number
            text = String(number)
        } else {
            return nil
        }
    }

    /// Bytes of the longest key, which still fits into an address.
    static let longest = 1_000
    /// The form of a key, for a message.
    static let form = "must be a string of 1 to 1,000 bytes or a whole number"
}
