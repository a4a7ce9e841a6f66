import CivilTime
import HTTPMessage
import Journal
import TestSupport
import Testing

/// Control contract, section 11.
@Suite struct JournalTests {
    static func entry(_ id: String, api: String = "notes", body: Int = 0, seq: UInt64 = 0) -> JournalEntry {
        JournalEntry(
            id: id,
            seq: seq,
            at: .epoch,
            wallAt: .epoch,
            world: "main",
            api: api,
            route: nil,
            user: nil,
            method: .get,
            path: "/p",
            query: nil,
            headers: Fields(),
            body: JournalEntry.Body([]),
            status: .ok,
            responseHeaders: Fields(),
            responseBody: JournalEntry.Body(Array(repeating: 0x61, count: body)),
            timings: JournalEntry.Timings()
        )
    }

    static func ids(_ journal: Journal) -> [String] {
        var found: [String] = []
        journal.forEachNewestFirst {
            found.append($0.id)
            return true
        }
        return found.reversed()
    }

    @Test func `it keeps what fits exactly, and a byte more sends the oldest away`() {
        let cost = Self.entry("1").cost
        var exact = Journal(capacity: 3 * cost)
        var short = Journal(capacity: 3 * cost - 1)
        for id in ["1", "2", "3"] {
            exact.append(Self.entry(id))
            short.append(Self.entry(id))
        }
        expectEqual(Self.ids(exact), ["1", "2", "3"])
        expectEqual(exact.bytes, 3 * cost)
        expectEqual(Self.ids(short), ["2", "3"])
        expectEqual(short.bytes, 2 * cost)
        expectNil(short[1])
        expectEqual(short[2]?.id, "2")
    }

    @Test func `the newest is kept even if it alone is over the bound`() {
        var journal = Journal(capacity: 2_000)
        journal.append(Self.entry("1"))
        journal.append(Self.entry("2", body: 5_000))
        expectEqual(Self.ids(journal), ["2"])
        journal.append(Self.entry("3"))
        expectEqual(Self.ids(journal), ["3"])
        expectEqual(journal.bytes, Self.entry("3").cost)
    }

    @Test func `what an entry costs covers all it keeps`() {
        var entry = Self.entry("1")
        let plain = entry.cost
        entry.query = "ab"
        entry.id = "1234"
        entry.path = "/pq"
        expectEqual(entry.cost, plain + 2 + 3 + 1)
        entry.headers = ["A": "b"]
        expectEqual(entry.cost, plain + 6 + entry.headers.wire.count + 16)
        expectEqual(Self.entry("1", body: 100).cost, plain + 100)
        // A long body counts with what is kept of it.
        expectEqual(Self.entry("1", body: 1_000_000).cost, plain + JournalEntry.Body.headLength)
    }

    @Test func `a body of 64 KiB is kept whole, one byte more as its head with its length`() {
        let limit = 64 * 1_024
        let whole = JournalEntry.Body(Array(repeating: 1, count: limit))
        expectEqual(whole.kept.count, limit)
        #expect(!whole.isTruncated)
        expectNil(whole.digest)
        let cut = JournalEntry.Body(Array(repeating: 1, count: limit + 1))
        expectEqual(cut.kept.count, JournalEntry.Body.headLength)
        expectEqual(cut.length, limit + 1)
        #expect(cut.isTruncated)
        expectNil(cut.digest, "the hash comes later")
        let announced = JournalEntry.Body([1, 2], length: 5)
        expectEqual(announced.length, 5)
        #expect(announced.isTruncated)
    }

    @Test func `an update changes the entry and the account`() {
        var journal = Journal(capacity: 100_000)
        for id in ["1", "2", "3"] { journal.append(Self.entry(id, body: 1_000)) }
        let before = journal.bytes
        let copy = journal
        journal.update(2) { $0.responseBody.kept.removeSubrange(10...) }
        expectEqual(journal.bytes, before - 990)
        expectEqual(journal[2]?.responseBody.kept.count, 10)
        expectEqual(copy.bytes, before)
        expectEqual(copy[2]?.responseBody.kept.count, 1_000)
        journal.update(99) { $0.id = "no" }
        journal.update(0) { $0.id = "no" }
        expectEqual(Self.ids(journal), ["1", "2", "3"])
    }

    @Test func `an update that grows an entry keeps the bound`() {
        let cost = Self.entry("1").cost
        var journal = Journal(capacity: 2 * cost)
        journal.append(Self.entry("1"))
        journal.append(Self.entry("2"))
        journal.update(2) { $0.path += "/longer" }
        expectEqual(Self.ids(journal), ["2"])
        #expect(journal.bytes <= journal.capacity)
    }

    @Test func `a cleared journal counts on`() {
        var journal = Journal(capacity: 100_000)
        for id in ["1", "2"] { journal.append(Self.entry(id)) }
        journal.removeAll()
        expectEqual(journal.bytes, 0)
        expectEqual(journal.count, 0)
        expectNil(journal[2])
        journal.update(2) { $0.id = "no" }
        expectEqual(journal.nextSeq, 3)
        journal.append(Self.entry("3"))
        expectEqual(journal[3]?.id, "3")
        expectNil(journal[1])
    }

    @Test func `one API's entries can be taken out, the others keep their numbers`() {
        let cost = Self.entry("1").cost
        var journal = Journal(capacity: 4 * cost)
        for (place, api) in ["one", "two", "one", "two"].enumerated() {
            journal.append(Self.entry("\(place + 1)", api: api))
        }
        let copy = journal
        journal.removeAll(api: "one")
        expectEqual(Self.ids(journal), ["2", "4"])
        expectEqual(journal.bytes, 2 * cost)
        expectEqual(journal.count, 2)
        expectEqual(journal[2]?.id, "2")
        expectNil(journal[3])
        for id in ["5", "6", "7"] { journal.append(Self.entry(id)) }
        expectEqual(Self.ids(journal), ["4", "5", "6", "7"])
        expectEqual(Self.ids(copy), ["1", "2", "3", "4"])
    }

    @Test func `a walk ends when it is told to`() {
        var journal = Journal(capacity: 1_000_000)
        for number in 1...300 { journal.append(Self.entry("\(number)")) }
        var seen: [String] = []
        journal.forEachNewestFirst {
            seen.append($0.id)
            return seen.count < 3
        }
        expectEqual(seen, ["300", "299", "298"])
    }

    @Test func `it behaves as a list with a bound, and copies are unaffected`() {
        var random = SeededGenerator.announced()
        let seed = random.seed
        let capacity = 200 * Self.entry("1").cost
        var journal = Journal(capacity: capacity)
        var model: [JournalEntry] = []
        var copies: [(Journal, [String])] = []
        for step in 1...5_000 {
            switch random.below(40) {
            case 0:
                let api = "api\(random.below(2))"
                journal.removeAll(api: api)
                model.removeAll { $0.api == api }
            case 1 where random.below(10) == 0:
                journal.removeAll()
                model = []
            case 2...5:
                guard let place = model.indices.randomElement(using: &random) else { continue }
                let length = random.below(model[place].responseBody.kept.count + 1)
                journal.update(model[place].seq) { $0.responseBody.kept.removeSubrange(length...) }
                model[place].responseBody.kept.removeSubrange(length...)
            default:
                let size = random.below(30) == 0 ? random.below(60_000) : random.below(500)
                let entry = Self.entry("\(step)", api: "api\(random.below(2))", body: size, seq: journal.nextSeq)
                journal.append(entry)
                model.append(entry)
                while model.reduce(0, { $0 + $1.cost }) > capacity, model.count > 1 { model.removeFirst() }
            }
            expectEqual(journal.bytes, model.reduce(0) { $0 + $1.cost }, "seed \(seed), step \(step)")
            if step % 250 == 0 {
                expectEqual(Self.ids(journal), model.map(\.id), "seed \(seed), step \(step)")
                expectEqual(journal.count, model.count)
                #expect(model.allSatisfy { journal[$0.seq]?.id == $0.id }, "seed \(seed), step \(step)")
                copies.append((journal, model.map(\.id)))
            }
        }
        for (journal, ids) in copies { expectEqual(Self.ids(journal), ids, "seed \(seed)") }
    }
}
