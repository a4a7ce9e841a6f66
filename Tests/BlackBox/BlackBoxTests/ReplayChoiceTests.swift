import Foundation
import JSON
import TestSupport
import Testing

/// Wire contract, section 2: the entry of a recording that a request gets, by its fields.
@Suite(.serialized) struct ReplayChoiceTests {
    private static func entry(
        _ path: String,
        _ status: Int64 = 200,
        _ text: String? = nil,
        sent: [(name: String, value: String)] = [],
        fields: [(name: String, value: String)] = [],
        type: String = "text/plain",
        method: String = "GET"
    ) -> JSON {
        SmallArchive.entry(
            "https://api.example.com" + path,
            method: method,
            status: status,
            sent: sent,
            fields: fields,
            text: text,
            type: type
        )
    }

    /// A request, and what comes: the status and the text, or of a miss its `detail`.
    private typealias Step = (method: String, path: String, fields: [String], expected: String)

    private static func step(_ path: String, _ fields: [String] = [], _ expected: String, method: String = "GET")
        -> Step
    {
        (method, path, fields, expected)
    }

    private func play(_ archive: [JSON], _ steps: [Step], _ flags: [String] = []) throws {
        let folder = try Folder(["a.har": SmallArchive.text(archive)])
        let replay = try Proxy(["replay", "a.har"] + flags, in: folder)
        for (place, step) in steps.enumerated() {
            let wire = try Wire(port: replay.api)
            try wire.send(Wire.request(step.method, step.path, fields: step.fields))
            let answer = try wire.answer(toHead: step.method == "HEAD")
            let text = answer.status == 404 ? answer.json["detail"]?.stringValue ?? "" : answer.text
            let range = answer["Content-Range"].map { " [\($0)]" } ?? ""
            expectEqual(
                "\(answer.status)\(range) \(text)",
                step.expected,
                "\(place): \(step.method) \(step.path) \(step.fields)"
            )
        }
        try replay.stop()
    }

    @Test func `2 the fields of the request choose, then its media types, and each group has its own turn`() throws {
        let json = "application/json"
        try play(
            [
                Self.entry("/a", 200, "j1", sent: [("Accept", json)], type: json),
                Self.entry("/a", 200, "h1", sent: [("Accept", "text/html")], type: "text/html"),
                Self.entry("/a", 200, "j2", sent: [("Accept", json)], type: json),
                Self.entry("/l", 200, "sv", sent: [("Accept-Language", "sv")], fields: [("Vary", "Accept-Language")]),
                Self.entry("/l", 200, "ar", sent: [("Accept-Language", "ar")], fields: [("Vary", "Accept-Language")]),
                Self.entry("/v", 200, "one", sent: [("X-Tier", "1")], fields: [("Vary", "X-Tier, Cookie, User-Agent")]),
                Self.entry("/v", 200, "two", sent: [("X-Tier", "2"), ("Cookie", "a=1")], fields: [("Vary", "x-tier")]),
                Self.entry("/i", 200, "first", sent: [("User-Agent", "a"), ("X-Other", "1")]),
                Self.entry("/i", 200, "second", sent: [("User-Agent", "b"), ("X-Other", "2")]),
            ],
            [
                Self.step("/a", ["Accept: text/html"], "200 h1"), Self.step("/a", ["Accept: \(json)"], "200 j1"),
                // No entry has this text: those whose type it takes.
                Self.step("/a", ["Accept: application/*;q=0.5, text/html;q=0"], "200 j2"),
                Self.step("/a", ["Accept: application/*;q=0.5, text/html;q=0"], "200 j2"),
                Self.step("/a", ["Accept: \(json)"], "200 j2"), Self.step("/a", ["Accept: \(json)"], "200 j2"),
                // None of them, so all; without the field too.
                Self.step("/a", ["Accept: image/png"], "200 j1"), Self.step("/a", ["Accept: image/png"], "200 h1"),
                Self.step("/a", [], "200 j2"), Self.step("/a", ["Accept: */*"], "200 j2"),
                Self.step("/l", ["Accept-Language: ar"], "200 ar"), Self.step("/l", ["Accept-Language: sv"], "200 sv"),
                Self.step("/l", ["Accept-Language: en"], "200 sv"), Self.step("/l", ["Accept-Language: en"], "200 ar"),
                Self.step("/v", ["X-Tier: 2"], "200 two"), Self.step("/v", ["X-Tier: 1", "Cookie: b=2"], "200 one"),
                Self.step("/v", ["X-Tier: 2", "User-Agent: x"], "200 two"),
                // What no `Vary` names changes nothing.
                Self.step("/i", ["User-Agent: b", "X-Other: 2"], "200 first"),
                Self.step("/i", ["User-Agent: a"], "200 second"),
            ]
        )
    }

    @Test func `2 a 304 is sent to a fitting condition, and any other request gets its 200`() throws {
        let (none, since) = ("If-None-Match", "If-Modified-Since")
        let day = "Wed, 01 Jan 2025 12:00:00 GMT"
        try play(
            [
                Self.entry("/p", 200, "one", fields: [("ETag", #""v1""#)]),
                Self.entry("/p", 304, sent: [(none, #""v1""#)], fields: [("ETag", #"W/"v1""#)]),
                Self.entry("/cold", 304, sent: [(none, #""x""#)], fields: [("ETag", #""x""#)]),
                Self.entry("/cold", 200, "later", fields: [("ETag", #""y""#)]),
                Self.entry("/kept", 304, "text", sent: [(none, #""k""#)]),
                Self.entry("/date", 304, sent: [(since, day)]),
                Self.entry("/date", 200, "dated", fields: [("Last-Modified", day)]),
                Self.entry("/later", 304, sent: [(none, #""l""#)], fields: [("ETag", #""l""#)]),
                Self.entry("/later", 200, "l", fields: [("ETag", #""l""#)]),
            ],
            [
                Self.step("/p", ["\(none): \"v1\""], "304 "), Self.step("/p", [], "200 one"),
                Self.step("/p", ["\(none): \"zzz\""], "200 one"), Self.step("/p", ["\(none): \"a\", W/\"v1\""], "304 "),
                Self.step("/p", ["\(none): *"], "304 "), Self.step("/p", [], "200 one"),
                Self.step(
                    "/cold",
                    [],
                    "404 Entry 2 matches GET /cold, but it is a 304, which answers a request with its condition alone, and the"
                        + " recording does not have the 200 with its entity tag. The nearest entries are listed."
                ),
                Self.step("/cold", [], "200 later"), Self.step("/cold", ["\(none): \"y\""], "304 "),
                Self.step("/kept", [], "200 text"), Self.step("/kept", ["\(none): \"k\""], "304 "),
                Self.step("/date", ["\(since): Wed, 01 Jan 2025 12:00:01 GMT"], "304 "),
                Self.step("/date", ["\(since): Wed, 01 Jan 2025 11:59:59 GMT"], "200 dated"),
                Self.step("/later", [], "200 l"), Self.step("/later", [], "200 l"),
            ]
        )
        // The condition comes first.
        try play(
            [Self.entry("/c", 304, sent: [(none, #""x""#)], fields: [("ETag", #""x""#)])],
            [Self.step("/c", ["\(none): \"x\""], "304 "), Self.step("/c", ["\(none): \"x\""], "304 ")]
        )
    }

    @Test func `2 a 206 answers the ranges within it, and no other request`() throws {
        func part(_ path: String, _ range: String, _ total: String, _ text: String, _ tag: String = #""t""#) -> JSON {
            Self.entry(
                path,
                206,
                text,
                sent: [("Range", "bytes=\(range)")],
                fields: [
                    ("Content-Range", "bytes \(range)/\(total)"), ("ETag", tag), ("Content-Length", "\(text.count)"),
                ]
            )
        }
        let missing =
            "404 The recording has only parts of GET /m: the bytes 0-1/8, 2-5/8. The nearest entries are listed."
        try play(
            [
                part("/m", "0-1", "8", "ab"), part("/m", "2-5", "8", "cdef"), part("/w", "0-3", "4", "wxyz"),
                part("/u", "4-7", "*", "efgh"), part("/both", "0-1", "8", "AB"), Self.entry("/both", 200, "ABCDEFGH"),
                Self.entry("/old", 200, "12345678", sent: [("Range", "bytes=0-3")]),
                Self.entry("/none", 200, "12345678", fields: [("Accept-Ranges", "none")]),
                Self.entry("/end", 416, sent: [("Range", "bytes=9-")], fields: [("Content-Range", "bytes */8")]),
                Self.entry("/end", 200, "12345678"),
            ],
            [
                Self.step("/m", ["Range: bytes=2-5"], "206 [bytes 2-5/8] cdef"),
                Self.step("/m", ["Range: bytes=0-1"], "206 [bytes 0-1/8] ab"),
                Self.step("/m", ["Range: bytes=3-4"], "206 [bytes 3-4/8] de"),
                Self.step("/m", ["Range: bytes=0-1", #"If-Range: "t""#], "206 [bytes 0-1/8] ab"),
                Self.step("/m", ["Range: bytes=0-1", #"If-Range: "u""#], missing), Self.step("/m", [], missing),
                Self.step("/m", ["Range: bytes=1-2"], missing), Self.step("/m", ["Range: bytes=0-"], missing),
                Self.step("/m", ["Range: bytes=-2"], missing), Self.step("/m", ["Range: bytes=100-199"], missing),
                Self.step("/w", [], "200 wxyz"), Self.step("/w", ["Range: bytes=1-"], "206 [bytes 1-3/4] xyz"),
                Self.step("/w", ["Range: bytes=-1"], "206 [bytes 3-3/4] z"),
                Self.step("/w", ["Range: bytes=4-"], "416 [bytes */4] "),
                Self.step("/u", ["Range: bytes=5-6"], "206 [bytes 5-6/*] fg"),
                Self.step("/both", ["Range: bytes=1-1"], "206 [bytes 1-1/8] B"),
                Self.step("/both", ["Range: bytes=4-5"], "206 [bytes 4-5/8] EF"),
                Self.step("/both", [], "200 ABCDEFGH"),
                Self.step("/old", ["Range: bytes=0-3"], "200 12345678"),
                Self.step("/none", ["Range: bytes=0-3"], "200 12345678"),
                Self.step("/end", [], "200 12345678"), Self.step("/end", ["Range: bytes=9-"], "416 [bytes */8] "),
                Self.step("/end", ["Range: bytes=6-"], "206 [bytes 6-7/8] 78"),
            ]
        )
    }

    @Test func `2 a recorded 200 is a content with the validators that it has`() throws {
        let day = "Wed, 01 Jan 2025 12:00:00 GMT"
        try play(
            [
                Self.entry("/t", 200, "12345678", fields: [("ETag", #""t""#)]),
                Self.entry("/d", 200, "12345678", fields: [("Last-Modified", day)]), Self.entry("/n", 200, "12345678"),
            ],
            [
                Self.step("/t", ["Range: bytes=2-3"], "206 [bytes 2-3/8] 34"),
                Self.step("/t", ["Range: bytes=2-3", #"If-Range: "old""#], "200 12345678"),
                Self.step("/t", [#"If-None-Match: "t""#], "304 "), Self.step("/t", [#"If-Match: "old""#], "412 "),
                Self.step("/t", ["Range: bytes=8-"], "416 [bytes */8] "),
                Self.step("/t", ["Range: bytes=2-3"], "200 ", method: "HEAD"),
                Self.step("/d", ["If-Modified-Since: \(day)"], "304 "),
                Self.step("/d", ["Range: bytes=0-0", "If-Range: \(day)"], "206 [bytes 0-0/8] 1"),
                Self.step("/n", [#"If-None-Match: "t""#], "200 12345678"),
                Self.step("/n", ["Range: bytes=7-"], "206 [bytes 7-7/8] 8"),
            ]
        )
    }

    @Test func `2 exhausted counts the turns of a group, and a 304 that can't be sent is a miss`() throws {
        let miss =
            "404 No entry of the recording matches GET /a, or each has been served. The nearest entries are listed."
        try play(
            ["one", "two", "three"].map {
                Self.entry("/a", 200, $0, sent: [("Accept", $0 == "one" ? "text/a" : "text/b")])
            },
            [
                Self.step("/a", ["Accept: text/a"], "200 one"), Self.step("/a", ["Accept: text/a"], miss),
                Self.step("/a", ["Accept: text/b"], "200 two"), Self.step("/a", ["Accept: text/b"], "200 three"),
                Self.step("/a", ["Accept: text/b"], miss),
            ],
            ["--exhausted", "fail"]
        )
        let cold = Self.entry("/cold", 304, sent: [("If-None-Match", #""x""#)], fields: [("ETag", #""x""#)])
        let folder = try Folder(["a.har": SmallArchive.text([cold])])
        let replay = try Proxy(["replay", "a.har", "--miss", "503"], in: folder)
        try expectEqual(replay.ask("GET", "/cold").status, 503)
        try replay.stop()
    }

    @Test func `2 validate and new list the 304s whose 200 is not in the file`() throws {
        let condition = [(name: "If-None-Match", value: #""x""#)]
        let archive = SmallArchive.text([
            Self.entry("/lone", 304, sent: condition), Self.entry("/kept", 304, "text", sent: condition),
            Self.entry("/there", 304, sent: condition), Self.entry("/there", 200, "x", fields: [("ETag", #"W/"x""#)]),
            Self.entry("/other", 304, sent: condition), Self.entry("/other", 200, "y", fields: [("ETag", #""y""#)]),
        ])
        let folder = try Folder(["a.har": archive])
        let note = "only requests with its condition get this 304, because its 200 is not in the file"
        for command in [["validate", "a.har"], ["new", "shop", "--har", "a.har"]] {
            let result = try Program.run(command, in: folder)
            expectEqual(result.status, 0)
            let lines = (result.output + result.errors).split(separator: "\n").filter { $0.contains(note) }
            expectEqual(lines.count, 2, "\(command): \(result.output)\(result.errors)")
            for (line, place) in zip(lines, [0, 4]) { #expect(line.contains("$.log.entries[\(place)]"), "\(line)") }
        }
    }
}
