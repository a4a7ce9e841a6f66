import Backend
import Basics
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Lazily created parts of a world, which must not be observable.
@Suite struct PristineTests {
    private func text(_ harness: EngineHarness, _ world: String) throws -> [String] {
        try harness.state(world).notes.rows.map(\.text)
    }

    private func reseed(_ harness: EngineHarness) throws {
        let text = NotesAPI.seedText.replacing("first", with: "other")
        harness.emulator.replaceSeeds([try AnyAPI(NotesAPI.definition, seed: NotesAPI.seedFiles(text))])
    }

    @Test func `6 a world nobody has worked in keeps the seed it was made of, and its copies do`() throws {
        let harness = try EngineHarness()
        try harness.make("old")
        try reseed(harness)
        try harness.make("copy", from: "old")
        try harness.make("new")
        try expectEqual(text(harness, "old"), ["first", "second"])
        try expectEqual(text(harness, "copy"), ["first", "second"])
        try expectEqual(text(harness, "new"), ["other", "second"])
        let hosted = try harness.hosted("old")
        hosted.world.reset(harness.emulator.apis, keepClock: false, at: harness.hostTime)
        try expectEqual(text(harness, "old"), ["other", "second"])
    }

    @Test func `4 a look at a world changes nothing, and working in a copy leaves the other as it was`() throws {
        let harness = try EngineHarness()
        try harness.make("a")
        try expectEqual(text(harness, "a").count, 2)
        try harness.make("b", from: "a")
        _ = try harness.hosted("b").world.with(0, NotesAPI.State.self) { state, _ in state.notes.remove("n1") }
        try expectEqual(text(harness, "a"), ["first", "second"])
        try expectEqual(text(harness, "b"), ["second"])
    }

    @Test func `4 the anchors are those of the world's making, however late its seed is read`() throws {
        let harness = try EngineHarness()
        try harness.make("early")
        let start = try harness.hosted("early").world.parts[0].epoch.t0
        harness.pass(.days(3))
        _ = try harness.hosted("early").world.with(0, NotesAPI.State.self) { state, _ in state.notes.count }
        try expectEqual(harness.hosted("early").world.parts[0].epoch.t0, start)
    }

    @Test func `6 files of the build are read with the first use, others at once`() throws {
        var files = NotesAPI.seedFiles("[")
        #expect(throws: SeedError.self) { _ = try AnyAPI(NotesAPI.definition, seed: files) }
        files.isBuiltIn = true
        try expectEqual(AnyAPI(NotesAPI.definition, seed: files).routes.count, NotesAPI.endpoints.count)
    }

    @Test func `2 an API's endpoints are declared with the first request for it`() throws {
        let harness = try EngineHarness()
        try harness.make("other")
        #expect(harness.emulator.apis[0].unread.contains(.endpoints))
        harness.finish(try harness.begin(.get, "/notes"))
        #expect(!harness.emulator.apis[0].unread.contains(.endpoints))
    }

    @Test func `a lazy value is made once, whoever asks first`() async {
        let made = Locked(0)
        let value = Lazily {
            made.withLock { count in
                count += 1
                return count
            }
        }
        let seen = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<64 { group.addTask { value.value } }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        expectEqual(seen, [1])
        expectEqual(made.withLock { $0 }, 1)
    }

    @Test(arguments: [(0, 0), (1, 64), (1_000, 1_000), (1_000, 1_314), (1_000, 1_500), (1_000, 9_000)])
    func `bytes that are kept have little room around them, and stay the same`(count: Int, room: Int) {
        var bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        bytes.reserveCapacity(room)
        expectEqual(bytes.fitted, bytes)
        // The allocator rounds up.
        #expect(bytes.fitted.capacity <= count + count / 4 + 64 + 32)
    }
}

/// The deallocation of large worlds, which must not block anything.
@Suite struct DiscardedTests {
    @Test(arguments: [(64, 0), (65, 1)])
    func `4 a large world that is reset is put aside`(requests: Int, aside: Int) throws {
        let harness = try EngineHarness()
        for _ in 0..<requests { harness.finish(try harness.begin(.get, "/notes")) }
        harness.emulator.reset(try harness.hosted("main"), keepClock: false, at: harness.hostTime)
        try expectEqual(harness.hosted("main").world.requestCount, 0)
        let counts = harness.emulator.takeDiscarded().map { item in
            if case .world(let world) = item { world.requestCount } else { -1 }
        }
        expectEqual(counts, Array(repeating: 65, count: aside))
        #expect(harness.emulator.discarded.isEmpty)
    }

    @Test func `17 a journal that is cleared is put aside, one API's entries go where they are`() throws {
        let harness = try EngineHarness()
        for _ in 0..<3 { harness.finish(try harness.begin(.get, "/notes")) }
        let hosted = try harness.hosted("main")
        let snapshot = try harness.emulator.takeSnapshot(named: "before", of: hosted, at: harness.hostTime)
        harness.emulator.clearJournal(of: hosted, only: 0)
        #expect(harness.emulator.discarded.isEmpty)
        expectEqual(hosted.world.journal.count, 0)
        try harness.emulator.restore("before", in: hosted, at: harness.hostTime)
        _ = harness.emulator.takeDiscarded()
        harness.emulator.clearJournal(of: hosted, only: nil)
        #expect(hosted.world.journal.count == 0 && hosted.world.journal.bytes == 0)
        let aside = harness.emulator.takeDiscarded().map { item in
            if case .journal(let journal) = item { journal.count } else { -1 }
        }
        expectEqual(aside, [3])
        expectEqual(snapshot.world.journal.count, 3)
    }

    @Test func `4 what a snapshot shares with a discarded world stays`() throws {
        let harness = try EngineHarness()
        try harness.make("w")
        for _ in 0..<65 { harness.finish(try harness.begin(.get, "/@w/notes")) }
        let hosted = try harness.hosted("w")
        _ = try harness.emulator.takeSnapshot(named: "kept", of: hosted, at: harness.hostTime)
        _ = hosted.world.with(0, NotesAPI.State.self) { state, _ in state.notes.remove("n1") }
        harness.emulator.reset(hosted, keepClock: false, at: harness.hostTime)
        expectEqual(harness.emulator.takeDiscarded().count, 1)
        try harness.emulator.restore("kept", in: hosted, at: harness.hostTime)
        try expectEqual(harness.state("w").notes.count, 2)
        expectEqual(hosted.world.journal.count, 65)
    }

    @Test func `4 no more than 64 wait where nobody frees them`() throws {
        let harness = try EngineHarness()
        for _ in 0..<66 {
            for _ in 0..<65 { harness.finish(try harness.begin(.get, "/notes")) }
            harness.emulator.reset(try harness.hosted("main"), keepClock: false, at: harness.hostTime)
        }
        expectEqual(harness.emulator.takeDiscarded().count, 64)
    }
}
