import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Backend
@testable import Journal
@testable import Worlds

/// Wire contract, section 3: what the journal keeps of content in a coding.
@Suite struct CodedEntryTests {
    private static func entry() -> JournalEntry {
        var entry = JournalTests.entry("req_1", seq: 1)
        entry.body = JournalEntry.Body(Array("plain text".utf8))
        entry.body.coded = JournalEntry.Body.Coded(coding: "x-gzip", bytes: 30)
        entry.responseBody = JournalEntry.Body(Array("other text".utf8))
        entry.responseBody.coded = JournalEntry.Body.Coded(coding: "deflate", bytes: 8)
        entry.outcome = .delivered
        return entry
    }

    @Test func `3 an entry keeps its codings when it is packed and when it is stored`() throws {
        var journal = Journal(capacity: 1_000_000)
        journal.append(Self.entry())
        journal.rest(HeaderLinePool())
        let packed = try #require(journal[1])
        let record = try JSONDecoding.decode(JournalRecord.self, from: JournalRecord.json(Self.entry(), in: "main"))
        for entry in [packed, try record.entry(in: "main")] {
            expectEqual(entry.body.coded?.coding, "x-gzip")
            expectEqual(entry.body.coded?.bytes, 30)
            expectEqual(entry.responseBody.coded?.coding, "deflate")
            expectEqual(entry.responseBody.coded?.bytes, 8)
            expectEqual(entry.responseBody.kept, Array("other text".utf8))
        }
    }

    @Test(arguments: [(8, 10, false, 8), (9, 10, false, 8), (7, 7, true, 7), (0, 0, true, 0)])
    func `3 what was not sent of coded content is cut off its plain form`(
        sent: Int,
        length: Int,
        isPartial: Bool,
        coded: Int
    ) throws {
        var journal = Journal(capacity: 1_000_000)
        journal.append(Self.entry())
        journal.settle(1, .interrupted, JournalEntry.Timings(), contentSent: sent)
        let entry = try #require(journal[1])
        expectEqual(entry.responseBody.length, length)
        expectEqual(entry.responseBody.kept.count, length)
        expectEqual(entry.responseBody.isPartial, isPartial)
        expectEqual(entry.responseBody.coded?.bytes, coded)
        expectEqual(entry.announcedLength, isPartial ? 8 : nil)
    }

    @Test func `3 a length in a coding that no content can have is refused`() throws {
        var stored = try #require(JournalRecord.json(Self.entry(), in: "main").objectValue)
        var body = try #require(stored["body"]?.objectValue)
        body["codedBytes"] = -1
        stored["body"] = .object(body)
        let record = try JSONDecoding.decode(JournalRecord.self, from: .object(stored))
        let fault = #expect(throws: PartFault.self) { try record.entry(in: "main") }
        expectEqual(fault?.path, [.key("body"), "codedBytes"])
    }
}
