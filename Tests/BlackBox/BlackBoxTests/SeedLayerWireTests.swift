import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: with `--state`, a fresh or reset world is a layer upon the one layer of its seed.
@Suite(.serialized) struct SeedLayerWireTests {
    private static let pets = "apis/shop/tables/pets.json"
    private static let flags = Served.frozen + ["--state", "state"]

    /// A folder with an API of its own, whose rows and stubs are larger than a fork.
    private func shop() throws -> Folder {
        let folder = try Folder([
            "apis/shop/api.json": #"{"tables":{"pets":{}},"resources":[{"path":"/pets","table":"pets"}]}"#,
            Self.pets: rows(named: "Old", 400),
        ])
        for number in 0..<60 {
            try folder.write("apis/shop/stubs/s\(100 + number).json", stub(number))
        }
        return folder
    }

    private func stub(_ number: Int) -> String {
        let text = String(repeating: "\(number % 10)", count: 400)
        return #"{"match":{"path":"/stub/\#(number)"},"response":{"text":"\#(text)"}}"#
    }

    private func rows(named name: String, _ count: Int) -> String {
        let filling = String(repeating: "x", count: 200)
        let rows = (0..<count).map { #"{"id":"p\#($0)","name":"\#(name)","note":"\#(filling)"}"# }
        return "[\(rows.joined(separator: ","))]"
    }

    private func size(_ folder: Folder) throws -> Int {
        let file = folder.url.appendingPathComponent("state/understudy.sqlite").path
        return try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    }

    private func stop(_ served: Served, _ signal: Int32 = SIGTERM) throws {
        served.child.signal(signal)
        _ = try served.child.waitForExit()
    }

    private func names(_ served: Served, _ world: String) throws -> Set<String> {
        let items = try served.control("GET", "/state/shop/pets?limit=1000", world: world).json["items"]?.arrayValue
        return Set((items ?? []).compactMap { $0["row"]?["name"]?.stringValue })
    }

    @Test func `4 fresh and reset worlds cost the folder what forks cost, also where it was made before`() throws {
        let folder = try shop()
        func grown(_ path: (Int) -> (path: String, body: String, world: String?)) throws -> Int {
            try stop(Served(Self.flags, in: folder))
            let before = try size(folder)
            let served = try Served(Self.flags, in: folder)
            for number in 0..<40 {
                let (path, body, world) = path(number)
                let answer = try served.control("POST", path, body, world: world)
                #expect(answer.status < 300, "\(answer.text)")
            }
            try stop(served)
            return try size(folder) - before
        }
        let forks = try grown { ("/worlds", #"{"name":"f\#($0)","from":"main"}"#, nil) }
        for round in 0..<2 {
            let fresh = try grown { ("/worlds", #"{"name":"r\#(round)-\#($0)"}"#, nil) }
            // Pages are of 4 KiB.
            #expect(fresh <= forks * 3 / 2 + 8_192, "\(fresh), forks: \(forks), round \(round)")
        }
        let reset = try grown { ("/reset", "", "f\($0)") }
        #expect(reset <= forks * 3 / 2 + 8_192, "\(reset), forks: \(forks)")
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `4 a seed is what its worlds began with, whatever the files say later`(signal: Int32) throws {
        let folder = try shop()
        var served = try Served(Self.flags, in: folder)
        for name in ["a", "b"] { _ = try served.control("POST", "/worlds", #"{"name":"\#(name)"}"#) }
        let before = try ["a", "b"].map { try served.control("GET", "/state", world: $0).text }
        let stubs = try served.control("GET", "/stubs", world: "a").text
        #expect(stubs.contains("/stub/59"))
        try stop(served, signal)
        try folder.write(Self.pets, rows(named: "New", 3))
        try folder.write("apis/shop/stubs/s159.json", #"{"match":{"path":"/other"},"response":{}}"#)
        for round in 0..<2 {
            served = try Served(Self.flags, in: folder)
            for (name, text) in zip(["a", "b"], before) {
                try expectEqual(served.control("GET", "/state", world: name).text == text, true, "\(name) \(round)")
                try expectEqual(names(served, name), ["Old"], "\(name) \(round)")
            }
            try expectEqual(served.control("GET", "/stubs", world: "a").text == stubs, true, "round \(round)")
            if round == 0 {
                _ = try served.control("POST", "/worlds", #"{"name":"c"}"#)
                _ = try served.control("POST", "/worlds", #"{"name":"d","from":"a"}"#)
                try expectEqual(served.control("POST", "/reset").status, 200)
            }
            for name in ["c", "main"] {
                try expectEqual(names(served, name), ["New"], "\(name) \(round)")
                let own = try served.control("GET", "/stubs", world: name).text
                #expect(own.contains("/other") && !own.contains("/stub/59"), "\(name) \(round)")
            }
            try expectEqual(names(served, "d"), ["Old"])
            try stop(served, signal)
        }
        // The files of before have their layer again.
        try folder.write(Self.pets, rows(named: "Old", 400))
        try folder.write("apis/shop/stubs/s159.json", stub(59))
        try stop(Served(Self.flags, in: folder))
        let size = try size(folder)
        served = try Served(Self.flags, in: folder)
        _ = try served.control("POST", "/worlds", #"{"name":"e"}"#)
        try expectEqual(names(served, "e"), ["Old"])
        try stop(served)
        #expect(try self.size(folder) <= size + 16_384)
        served = try Served(Self.flags, in: folder)
        for name in ["a", "b", "d"] { try expectEqual(served.control("DELETE", "/worlds/\(name)").status, 204) }
        try stop(served, signal)
        served = try Served(Self.flags, in: folder)
        for (name, expected) in [("c", "New"), ("e", "Old"), ("main", "New")] {
            try expectEqual(names(served, name), [expected])
        }
    }

    @Test func `4 files that are read again while it runs begin other worlds, and leave no room behind`() throws {
        let folder = try shop()
        let served = try Served(Self.flags, in: folder)
        _ = try served.control("POST", "/worlds", #"{"name":"kept"}"#)
        var sizes: [Int] = []
        for round in 0..<12 {
            try folder.write(Self.pets, rows(named: "\(round)", 400))
            try Deadline().wait(for: "the files to be read") { try names(served, "main") == ["\(round)"] }
            _ = try served.control("POST", "/worlds", #"{"name":"w\#(round)"}"#)
            try expectEqual(names(served, "w\(round)"), ["\(round)"])
            if round > 0 { try expectEqual(served.control("DELETE", "/worlds/w\(round - 1)").status, 204) }
            sizes.append(try size(folder))
        }
        try expectEqual(names(served, "kept"), ["Old"])
        try stop(served)
        // Thirteen seeds of 0.8 MB; what a layer took is used again by those that follow.
        #expect(try size(folder) < 4_500_000, "\(sizes)")
        let again = try Served(Self.flags, in: folder)
        try expectEqual(names(again, "kept"), ["Old"])
        try expectEqual(names(again, "w11"), ["11"])
    }
}
