import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, Import: an odd entry is left out and named, and a file that is no archive is named.
@Suite struct OddEntryTests {
    private static let sound = SmallArchive.entry("http://b.test/api/v1/sound", text: #"{"sound":true}"#).text

    /// The text of an odd entry, and parts of what is said about it.
    private static func odd() -> [(text: String, said: [String])] {
        func changed(_ changes: [(path: [JSONPathElement], value: JSON?)]) -> String {
            var entry = SmallArchive.entry("http://b.test/api/v1/odd")
            for change in changes { entry = entry.putting(change.value, at: change.path[...]) }
            return entry.text
        }
        let plain = SmallArchive.entry("http://b.test/api/v1/odd").text
        return [
            (changed([(["request", "url"], "")]), ["$.log.entries[1].request.url"]),
            (changed([(["request", "url"], .null)]), ["$.log.entries[1].request.url"]),
            (changed([(["request", "method"], "")]), ["$.log.entries[1].request.method"]),
            (changed([(["request", "method"], .null)]), ["$.log.entries[1].request.method"]),
            (changed([(["request", "method"], nil)]), ["$.log.entries[1].request.method"]),
            (changed([(["request", "method"], "GE T")]), ["$.log.entries[1].request.method"]),
            (changed([(["request"], nil)]), ["$.log.entries[1].request"]),
            (changed([(["request", "headers"], [:])]), ["$.log.entries[1].request.headers"]),
            (changed([(["response", "headers"], [["value": "x"]])]), ["$.log.entries[1].response.headers[0].name"]),
            (
                changed([(["request", "queryString"], [["value": "x"]])]),
                ["$.log.entries[1].request.queryString[0].name"]
            ),
            (
                changed([(["request", "method"], 7), (["request", "url"], 7), (["response", "headers"], 7)]),
                [
                    "$.log.entries[1].request.method", "$.log.entries[1].request.url",
                    "$.log.entries[1].response.headers",
                ]
            ),
            ("null", ["$.log.entries[1]"]), ("17", ["$.log.entries[1]"]), ("[]", ["$.log.entries[1]"]),
            (plain.replacingOccurrences(of: #""time":6"#, with: #""time":NaN"#), ["$.log.entries[1]"]),
            (String(plain.dropLast()) + ",}", ["$.log.entries[1]"]),
        ]
    }

    @Test func `13 an odd entry is left out and named, and the others are replayed`() throws {
        for (text, said) in Self.odd() {
            let archive =
                #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[\#(Self.sound),"#
                + "\n\(text),\n\(Self.sound.replacingOccurrences(of: "sound", with: "later"))]}}"
            let folder = try Folder(["a.har": archive])
            let checked = try Program.run(["validate", "a.har"], in: folder)
            expectEqual(checked.status, 1, "\(text): \(checked.output)\(checked.errors)")
            for place in said {
                #expect((checked.output + checked.errors).contains("a.har:2: \(place): "), "\(text): \(checked.output)")
            }
            let replay = try Proxy(["replay", "a.har"], in: folder)
            try expectEqual(replay.ask("GET", "/api/v1/sound").text, #"{"sound":true}"#, "\(text)")
            try expectEqual(replay.ask("GET", "/api/v1/later").text, #"{"later":true}"#, "\(text)")
            try expectEqual(replay.ask("GET", "/api/v1/odd").status, 404, "\(text)")
            for command in [["conduct", "a.har"], ["diff", "a.har", "--api", "omnichat"]] {
                let run = try Program.run(command, in: folder)
                #expect(!run.errors.contains("entries[1]: must") || run.status != 2, "\(command): \(run.errors)")
            }
            try expectEqual(Program.run(["new", "shop", "--har", "a.har"], in: folder).status, 0, "\(text)")
        }
    }

    @Test func `13 an archive without a usable entry is refused, and validate tells every mistake of it`() throws {
        let entry = SmallArchive.entry("").putting(7, at: ["request", "method"])
        let folder = try Folder(["a.har": SmallArchive.text([entry])])
        let checked = try Program.run(["validate", "a.har"], in: folder)
        expectEqual(checked.status, 1)
        for member in ["method", "url"] {
            #expect((checked.output + checked.errors).contains("a.har:1: $.log.entries[0].request.\(member): must be"))
        }
        // The notes of an entry that is left out, and those before a broken structure, are told too.
        let odd = entry.putting("200", at: ["response", "status"])
        let note = ".response.status: the status is a string"
        try folder.write("odd.har", SmallArchive.text([odd]))
        let noted = try Program.run(["validate", "odd.har"], in: folder)
        #expect(noted.status == 1 && (noted.output + noted.errors).contains("entries[0]\(note)"), "\(noted.output)")
        try folder.write("cut.har", String(SmallArchive.text([odd, odd]).dropLast(9)))
        let cut = try Program.run(["validate", "cut.har"], in: folder)
        #expect(cut.status == 1 && (cut.output + cut.errors).contains("entries[0]\(note)"), "\(cut.output)")
        for command in [["replay", "a.har", "--api", "omnichat", "--port", "0"], ["new", "shop", "--har", "a.har"]] {
            let run = try Program.run(command, in: folder)
            #expect(run.status != 0 && run.errors.contains("$.log.entries[0].request.method: must be"), "\(run.errors)")
        }
    }

    @Test func `13 a broken structure is still refused with its place`() throws {
        for end in ["", "]", "]}", "}]}}", "]}}}", ",,]}}"] {
            let archive = #"{"log":{"version":"1.2","entries":[\#(Self.sound)\#(end)"#
            let folder = try Folder(["a.har": archive])
            let checked = try Program.run(["validate", "a.har"], in: folder)
            expectEqual(checked.status, 1, "\(end): \(checked.output)")
            #expect((checked.output + checked.errors).contains("a.har:1: $"), "\(end): \(checked.output)")
        }
    }

    @Test func `13 a file that is no JSON in UTF-8 is named by its kind, wherever it is read`() throws {
        let text = SmallArchive.text([SmallArchive.entry("http://b.test/api/v1/x")])
        let wide = Array(text.utf16)
        func bytes(big: Bool, mark: Bool) -> [UInt8] {
            ((mark ? [0xFEFF] : []) + wide).flatMap { unit in
                let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
                return big ? [high, low] : [low, high]
            }
        }
        let kinds: [(bytes: [UInt8], said: String)] = [
            (bytes(big: false, mark: true), "UTF-16"), (bytes(big: true, mark: true), "UTF-16"),
            (bytes(big: false, mark: false), "UTF-16"), (bytes(big: true, mark: false), "UTF-16"),
            (Deflate.compress(Array(text.utf8), .gzip) ?? [], "gzip"),
            ([0x50, 0x4B, 0x03, 0x04, 0x14, 0] + Array(text.utf8), "zip"),
            ([0x28, 0xB5, 0x2F, 0xFD, 0x24] + Array(text.utf8), "zstd"),
        ]
        for (bytes, said) in kinds {
            let folder = try Folder(["apis/own/api.json": "{}"])
            for name in ["a.har", "a.har.zip", "apis/own/recordings/a.har"] {
                try folder.write(name, "")
                try Data(bytes).write(to: folder.url.appendingPathComponent(name))
            }
            let commands = [
                ["validate", "a.har"], ["validate", "a.har.zip"], ["validate", "apis/own"],
                ["replay", "a.har", "--api", "omnichat", "--port", "0"], ["conduct", "a.har"],
                ["diff", "a.har", "--api", "omnichat"], ["new", "shop", "--har", "a.har"],
                ["serve", "--port", "0", "--apis", "apis", "--api", "own"],
            ]
            for command in commands {
                let run = try Program.run(command, in: folder)
                #expect(run.status != 0, "\(command)")
                #expect((run.output + run.errors).contains("the file is"), "\(command): \(run.errors)")
                #expect((run.output + run.errors).contains(said), "\(command): \(run.output)\(run.errors)")
            }
            let recordings = try Folder(["recordings/a.har": ""])
            try Data(bytes).write(to: recordings.url.appendingPathComponent("recordings/a.har"))
            let served = try Served(in: recordings)
            let answer = try served.control(
                "PUT",
                "/mode",
                #"{"api":"omnichat","mode":"replay","recording":"a.har"}"#
            )
            #expect(answer.status == 422 || answer.status == 400, "\(answer.text)")
            #expect(answer.text.contains(said), "\(answer.text)")
        }
    }
}
