import JSON
import Worlds

/// The migration of a file of a former version, in one transaction.
extension StateFile {
    /// Migrates a file unless it has the present form, and returns the statements that change it.
    static func migrate(
        _ database: Database,
        from format: Int64,
        _ book: inout LayerTable
    ) throws(StorageError) -> StoreStatements {
        guard format != version else { return try StoreStatements(database) }
        var statements: StoreStatements?
        try database.transaction { () throws(StorageError) in
            if format == formerVersion { try addLayers(database, book) }
            let made = try StoreStatements(database)
            if format == seedlessVersion { try shareSeeds(made, &book) }
            try database.execute("PRAGMA user_version = \(version)")
            statements = made
        }
        guard let statements else { throw StorageError(.other, "the migration has no end") }
        book.commit()
        return statements
    }

    /// Adds layers to the first form.
    ///
    /// The worlds keep their rows: a world's number becomes a layer's.
    private static func addLayers(_ database: Database, _ book: LayerTable) throws(StorageError) {
        for table in ["rows", "journal"] {
            try database.execute("ALTER TABLE \(table) RENAME COLUMN world TO layer")
        }
        try database.execute("DROP TABLE worlds")
        for table in tables
        where !["rows", "journal", "counts"].contains(where: { table.hasPrefix("CREATE TABLE \($0) ") }) {
            try database.execute(table)
        }
        let putWorld = try database.prepare("INSERT INTO worlds VALUES (?, ?, ?, ?, ?, ?)")
        let putLayer = try database.prepare("INSERT INTO layers VALUES (?, NULL, ?)")
        for (key, holder) in book.holders.sorted(by: { $0.key < $1.key }) {
            try putWorld.run(
                .integer(Int64(key)),
                holder.owner.map { .integer(Int64($0)) } ?? .null,
                .text(holder.name),
                .integer(Int64(key)),
                .bytes(holder.facts),
                .integer(worldSum(key, holder, key))
            )
            try putLayer.run(.integer(Int64(key)), .integer(layerSum(key, nil)))
            // Entries of a snapshot name their world already.
            if holder.owner == nil { try nameWorld(holder.name, of: key, database) }
        }
    }

    /// Moves the rows of each seed, which every world that began with it had, into one layer underneath.
    private static func shareSeeds(_ statements: StoreStatements, _ book: inout LayerTable) throws(StorageError) {
        // The record of what a world began with is the one that has an owner and no name.
        let origins = book.holders.filter { $0.value.owner != nil && $0.value.name.isEmpty }
        let tops = Set(origins.keys.compactMap { book.tops[$0] })
        let roots = Set(tops.map { book.root(of: $0) })
        // A layer below others may have more than a seed by now, unless it is equal to one.
        let order = roots.intersection(tops).sorted() + roots.subtracting(tops).sorted()
        for root in order {
            var (digest, count) = (SeedDigest(), 0)
            try statements.forEachSeedRow(of: root) { row in
                digest.add(row)
                count += 1
            }
            guard count > 0 else { continue }
            let layer: Int
            if let found = book.layer(ofSeed: digest.text) {
                layer = found
            } else {
                guard tops.contains(root) else { continue }
                layer = book.add(on: nil)
                try statements.run(.putLayer(layer, parent: nil))
                try statements.forEachSeedRow(of: root) { row throws(StorageError) in
                    try statements.put(row, in: layer)
                }
                try statements.mark(layer, seed: digest.text)
                book.mark(layer, seed: digest.text)
                book.grow(layer, by: count + 1)
            }
            try statements.removeSeed(of: root)
            try statements.run(.putLayer(root, parent: layer))
            book.shrink(root, by: count)
            book.move(root, on: layer)
        }
    }

    /// Makes every entry of a layer name its world, because worlds may share it.
    private static func nameWorld(_ name: String, of layer: Int, _ database: Database) throws(StorageError) {
        let find = try database.prepare(
            "SELECT seq, data FROM journal WHERE layer = ? AND seq > ? ORDER BY seq LIMIT 256"
        )
        let put = try database.prepare("UPDATE journal SET data = ?, sum = ? WHERE layer = ? AND seq = ?")
        var last: Int64 = -1
        while true {
            var found: [(seq: Int64, data: [UInt8])] = []
            try find.bind(.integer(Int64(layer)), .integer(last))
            while try find.step() { found.append((find.integer(0), find.bytes(1))) }
            guard let end = found.last else { return }
            last = end.seq
            for (seq, data) in found {
                guard var entry = try json(data, "journal").objectValue, entry["world"] == nil else { continue }
                entry.append("world", .string(name))
                let named = JSON.object(entry).serialized()
                try put.run(
                    .bytes(named),
                    .integer(journalSum(layer, Int(seq), named)),
                    .integer(Int64(layer)),
                    .integer(seq)
                )
            }
        }
    }
}
