import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: several hosts in the recordings of one replay.
@Suite(.serialized) struct RecordedHostTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let json = "application/json"

    /// Requests that name a host, which is met elsewhere in the recording.
    private static let naming: [(method: String, target: String, type: String, body: String?)] = [
        ("GET", "/go?next=https%3A%2F%2Fcdn.example.org%2Fx", "", nil),
        ("GET", "/go?next=https://cdn.example.org/x", "", nil),
        ("POST", "/json", json, #"{"url":"https://cdn.example.org/x","n":{"at":["http:\/\/cdn.example.org\/y"]}}"#),
        ("POST", "/form", form, "redirect_uri=https%3A%2F%2Fcdn.example.org%2Fcb&a=1"),
        ("PUT", "/text", "text/plain", "see https://cdn.example.org/x"),
    ]

    private static var namingEntries: [RecordedEntry] {
        naming.enumerated().map { place, one in
            RecordedEntry(
                one.method,
                "https://api.example.com" + one.target,
                type: one.type,
                body: one.body,
                answer: #"{"n":\#(place)}"#
            )
        }
    }

    private static func ask(_ port: Int) throws -> [String] {
        try naming.map { one in
            let wire = try Wire(port: port)
            let body = Array((one.body ?? "").utf8)
            try wire.send(Wire.request(one.method, one.target, body: body, type: one.type))
            let answer = try wire.answer()
            return "\(answer.status) \(answer.text)"
        }
    }

    private static let expected = naming.indices.map { "200 {\"n\":\($0)}" }

    @Test func `13 a host counts as the backend's wherever in the recordings it is met`() throws {
        let other = RecordedEntry("GET", "https://cdn.example.org/x", answer: "{}")
        let folder = try Folder([
            "late.har": RecordedEntry.archive(Self.namingEntries + [other]),
            "early.har": RecordedEntry.archive([other] + Self.namingEntries),
            "naming.har": RecordedEntry.archive(Self.namingEntries), "other.har": RecordedEntry.archive([other]),
        ])
        for command in [
            ["late.har"], ["early.har"], ["naming.har", "other.har"], ["other.har", "naming.har"],
            ["late.har", "--keep-links"],
        ] {
            let replay = try Proxy(["replay"] + command, in: folder)
            try expectEqual(Self.ask(replay.api), Self.expected, "\(command)")
            try replay.stop()
        }
        try expectEqual(Program.run(["new", "shop", "--har", "naming.har", "other.har"], in: folder).status, 0)
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let port = served.ready["apis"]?["shop"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0
        try expectEqual(Self.ask(port), Self.expected)
    }

    @Test func `13 there is no number of hosts after which one does not count`() throws {
        let hosts = (0..<300).map { "h\($0).example" }
        let entries = hosts.enumerated().map { place, host in
            RecordedEntry(
                "GET",
                "https://\(host)/go?u=https%3A%2F%2F\(hosts[hosts.count - 1 - place])%2Fx",
                answer: "{\"next\":\"https://\(host)/n\"}"
            )
        }
        let folder = try Folder(["many.har": RecordedEntry.archive(entries)])
        let replay = try Proxy(["replay", "many.har"], in: folder)
        for place in [0, 63, 64, 65, 299] {
            let answer = try replay.ask("GET", "/go?u=https%3A%2F%2F\(hosts[place])%2Fx")
            expectEqual(answer.status, 200, "\(place)")
            #expect(answer.text.hasPrefix("{\"next\":\"http://127.0.0.1"), "\(answer.text)")
        }
        try expectEqual(replay.ask("GET", "/go?u=https%3A%2F%2Fh300.example%2Fx").status, 404)
        try replay.stop()
    }

    private static let mixed = RecordedEntry.archive([
        RecordedEntry("GET", "https://analytics.example/v1/config", answer: #"{"of":"analytics"}"#),
        RecordedEntry("GET", "https://api.example.com:8443/v1/config", answer: #"{"of":"api 1"}"#),
        RecordedEntry("GET", "https://api.example.com:8443/v1/config", answer: #"{"of":"api 2"}"#),
        RecordedEntry("GET", "data:,x", answer: "{}"),
    ])

    @Test func `13 a request that names a recorded host is answered by its entries`() throws {
        let folder = try Folder(["mixed.har": Self.mixed])
        let replay = try Proxy(["replay", "mixed.har"], in: folder)
        func of(_ host: String) throws -> String? {
            let wire = try Wire(port: replay.api)
            try wire.send(Array("GET /v1/config HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
            return try wire.answer().json["of"]?.stringValue
        }
        for (host, found) in [
            ("api.example.com:8443", "api 1"), ("API.example.com:8443", "api 2"), ("api.example.com:8443", "api 2"),
            ("analytics.example", "analytics"), ("analytics.example:443", "analytics"), ("other.example", "analytics"),
            ("127.0.0.1", "api 1"), ("127.0.0.1", "api 2"),
        ] {
            try expectEqual(of(host), found, "\(host)")
        }
        try replay.stop()
    }

    @Test func `13 only the entries of wanted hosts are replayed and taken over`() throws {
        let folder = try Folder(["mixed.har": Self.mixed])
        for (globs, found) in [
            (["api.example.com"], "api 1"), (["*.example.com"], "api 1"), (["API.example.com:8443"], "api 1"),
            (["analytics.*", "none"], "analytics"), (["*"], "analytics"),
            (["analytics.example", "api.*"], "analytics"),
        ] {
            let replay = try Proxy(["replay", "mixed.har", "--host"] + globs, in: folder)
            try expectEqual(replay.ask("GET", "/v1/config").json["of"]?.stringValue, found, "\(globs)")
            try replay.stop()
        }
        let made = try Program.run(["new", "shop", "--har", "mixed.har", "--host", "api.*"], in: folder)
        #expect(
            made.output.contains("mixed.har:1: $.log.entries: 2 of other hosts; left out"),
            "\(made.output)\(made.errors)"
        )
        let text = try String(
            contentsOf: folder.url.appendingPathComponent("apis/shop/recordings/mixed.har"),
            encoding: .utf8
        )
        #expect(text.contains("api.example.com") && !text.contains("analytics"))
        try expectEqual(Program.run(["new", "zoo", "--host", "api.*"], in: folder).status, 2)
    }

    @Test func `13 an address without a scheme leads here too, and so does every spelling of one`() throws {
        var entry = RecordedEntry("GET", "https://a.example/r", 302)
        entry.content = ["size": 0, "mimeType": "x-unknown"]
        let spellings = [
            "//a.example/3", "https://a.example:443/3", "http://a.example/3", "HTTPS://A.EXAMPLE/3",
            "//A.example:443/3",
        ]
        let entries = spellings.enumerated().map { place, spelling in
            var one = entry
            one.url = "https://a.example/r\(place)"
            one.fields = [
                ("Location", spelling), ("Link", "<\(spelling)>; rel=next, <//b.example/4>; rel=other"),
                ("Refresh", "0; url=\(spelling)"), ("X-Other", "x//a.example/3"),
            ]
            return one
        }
        var page = RecordedEntry("GET", "https://a.example/page")
        page.content = [
            "size": -1, "mimeType": "text/html",
            "text": #"<img src="//a.example/i.png"><a href='//b.example/'>a//a.example/</a>"#,
        ]
        let folder = try Folder(["links.har": RecordedEntry.archive(entries + [page])])
        let replay = try Proxy(["replay", "links.har"], in: folder)
        for place in spellings.indices {
            let answer = try replay.ask("GET", "/r\(place)")
            expectEqual(answer.status, 302)
            expectEqual(answer["Location"], "http://127.0.0.1/3", "\(spellings[place])")
            expectEqual(answer["Link"], "<http://127.0.0.1/3>; rel=next, <//b.example/4>; rel=other")
            expectEqual(answer["Refresh"], "0; url=http://127.0.0.1/3")
            expectEqual(answer["X-Other"], "x//a.example/3")
        }
        try expectEqual(
            replay.ask("GET", "/page").text,
            #"<img src="http://127.0.0.1/i.png"><a href='//b.example/'>a//a.example/</a>"#
        )
        try replay.stop()
    }

    // MARK: Nothing to replay

    @Test func `13 an archive without entries, or with those of other hosts alone, is refused with the hosts`() throws {
        let folder = try Folder([
            "none.har": RecordedEntry.archive([]),
            "one.har": RecordedEntry.archive([RecordedEntry("GET", "https://a.example/x", answer: "{}")]),
            "many.har": RecordedEntry.archive(
                (0..<22).map { RecordedEntry("GET", "https://h\($0).example:8443/x", answer: "{}") }
            ),
        ])
        let named = (0..<20).map { "h\($0).example:8443" }.joined(separator: ", ")
        for (files, hosts, reason) in [
            (["none.har"], [], "none.har"), (["one.har", "none.har"], [], "none.har"),
            (["one.har"], ["b.*"], "no entry has a host that matches b.*; the hosts are a.example\n"),
            (
                ["one.har", "many.har"], ["b.*", "c"],
                "no entry has a host that matches b.* or c; the hosts are a.example, "
                    + named.replacingOccurrences(of: ", h19.example:8443", with: "") + " and 3 more\n"
            ),
        ] {
            let flags = hosts.isEmpty ? [] : ["--host"] + hosts
            for command in [
                ["replay"] + files + ["--api", "x", "--port", "0"] + flags, ["new", "x", "--har"] + files + flags,
            ] {
                let found = try Program.run(command, in: folder)
                expectEqual(found.status, command[0] == "new" ? 2 : 1, "\(command)")
                #expect(found.errors.contains(reason), "\(command): \(found.errors)")
                if hosts.isEmpty {
                    #expect(found.errors.contains("$.log.entries: there are no entries"), "\(found.errors)")
                }
            }
            expectEqual(FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("apis").path), false)
        }
        let judged = try Program.run(["conduct", "one.har", "--host", "b.*"], in: folder)
        expectEqual(judged.status, 0, "\(judged.output)")
        #expect(
            judged.errors.contains(
                "warning: nothing is judged: no entry has a host that matches b.*; the hosts are a.example\n"
            )
        )
        let noted = try Program.run(["validate", "none.har"], in: folder)
        #expect((noted.output + noted.errors).contains("$.log.entries: there are no entries"), "\(noted.output)")
    }
}
