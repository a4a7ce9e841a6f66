import Backend
import Crypto
import Worlds

/// The rows of a seed as a store has them, and their digest, by which it recognises an equal seed.
struct SpelledSeed: Sendable {
    struct Row: Sendable {
        var api: String
        var part: String
        var id: String
        var place: Int
        var data: [UInt8]
    }

    /// In order of their APIs, parts and places.
    let rows: [Row]
    let digest: String

    /// Takes rows in that order.
    init(_ rows: [Row]) {
        self.rows = rows
        var text: [UInt8] = []
        text.reserveCapacity(rows.reduce(0) { $0 + $1.data.count + 96 })
        func add(_ bytes: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { text += $0 }
            text += bytes
        }
        for row in rows {
            add(row.api.utf8)
            add(row.part.utf8)
            add(row.id.utf8)
            add("\(row.place)".utf8)
            // The anchors are each world's own.
            add(row.part == WorldChanges.epochPart ? [] : row.data)
        }
        digest = Hex.encode(SHA256.digest(text))
    }

    /// Spells a seed.
    init(_ changes: WorldChanges) {
        var sections = changes.sections.map { (name: [Array($0.api.utf8), Array($0.part.utf8)], section: $0) }
        sections.sort { left, right in
            left.name[0] == right.name[0]
                ? left.name[1].lexicographicallyPrecedes(right.name[1])
                : left.name[0].lexicographicallyPrecedes(right.name[0])
        }
        self.init(
            sections.flatMap { _, section in
                let rows =
                    switch section.changes {
                    case .nothing: [StoredRow]()
                    case .some(let changed): changed().put
                    case .whole(let made): made()
                    case .value(let row): [row]
                    }
                return rows.map {
                    Row(api: section.api, part: section.part, id: $0.id, place: $0.place, data: $0.text)
                }
            }
        )
    }
}

extension StoreStatements {
    /// Makes a layer that of a seed.
    func put(_ seed: SpelledSeed, in layer: Int, _ book: inout LayerTable) throws(StorageError) {
        func put(_ row: SpelledSeed.Row) throws(StorageError) {
            try run(.put(layer: layer, api: row.api, part: row.part, id: row.id, place: row.place, data: row.data))
        }
        for row in seed.rows { try put(row) }
        let mark = Array("\"\(seed.digest)\"".utf8)
        try put(SpelledSeed.Row(api: "", part: WorldChanges.seedPart, id: "", place: 0, data: mark))
        book.mark(layer, seed: seed.digest)
        book.grow(layer, by: seed.rows.count + 1)
    }
}

extension StoreStatements {
    /// Reads the rows of a layer that worlds with the same seed share.
    func seed(of layer: Int) throws(StorageError) -> SpelledSeed {
        let find = try database.prepare(
            "SELECT api, part, id, place, data FROM rows WHERE layer = ? AND (api <> '' OR part = ?) "
                + "ORDER BY api, part, place, id"
        )
        try find.bind(.integer(Int64(layer)), .text(WorldChanges.stubsPart))
        var rows: [SpelledSeed.Row] = []
        while try find.step() {
            rows.append(
                SpelledSeed.Row(
                    api: find.text(0),
                    part: find.text(1),
                    id: find.text(2),
                    place: Int(find.integer(3)),
                    data: find.bytes(4)
                )
            )
        }
        return SpelledSeed(rows)
    }

    /// Removes these rows of a layer, but for the anchors, which are its own.
    func removeSeed(of layer: Int) throws(StorageError) {
        let remove = try database.prepare(
            "DELETE FROM rows WHERE layer = ? AND (api <> '' OR part = ?) AND part <> ?"
        )
        try remove.run(.integer(Int64(layer)), .text(WorldChanges.stubsPart), .text(WorldChanges.epochPart))
    }
}
