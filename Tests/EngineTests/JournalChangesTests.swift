import CivilTime
import Crypto
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Backend
@testable import Journal
@testable import Worlds

/// Changes of a journal as a store takes them.
@Suite struct JournalChangesTests {
    private static func entry(_ journal: Journal, body: [UInt8] = []) -> JournalEntry {
        var entry = JournalTests.entry("\(journal.nextSeq)", seq: journal.nextSeq)
        entry.responseBody = JournalEntry.Body(body)
        return entry
    }

    private static func grow(_ journal: inout Journal, by count: Int) {
        for _ in 0..<count { journal.append(entry(journal)) }
    }

    /// The numbers of the entries that a taking hands on; nil if that is the whole journal.
    private static func taken(_ journal: inout Journal, from: UInt64 = .max, mostDue: Int = 100) -> [UInt64]? {
        switch journal.takeChanges(Journal.Wanted(from: from, mostDue: mostDue)) {
        case .nothing: []
        case .some(let entries, _): entries.map(\.seq)
        case .whole: nil
        }
    }

    @Test func `the first taking is of everything, and the next of what came since`() {
        var journal = Journal(capacity: 1_000_000)
        Self.grow(&journal, by: 3)
        expectNil(Self.taken(&journal))
        expectEqual(Self.taken(&journal, from: 0), [])
        Self.grow(&journal, by: 2)
        #expect(journal.hasChanged)
        expectEqual(Self.taken(&journal, from: 0), [4, 5])
        #expect(!journal.hasChanged)
    }

    @Test func `an entry that nobody wants stays until it has waited long enough`() {
        var journal = Journal(capacity: 1_000_000)
        _ = journal.takeChanges()
        Self.grow(&journal, by: 4)
        expectEqual(Self.taken(&journal, from: 3), [3, 4])
        #expect(journal.hasChanged)
        #expect(!journal.hasDue)
        Self.grow(&journal, by: 1)
        journal.age(looks: 1)
        Self.grow(&journal, by: 1)
        expectEqual(Self.taken(&journal), [])
        journal.age(looks: 1)
        #expect(journal.hasDue)
        expectEqual(Self.taken(&journal, mostDue: 2), [1, 2])
        #expect(journal.hasDue)
        expectEqual(Self.taken(&journal, mostDue: 2), [5])
        #expect(!journal.hasDue)
        #expect(journal.hasChanged)
        expectEqual(Self.taken(&journal, from: 0), [6])
        #expect(!journal.hasChanged)
    }

    @Test func `an entry that changes is handed on again, even one that was passed over`() {
        var journal = Journal(capacity: 1_000_000)
        _ = journal.takeChanges()
        Self.grow(&journal, by: 3)
        expectEqual(Self.taken(&journal, from: 3), [3])
        journal.settle(3, .delivered, JournalEntry.Timings(), contentSent: nil)
        journal.settle(1, .delivered, JournalEntry.Timings(), contentSent: nil)
        expectEqual(Self.taken(&journal), [1, 3])
    }

    @Test func `what the bound lets go while it waits is never handed on`() {
        var journal = Journal(capacity: 2 * Self.entry(Journal(capacity: 1)).cost)
        _ = journal.takeChanges()
        Self.grow(&journal, by: 2)
        expectEqual(Self.taken(&journal), [])
        Self.grow(&journal, by: 2)
        journal.age(looks: 0)
        expectEqual(Self.taken(&journal), [3, 4])
    }

    @Test func `taking out everything is told as a whole`() {
        var journal = Journal(capacity: 1_000_000)
        _ = journal.takeChanges()
        Self.grow(&journal, by: 2)
        expectEqual(Self.taken(&journal), [])
        journal.removeAll()
        Self.grow(&journal, by: 1)
        expectNil(Self.taken(&journal))
    }

    @Test func `the text of an entry is that of its members`() throws {
        var entry = JournalTests.entry("req_1", seq: 7)
        entry.user = CallUser(id: "u\"1", email: "a@b.c")
        entry.query = "q=\u{1}\\"
        entry.body = JournalEntry.Body(Array("{\"a\":\"\u{7f}\r\n\t\u{8}\u{c}é€\"}".utf8))
        entry.responseBody = JournalEntry.Body([0xFF, 0x00])
        entry.responseBody.digest = [UInt8](repeating: 0xAB, count: 32)
        entry.timings = JournalEntry.Timings(receive: 0.125, handle: 2, wait: 0, send: 1e-3)
        entry.outcome = .cut
        entry.announcedLength = 9
        entry.differences = [["path": "$.a"]]
        let text = WorldChanges.text(of: entry)
        let read = try JSONReader.read(text)
        expectEqual(read.serialized(), text)
        expectEqual(read["world"], "main")
        expectEqual(read["user"], "u\"1")
        expectEqual(read["query"], "q=\u{1}\\")
        expectEqual(read["body"]?["kept"]?.stringValue, "{\"a\":\"\u{7f}\r\n\t\u{8}\u{c}é€\"}")
        expectEqual(read["responseBody"]?["kept"]?["base64"], .string(Base64.encode([0xFF, 0x00])))
        expectEqual(read["timings"], [0.125, 2, 0, 0.001])
        expectNil(JournalRecord.json(entry, in: "main")["world"])
    }
}
