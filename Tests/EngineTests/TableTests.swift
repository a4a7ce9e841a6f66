import Backend
import TestSupport
import Testing

@Suite struct TableTests {
    struct Item: Row, Equatable {
        var id: String
        var group: String
        var value: Int
    }

    /// The same by the simplest means.
    private struct Model {
        var items: [Item] = []

        mutating func insert(_ item: Item) {
            if let place = items.firstIndex(where: { $0.id == item.id }) {
                items[place] = item
            } else {
                items.append(item)
            }
        }

        func rows(in group: String) -> [Item] { items.filter { $0.group == group } }
    }

    private static func check(_ table: Table<Item>, _ model: Model, _ context: String) {
        expectEqual(table.count, model.items.count, "\(context)")
        expectEqual(table.isEmpty, model.items.isEmpty, "\(context)")
        expectEqual(table.rows, model.items, "\(context)")
        for group in (0..<5).map({ "g\($0)" }) {
            expectEqual(table.rows(in: group), model.rows(in: group), "\(context)")
            expectEqual(table.count(in: group), model.rows(in: group).count, "\(context)")
        }
        #expect(table.rows(in: "").isEmpty, "\(context)")
        expectEqual(table.count(in: ""), 0, "\(context)")
        for item in model.items.prefix(50) { expectEqual(table[item.id], item, "\(context)") }
    }

    @Test(arguments: [6, 12, 30, 400, 4_000])
    func `a table behaves as a list, and copies are unaffected`(ids: Int) {
        var random = SeededGenerator.announced()
        let seed = random.seed
        var table = Table<Item>()
        var model = Model()
        var copies: [(Table<Item>, Model)] = []
        for step in 0..<6_000 {
            let id = "id-\(random.below(ids))"
            switch random.below(10) {
            case 0...4:
                let group = random.below(6)
                let item = Item(id: id, group: group == 5 ? "" : "g\(group)", value: step)
                table.insert(item)
                model.insert(item)
            case 5:
                let place = model.items.firstIndex { $0.id == id }
                let result: Int? = table.update(id) { item in
                    item.value += 1
                    return item.value
                }
                expectEqual(result != nil, place != nil, "seed \(seed), step \(step)")
                if let place { model.items[place].value += 1 }
            case 6:
                // A row may change its group in place.
                if let place = model.items.firstIndex(where: { $0.id == id }) {
                    model.items[place].group = "g\(step % 5)"
                }
                table.update(id) { $0.group = "g\(step % 5)" }
            default:
                let place = model.items.firstIndex { $0.id == id }
                expectEqual(table.remove(id), place.map { model.items.remove(at: $0) }, "seed \(seed), step \(step)")
                #expect(!table.contains(id))
            }
            if step % 1_000 == 999 {
                Self.check(table, model, "seed \(seed), step \(step)")
                copies.append((table, model))
            }
        }
        for (place, copy) in copies.enumerated() { Self.check(copy.0, copy.1, "seed \(seed), copy \(place)") }
    }

    @Test func `a table that is mostly gaps is written anew and stays the same`() {
        var table = Table((0..<5_000).map { Item(id: "\($0)", group: "g\($0 % 5)", value: $0) })
        var model = Model(items: table.rows)
        for number in 0..<4_990 where number % 100 != 7 {
            table.remove("\(number)")
            if number % 500 == 0 {
                model.items = model.items.filter { (Int($0.id) ?? 0) > number || (Int($0.id) ?? 0) % 100 == 7 }
                Self.check(table, model, "after \(number)")
            }
        }
        model.items = model.items.filter { $0.value >= 4_990 || $0.value % 100 == 7 }
        Self.check(table, model, "at the end")
        table.insert(Item(id: "new", group: "g1", value: 1))
        expectEqual(table.rows.last?.id, "new")
        expectEqual(table.rows(in: "g1").last?.id, "new")
    }

    @Test func `a row that comes to a group later stands in the group where it stands in the table`() {
        var table = Table([
            Item(id: "a", group: "g1", value: 0), Item(id: "b", group: "g2", value: 0),
            Item(id: "c", group: "g2", value: 0),
        ])
        table.insert(Item(id: "a", group: "g2", value: 1))
        expectEqual(table.rows(in: "g2").map(\.id), ["a", "b", "c"])
        #expect(table.rows(in: "g1").isEmpty)
        expectEqual(table.rows.map(\.id), ["a", "b", "c"])
    }

    @Test func `ids and groups are compared byte by byte, in a small table and in a large one`() {
        // Canonical equivalents, the last two of the same length.
        let texts = ["\u{E9}", "e\u{301}", "a\u{323}\u{307}", "a\u{307}\u{323}"]
        for others in [0, 20] {
            var table = Table((0..<others).map { Item(id: "\($0)", group: "", value: 0) })
            for (number, text) in texts.enumerated() { table.insert(Item(id: text, group: text, value: number)) }
            expectEqual(table.count, others + 4)
            for (number, text) in texts.enumerated() {
                expectEqual(table[text]?.value, number)
                expectEqual(table.rows(in: text).map(\.value), [number])
                expectEqual(table.count(in: text), 1)
            }
            expectEqual(table.remove(texts[2])?.value, 2)
            #expect(table[texts[2]] == nil && table[texts[3]]?.value == 3)
        }
    }

    @Test func `a table that nobody has written counts its first change`() {
        var table = Table<Item>()
        #expect(table.version == 0 && table.changes == nil && table.rows.isEmpty && table["a"] == nil)
        table.changes = nil
        table.insert(Item(id: "a", group: "", value: 0))
        expectEqual(table.version, 1)
        expectNil(table.changes)
    }

    @Test func `an update of a missing row does nothing`() {
        var table = Table([Item(id: "a", group: "", value: 0)])
        expectNil(table.update("b") { $0.value = 9 })
        expectNil(table.remove("b"))
        expectEqual(table.count, 1)
    }

    @Test func `emptying a large group is not quadratic`() {
        // With a search through the group for each row this would take minutes.
        let count = 100_000
        var table = Table((0..<count).map { Item(id: "\($0)", group: "all", value: $0) })
        for number in 0..<count { table.remove("\(number)") }
        #expect(table.isEmpty)
        expectEqual(table.count(in: "all"), 0)
    }

    @Test func `a group of thousands keeps its order, and copies are unaffected`() {
        var random = SeededGenerator.announced()
        let seed = random.seed
        var table = Table<Item>()
        // Rows never move: those of the group are its members in order of places.
        var members: [Bool] = []
        func expected() -> [Int] { members.indices.filter { members[$0] } }
        func found(_ table: Table<Item>) -> [Int] { table.rows(in: "g").map(\.value) }
        for value in 0..<5_000 {
            let isMember = !value.isMultiple(of: 7)
            table.insert(Item(id: "\(value)", group: isMember ? "g" : "h", value: value))
            members.append(isMember)
        }
        let before = (table, expected())
        for step in 0..<20_000 {
            // Mostly out of it in the first half, and back in the second.
            let isLeaving = random.below(4) < (step < 10_000 ? 3 : 1)
            let value = random.below(5_000)
            table.update("\(value)") { $0.group = isLeaving ? "h" : "g" }
            members[value] = !isLeaving
            guard step.isMultiple(of: 2_500) else { continue }
            expectEqual(found(table), expected(), "seed \(seed), step \(step)")
            expectEqual(table.count(in: "g"), expected().count, "seed \(seed), step \(step)")
        }
        for value in expected() where value != 2_500 {
            table.remove("\(value)")
            members[value] = false
        }
        expectEqual(found(table), expected())
        for value in 0..<5_000 where members[value] { table.remove("\(value)") }
        expectEqual(table.count(in: "g"), 0)
        expectEqual(found(before.0), before.1)
    }
}
