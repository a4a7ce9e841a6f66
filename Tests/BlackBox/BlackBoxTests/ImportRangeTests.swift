import JSON
import TestSupport
import Testing

/// Control contract, section 4: every stored number has a declared range, counters rise above what their tables hold, and a
/// document has at most 1,000,000 rows.
@Suite struct ImportRangeTests {
    /// A server whose world was used, and its document.
    private func used(_ api: String) throws -> (Served, JSON) {
        let served = try Served(Served.frozen + ["--api", api])
        try ImportWalk(api, hub: served.hub).useEverything()
        return (served, try served.control("GET", "/state").json)
    }

    private func put(_ document: JSON, _ served: Served) throws -> WireAnswer {
        try Wire(port: served.hub).ask("PUT", "/__admin/state", body: document.serialized())
    }

    @Test(
        arguments: [
            ("carbscan", "lastToken"), ("carbscan", "lastMeal"), ("carbscan", "lastChatMessage"),
            ("carbscan", "lastEnd"),
            ("carbscan", "tokenGeneration"), ("trendy", "lastChange"),
        ]
    )
    func `4 a counter is taken up to 2^53, and not beyond`(api: String, name: String) throws {
        let most: Int64 = 1 << 53
        let (served, document) = try used(api)
        let path: [JSONPathElement] = ["apis", .key(api), .key(name)]
        try expectEqual(put(document.putting(.integer(most), at: path[...]), served).status, 200)
        for value in [most + 1, -1, .max, .min] {
            let answer = try put(document.putting(.integer(value), at: path[...]), served)
            expectEqual(answer.status, 422)
            expectEqual(answer.json["errors"]?[0]?["path"]?.stringValue, "$.apis.\(api).\(name)")
            expectEqual(answer.json["errors"]?[0]?["reason"], "must be from 0 to 2^53", "\(value)")
        }
        #expect(served.child.isRunning)
    }

    @Test(
        arguments: [
            ("carbscan", "lastMeal", "meals"), ("carbscan", "lastChatMessage", "chatMessages"),
            ("trendy", "lastChange", "changes"),
        ]
    )
    func `4 a counter is at least the largest number of its table`(api: String, name: String, table: String) throws {
        let (served, document) = try used(api)
        let rows = document["apis"]?[api]?[table]?.arrayValue ?? []
        let numbers = rows.compactMap { $0["number"]?.intValue }
        let largest = try #require(numbers.max())
        let path: [JSONPathElement] = ["apis", .key(api), .key(name)]
        try expectEqual(put(document.putting(.integer(largest), at: path[...]), served).status, 200)
        let answer = try put(document.putting(.integer(largest - 1), at: path[...]), served)
        expectEqual(answer.status, 422)
        expectEqual(answer.json["errors"]?[0]?["path"]?.stringValue, "$.apis.\(api).\(name)")
    }

    @Test func `4 what becomes a field line is a type that an upload can have`() throws {
        for (api, path, good, bad) in [
            (
                "trafikskola", ["avatars", 0, "contentType"], "image/png",
                ["image/gif", String(repeating: "x", count: 70_000)]
            ),
            ("omnichat", ["files", 0, "fileType"], "image/png", ["text/html", String(repeating: "x", count: 70_000)]),
            ("sawaed", ["files", 0, "contentType"], "image/png", [String(repeating: "x", count: 70_000)]),
        ] as [(String, [JSONPathElement], String, [String])] {
            let served = try Served(Served.frozen + ["--api", api])
            let document = try served.control("GET", "/state").json
            let place: [JSONPathElement] = ["apis", .key(api)] + path
            try expectEqual(put(document.putting(.string(good), at: place[...]), served).status, 200, "\(api)")
            for text in bad {
                try expectEqual(put(document.putting(.string(text), at: place[...]), served).status, 422, "\(api)")
            }
        }
    }

    @Test func `4 a document has at most 1,000,000 rows`() throws {
        let served = try Served(Served.frozen + ["--api", "carbscan"])
        let document = try served.control("GET", "/state").json
        let states = document["apis"]?["carbscan"]?.objectValue?.members ?? []
        let own = ["scenarios", "counters", "randomness", "outbox", "journal"].compactMap { document[$0] }
        let present = (states.map(\.value) + own).reduce(0) { $0 + ($1.arrayValue?.count ?? 0) }
        // Refused before a row is read, so that what stands in them does not count.
        let path: [JSONPathElement] = ["apis", "carbscan", "spentRefreshes"]
        func answer(rows: Int) throws -> WireAnswer {
            try put(document.putting(.array(Array(repeating: 1, count: rows - present)), at: path[...]), served)
        }
        try expectEqual(answer(rows: 1_000_001).json["errors"]?[0]?["reason"], "must have at most 1,000,000 rows")
        try expectEqual(
            answer(rows: 1_000_000).json["errors"]?[0]?["path"]?.stringValue?.contains("spentRefreshes"),
            true
        )
    }
}
