import Backend
import JSON
import Worlds

/// The tables as the control API shows them (console contract, section 5; own-API contract, section 11).
extension CustomAPI {
    private func table(_ name: String, _ world: World, _ index: Int) -> TableDefinition? {
        home(world, index).definition.tables.first { $0.name == name }
    }

    func schema(ofTable name: String, _ world: World, _ index: Int) -> JSON? {
        table(name, world, index)?.schema?.json
    }

    func issues(inRow row: JSON, ofTable name: String, _ world: World, _ index: Int) -> [JSONIssue] {
        guard let table = table(name, world, index) else { return [] }
        // A row is written as it is stored; the schema speaks of it as a client sees it, with T0-P1D as a time.
        let seen = row.objectValue.map { StoredText.members($0, in: world.parts[index].epoch, table.time) }
        var issues = table.schema?.issues(in: seen.map { JSON.object($0) } ?? row) ?? []
        let key = row[table.key].map { $0.stringValue ?? $0.text }
        // No two rows share the values of unique members; null is not compared.
        for group in table.unique {
            let values = group.map { row[$0] ?? .null }
            guard !values.contains(.null) else { continue }
            let isTaken = world.rows(ofTable: name, index).contains { other in
                other.id != key && group.map { other.content[$0] ?? .null } == values
            }
            guard isTaken, let member = group.first else { continue }
            issues.append(JSONIssue(path: [.key(member)], reason: "is taken by another row"))
        }
        return issues
    }
}
