import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: requests of a recording by what the archive has of them.
@Suite(.serialized) struct RequestContentTests {
    private static let multipart = "multipart/form-data; boundary=b"

    private static func form(_ parts: [(head: String, content: String)], _ boundary: String = "b") -> String {
        parts.map { "--\(boundary)\r\nContent-Disposition: form-data; \($0.head)\r\n\r\n\($0.content)\r\n" }.joined()
            + "--\(boundary)--\r\n"
    }

    private static func file(_ name: String, _ content: String) -> (head: String, content: String) {
        ("name=\"\(name)\"; filename=\"\(name).bin\"", content)
    }

    private static func ask(
        _ replay: Proxy,
        _ target: String,
        _ type: String = "",
        _ body: String = ""
    ) throws -> WireAnswer {
        let wire = try Wire(port: replay.api)
        try wire.send(Wire.request(type.isEmpty ? "GET" : "POST", target, body: Array(body.utf8), type: type))
        return try wire.answer()
    }

    // MARK: Exact matches

    @Test func `13 of requests that differ in a link to a recorded host alone, the one that was sent comes first`()
        throws
    {
        let hosts = ["https://api.example.com", "http://cdn.example.org:8080", "//img.example.net"]
        let forms: [(name: String, type: String, text: (String) -> String)] = [
            ("query", "", { "/go?next=\($0)/a&x=1" }),
            (
                "escaped", "",
                {
                    "/esc?next="
                        + $0.replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: "/", with: "%2F")
                        + "%2Fa"
                }
            ),
            ("secret", "text/plain", { "open \($0)/a?token=\(UUID().uuidString)" }),
            ("json", "application/json", { #"{"a":[{"url":"\#($0)/a"}]}"# }),
            ("form", "application/x-www-form-urlencoded", { "next=\($0)/a" }),
            ("text", "text/plain", { "see \($0)/a, please" }),
            ("ndjson", "application/x-ndjson", { "{\"u\":\"\($0)/a\"}\n" }),
            ("part", Self.multipart, { Self.form([("name=\"u\"", "\($0)/a")]) }),
        ]
        var entries = [
            RecordedEntry("GET", "https://img.example.net/x", answer: "{}"),
            RecordedEntry("GET", "http://cdn.example.org:8080/x", answer: "{}"),
        ]
        for (name, type, text) in forms {
            for (place, host) in hosts.enumerated() {
                let sent = text(host)
                entries.append(
                    RecordedEntry(
                        type.isEmpty ? "GET" : "POST",
                        "https://api.example.com" + (type.isEmpty ? sent : "/\(name)"),
                        type: type,
                        body: type.isEmpty ? nil : sent,
                        answer: #"{"n":\#(place)}"#
                    )
                )
            }
        }
        let folder = try Folder(["links.har": RecordedEntry.archive(entries)])
        for flags in [[], ["--keep-links"]] {
            let replay = try Proxy(["replay", "links.har"] + flags, in: folder)
            for (name, type, text) in forms {
                // Twice each, and not in the recorded order.
                for place in [1, 1, 0, 0, 1] {
                    let sent = text(hosts[place])
                    let target = type.isEmpty ? sent : "/\(name)"
                    let found = try Self.ask(replay, target, type, type.isEmpty ? "" : sent)
                    expectEqual(found.text, #"{"n":\#(place)}"#, "\(name) \(flags)")
                }
            }
            try replay.stop()
        }
        // A client that was led here gets them in the recorded order.
        let replay = try Proxy(["replay", "links.har"], in: folder)
        for place in [0, 1, 1] {
            let target = "/go?next=http%3A%2F%2F127.0.0.1%3A\(replay.api)/a&x=1"
            let wire = try Wire(port: replay.api)
            try wire.send(Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(replay.api)\r\n\r\n".utf8))
            try expectEqual(wire.answer().text, #"{"n":\#(place)}"#)
        }
        try replay.stop()
    }

    @Test func `13 the files that the archive has tell forms apart, and one that it lacks is any`() throws {
        func upload(_ parts: [(head: String, content: String)], _ answer: Int) -> RecordedEntry {
            RecordedEntry(
                "POST",
                "https://a.example/u",
                type: Self.multipart,
                body: Self.form(parts),
                answer: "{\"n\":\(answer)}"
            )
        }
        let title = ("name=\"title\"", "Cat")
        let entries = [
            upload([title, Self.file("k", "one"), Self.file("x", "")], 1),
            upload([title, Self.file("k", "two"), Self.file("x", "(binary)")], 2),
            upload([title, Self.file("k", ""), Self.file("x", "three")], 3),
            upload([title, Self.file("k", ""), Self.file("x", "\u{FFFD}")], 4),
        ]
        let folder = try Folder(["forms.har": RecordedEntry.archive(entries)])
        let replay = try Proxy(["replay", "forms.har"], in: folder)
        for (known, other, found) in [
            ("two", "any", 2), ("one", "any", 1), ("two", "other", 2), ("four", "three", 3), ("four", "any", 4),
            ("one", "", 1),
        ] {
            let body = Self.form([title, Self.file("k", known), Self.file("x", other)], "z")
            let answer = try Self.ask(replay, "/u", "multipart/form-data; boundary=z", body)
            expectEqual(answer.text, "{\"n\":\(found)}", "\(known) \(other)")
        }
        for parts in [
            [title, Self.file("k", "one")], [Self.file("k", "one"), Self.file("x", "y")],
            [title, Self.file("k", "one"), ("name=\"x\"", "y")],
        ] {
            let body = Self.form(parts, "z")
            try expectEqual(Self.ask(replay, "/u", "multipart/form-data; boundary=z", body).status, 404)
        }
        let turned = Self.form([title, Self.file("x", "a"), Self.file("k", "b")], "z")
        let miss = try Self.ask(replay, "/u", "multipart/form-data; boundary=z", turned)
        expectEqual(miss.json["nearest"]?[0]?["differs"], "body: the parts are in another order")
        try replay.stop()
    }

    // MARK: Reading

    private static func entry(_ path: String, _ type: String, _ post: JSON?, size: Int = -1) -> RecordedEntry {
        var entry = RecordedEntry("POST", "https://a.example\(path)")
        (entry.post, entry.bodySize) = (post, size)
        if !type.isEmpty { entry.requestFields = [("Content-Type", type)] }
        return entry
    }

    /// Contents that an archive has in a wrong form, or not at all; what its notes say, and what is matched: nil for
    /// any content.
    private static let contents: [(entry: RecordedEntry, note: String, text: String?)] = {
        let form = "application/x-www-form-urlencoded"
        let out = "postData: the content of the request was left out"
        return [
            (entry("/typed", "image/png", nil), out, nil), (entry("/sized", "text/plain", nil, size: 9), out, nil),
            (
                entry("/comment", "text/plain", ["mimeType": "text/plain", "comment": "left out: 9 bytes"], size: 0),
                out,
                nil
            ),
            (
                entry(
                    "/cut",
                    "text/plain",
                    ["mimeType": "", "text": "ab", "comment": "the first 2 of 9 bytes; the journal keeps no more"]
                ), out, nil
            ),
            (entry("/number", "text/plain", 5), "postData: must be an object, found number", nil),
            (entry("/list", "text/plain", ["x"]), "postData: must be an object, found array", nil),
            (
                entry("/params", form, ["mimeType": .string(form), "params": ["a": 1]]),
                "postData.params: must be an array, found object; it is not read", nil
            ),
            (
                entry("/string", "text/plain", "a=1&b=2"),
                "postData: must be an object, found a string; it is used as the content", "a=1&b=2"
            ),
            (
                entry("/nameless", form, ["mimeType": "", "params": [["value": "x"], ["name": "a", "value": 2]]]),
                "postData.params: a parameter has no name; it is not read", "a=2"
            ),
            (
                entry("/json", "application/json", ["mimeType": "", "text": ["a": 1]]),
                "postData.text: must be a string, found object; its JSON is used", #"{"a":1}"#
            ),
            (
                entry(
                    "/file",
                    multipart,
                    ["mimeType": .string(multipart), "text": .string(Self.form([file("f", "")]))],
                    size: 900
                ), "postData: a file of the form was left out", Self.form([file("f", "any")])
            ),
        ]
    }()

    @Test func `13 what an archive has of a request in the wrong form, or not, is listed and never lost`() throws {
        let folder = try Folder(["c.har": RecordedEntry.archive(Self.contents.map(\.entry))])
        for found in [
            try Program.run(["validate", "c.har"], in: folder),
            try Program.run(["new", "c", "--har", "c.har"], in: folder),
        ] {
            expectEqual(found.status, 0)
            for (place, one) in Self.contents.enumerated() {
                let all = found.output + found.errors
                // Equal notes are listed at their first places.
                let line = all.split(separator: "\n").first { $0.contains(one.note.drop { $0 != ":" }) } ?? ""
                #expect(line.contains("$.log.entries[\(place)].request.postData"), "\(one.note): \(all)")
            }
        }
        let replay = try Proxy(["replay", "c.har"], in: folder)
        for one in Self.contents {
            let path = String(one.entry.url.dropFirst("https://a.example".count))
            let type = one.entry.requestFields.first?.value ?? ""
            try expectEqual(Self.ask(replay, path, type, one.text ?? "whatever").status, 200, path)
            try expectEqual(Self.ask(replay, path, type, "other").status, one.text == nil ? 200 : 404, path)
        }
        try replay.stop()
    }

    @Test func `13 contents of which the archive has a part match any request, and never answer`() throws {
        let marks: [(name: String, value: JSON)] = [
            ("_truncated", true), ("comment", "the first 7 of 90000 bytes; the journal keeps no more"),
            ("comment", "7 of 90 bytes came"), ("comment", "Truncated by the tool"),
        ]
        var entries: [RecordedEntry] = []
        for (place, mark) in marks.enumerated() {
            var sent = Self.entry("/sent/\(place)", "application/json", nil)
            var part: JSONObject = ["mimeType": "application/json", "text": #"{"a":"b"#]
            part.append(mark.name, mark.value)
            sent.post = .object(part)
            var answer = RecordedEntry("GET", "https://a.example/answer/\(place)")
            part.append("size", 90_000)
            answer.content = .object(part)
            entries += [sent, answer]
        }
        let replay = try Proxy(["replay", "cut.har"], in: Folder(["cut.har": RecordedEntry.archive(entries)]))
        for place in marks.indices {
            let sent = try Self.ask(replay, "/sent/\(place)", "application/json", #"{"a":"bcd"}"#)
            expectEqual(sent.status, 200, "\(marks[place])")
            let missed = try Self.ask(replay, "/answer/\(place)")
            expectEqual(missed.status, 404, "\(marks[place])")
            #expect(missed.text.contains("does not have the content"), "\(missed.text)")
        }
        try replay.stop()
    }

    @Test func `13 a note tells its first places, and how many more there are`() throws {
        let folder = try Folder()
        for (count, more) in [
            (1, ""), (2, " (2 times, also at $.log.entries[1].request.postData)"),
            (
                4,
                " (4 times, also at $.log.entries[1].request.postData, $.log.entries[2].request.postData, $.log.entries[3].request.postData)"
            ),
            (
                7,
                " (7 times, also at $.log.entries[1].request.postData, $.log.entries[2].request.postData, $.log.entries[3].request.postData and at 3 more)"
            ),
        ] {
            try folder.write(
                "n.har",
                RecordedEntry.archive((0..<count).map { Self.entry("/\($0)", "image/png", nil) })
            )
            let found = try Program.run(["validate", "n.har"], in: folder)
            let all = found.output + found.errors
            #expect(
                all.contains("postData: the content of the request was left out\(more)\n"),
                "\(count): \(all)"
            )
        }
    }

    @Test func `13 text beyond US-ASCII is sent as UTF-8, and its type says so`() throws {
        for (text, type, sent) in [
            ("<p>é</p>", "text/html; charset=us-ascii", "text/html; charset=utf-8"),
            ("<p>é</p>", "text/html;charset=\"ASCII\"", "text/html;charset=utf-8"),
            ("<p>e</p>", "text/html; charset=us-ascii", "text/html; charset=us-ascii"),
        ] {
            let entry = SmallArchive.entry(fields: [("Content-Type", type)], text: text, type: type)
            let replay = try Proxy(["replay", "a.har"], in: Folder(["a.har": SmallArchive.text([entry])]))
            let answer = try replay.ask("GET", "/x")
            expectEqual(answer.text, text)
            expectEqual(answer["Content-Type"], sent)
            try replay.stop()
        }
    }
}
