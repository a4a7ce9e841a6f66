import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: with `--state`, snapshots and forks cost the same however much data there is, in the
/// file and after a restart.
@Suite struct SharedStateTests {
    private static func flags(_ folder: Folder) -> [String] { Served.frozen + ["--state", folder.url.path] }

    private static func size(_ folder: Folder) throws -> Int {
        let file = folder.url.appendingPathComponent("understudy.sqlite").path
        return try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    }

    private static func stop(_ served: Served) throws {
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
    }

    /// Makes the journal grow by that many entries with content of 60 kB.
    private static func fill(_ served: Served, _ count: Int, world: String = "main") throws {
        let wire = try Wire(port: served.api)
        let body = Array(("{\"content\":\"" + String(repeating: "x", count: 60_000) + "\"}").utf8)
        for _ in 0..<count { _ = try wire.ask("POST", "/@\(world)/api/v1/nothing-here", body: body) }
    }

    /// Adds rows to a table.
    private static func addRows(_ served: Served, _ count: Int, world: String = "main") throws {
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"rateLimits":"off"}}"#, world: world)
        let token = try served.token(world: world)
        let wire = try Wire(port: served.api)
        let title = String(repeating: "n", count: 200)
        for number in 0..<count {
            let body = Array(#"{"title":"\#(number) \#(title)"}"#.utf8)
            let made = try wire.ask("POST", "/@\(world)/api/v1/conversations", body: body, token: token)
            try #require(made.status < 300, "\(made.text.prefix(200))")
        }
    }

    @Test func `4 ten snapshots, forks, and forks of snapshots take at most 1.2 times one, however long the journal`()
        throws
    {
        let folder = try Folder()
        var served = try Served(Self.flags(folder))
        try Self.fill(served, 100)
        try Self.addRows(served, 300)
        try expectEqual(served.control("POST", "/snapshots", #"{"name":"s0"}"#).status, 201)
        try Self.stop(served)
        let one = try Self.size(folder)
        #expect(one > 6_000_000)
        served = try Served(Self.flags(folder))
        for number in 1..<10 {
            try Self.addRows(served, 1)
            try expectEqual(served.control("POST", "/snapshots", #"{"name":"s\#(number)"}"#).status, 201)
            let fork = #"{"name":"f\#(number)","from":"main"}"#
            try expectEqual(served.control("POST", "/worlds", fork).status, 201)
            let of = #"{"name":"g\#(number)","from":"s\#(number)"}"#
            try expectEqual(served.control("POST", "/worlds", of).status, 201)
        }
        let paths = ["/@main", "/@f3", "/@g9"].map { "\($0)/__admin/state" }
        let before = try paths.map { try Wire(port: served.hub).ask("GET", $0).text }
        try Self.stop(served)
        #expect(try Self.size(folder) * 10 < one * 12)

        served = try Served(Self.flags(folder))
        for (path, text) in zip(paths, before) {
            try expectEqual(Wire(port: served.hub).ask("GET", path).text, text, "\(path)")
        }
        // What they share goes with the last of them, and its place in the file is used again.
        for number in 1..<10 {
            for name in ["f\(number)", "g\(number)"] {
                try expectEqual(served.control("DELETE", "/worlds/\(name)").status, 204)
            }
        }
        for number in 0..<10 { _ = try served.control("DELETE", "/snapshots/s\(number)") }
        try expectEqual(Wire(port: served.hub).ask("GET", paths[0]).text, before[0])
        try Self.stop(served)
        served = try Served(Self.flags(folder))
        try expectEqual(Wire(port: served.hub).ask("GET", paths[0]).text, before[0])
        try Self.stop(served)
        #expect(try Self.size(folder) * 10 < one * 12)
    }

    @Test func `4 the file does not grow with snapshots and worlds that come and go`() throws {
        let folder = try Folder()
        // A journal that turns over once in a while: what was shared is shared no more.
        let flags = Self.flags(folder) + ["--journal-bytes", "600000"]
        let served = try Served(flags)
        var sizes: [Int] = []
        for round in 0..<12 {
            try Self.fill(served, 12)
            _ = try served.control("POST", "/snapshots", #"{"name":"r\#(round)"}"#)
            _ = try served.control("POST", "/worlds", #"{"name":"w\#(round)","from":"main"}"#)
            try Self.fill(served, 4, world: "w\(round)")
            if round % 3 == 1 { _ = try served.control("POST", "/snapshots/r\(round - 1)/restore") }
            if round > 0 {
                _ = try served.control("DELETE", "/snapshots/r\(round - 1)")
                _ = try served.control("DELETE", "/worlds/w\(round - 1)")
            }
            sizes.append(try Self.size(folder))
        }
        let before = try served.control("GET", "/state").text
        try Self.stop(served)
        let end = try Self.size(folder)
        // Three journals at a time, and what is written before the former is freed.
        #expect(end < 9_000_000, "\(sizes)")
        let again = try Served(flags)
        try expectEqual(again.control("GET", "/state").text, before)
    }

    @Test func `4 a store of the former format is taken over with all that it holds`() throws {
        let folder = try Folder()
        let packed = Checkout.root.appendingPathComponent("Tests/Vectors/state/format-1.sqlite.gz")
        let unpack = ChildProcess()
        unpack.executableURL = URL(filePath: "/bin/sh")
        unpack.arguments = [
            "-c", "gunzip -c \"$0\" >\"$1\"", packed.path, folder.url.appendingPathComponent("understudy.sqlite").path,
        ]
        try unpack.run()
        unpack.waitUntilExit()
        // It was written with one API, so that the others begin here.
        for round in 0..<2 {
            let served = try Served(Self.flags(folder))
            for (world, titles, requests) in [
                ("main", ["before", "after"], 3), ("fork", ["before", "after"], 2), ("fresh", [], 0),
            ] {
                let state = try served.control("GET", "/state", world: world).json
                let found = (state["apis"]?["omnichat"]?["conversations"]?.arrayValue ?? [])
                    .compactMap { $0["title"]?.stringValue }.filter { ["before", "after"].contains($0) }
                expectEqual(found, titles, "\(world), round \(round)")
                let journal = state["journal"]?.arrayValue ?? []
                expectEqual(journal.count, requests, "\(world), round \(round)")
                #expect(journal.allSatisfy { $0["world"] == (world == "main" ? nil : "main") })
            }
            if round == 0 {
                served.child.signal(SIGKILL)
                _ = try served.child.waitForExit()
                continue
            }
            try expectEqual(served.control("POST", "/snapshots/s/restore").status, 200)
            let state = try served.control("GET", "/state").text
            #expect(state.contains(#""title":"before""#) && !state.contains(#""title":"after""#))
        }
    }

    // MARK: A walk

    private struct Walk {
        var served: Served
        var worlds = ["main"]
        /// The state that each snapshot was taken of, by world and name.
        var snapshots: [(world: String, name: String, state: String)] = []
        var chance: SeededGenerator
        var number = 0

        func state(_ world: String) throws -> String { try served.control("GET", "/state", world: world).text }

        mutating func step() throws {
            number += 1
            let world = worlds[chance.below(worlds.count)]
            let own = snapshots.indices.filter { snapshots[$0].world == world }
            func control(_ method: String, _ path: String, _ body: String = "") throws {
                let answer = try served.control(method, path, body, world: world)
                #expect(answer.status < 300, "\(method) \(path): \(answer.text), seed \(chance.seed)")
            }
            switch chance.below(16) {
            case 0...4:
                let token = try served.token(world: world)
                let wire = try Wire(port: served.api)
                let path = "/@\(world)/api/v1/conversations"
                _ = try wire.ask("POST", path, body: Array(#"{"title":"\#(number)"}"#.utf8), token: token)
                guard chance.below(3) == 0 else { return }
                let list = try wire.ask("GET", path, token: token).json["conversations"]?.arrayValue ?? []
                guard !list.isEmpty, let id = list[chance.below(list.count)]["id"]?.stringValue else { return }
                _ = try wire.ask("DELETE", "\(path)/\(id)", token: token)
            case 5...7:
                snapshots.append((world, "s\(number)", try state(world)))
                try control("POST", "/snapshots", #"{"name":"s\#(number)"}"#)
            case 8, 9:
                guard !own.isEmpty else { return }
                let chosen = snapshots[own[chance.below(own.count)]]
                try control("POST", "/snapshots/\(chosen.name)/restore")
                try expectEqual(unnoted(state(world)), unnoted(chosen.state), "seed \(chance.seed)")
            case 10:
                guard !own.isEmpty else { return }
                let place = own[chance.below(own.count)]
                try control("DELETE", "/snapshots/\(snapshots[place].name)")
                snapshots.remove(at: place)
            case 11, 12:
                let from = own.isEmpty || chance.below(2) == 0 ? world : snapshots[own[chance.below(own.count)]].name
                let source = chance.below(3) == 0 ? "" : #","from":"\#(from)""#
                try control("POST", "/worlds", #"{"name":"w\#(number)"\#(source)}"#)
                worlds.append("w\(number)")
            case 13:
                guard world != "main" else { return try control("DELETE", "/requests") }
                try control("DELETE", "/worlds/\(world)")
                worlds.removeAll { $0 == world }
                snapshots.removeAll { $0.world == world }
            case 14: try control("POST", chance.below(2) == 0 ? "/reset" : "/reset?api=omnichat")
            default: try control("PUT", "/state", try state(worlds[chance.below(worlds.count)]))
            }
        }

        /// Every world is what it was, and every snapshot.
        func check(_ states: [String: String]) throws {
            let list = try served.control("GET", "/worlds").json["items"]?.arrayValue ?? []
            expectEqual(list.compactMap { $0["name"]?.stringValue }.sorted(), worlds.sorted(), "seed \(chance.seed)")
            for world in worlds { try expectEqual(state(world), states[world], "\(world), seed \(chance.seed)") }
            for snapshot in snapshots {
                let path = "/snapshots/\(snapshot.name)/restore"
                try expectEqual(served.control("POST", path, world: snapshot.world).status, 200, "seed \(chance.seed)")
                try expectEqual(
                    unnoted(state(snapshot.world)),
                    unnoted(snapshot.state),
                    "\(snapshot.name), seed \(chance.seed)"
                )
            }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `4 snapshots, forks, restores, resets and imports are there after a kill, in whatever order they came`()
        throws
    {
        let folder = try Folder()
        var walk = Walk(served: try Served(Self.flags(folder)), chance: .announced())
        for round in 0..<4 {
            for _ in 0..<(10 + walk.chance.below(25)) { try walk.step() }
            // Whatever rides along is written with what a control call changes.
            for world in walk.worlds {
                _ = try walk.served.control("POST", "/clock/advance", #"{"seconds":1}"#, world: world)
            }
            var states: [String: String] = [:]
            for world in walk.worlds { states[world] = try walk.state(world) }
            walk.served.child.signal(round % 2 == 0 ? SIGKILL : SIGTERM)
            _ = try walk.served.child.waitForExit()
            walk.served = try Served(Self.flags(folder))
            try walk.check(states)
        }
    }
}
