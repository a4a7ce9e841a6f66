import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: contents that an archive does not have.
@Suite(.serialized) struct MissingContentTests {
    private static func entry(
        _ path: String,
        _ content: JSON,
        _ status: Int = 200,
        method: String = "GET",
        fields: [(name: String, value: String)] = []
    ) -> RecordedEntry {
        var entry = RecordedEntry(method, "https://a.example" + path, status)
        entry.content = content
        entry.fields = fields
        return entry
    }

    private static let json = "application/json"

    /// Responses whose content is not in the archive, and no word of it may be answered.
    private static let missing: [RecordedEntry] = [
        entry("/evicted", ["size": 17, "mimeType": "application/json"]),
        entry("/empty-text", ["size": 17, "mimeType": "application/json", "text": ""]),
        entry("/unknown", ["size": -1, "mimeType": "application/json"], fields: [("Content-Encoding", "gzip")]),
        entry("/length", ["size": -1, "mimeType": ""], fields: [("Content-Length", "9")]),
        entry("/no-file", ["size": 4, "mimeType": "text/plain", "_file": "none.txt"]),
        entry("/no-file-of-no-size", ["size": 0, "mimeType": "text/plain", "_file": "none.txt"]),
        entry("/above", ["size": -1, "mimeType": "text/plain", "_file": "../outside.txt"]),
        entry("/rooted", ["size": -1, "mimeType": "text/plain", "_file": "/etc/hostname"]),
        entry("/error", ["size": 17, "mimeType": "application/json"], 500),
    ]

    /// Responses that are complete without content.
    private static let complete: [RecordedEntry] = [
        entry("/zero", ["size": 0, "mimeType": "application/json"]),
        entry("/redirect", ["size": 178, "mimeType": "text/html"], 302, fields: [("Location", "/elsewhere")]),
        entry("/none", ["size": -1, "mimeType": "application/json"], 204),
        entry("/head", ["size": 17, "mimeType": "application/json"], method: "HEAD"),
        entry("/untyped", ["size": -1, "mimeType": "x-unknown"]),
        entry("/announced", ["size": -1, "mimeType": "text/html"], fields: [("Content-Length", "0")]),
    ]

    @Test func `13 a response whose content is missing is a miss that says so, and one without content is not`() throws
    {
        let folder = try Folder([
            "in/gone.har": RecordedEntry.archive(Self.missing + Self.complete), "outside.txt": "x",
        ])
        let replay = try Proxy(["replay", "in/gone.har"], in: folder)
        for (place, entry) in Self.missing.enumerated() {
            let path = String(entry.url.dropFirst("https://a.example".count))
            let answer = try replay.ask(entry.method, path)
            expectEqual(answer.status, 404, "\(path)")
            expectEqual(answer.json["type"], "/__admin/problems/no-recording", "\(path)")
            let reason = "Entry \(place) matches GET \(path), but the archive does not have the content of its response"
            #expect(answer.json["detail"]?.stringValue?.hasPrefix(reason) ?? false, "\(answer.text)")
            expectEqual(answer.json["nearest"]?[0]?["entry"]?.intValue, Int64(place))
        }
        for entry in Self.complete {
            let path = String(entry.url.dropFirst("https://a.example".count))
            let wire = try Wire(port: replay.api)
            try wire.send(Wire.request(entry.method, path))
            try expectEqual(wire.answer(toHead: entry.method == "HEAD").status, entry.status, "\(path)")
        }
        try replay.stop()
        let other = try Proxy(["replay", "in/gone.har", "--miss", "503"], in: folder)
        try expectEqual(other.ask("GET", "/evicted").status, 503)
        try other.stop()
    }

    @Test func `13 entries without their content come after those that have it`() throws {
        let whole = Self.entry("/f", ["size": 16, "mimeType": "application/json", "text": #"{"h1":"Success"}"#])
        let gone: [JSON] = [
            ["size": 16, "mimeType": "application/json"], ["size": -1, "mimeType": "application/json"],
            ["size": 16, "mimeType": "application/json", "_file": "none"],
        ]
        let folder = try Folder()
        for (place, content) in gone.enumerated() {
            for entries in [[Self.entry("/f", content), whole], [whole, Self.entry("/f", content)]] {
                try folder.write("f.har", RecordedEntry.archive(entries))
                for flags in [[], ["--exhausted", "fail"]] {
                    let replay = try Proxy(["replay", "f.har"] + flags, in: folder)
                    try expectEqual(replay.ask("GET", "/f").json["h1"], "Success", "\(place)")
                    try expectEqual(replay.ask("GET", "/f").status, flags.isEmpty ? 200 : 404, "\(place)")
                    try replay.stop()
                }
            }
        }
    }

    @Test func `13 contents that an archive keeps in files beside it are read from there`() throws {
        let text = String(repeating: "Åpple ", count: 40_000)
        var sent = Self.entry("/sent", ["size": 2, "mimeType": "application/json", "text": "{}"], method: "POST")
        sent.requestFields = [("Content-Type", "application/json")]
        sent.post = ["mimeType": "application/json", "_file": "sent.json"]
        let folder = try Folder([
            "in/a.har": RecordedEntry.archive([
                Self.entry("/fruit", ["size": 17, "mimeType": "application/json", "_file": "fruit.json"]),
                Self.entry(
                    "/long",
                    ["size": -1, "mimeType": "text/plain; charset=utf-8", "_file": "0a1b.txt"],
                    fields: [("Content-Encoding", "br")]
                ),
                sent,
            ]),
            "in/fruit.json": #"{"fruit":"apple"}"#, "in/0a1b.txt": text, "in/sent.json": #"{"a":1,"b":[2]}"#,
        ])
        func check(_ port: Int) throws {
            try expectEqual(Wire(port: port).ask("GET", "/fruit").text, #"{"fruit":"apple"}"#)
            let long = try Wire(port: port).ask("GET", "/long")
            expectEqual(long.text, text)
            expectNil(long["Content-Encoding"])
            try expectEqual(Wire(port: port).ask("POST", "/sent", body: Array(#"{"b":[2],"a":1}"#.utf8)).text, "{}")
            try expectEqual(Wire(port: port).ask("POST", "/sent", body: Array(#"{"b":[3],"a":1}"#.utf8)).status, 404)
        }
        let replay = try Proxy(["replay", "in/a.har"], in: folder)
        try check(replay.api)
        try replay.stop()
        try expectEqual(Program.run(["validate", "in/a.har"], in: folder).errors, "in/a.har: recording: good\n")
        // What is taken over has the contents in it.
        let made = try Program.run(["new", "shop", "--har", "in/a.har"], in: folder)
        #expect(!made.output.contains("left out"), "\(made.output)\(made.errors)")
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        try check(served.ready["apis"]?["shop"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0)
    }

    @Test func `19 new and serve list what a recording lost, as replay does`() throws {
        var sent = Self.entry("/sent", ["size": 0, "mimeType": "text/plain"], method: "POST")
        sent.post = ["mimeType": "text/plain", "_file": "sent.txt"]
        var odd = Self.entry(
            "/odd",
            ["size": 2, "mimeType": "application/json", "text": "{}"],
            fields: [("Bad Name", "1"), ("Content-Length", "40")]
        )
        odd.requestFields = []
        let folder = try Folder([
            "a.har": RecordedEntry.archive([
                Self.entry("/left", ["size": 17, "mimeType": "application/json"]),
                Self.entry("/file", ["size": 17, "mimeType": "application/json", "_file": "abc.json"]), sent, odd,
            ])
        ])
        let notes = [
            "$.log.entries[0].response.content: the content was left out",
            #"$.log.entries[1].response.content: the content is in the file "abc.json", which can't be read beside the archive"#,
            #"$.log.entries[2].request.postData: the content is in the file "sent.txt", which can't be read beside the archive"#,
            #"$.log.entries[3].response.headers: "Bad Name" is not a field name"#,
            #"$.log.entries[3].response.headers: Content-Length says "40""#,
        ]
        let made = try Program.run(["new", "shop", "--har", "a.har"], in: folder)
        expectEqual(made.status, 0, "\(made.errors)")
        #expect(made.output.contains("left out or changed:"))
        for note in notes { #expect(made.output.contains(note), "\(note): \(made.output)") }
        let served = try Served(Served.frozen + ["--api", "shop"], log: [], in: folder)
        let start = try served.child.errors()
        for note in notes.prefix(3) {
            let place = note.split(separator: ":")[0]
            #expect(
                start.contains("understudy: note: apis/shop/recordings/a.har:") && start.contains(place),
                "\(note): \(start)"
            )
        }
    }
}
