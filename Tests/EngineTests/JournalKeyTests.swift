import Journal
import TestSupport
import Testing

/// Control contract, section 3: the request id is the journal's key, and an id seen before gets a suffix.
@Suite struct JournalKeyTests {
    private func add(_ journal: inout Journal, _ id: String, isOwn: Bool = false) -> String {
        let key = journal.key(for: id, isOwn: isOwn)
        journal.append(JournalTests.entry(key))
        return key
    }

    @Test func `an id that a client repeats gets a suffix`() {
        var journal = Journal(capacity: 1_000_000)
        expectEqual(["a", "a", "b", "a"].map { add(&journal, $0) }, ["a", "a-2", "b", "a-3"])
    }

    @Test func `a suffix never meets an id that was sent`() {
        var journal = Journal(capacity: 1_000_000)
        expectEqual(["a", "a-2", "a", "a-2", "a"].map { add(&journal, $0) }, ["a", "a-2", "a-3", "a-2-2", "a-4"])
    }

    @Test func `our own ids give way to a client's that came first`() {
        var journal = Journal(capacity: 1_000_000)
        expectEqual(add(&journal, "req_2"), "req_2")
        expectEqual(add(&journal, "req_1", isOwn: true), "req_1")
        expectEqual(add(&journal, "req_2", isOwn: true), "req_2-2")
        expectEqual(add(&journal, "req_2"), "req_2-3")
    }

    @Test func `a client that sends one of our own ids gets a suffix`() {
        var journal = Journal(capacity: 1_000_000)
        expectEqual(add(&journal, "req_1", isOwn: true), "req_1")
        expectEqual(add(&journal, "req_2", isOwn: true), "req_2")
        expectEqual(add(&journal, "req_1"), "req_1-2")
        expectEqual(add(&journal, "req_3"), "req_3")
        // Not spelled as ours are.
        expectEqual(
            ["req_01", "req_", "req_1x", "Req_1"].map { add(&journal, $0) },
            ["req_01", "req_", "req_1x", "Req_1"]
        )
    }

    @Test func `a cleared journal has seen nothing`() {
        var journal = Journal(capacity: 1_000_000)
        _ = add(&journal, "a")
        journal.removeAll()
        expectEqual(add(&journal, "a"), "a")
    }

    @Test func `keys of present entries are unique, whatever is sent`() {
        var random = SeededGenerator.announced()
        let seed = random.seed
        var journal = Journal(capacity: 60 * JournalTests.entry("1").cost)
        var own = 0
        for step in 0..<6_000 {
            let isOwn = random.below(3) == 0
            if isOwn { own += 1 }
            let sent =
                switch random.below(4) {
                case 0: "req_\(max(1, own + random.below(6) - 4))"
                case 1: "a-\(random.below(5))"
                case 2: "req_\(own)-\(random.below(3))"
                default: "a"
                }
            let key = add(&journal, isOwn ? "req_\(own)" : sent, isOwn: isOwn)
            var present: [String] = []
            journal.forEachNewestFirst {
                present.append($0.id)
                return true
            }
            expectEqual(Set(present).count, present.count, "seed \(seed), step \(step), \(key)")
            if step % 500 == 499 { journal.removeAll(api: "notes") }
        }
    }

    @Test func `a client that sends one id for ever does not slow it down`() {
        var journal = Journal(capacity: 1_000 * JournalTests.entry("1").cost)
        for _ in 0..<50_000 { _ = add(&journal, "same") }
        expectEqual(journal[50_000]?.id, "same-50000")
    }
}
