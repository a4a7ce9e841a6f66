import Backend
import Crypto
import Worlds

/// A row of a seed as a store has it.
struct SeedRow: Sendable {
    var api: String
    var part: String
    var id: String
    var place: Int
    var data: [UInt8]
}

/// The digest of a seed, by which a store recognises an equal one.
///
/// Rows come in order of their APIs, parts and places.
struct SeedDigest: Sendable {
    private var sum: [UInt8] = []

    var text: String { Hex.encode(sum) }

    mutating func add(_ row: SeedRow) {
        // Each sum covers the one before, so that a large seed needs no room.
        var text = sum
        func add(_ bytes: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { text += $0 }
            text += bytes
        }
        add(row.api.utf8)
        add(row.part.utf8)
        add(row.id.utf8)
        add("\(row.place)".utf8)
        // The anchors are each world's own.
        add(row.part == WorldChanges.epochPart ? [] : row.data)
        sum = SHA256.digest(text)
    }
}

/// The rows of a seed that a world has begun with, each of which is spelled when it is looked at.
struct SeedContent: Sendable {
    private let parts: [(api: String, part: String, rows: [StoredRow])]

    init(_ changes: WorldChanges) {
        var parts = changes.sections.map { section in
            let rows =
                switch section.changes {
                case .nothing: [StoredRow]()
                case .some(let changed): changed().put
                case .whole(let made): made()
                case .value(let row): [row]
                }
            return (api: section.api, part: section.part, rows: rows)
        }
        // By their bytes, as the store sorts them.
        parts.sort { left, right in
            left.api == right.api
                ? left.part.utf8.lexicographicallyPrecedes(right.part.utf8)
                : left.api.utf8.lexicographicallyPrecedes(right.api.utf8)
        }
        self.parts = parts
    }

    var digest: String {
        var digest = SeedDigest()
        forEach { digest.add($0) }
        return digest.text
    }

    func forEach<Thrown: Error>(_ body: (SeedRow) throws(Thrown) -> Void) throws(Thrown) {
        for (api, part, rows) in parts {
            for row in rows {
                try body(SeedRow(api: api, part: part, id: row.id, place: row.place, data: row.text))
            }
        }
    }
}

extension StoreStatements {
    func put(_ row: SeedRow, in layer: Int) throws(StorageError) {
        try run(.put(layer: layer, api: row.api, part: row.part, id: row.id, place: row.place, data: row.data))
    }

    /// Makes a layer with the rows of a seed known by their digest.
    func mark(_ layer: Int, seed digest: String) throws(StorageError) {
        let text = Array("\"\(digest)\"".utf8)
        try put(SeedRow(api: "", part: WorldChanges.seedPart, id: "", place: 0, data: text), in: layer)
    }

    /// Reads the rows of a layer that worlds with the same seed share.
    func forEachSeedRow(of layer: Int, _ body: (SeedRow) throws(StorageError) -> Void) throws(StorageError) {
        let find = try database.prepare(
            "SELECT api, part, id, place, data FROM rows WHERE layer = ? AND (api <> '' OR part = ?) "
                + "ORDER BY api, part, place, id"
        )
        try find.bind(.integer(Int64(layer)), .text(WorldChanges.stubsPart))
        while try find.step() {
            let row = SeedRow(
                api: find.text(0),
                part: find.text(1),
                id: find.text(2),
                place: Int(find.integer(3)),
                data: find.bytes(4)
            )
            try body(row)
        }
    }

    /// Removes these rows of a layer, but for the anchors, which are its own.
    func removeSeed(of layer: Int) throws(StorageError) {
        let remove = try database.prepare(
            "DELETE FROM rows WHERE layer = ? AND (api <> '' OR part = ?) AND part <> ?"
        )
        try remove.run(.integer(Int64(layer)), .text(WorldChanges.stubsPart), .text(WorldChanges.epochPart))
    }
}
