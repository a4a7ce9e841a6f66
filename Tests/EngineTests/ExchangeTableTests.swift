import HTTPMessage
import TestSupport
import Testing

@testable import Backend
@testable import Engine
@testable import Journal

/// The registry of requests under way: a random walk beside a dictionary.
struct ExchangeTableTests {
    private func exchange(_ id: UInt64, _ harness: EngineHarness) throws -> Exchange {
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/notes"))
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        let made = harness.emulator.open(head, address: address, peer: "127.0.0.1", id: id, at: harness.hostTime)
        harness.emulator.end(made, outcome: .delivered, timings: JournalEntry.Timings(), contentSent: nil)
        return made
    }

    @Test func `numbers that meet in a slot are found, taken out and found again`() throws {
        let harness = try EngineHarness()
        var table = ExchangeTable()
        let ids: [UInt64] = [1, 65, 129, 2, 63, 127, .max]
        let made = try ids.map { try exchange($0, harness) }
        for item in made { table[item.id] = item }
        expectEqual(table.count, 7)
        for left in ids.indices {
            table[ids[left]] = nil
            table[ids[left]] = nil
            expectEqual(table.count, 6 - left)
            for (place, id) in ids.enumerated() {
                #expect(table[id] === (place > left ? made[place] : nil), "\(id) after \(ids[left])")
            }
        }
        #expect(table.isEmpty && table.values.isEmpty)
    }

    @Test func `a walk of insertions and removals agrees with a dictionary`() throws {
        let harness = try EngineHarness()
        var random = SeededGenerator.announced()
        var table = ExchangeTable()
        var model: [UInt64: Exchange] = [:]
        var next: UInt64 = 1
        for _ in 0..<4_000 {
            if model.isEmpty || random.next() % 5 < 3 {
                // Mostly the next number, now and then one far ahead.
                next += random.next() % 50 == 0 ? 64 * (1 + random.next() % 9) : 1
                let made = try exchange(next, harness)
                table[next] = made
                model[next] = made
            } else {
                let ids = model.keys.sorted()
                let id = ids[Int(random.next() % UInt64(ids.count))]
                table[id] = nil
                model[id] = nil
            }
            expectEqual(table.count, model.count)
        }
        for (id, made) in model { #expect(table[id] === made) }
        expectEqual(Set(table.values.map(\.id)), Set(model.keys))
    }
}
