import Crypto
import Engine
import HTTPMessage
import Journal
import TestSupport
import Testing
import Worlds

/// Control contract, section 11: bodies over 64 KiB are kept as length, hash and head.
///
/// Control contract, section 17: hashing them does not block other requests.
struct DigestTests {
    private static let long = String(repeating: "x", count: 70_000)

    private func entry(_ harness: EngineHarness) throws -> JournalEntry {
        let journal = try harness.hosted("main").world.journal
        return try #require(journal[journal.lastSeq])
    }

    @Test func `the digest of long content is handed out once and brought back`() throws {
        let harness = try EngineHarness()
        _ = try harness.send(.post, "/notes", body: Self.long)
        try expectNil(entry(harness).body.digest)
        let items = Array(harness.emulator.takeUnhashed())
        expectEqual(items.count, 1)
        #expect(harness.emulator.takeUnhashed().isEmpty)
        for item in items { harness.emulator.note(item.digest, of: item) }
        try expectEqual(entry(harness).body.digest, SHA256.digest(Array(Self.long.utf8)))
        try expectEqual(entry(harness).body.length, 70_000)
        // A second time it belongs nowhere.
        for item in items { harness.emulator.note([1], of: item) }
        try expectEqual(entry(harness).body.digest, SHA256.digest(Array(Self.long.utf8)))
    }

    @Test func `whoever reads the journal finds every digest made`() throws {
        let harness = try EngineHarness()
        for _ in 0..<3 { _ = try harness.send(.post, "/notes", body: Self.long) }
        _ = harness.emulator.takeUnhashed()
        harness.emulator.hashPending()
        let journal = try harness.hosted("main").world.journal
        for seq in 1...3 { expectEqual(journal[UInt64(seq)]?.body.digest?.count, 32) }
    }

    @Test func `a digest that comes after a reset changes nothing`() throws {
        let harness = try EngineHarness()
        _ = try harness.send(.post, "/notes", body: Self.long)
        let items = Array(harness.emulator.takeUnhashed())
        let hosted = try harness.hosted("main")
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        _ = try harness.send(.get, "/notes/n1")
        for item in items { harness.emulator.note(item.digest, of: item) }
        try expectNil(entry(harness).body.digest)
    }

    @Test func `short content costs nothing`() throws {
        let harness = try EngineHarness()
        _ = try harness.send(.get, "/notes/n1")
        #expect(harness.emulator.takeUnhashed().isEmpty)
    }
}
