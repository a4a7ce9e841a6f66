import Backend
import JSON
import Worlds

/// The reading of a whole state file: every row is checked before anything is written.
extension StateFile {
    /// The statements that read a layer; there may be tens of thousands of layers.
    private struct Statements {
        var cuts: Statement?
        let rows: Statement
        let journal: Statement

        init(_ database: Database, _ holder: String) throws(StorageError) {
            if holder == "layer" {
                cuts = try database.prepare("SELECT api, part, below, sum FROM cuts WHERE layer = ?")
            }
            rows = try database.prepare(
                "SELECT api, part, id, place, data, sum FROM rows WHERE \(holder) = ? ORDER BY api, part, place, id"
            )
            journal = try database.prepare("SELECT seq, data, sum FROM journal WHERE \(holder) = ? ORDER BY seq")
        }
    }

    static func content(_ database: Database, _ format: Int64) throws(StorageError) -> Content {
        var content = Content(format: format)
        let counts = try database.prepare("SELECT id, data, sum FROM counts")
        while try counts.step() {
            let data = counts.bytes(1)
            guard counts.integer(2) == countsSum(data) else { throw wrongSum("counts") }
            // The first row has the counters, and the others have the records of issued credentials.
            if counts.integer(0) > 1 {
                content.stored.issued += data
                continue
            }
            content.stored.counts = try json(data, "counts")
        }
        let isFormer = format == formerVersion
        try readWorlds(database, isFormer: isFormer, &content)
        if isFormer {
            for world in content.stored.worlds { content.book.restore(layer: world.key, on: nil) }
        } else {
            let layers = try database.prepare("SELECT key, parent, sum FROM layers ORDER BY key")
            while try layers.step() {
                let key = Int(layers.integer(0))
                let parent = layers.isNull(1) ? nil : Int(layers.integer(1))
                guard layers.integer(2) == layerSum(key, parent) else { throw wrongSum("layer \(key)") }
                content.book.restore(layer: key, on: parent)
            }
        }
        guard let order = content.book.settle(content.stored.worlds) else {
            throw StorageError(.damaged, "a world or a layer has no parent layer")
        }
        let holder = isFormer ? "world" : "layer"
        let statements = try Statements(database, holder)
        for key in order { content.stored.layers.append(try layer(key, statements, holder, &content)) }
        // Every row must belong to an existing layer.
        let holders = isFormer ? "worlds" : "layers"
        for table in isFormer ? ["rows", "journal"] : ["rows", "journal", "cuts"] {
            let lost = try database.integer(
                "SELECT count(*) FROM \(table) WHERE \(holder) NOT IN (SELECT key FROM \(holders))"
            )
            guard lost == 0 else { throw StorageError(.damaged, "\(table) of no world") }
        }
        content.book.commit()
        return content
    }

    private static func readWorlds(
        _ database: Database,
        isFormer: Bool,
        _ content: inout Content
    ) throws(StorageError) {
        let layer = isFormer ? "key" : "layer"
        let worlds = try database.prepare("SELECT key, owner, name, facts, \(layer), sum FROM worlds ORDER BY key")
        while try worlds.step() {
            let key = Int(worlds.integer(0))
            let holder = LayerTable.Holder(
                owner: worlds.isNull(1) ? nil : Int(worlds.integer(1)),
                name: worlds.text(2),
                facts: worlds.bytes(3)
            )
            let layer = Int(worlds.integer(4))
            let sum = isFormer ? formerWorldSum(key, holder) : worldSum(key, holder, layer)
            guard worlds.integer(5) == sum else { throw wrongSum("world \(key)") }
            content.book.restore(key, holder)
            content.stored.worlds.append(
                StoredWorld(
                    key: key,
                    owner: holder.owner,
                    name: holder.name,
                    facts: try json(holder.facts, "world \(key)"),
                    layer: layer
                )
            )
        }
    }

    private static func layer(
        _ key: Int,
        _ statements: Statements,
        _ holder: String,
        _ content: inout Content
    ) throws(StorageError) -> StoredLayer {
        // Entries of the former version name their world only if it is another one.
        let name = content.book.holders[key].map { $0.owner.flatMap { content.book.holders[$0]?.name } ?? $0.name }
        var layer = StoredLayer(
            key: key,
            parent: content.book.layers[key]?.parent,
            name: (holder == "world" ? name : nil) ?? WorldName.main
        )
        var size = 0
        if let cuts = statements.cuts { size += try readCuts(&layer, cuts, &content.book) }
        size += try readRows(&layer, statements.rows, holder, book: &content.book)
        let journal = statements.journal
        try journal.bind(.integer(Int64(key)))
        while try journal.step() {
            let data = journal.bytes(1)
            guard journal.integer(2) == journalSum(key, Int(journal.integer(0)), data) else {
                throw wrongSum("layer \(key), journal")
            }
            layer.journal.append(data)
        }
        content.book.grow(key, by: size + layer.journal.count)
        return layer
    }

    private static func readCuts(
        _ layer: inout StoredLayer,
        _ cuts: Statement,
        _ book: inout LayerTable
    ) throws(StorageError) -> Int {
        try cuts.bind(.integer(Int64(layer.key)))
        var count = 0
        while try cuts.step() {
            let (api, part, below) = (cuts.text(0), cuts.text(1), cuts.integer(2))
            guard cuts.integer(3) == cutSum(layer.key, api, part, below) else {
                throw wrongSum("layer \(layer.key), cuts")
            }
            count += 1
            switch (api, part) {
            case ("", WorldChanges.journalPart):
                layer.below = UInt64(clamping: below)
                book.raise(layer.key, below: below)
            case ("", WorldChanges.outboxPart): layer.outbox.isWhole = true
            case ("", _): throw StorageError(.damaged, "layer \(layer.key), \(part) is unknown")
            default: layer.parts[api, default: [:]][part, default: StoredLayer.Part()].isWhole = true
            }
        }
        return count
    }

    private static func readRows(
        _ layer: inout StoredLayer,
        _ rows: Statement,
        _ holder: String,
        book: inout LayerTable
    ) throws(StorageError) -> Int {
        try rows.bind(.integer(Int64(layer.key)))
        var count = 0
        while try rows.step() {
            let (api, part, id, place) = (rows.text(0), rows.text(1), rows.text(2), Int(rows.integer(3)))
            let data = rows.bytes(4)
            let what = "layer \(layer.key), \(api.isEmpty ? part : "\(api).\(part)")"
            guard rows.integer(5) == rowSum(layer.key, api, part, id, place, data) else { throw wrongSum(what) }
            count += 1
            let isGone = data.isEmpty && holder == "layer"
            let row = isGone ? nil : LoadedRow(place: place, id: id, content: try json(data, what))
            switch (api, part) {
            case ("", WorldChanges.worldPart): layer.record = row?.content
            case ("", WorldChanges.outboxPart): add(row, id, to: &layer.outbox)
            case ("", WorldChanges.stubsPart): layer.stubs = row?.content
            case ("", WorldChanges.epochPart): layer.epoch = row?.content
            case ("", WorldChanges.seedPart):
                guard let digest = row?.content.stringValue, layer.parent == nil else {
                    throw StorageError(.damaged, "\(what) is that of no seed")
                }
                book.mark(layer.key, seed: digest)
            case ("", WorldChanges.foreignPart): layer.foreign = row?.content
            case ("", _): throw StorageError(.damaged, "\(what) is unknown")
            case (_, WorldChanges.epochPart): layer.epochs[api] = row?.content
            default: add(row, id, to: &layer.parts[api, default: [:]][part, default: StoredLayer.Part()])
            }
        }
        return count
    }

    private static func add(_ row: LoadedRow?, _ id: String, to part: inout StoredLayer.Part) {
        if let row { part.rows.append(row) } else { part.gone.append(id) }
    }
}
