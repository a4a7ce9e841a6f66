import CivilTime
import HTTPMessage
import TestSupport
import Testing

@testable import Backend
@testable import Engine
@testable import Worlds

/// Control contract, section 4: a token identifies the world that issued it, however many worlds there are.
@Suite struct WorldMarkTests {
    /// Two names with the same short mark, as a pair among 10,000 worlds rarely has.
    private static let twins = ["t21597", "t43658"]

    @Test func `4 the twins of these tests are twins`() {
        expectEqual(WorldTag.shortMark(of: Self.twins[0]), WorldTag.shortMark(of: Self.twins[1]))
    }

    private func choose(_ harness: EngineHarness, _ credential: String) throws -> String {
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/notes/n1"))
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        return try harness.emulator.chooseWorld(address, api: 0, credential: credential)
    }

    private func digits(_ world: String) -> String {
        var stream = SeededStream(seed: 7)
        return WorldTag.digits(prefix: "trf_", &stream, world: world)
    }

    private func handle(_ world: String) -> String {
        var stream = SeededStream(seed: 7)
        return WorldTag.handle(&stream, number: 1, world: world)
    }

    private func short(_ world: String) -> String { "aaaaaa" + WorldTag.shortMark(of: world) }

    private static let seeds = (0..<4).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds)
    func `4 a mark leads to the first world that has it, whatever was made, forked, expired or deleted`(
        seed: UInt64
    ) throws {
        var chance = SeededStream(seed: seed)
        let harness = try EngineHarness()
        let names = Self.twins + (0..<6).map { "w\($0)" }
        for _ in 0..<120 {
            let name = names[chance.below(names.count)]
            switch chance.below(5) {
            case 0, 1:
                if harness.emulator[world: name] == nil {
                    try harness.make(name, ttl: chance.below(2) == 0 ? .seconds(5) : nil)
                }
            case 2: if harness.emulator[world: name] == nil { try harness.make(name, from: "main") }
            case 3: if harness.emulator[world: name] != nil { _ = try harness.emulator.deleteWorld(name) }
            default:
                harness.pass(.seconds(6))
                _ = harness.emulator.expireWorlds(at: harness.hostTime)
            }
            let present = harness.emulator.worldNames
            for name in names + ["main"] {
                let mark = WorldTag.shortMark(of: name)
                let alike = present.filter { WorldTag.shortMark(of: $0) == mark }
                expectEqual(
                    harness.emulator.marks.keys(ofShort: mark),
                    alike.compactMap { harness.emulator[world: $0]?.key }
                )
                try expectEqual(choose(harness, short(name)), alike.first ?? "main", "seed \(seed)")
                try expectEqual(choose(harness, handle(name)), alike.first ?? "main", "seed \(seed)")
                try expectEqual(choose(harness, digits(name)), present.contains(name) ? name : "main", "seed \(seed)")
            }
        }
    }

    @Test func `4 of two worlds that share a mark the one that was made first is meant, then the other`() throws {
        let harness = try EngineHarness()
        for name in Self.twins.reversed() { try harness.make(name) }
        try expectEqual(choose(harness, handle(Self.twins[0])), Self.twins[1])
        _ = try harness.emulator.deleteWorld(Self.twins[1])
        try expectEqual(choose(harness, handle(Self.twins[0])), Self.twins[0])
        try harness.make(Self.twins[1])
        try expectEqual(choose(harness, handle(Self.twins[1])), Self.twins[0])
        for name in Self.twins { _ = try harness.emulator.deleteWorld(name) }
        try harness.make("one")
        try expectEqual(choose(harness, handle(Self.twins[0])), "main")
    }

    @Test func `4 what looks like a mark and is none leads to main`() throws {
        let harness = try EngineHarness()
        try harness.make("one")
        let upper = digits("one").replacingLast(16) { $0.uppercased() }
        for text in [upper, "sess_aaaaaaaaaaa_1", "aaaaaaaaaaaa", "trf_" + String(repeating: "0", count: 64)] {
            try expectEqual(choose(harness, text), "main", "\(text)")
        }
    }
}

extension String {
    fileprivate func replacingLast(_ count: Int, _ change: (String) -> String) -> String {
        dropLast(count) + change(String(suffix(count)))
    }
}
