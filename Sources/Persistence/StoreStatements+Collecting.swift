import Worlds

/// Garbage collection, some rows at a time. No step changes the content of any world.
///
/// A layer without references is removed. A layer that only one other layer refers to is merged with that one: the
/// smaller of the two moves into the other.
extension StoreStatements {
    /// Processes layers until that many rows were moved or removed, or no garbage is left.
    func collect(_ book: inout LayerTable, most: Int) throws(StorageError) {
        var left = most
        while left > 0, let key = book.candidates.last {
            switch book.use(of: key) {
            case .needed: book.dropCandidate()
            case .unused:
                // No world may begin with what is left of it.
                book.mark(key, seed: nil)
                try drop(key, &left)
                guard left > 0 else { return }
                book.dropCandidate()
                book.remove(key)
            case .only(let child):
                let isSmaller = (book.layers[key]?.size ?? 0) <= (book.layers[child]?.size ?? 0)
                let isDone = try isSmaller ? sink(key, into: child, &book, &left) : rise(child, into: key, &book, &left)
                guard isDone else { return }
            }
        }
    }

    /// Removes a layer; rows are left if the count has come to 0.
    private func drop(_ key: Int, _ left: inout Int) throws(StorageError) {
        for table in ["rows", "journal"] {
            try delete(from: table, "layer = \(key)", &left)
            guard left > 0 else { return }
        }
        try database.execute("DELETE FROM cuts WHERE layer = \(key)")
        try database.execute("DELETE FROM layers WHERE key = \(key)")
    }

    /// Removes as many rows as the count allows.
    private func delete(from table: String, _ condition: String, _ left: inout Int) throws(StorageError) {
        let limit = "SELECT rowid FROM \(table) WHERE \(condition) LIMIT \(left)"
        try database.execute("DELETE FROM \(table) WHERE rowid IN (\(limit))")
        left -= Int(try database.integer("SELECT changes()") ?? 0)
    }

    private struct Row {
        var api: String
        var part: String
        var id: String
        var place: Int
        var data: [UInt8]
    }

    private struct Cut: Hashable {
        var api: String
        var part: String
    }

    private func rows(of layer: Int, most: Int) throws(StorageError) -> [Row] {
        let find = try database.prepare("SELECT api, part, id, place, data FROM rows WHERE layer = ? LIMIT ?")
        try find.bind(.integer(Int64(layer)), .integer(Int64(most)))
        var found: [Row] = []
        while try find.step() {
            found.append(
                Row(
                    api: find.text(0),
                    part: find.text(1),
                    id: find.text(2),
                    place: Int(find.integer(3)),
                    data: find.bytes(4)
                )
            )
        }
        return found
    }

    private func entries(of layer: Int, most: Int) throws(StorageError) -> [(seq: Int, data: [UInt8])] {
        let find = try database.prepare("SELECT seq, data FROM journal WHERE layer = ? LIMIT ?")
        try find.bind(.integer(Int64(layer)), .integer(Int64(most)))
        var found: [(seq: Int, data: [UInt8])] = []
        while try find.step() { found.append((Int(find.integer(0)), find.bytes(1))) }
        return found
    }

    private func cuts(of layer: Int) throws(StorageError) -> [(cut: Cut, below: Int64)] {
        let find = try database.prepare("SELECT api, part, below FROM cuts WHERE layer = ? ORDER BY api, part")
        try find.bind(.integer(Int64(layer)))
        var found: [(cut: Cut, below: Int64)] = []
        while try find.step() { found.append((Cut(api: find.text(0), part: find.text(1)), find.integer(2))) }
        return found
    }

    private func removeCut(_ cut: Cut, of layer: Int) throws(StorageError) {
        let remove = try database.prepare("DELETE FROM cuts WHERE layer = ? AND api = ? AND part = ?")
        try remove.run(.integer(Int64(layer)), .text(cut.api), .text(cut.part))
    }

    // MARK: A small layer under a large one

    /// Moves a layer into its only child, which hides some of it; returns true when that is complete.
    private func sink(
        _ key: Int,
        into child: Int,
        _ book: inout LayerTable,
        _ left: inout Int
    ) throws(StorageError) -> Bool {
        let parent = book.layers[key]?.parent
        let hidden = Set(try cuts(of: child).map(\.cut))
        let isThere = try database.prepare(
            "SELECT 1 FROM rows WHERE layer = ? AND api = ? AND part = ? AND id = ?"
        )
        for row in try rows(of: key, most: left) {
            left -= 1
            try run(.remove(layer: key, api: row.api, part: row.part, id: row.id))
            book.shrink(key, by: 1)
            guard !hidden.contains(Cut(api: row.api, part: row.part)), !row.data.isEmpty || parent != nil else {
                continue
            }
            try isThere.bind(.integer(Int64(child)), .text(row.api), .text(row.part), .text(row.id))
            var isHidden = false
            while try isThere.step() { isHidden = true }
            guard !isHidden else { continue }
            try put(row, in: child)
            book.grow(child, by: 1)
        }
        guard left > 0 else { return false }
        let below = book.layers[child]?.below ?? 0
        let find = try database.prepare("SELECT 1 FROM journal WHERE layer = ? AND seq = ?")
        for (seq, data) in try entries(of: key, most: left) {
            left -= 1
            try database.execute("DELETE FROM journal WHERE layer = \(key) AND seq = \(seq)")
            book.shrink(key, by: 1)
            guard Int64(seq) >= below else { continue }
            try find.bind(.integer(Int64(child)), .integer(Int64(seq)))
            var isHidden = false
            while try find.step() { isHidden = true }
            guard !isHidden else { continue }
            try run(.putEntry(layer: child, seq: seq, data: data))
            book.grow(child, by: 1)
        }
        guard left > 0 else { return false }
        if parent != nil {
            for (cut, below) in try cuts(of: key) { try raise(cut, of: child, below: below, &book) }
        } else {
            try database.execute("DELETE FROM cuts WHERE layer = \(child)")
        }
        try database.execute("DELETE FROM cuts WHERE layer = \(key)")
        try database.execute("DELETE FROM layers WHERE key = \(key)")
        try run(.putLayer(child, parent: parent))
        book.move(child, on: parent)
        book.remove(key)
        return true
    }

    // MARK: A small layer on a large one

    /// Moves a layer and its children into its parent; returns true when that is complete.
    private func rise(
        _ key: Int,
        into parent: Int,
        _ book: inout LayerTable,
        _ left: inout Int
    ) throws(StorageError) -> Bool {
        let hasMore = book.layers[parent]?.parent != nil
        for (cut, below) in try cuts(of: key) {
            if cut == Cut(api: "", part: WorldChanges.journalPart) {
                try delete(from: "journal", "layer = \(parent) AND seq < \(below)", &left)
            } else {
                try clear(cut, of: parent, &left)
            }
            guard left > 0 else { return false }
            if hasMore { try raise(cut, of: parent, below: below, &book) }
            try removeCut(cut, of: key)
        }
        for row in try rows(of: key, most: left) {
            left -= 1
            try run(.remove(layer: key, api: row.api, part: row.part, id: row.id))
            if row.data.isEmpty, !hasMore {
                try run(.remove(layer: parent, api: row.api, part: row.part, id: row.id))
            } else {
                try put(row, in: parent)
            }
        }
        guard left > 0 else { return false }
        for (seq, data) in try entries(of: key, most: left) {
            left -= 1
            try database.execute("DELETE FROM journal WHERE layer = \(key) AND seq = \(seq)")
            try run(.putEntry(layer: parent, seq: seq, data: data))
        }
        guard left > 0 else { return false }
        for child in book.children(of: key) {
            try run(.putLayer(child, parent: parent))
            book.move(child, on: parent)
        }
        for holder in book.holders(of: key) {
            if let facts = book.holders[holder] { try run(.putWorld(holder, facts, parent)) }
            book.put(holder, on: parent)
        }
        try database.execute("DELETE FROM layers WHERE key = \(key)")
        book.remove(key)
        return true
    }

    private func clear(_ cut: Cut, of layer: Int, _ left: inout Int) throws(StorageError) {
        let clear = try database.prepare(
            "DELETE FROM rows WHERE rowid IN "
                + "(SELECT rowid FROM rows WHERE layer = ? AND api = ? AND part = ? LIMIT ?)"
        )
        try clear.run(.integer(Int64(layer)), .text(cut.api), .text(cut.part), .integer(Int64(left)))
        left -= Int(try database.integer("SELECT changes()") ?? 0)
    }

    private func raise(_ cut: Cut, of layer: Int, below: Int64, _ book: inout LayerTable) throws(StorageError) {
        var below = below
        if cut == Cut(api: "", part: WorldChanges.journalPart) {
            below = max(below, book.layers[layer]?.below ?? 0)
            book.raise(layer, below: below)
        }
        try run(.cut(layer: layer, api: cut.api, part: cut.part, below: below))
    }

    private func put(_ row: Row, in layer: Int) throws(StorageError) {
        try run(.put(layer: layer, api: row.api, part: row.part, id: row.id, place: row.place, data: row.data))
    }
}
