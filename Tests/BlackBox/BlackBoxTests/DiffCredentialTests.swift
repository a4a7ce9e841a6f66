import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: `diff` of files from which credentials were taken out, and of paths that are elsewhere.
@Suite struct DiffCredentialTests {
    private static let users = [
        "sawaed": "layla@sawaed.test", "carbscan": "essentials@carbscan.test", "omnichat": "test@icloud.com",
        "trafikskola": "anna@example.com", "trendy": "tracker@trendy.example",
    ]
    private static let credentials: Set<String> = ["authorization", "cookie", "set-cookie"]

    /// The sample of an API, with every field changed by a function; nil takes it out.
    private static func sample(_ api: String, _ change: (_ name: String, _ value: String) -> String?) throws -> String {
        let file = try JSONReader.read(Array(SampleRecordingTests.data(api)))
        let entries = (file["log"]?["entries"]?.arrayValue ?? []).map { entry -> JSON in
            var entry = entry
            for side in ["request", "response"] {
                let fields = (entry[side]?["headers"]?.arrayValue ?? []).compactMap { field -> JSON? in
                    let name = field["name"]?.stringValue ?? ""
                    return change(name.lowercased(), field["value"]?.stringValue ?? "").map {
                        ["name": .string(name), "value": .string($0)]
                    }
                }
                entry = entry.putting(.array(fields), at: [.key(side), "headers"]).putting(
                    [],
                    at: [.key(side), "cookies"]
                )
            }
            return entry
        }
        return file.putting(.array(entries), at: ["log", "entries"]).text
    }

    private func diff(_ archive: String, _ flags: [String], in folder: Folder? = nil) throws -> Program.Result {
        let folder = try folder ?? Folder()
        try folder.write("a.har", archive)
        return try Program.run(["diff", "a.har"] + flags, in: folder)
    }

    /// The numbers of the last line: entries compared, and not.
    private func counts(_ found: Program.Result) -> (compared: Int, not: Int) {
        let words = (found.output.split(separator: "\n").last ?? "").split(separator: " ").map(String.init)
        func number(before word: String) -> Int {
            words.firstIndex { $0.hasPrefix(word) }.flatMap { $0 > 0 ? Int(words[$0 - 1]) : nil } ?? -1
        }
        return (number(before: "entries"), number(before: "not:"))
    }

    @Test(arguments: SampleRecordingTests.apis)
    func `13 a call whose credential a tool took out is compared only as the user who stands in`(api: String) throws {
        let user = try #require(Self.users[api])
        for mask in [nil, "[redacted]", "Bearer [REDACTED]", "Bearer ***", "****", "Bearer xxxx"] {
            let archive = try Self.sample(api) { Self.credentials.contains($0) ? mask : $1 }
            let alone = try diff(archive, ["--api", api])
            expectEqual(alone.status, 0, "\(mask ?? "none"): \(alone.output)\(alone.errors)")
            #expect(alone.output.contains("because its credential was left out of the recording; --user WHO stands in"))
            let asUser = try diff(archive, ["--api", api, "--user", user])
            expectEqual(asUser.status, 0, "\(mask ?? "none"): \(asUser.output)\(asUser.errors)")
            #expect(counts(asUser).compared > counts(alone).compared, "\(asUser.output)")
            #expect(!asUser.output.contains("its credential was left out"))
        }
    }

    @Test(arguments: ["omnichat", "carbscan", "trafikskola", "trendy"])
    func `13 a sign-in whose answer names a user of the emulation is that user's`(api: String) throws {
        let found = try diff(Self.sample(api) { $1 }, ["--api", api])
        expectEqual(found.status, 0, "\(found.output)\(found.errors)")
        let (compared, not) = counts(found)
        #expect(compared >= 5 && not <= 1, "\(found.output)")
    }

    private func archive(_ entries: [(method: String, path: String, status: Int, text: String)]) -> String {
        let items = entries.enumerated().map { place, entry -> JSON in
            [
                "startedDateTime": .string("2025-01-01T12:00:0\(place).000Z"), "time": 1,
                "request": [
                    "method": .string(entry.method), "url": .string("https://api.example.com\(entry.path)"),
                    "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [], "headersSize": -1,
                    "bodySize": 0,
                ],
                "response": [
                    "status": .integer(Int64(entry.status)), "statusText": "", "httpVersion": "HTTP/1.1",
                    "headers": [["name": "Content-Type", "value": "application/json"]], "cookies": [],
                    "redirectURL": "", "headersSize": -1, "bodySize": -1,
                    "content": [
                        "size": .integer(Int64(entry.text.utf8.count)), "mimeType": "application/json",
                        "text": .string(entry.text),
                    ],
                ],
                "cache": [:], "timings": ["send": 0, "wait": 1, "receive": 0],
            ]
        }
        return JSON.object([
            "log": ["version": "1.2", "creator": ["name": "x", "version": "1"], "entries": .array(items)]
        ]).text
    }

    @Test func `13 a file of which no path belongs to the API is told so, and not compared`() throws {
        let entries = ["/api/v1/changes", "/api/v1/events"].map { ("GET", "/prod/main" + $0, 200, "[]") }
        let found = try diff(archive(entries), ["--api", "trendy"])
        expectEqual(found.status, 0, "\(found.output)")
        #expect(found.output.hasSuffix("0 entries compared, 2 not: 0 breaking, 0 additive, 0 other values\n"))
        #expect(found.output.contains("2 because no path of the recording belongs to trendy"))
        #expect(found.errors.contains("a.har has no path of trendy; it has some behind /prod/main"), "\(found.errors)")
        // One that belongs to it makes the others deviations.
        let one = try diff(archive(entries + [("GET", "/api/v1/nothing-here", 200, "[]")]), ["--api", "trendy"])
        expectEqual(one.status, 0, "\(one.output)")
        let mixed = try diff(
            archive([("GET", "/api/v1/nowhere", 200, "[]"), ("GET", "/health", 200, "[]")]),
            ["--api", "trendy"]
        )
        expectEqual(mixed.status, 1, "\(mixed.output)")
    }

    @Test func `13 a stub's route of a custom API is answered as serve does`() throws {
        let folder = try Folder([
            "apis/shop/api.json": #"{"tables":{"notes":{}},"resources":[{"path":"/v1/notes","table":"notes"}]}"#,
            "apis/shop/stubs/motd.json":
                #"{"match":{"method":"GET","path":"/v1/motd"},"response":{"body":{"text":"hi"}}}"#,
        ])
        let found = try diff(
            archive([("GET", "/v1/motd", 200, #"{"text":"hi"}"#), ("GET", "/v1/notes", 200, "[]")]),
            ["--api", "shop"],
            in: folder
        )
        expectEqual(found.status, 0, "\(found.output)\(found.errors)")
        #expect(found.output.contains("2 entries compared, 0 not: 0 breaking, 0 additive"), "\(found.output)")
        let other = try diff(archive([("GET", "/v1/motd", 200, #"{"text":1}"#)]), ["--api", "shop"], in: folder)
        expectEqual(other.status, 1, "\(other.output)")
        let missing = try diff(archive([("GET", "/v1/nothing", 200, "{}")]), ["--api", "shop"], in: folder)
        expectEqual(missing.status, 1, "\(missing.output)")
    }

    @Test func `13 recordings of a custom API's folder answer as in serve`() throws {
        let older = archive([("GET", "/v1/cats?page=1", 200, #"{"name":"Tom"}"#), ("GET", "/v1/dogs", 200, "[]")])
        let folder = try Folder(["apis/cats/api.json": "{}", "apis/cats/recordings/a.har": older])
        func compared(_ name: JSON) throws -> Program.Result {
            let newer = archive([("GET", "/v1/cats?page=1", 200, JSON.object(["name": name]).text)])
            return try diff(newer, ["--api", "cats"], in: folder)
        }
        let same = try compared("Kit")
        expectEqual(same.status, 0, "\(same.output)\(same.errors)")
        #expect(
            same.output.contains("1 entry compared, 0 not: 0 breaking, 0 additive, 1 other value"),
            "\(same.output)"
        )
        let other = try compared(7)
        expectEqual(other.status, 1, "\(other.output)\(other.errors)")
        #expect(other.output.contains(#"breaking  $.name: emulated "Tom", recorded 7"#), "\(other.output)")
    }

    @Test func `13 a file of which nothing is compared is a warning with all reasons`() throws {
        let url = "https://api.example.com/api/v1/conversations"
        let skipped = [
            SmallArchive.entry(url, status: 0), SmallArchive.entry("ftp://api.example.com/"),
            SmallArchive.entry("ftp://api.example.com/b"),
        ]
        let folder = try Folder(["skipped.har": SmallArchive.text(skipped)])
        let found = try Program.run(["diff", "skipped.har", "--api", "omnichat"], in: folder)
        expectEqual(found.status, 0, "\(found.output)\(found.errors)")
        let reasons = "2 of 3 because its address is not http or https, 1 of 3 because it has no answer"
        #expect(found.errors.contains("skipped.har: no entry, \(reasons)"), "\(found.errors)")
    }
}
