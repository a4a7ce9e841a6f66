import Backend
import TestSupport
import Testing

/// Control contract, section 4: the changes of a table that `--state` writes.
@Suite struct RowChangesTests {
    private struct Pair: Row, Codable, Equatable {
        var id: String
        var value: Int
    }

    @Test func `4 a table notes nothing unless somebody wants to know`() {
        var table = Table([Pair(id: "a", value: 1)])
        table.insert(Pair(id: "b", value: 2))
        table.remove("a")
        expectNil(table.changes)
    }

    @Test func `4 each kind of change names its row`() {
        var table = Table([Pair(id: "a", value: 1), Pair(id: "b", value: 2)])
        table.changes = RowChanges()
        table.insert(Pair(id: "c", value: 3))
        table.update("a") { $0.value = 9 }
        table.remove("b")
        table.update("nobody") { $0.value = 1 }
        table.remove("nobody")
        expectEqual(table.changes?.ids, ["c", "a", "b"])
        expectEqual(table.changes?.isWhole, false)
    }

    @Test func `4 a copy notes its own changes only`() {
        var table = Table([Pair(id: "a", value: 1)])
        table.changes = RowChanges()
        var copy = table
        copy.update("a") { $0.value = 2 }
        expectEqual(table.changes?.isEmpty, true)
        expectEqual(copy.changes?.ids, ["a"])
    }

    @Test func `4 a table that is written anew has changed as a whole`() {
        var table = Table((0..<2_000).map { Pair(id: "\($0)", value: $0) })
        table.changes = RowChanges()
        for number in 0..<1_600 { table.remove("\(number)") }
        expectEqual(table.changes?.isWhole, true)
        table.update("1999") { $0.value = 0 }
        expectEqual(table.changes?.ids, [])
    }
}
