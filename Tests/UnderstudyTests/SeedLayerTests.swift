import Backend
import CivilTime
import Engine
import Foundation
import JSON
import TestSupport
import Testing
import Understudy
import Worlds

@testable import Persistence

/// Control contract, section 4: a fresh or reset world is a layer upon the one layer of its seed.
@Suite struct SeedLayerTests {
    /// A Wednesday; the seed of Trendy depends on the day of the week.
    private static let hostTime = HostTime(wall: Instant(seconds: 1_735_732_800), monotonic: Instant(seconds: 1_000))
    private static let names = ["trafikskola", "trendy"]

    /// A process that keeps its worlds in a folder.
    private struct Kept {
        let emulator: Emulator
        let store: SQLiteWorldStore
        let coordinator: PersistenceCoordinator

        init(_ folder: Folder) throws {
            var configuration = EmulatorConfiguration()
            configuration.clock = .frozen(hostTime.wall)
            emulator = Emulator(
                apis: try APICatalogue.load(names, from: .builtIn),
                configuration: configuration,
                at: hostTime
            )
            store = try SQLiteWorldStore(folder: folder.url.path)
            if var content = store.takeContent() { try emulator.adopt(&content, at: hostTime) }
            coordinator = PersistenceCoordinator(store, emulator) { _ in }
            try coordinator.begin()
        }

        func make(_ name: String, from source: String? = nil, days: Int64 = 0) throws {
            var order = Emulator.WorldOrder()
            order.name = name
            order.from = source
            order.clock = days == 0 ? nil : .frozen(hostTime.wall + .seconds(days * 86_400))
            _ = try emulator.makeWorld(order, at: hostTime)
            write()
        }

        func reset(_ name: String) throws {
            let hosted = try #require(emulator[world: name])
            emulator.reset(hosted, keepClock: false, at: hostTime)
            coordinator.noteChange(of: hosted.key)
            write()
        }

        func delete(_ name: String) throws {
            _ = try emulator.deleteWorld(name)
            write()
        }

        /// Writes what there is to write, and removes what nobody needs.
        func write() {
            coordinator.noteStructure()
            coordinator.turnEnded()
        }

        /// Every world as a document, with what it began with.
        func documents() throws -> [String] {
            try emulator.worldNames.map { name in
                let hosted = try #require(emulator[world: name])
                let origin = try #require(hosted.origin)
                let began = names.indices.map { index in
                    (origin.world.tables(index).flatMap { origin.world.rows(ofTable: $0.name, index) }).map {
                        "\($0.id) \($0.content.serialized().count)"
                    }
                }
                return emulator.dump(hosted, at: hostTime).document.text + "\(began)\(hosted.snapshots.map(\.name))"
            }
        }
    }

    /// The layers of a closed store: the number of those of seeds, and the rows of each other one.
    private func layers(_ folder: Folder) throws -> (seeds: Int, others: [Int]) {
        let layers = try StateFile.read(folder.url.path + "/understudy.sqlite").book.layers.values
        return (layers.count { $0.seed != nil }, layers.filter { $0.seed == nil }.map(\.size).sorted())
    }

    @Test func `4 fresh and reset worlds are layers upon the layer of their seed, which the next process finds`()
        throws
    {
        let folder = try Folder()
        for round in 0..<3 {
            let kept = try Kept(folder)
            for number in 0..<4 { try kept.make("w\(round)-\(number)") }
            try kept.make("fork\(round)", from: "w\(round)-0")
            for name in ["main", "w\(round)-1"] { try kept.reset(name) }
            // The same seeds, read anew.
            kept.emulator.replaceSeeds(try APICatalogue.load(Self.names, from: .builtIn))
            try kept.make("later\(round)")
            let before = try kept.documents()
            #expect(kept.coordinator.close())
            let (seeds, others) = try layers(folder)
            expectEqual(seeds, 1, "round \(round)")
            expectEqual(others.allSatisfy { $0 < 6 }, true, "round \(round): \(others)")
            let again = try Kept(folder)
            try expectEqual(again.documents(), before, "round \(round)")
            #expect(again.coordinator.close())
        }
    }

    @Test func `4 worlds of other seeds have other layers, which go with the last of them`() throws {
        let folder = try Folder()
        var kept = try Kept(folder)
        // Ten days have seven days of the week, and are more than are known at a time.
        for day in 1..<11 { try kept.make("day\(day)", days: Int64(day)) }
        let before = try kept.documents()
        expectEqual(Set(kept.emulator.worldNames.map { kept.emulator[world: $0]?.world.start }).count, 11)
        #expect(kept.coordinator.close())
        try expectEqual(layers(folder).seeds, 7)
        kept = try Kept(folder)
        try expectEqual(kept.documents(), before)
        for day in 2..<11 { try kept.delete("day\(day)") }
        #expect(kept.coordinator.close())
        try expectEqual(layers(folder).seeds, 2)
        kept = try Kept(folder)
        // A fork stands on the seed of its world, also once that is gone.
        try kept.make("fork", from: "day1")
        try kept.delete("day1")
        let fork = try #require(try kept.documents().last)
        #expect(kept.coordinator.close())
        kept = try Kept(folder)
        try expectEqual(kept.documents().last, fork)
        #expect(kept.coordinator.close())
        try expectEqual(layers(folder).seeds, 2)
        kept = try Kept(folder)
        try kept.delete("fork")
        #expect(kept.coordinator.close())
        try expectEqual(layers(folder).seeds, 1)
        let rows = try StateFile.read(folder.url.path + "/understudy.sqlite").book.layers.count
        expectEqual(rows, 3)
    }

    @Test(arguments: [1, 800])
    func `4 a seed that a full disk refused is written when there is room again`(attempts: Int) throws {
        let folder = try Folder()
        let kept = try Kept(folder)
        try kept.store.limit(pages: 1)
        try kept.make("thursday", days: 1)
        let main = try #require(kept.emulator[world: "main"])
        // So many refused steps that they are forgotten, and everything is written anew.
        for number in 0..<attempts {
            _ = try kept.emulator.takeSnapshot(named: "s\(number)", of: main, at: Self.hostTime)
            try kept.emulator.deleteSnapshot(named: "s\(number)", of: main)
            kept.write()
        }
        try kept.make("second", days: 1)
        try kept.store.limit(pages: 1_000_000)
        try kept.make("third", days: 1)
        let before = try kept.documents()
        #expect(kept.coordinator.close())
        let again = try Kept(folder)
        try expectEqual(again.documents(), before)
        #expect(again.coordinator.close())
    }

    /// A folder that a build without layers of seeds has written.
    ///
    /// Its worlds: `main` and `w1`, changed, `w1` with a snapshot; `fork` of it; `w2` after a reset, `w3` after that of
    /// Trafikskola; `saturday`, which began on that day.
    private func formerFolder() throws -> Folder {
        let folder = try Folder()
        let packed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/state/format-2.sqlite.gz")
        let unpack = ChildProcess()
        unpack.executableURL = URL(filePath: "/bin/sh")
        unpack.arguments = ["-c", "gunzip -c \"$0\" >\"$1\"", packed.path, folder.url.path + "/understudy.sqlite"]
        try unpack.run()
        unpack.waitUntilExit()
        return folder
    }

    @Test func `4 the worlds of a folder of format 2 are the same after they share their seeds`() throws {
        let folder = try formerFolder()
        let path = folder.url.path + "/understudy.sqlite"
        let former = try StateFile.read(path)
        expectEqual(former.format, 2)
        let kept = try Kept(folder)
        let before = try kept.documents()
        expectEqual(kept.emulator.worldNames, ["main", "w1", "w2", "w3", "saturday", "fork"])
        let users = try #require(kept.emulator[world: "w1"]?.world.rows(ofTable: "users", 0))
        #expect(users.contains { $0.content["firstName"]?.stringValue == "later in w1" })
        #expect(kept.coordinator.close())
        let present = try StateFile.read(path)
        expectEqual(present.format, 3)
        // Wednesday's and Saturday's.
        try expectEqual(layers(folder).seeds, 2)
        let rows = { (content: StateFile.Content) in content.stored.layers.reduce(0) { $0 + $1.parts.count } }
        #expect(rows(present) < rows(former))
        for round in 0..<2 {
            let again = try Kept(folder)
            try expectEqual(again.documents(), before, "round \(round)")
            #expect(again.coordinator.close())
        }
        // The seeds that were found in it are those of worlds that are made from now on.
        let again = try Kept(folder)
        try again.make("new")
        try again.make("friday", days: 2)
        try again.make("sunday", days: 4)
        #expect(again.coordinator.close())
        try expectEqual(layers(folder).seeds, 4)
    }
}
