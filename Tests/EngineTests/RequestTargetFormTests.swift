import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Backend
@testable import Journal
@testable import Worlds

/// Console contract, section 9: the journal keeps the way of a request, so that a replay can repeat it.
@Suite struct RequestTargetFormTests {
    private static let ways: [RequestTargetForm?] = [
        nil, .direct, .other(prefix: "/@w/notes", authority: nil), .other(prefix: "", authority: "w.localhost:80"),
        .other(prefix: "/@w", authority: "x"), .other(prefix: "", authority: nil, path: "//notes/./n1"),
    ]

    private static func entry(_ way: RequestTargetForm?, _ number: UInt64 = 1) -> JournalEntry {
        var entry = JournalTests.entry("req_\(number)", seq: number)
        entry.way = way
        entry.outcome = .delivered
        return entry
    }

    @Test func `9 an entry keeps its way when it is packed and when it is stored`() throws {
        var journal = Journal(capacity: 1_000_000)
        for (place, way) in Self.ways.enumerated() { journal.append(Self.entry(way, UInt64(place) + 1)) }
        journal.rest(HeaderLinePool())
        for (place, way) in Self.ways.enumerated() {
            let entry = try #require(journal[UInt64(place) + 1])
            expectEqual(entry.way, way)
            let stored = JournalRecord.json(entry, in: "main")
            try expectEqual(JSONDecoding.decode(JournalRecord.self, from: stored).entry(in: "main").way, way)
        }
    }

    @Test func `9 most ways take a byte, and one that is not known has no member`() {
        var writer = PackedWriter(reserving: 8)
        RequestTargetForm.pack(.direct, to: &writer)
        expectEqual(writer.bytes.count, 1)
        expectEqual(RequestTargetForm(prefix: "", authority: nil), .direct)
        expectNil(JournalRecord.json(Self.entry(nil), in: "main")["way"])
        expectEqual(JournalRecord.json(Self.entry(.direct), in: "main")["way"], [:])
        expectEqual(Self.entry(.direct).cost, Self.entry(nil).cost)
    }

    @Test(arguments: [
        ("prefix", "@w"), ("prefix", "/@w/"), ("prefix", "/a/../b"), ("authority", ""), ("authority", "a b"),
        ("authority", "a\r\nb"), ("path", "notes"), ("path", "/a b"),
    ])
    func `9 a way that no request can have is refused`(member: String, text: String) throws {
        var stored = try #require(JournalRecord.json(Self.entry(nil), in: "main").objectValue)
        stored.append("way", .object(JSONObject([JSONObject.Member(name: member, value: .string(text))])))
        let record = try JSONDecoding.decode(JournalRecord.self, from: .object(stored))
        let fault = #expect(throws: PartFault.self) { try record.entry(in: "main") }
        expectEqual(fault?.path, ["way", .key(member)])
    }

    @Test(arguments: [
        ("/notes/n1", RequestTargetForm.direct), ("/@main/notes/n1", .other(prefix: "/@main", authority: nil)),
        ("//notes/n1", .other(prefix: "", authority: nil, path: "//notes/n1")),
        ("/@main/notes/x/%2e./n1", .other(prefix: "/@main", authority: nil, path: "/notes/x/%2e./n1")),
    ])
    func `9 a request is journalled with its way`(target: String, way: RequestTargetForm) throws {
        let harness = try EngineHarness()
        try harness.send(.get, target)
        try expectEqual(harness.journal().last?.way, way)
    }
}
