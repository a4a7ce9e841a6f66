import JSON

/// The migration of a file of the former version, in one transaction.
extension StateFile {
    /// Migrates a file.
    ///
    /// The worlds keep their rows: a world's number becomes a layer's.
    static func migrate(_ database: Database, _ book: LayerTable) throws(StorageError) {
        try database.transaction { () throws(StorageError) in
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
            try database.execute("PRAGMA user_version = \(version)")
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
