import JSON

/// A table to begin with, and the resource that serves it.
package enum TableFiles {
    /// Returns why a text can't be the name of a table; nil if it is one (own-API contract, section 11).
    package static func refusal(of name: String) -> String? {
        let isSpelled = name.utf8.allSatisfy {
            $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F || $0 == 0x2D
        }
        guard isSpelled, (1...64).contains(name.utf8.count) else {
            return "the name of a table has 1 to 64 of a-z, A-Z, 0-9, _ and -"
        }
        if ["_sessions", "_codes"].contains(name) { return "this table belongs to the sign-in" }
        return ["_idempotency", "_uploads"].contains(name) ? "this table belongs to repeated requests" : nil
    }

    /// The file of a table with three rows.
    static func file(_ table: String) -> Scaffold.File {
        let rows = ["First", "Second", "Third"].enumerated().map { place, name -> JSON in
            [
                "id": .integer(Int64(place + 1)), "name": .string(name),
                "createdAt": .string("T0-P\(3 - place)D"),
            ]
        }
        return Scaffold.File(path: "tables/\(table).json", rows: rows)
    }

    /// The resource that serves a table at its name.
    static func resource(_ table: String) -> JSON { ["path": .string("/\(table)"), "table": .string(table)] }
}
