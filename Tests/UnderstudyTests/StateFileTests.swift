import Backend
import CivilTime
import Engine
import Foundation
import HTTPMessage
import JSON
import TestSupport
import Testing
import Understudy
import Worlds

@testable import Persistence

/// Control contract, section 4: what `--state` does with a file that is not as it should be.
@Suite struct StateFileTests {
    private static let hostTime = HostTime(wall: Instant(seconds: 1_735_732_800), monotonic: Instant(seconds: 1_000))

    private func emulator() throws -> Emulator {
        var configuration = EmulatorConfiguration()
        configuration.clock = .frozen(Self.hostTime.wall)
        return Emulator(
            apis: try APICatalogue.load(APICatalogue.names, from: .builtIn),
            configuration: configuration,
            at: Self.hostTime
        )
    }

    /// A folder with a store in which something has happened, closed in good order.
    private func folder() throws -> Folder {
        let folder = try Folder()
        let emulator = try emulator()
        let coordinator = PersistenceCoordinator(try SQLiteWorldStore(folder: folder.url.path), emulator) { _ in }
        try coordinator.begin()
        var order = Emulator.WorldOrder()
        order.name = "second"
        _ = try emulator.makeWorld(order, at: Self.hostTime)
        let hosted = try #require(emulator[world: "main"])
        _ = try emulator.takeSnapshot(named: "s", of: hosted, at: Self.hostTime)
        #expect(coordinator.close())
        return folder
    }

    /// The status of what an API answers to a request of `main`.
    private func status(
        of emulator: Emulator,
        _ api: Int,
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        _ token: String,
        _ body: String
    ) throws -> Int {
        var fields = Fields()
        fields.append(.authorization, "Bearer \(token)")
        if !body.isEmpty { fields.append(.contentType, "application/json") }
        let head = RequestHead(method: method, target: RequestTarget(rawPath: path), fields: fields)
        return emulator.answer(
            HTTPRequest(head: head, body: RequestBody(Array(body.utf8))),
            address: try #require(emulator.address(of: head, entryPoint: .api(api))),
            api: api,
            peer: "127.0.0.1",
            exchange: 1,
            at: Self.hostTime
        ).response.status.code
    }

    private func files(_ folder: Folder) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            found[name] = try Data(contentsOf: folder.url.appendingPathComponent(name))
        }
        return found
    }

    /// Every world of a store as documents.
    private func documents(_ folder: Folder) throws -> [String] {
        var content = try #require(try SQLiteWorldStore(folder: folder.url.path).takeContent())
        let emulator = try emulator()
        try emulator.adopt(&content, at: Self.hostTime)
        return try emulator.worldNames.map { name in
            let hosted = try #require(emulator[world: name])
            return emulator.dump(hosted, at: Self.hostTime).document.text + "\(hosted.snapshots.map(\.name))"
        }
    }

    @Test func `4 every API names each property of its state once`() throws {
        for api in try APICatalogue.load(APICatalogue.names, from: .builtIn) {
            expectEqual(api.stateForm.gaps(), [], "\(api.identity.name)")
            #expect(!api.stateForm.parts.isEmpty, "\(api.identity.name)")
        }
    }

    @Test func `4 export, import, export is the same document with every API`() throws {
        let first = try emulator()
        let main = try #require(first[world: "main"])
        let text = first.dump(main, at: Self.hostTime).document.text
        let document = try #require(try JSONReader.read(text: text).objectValue)
        let second = try emulator()
        let hosted = try #require(second[world: "main"])
        try second.load(document, into: hosted, at: Self.hostTime)
        expectEqual(second.dump(hosted, at: Self.hostTime).document.text, text)
    }

    @Test func `4 a closed store is one file, and comes back as it was`() throws {
        let folder = try folder()
        try expectEqual(files(folder).keys.sorted(), ["understudy.sqlite"])
        let first = try documents(folder)
        expectEqual(first.count, 2)
        #expect(first[0].hasSuffix(#"["s"]"#))
        try expectEqual(documents(folder), first)
        let fresh = try emulator()
        let main = try #require(fresh[world: "main"])
        expectEqual(first[0], fresh.dump(main, at: Self.hostTime).document.text + #"["s"]"#)
    }

    @Test func `4 a flipped byte anywhere is found, or changes nothing; the file stays as it is`() throws {
        let folder = try folder()
        let file = folder.url.appendingPathComponent("understudy.sqlite")
        let good = try Data(contentsOf: file)
        let expected = try documents(folder)
        let seed = UInt64.random(in: 0...UInt64.max)
        var chance = SeededStream(seed: seed)
        // Each part of the head, and a place in every page or so.
        var places = [
            0, 15, 16, 18, 19, 20, 24, 28, 31, 32, 36, 40, 44, 47, 48, 52, 56, 59, 60, 63, 64, 68, 71, 92, 96, 99,
        ]
        for _ in 0..<120 { places.append(chance.below(good.count)) }
        var refused = 0
        for place in places {
            var bad = good
            bad[place] ^= UInt8(1 << chance.below(8))
            try bad.write(to: file)
            do {
                try expectEqual(documents(folder), expected, "byte \(place), seed \(seed)")
            } catch let error as WorldStoreError {
                refused += 1
                expectEqual(error.path, file.path)
                #expect(!error.reason.isEmpty)
            } catch is StoredWorldError {
                refused += 1
            }
            try expectEqual(files(folder), ["understudy.sqlite": bad], "byte \(place), seed \(seed)")
        }
        #expect(refused > 40, "seed \(seed)")
    }

    @Test func `4 a file cut off at any length is refused and stays as it is`() throws {
        let folder = try folder()
        let file = folder.url.appendingPathComponent("understudy.sqlite")
        let good = try Data(contentsOf: file)
        for length in [0, 1, 99, 100, 512, 4_095, 4_096, 8_192, good.count / 2, good.count - 4_096, good.count - 1] {
            let bad = good[..<length]
            try bad.write(to: file)
            #expect(throws: WorldStoreError.self, "\(length)") { _ = try SQLiteWorldStore(folder: folder.url.path) }
            try expectEqual(files(folder), ["understudy.sqlite": bad], "\(length)")
        }
    }

    @Test func `4 wiped pages are refused and stay as they are`() throws {
        let folder = try folder()
        let file = folder.url.appendingPathComponent("understudy.sqlite")
        let good = try Data(contentsOf: file)
        for page in stride(from: 0, to: good.count / 4_096, by: max(1, good.count / 4_096 / 20)) {
            var bad = good
            bad.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(repeating: 0, count: 4_096))
            try bad.write(to: file)
            #expect(throws: WorldStoreError.self, "\(page)") { _ = try SQLiteWorldStore(folder: folder.url.path) }
            try expectEqual(files(folder), ["understudy.sqlite": bad], "\(page)")
        }
    }

    @Test func `4 a newer format, another program's file and a text are each named for what they are`() throws {
        let folder = try folder()
        let file = folder.url.appendingPathComponent("understudy.sqlite")
        let good = try Data(contentsOf: file)
        var newer = good
        newer[63] = 4
        var foreign = good
        foreign[70] = 0
        var old = good
        old[63] = 0
        var negative = good
        for place in 60..<64 { negative[place] = 0xFF }
        for (bad, words) in [
            (newer, "was written by a newer Understudy (format 4, this one knows 3). It was left unchanged"),
            (foreign, "is an SQLite file, but not Understudy's"),
            (old, "is damaged (its format is 0)"), (negative, "is damaged (its format is -1)"),
            (Data(), "is empty"),
            (Data("{}".utf8), "does not begin like an SQLite file"),
        ] {
            try bad.write(to: file)
            let error = #expect(throws: WorldStoreError.self) { _ = try SQLiteWorldStore(folder: folder.url.path) }
            expectEqual(error?.reason.contains(words), true, "\(error?.reason ?? "")")
            try expectEqual(files(folder), ["understudy.sqlite": bad])
        }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(throws: WorldStoreError.self) { _ = try SQLiteWorldStore(folder: folder.url.path) }
    }

    @Test func `4 a log without its file is refused`() throws {
        let folder = try Folder(["understudy.sqlite-wal": "x"])
        let error = #expect(throws: WorldStoreError.self) { _ = try SQLiteWorldStore(folder: folder.url.path) }
        expectEqual(error?.reason.contains("is missing"), true)
        try expectEqual(files(folder).keys.sorted(), ["understudy.sqlite-wal"])
    }

    @Test func `4 a folder that can't be made, or is a file, is refused`() throws {
        let folder = try Folder(["file": "x"])
        for path in [folder.url.path + "/file", folder.url.path + "/file/below", folder.url.path + "/a/b", "/proc/no"] {
            let error = #expect(throws: WorldStoreError.self) { _ = try SQLiteWorldStore(folder: path) }
            expectEqual(error?.path, path)
        }
    }

    @Test func `4 a read that changes nothing has nothing to wait for, and a write has`() throws {
        let folder = try Folder()
        let emulator = try emulator()
        let coordinator = PersistenceCoordinator(try SQLiteWorldStore(folder: folder.url.path), emulator) { _ in }
        try coordinator.begin()
        let index = try #require(emulator.apis.firstIndex { $0.identity.name == "omnichat" })
        let hosted = try #require(emulator[world: "main"])
        let order = TokenOrder(user: "test@icloud.com", kind: .access, state: .valid)
        let minted = try emulator.apis[index].mint(&hosted.world, index, order).get()
        #expect(emulator.hasChanged(worldKey: 0, api: index))
        _ = emulator.takeChanges(worldKey: 0)
        func ask(_ method: HTTPMessage.HTTPMethod, _ body: String = "") throws -> Int {
            try status(of: emulator, index, method, "/api/v1/conversations", minted.token, body)
        }
        try expectEqual(ask(.get), 200)
        #expect(!emulator.hasChanged(worldKey: 0, api: index))
        expectEqual(emulator.worldsWithNews, [0])
        #expect(try ask(.post, #"{"title":"x"}"#) < 300)
        #expect(emulator.hasChanged(worldKey: 0, api: index))
        #expect(coordinator.close())
    }

    @Test func `4 a batch has the parts that have changed and no others`() throws {
        let folder = try Folder()
        let emulator = try emulator()
        let keeper = PersistenceCoordinator(try SQLiteWorldStore(folder: folder.url.path), emulator) { _ in }
        try keeper.begin()
        let index = try #require(emulator.apis.firstIndex { $0.identity.name == "omnichat" })
        let hosted = try #require(emulator[world: "main"])
        let order = TokenOrder(user: "test@icloud.com", kind: .access, state: .valid)
        let minted = try emulator.apis[index].mint(&hosted.world, index, order).get()
        func taken() throws -> [String] {
            try #require(emulator.takeChanges(worldKey: 0)).sections.map { "\($0.api).\($0.part)" }
        }
        func create() throws -> Int {
            try status(of: emulator, index, .post, "/api/v1/conversations", minted.token, #"{"title":"x"}"#)
        }
        _ = try taken()
        try expectEqual(taken(), [".world"])
        #expect(try create() < 300)
        try expectEqual(taken().sorted(), [".world", "omnichat.conversations", "omnichat.windows"])
        #expect(emulator.apis[index].writeSettings(&hosted.world, index, ["serverErrors": 1]).isEmpty)
        try expectEqual(taken(), [".world", "omnichat.settings"])
        // Two spellings of one text, which Swift holds equal, and a client does not.
        for (text, parts) in [
            ("caf\u{E9}", [".world", "omnichat.settings"]), ("cafe\u{301}", [".world", "omnichat.settings"]),
            ("cafe\u{301}", [".world"]),
        ] {
            let settings: JSON = ["stream": ["replyText": .string(text)]]
            #expect(emulator.apis[index].writeSettings(&hosted.world, index, settings).isEmpty)
            try expectEqual(taken(), parts)
        }
        // A request that fails as told counts the switch down.
        try expectEqual(create(), 500)
        try expectEqual(taken().sorted(), [".world", "omnichat.settings", "omnichat.windows"])
        #expect(emulator.apis[index].writeSettings(&hosted.world, index, ["rateLimits": "off"]).isEmpty)
        _ = try taken()
        #expect(try create() < 300)
        try expectEqual(taken(), [".world", "omnichat.conversations"])
        #expect(keeper.close())
    }

    @Test func `4 a refused answer that counts a switch down has that to wait for`() throws {
        let folder = try Folder()
        let emulator = try emulator()
        let coordinator = PersistenceCoordinator(try SQLiteWorldStore(folder: folder.url.path), emulator) { _ in }
        try coordinator.begin()
        let index = try #require(emulator.apis.firstIndex { $0.identity.name == "carbscan" })
        let hosted = try #require(emulator[world: "main"])
        let order = TokenOrder(user: "pro@carbscan.test", kind: .access, state: .valid)
        let minted = try emulator.apis[index].mint(&hosted.world, index, order).get()
        func analyze() throws -> Int {
            try status(of: emulator, index, .post, "/api/mobile/v1/analyze", minted.token, #"{"imageBase64":"/9j/"}"#)
        }
        try expectEqual(analyze(), 200)
        let scenario = try #require(emulator.scenario(named: "carbscan/analysis-fails"))
        emulator.activate(scenario, in: hosted, at: Self.hostTime)
        _ = emulator.takeChanges(worldKey: 0)
        #expect(!emulator.hasChanged(worldKey: 0, api: index))
        try expectEqual(analyze(), 500)
        #expect(emulator.hasChanged(worldKey: 0, api: index))
        _ = emulator.takeChanges(worldKey: 0)
        #expect(!emulator.hasChanged(worldKey: 0, api: index))
        try expectEqual(analyze(), 200)
        #expect(coordinator.close())
    }

    @Test func `4 what a full disk refused is written when there is room again`() throws {
        let folder = try Folder()
        let emulator = try emulator()
        let store = try SQLiteWorldStore(folder: folder.url.path)
        var reports: [String] = []
        let coordinator = PersistenceCoordinator(store, emulator) { reports.append("\($0)") }
        try coordinator.begin()
        try store.limit(pages: 1)
        for number in 0..<3 {
            var order = Emulator.WorldOrder()
            order.name = "w\(number)"
            // Of days of their own, since worlds of one seed need hardly any room.
            order.clock = .frozen(Self.hostTime.wall + .seconds(86_400 * Int64(1 + number)))
            _ = try emulator.makeWorld(order, at: Self.hostTime)
            coordinator.noteStructure()
            coordinator.turnEnded()
        }
        expectEqual(reports.count, 3)
        expectEqual(reports.first?.contains("full"), true)
        try store.limit(pages: 1_000_000)
        coordinator.noteStructure()
        coordinator.turnEnded()
        expectEqual(reports.count, 3)
        #expect(coordinator.close())
        try expectEqual(documents(folder).count, 4)
    }
}
