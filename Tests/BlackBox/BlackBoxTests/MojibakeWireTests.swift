import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, Import: text that a tool decoded as Latin-1 or Windows-1252 is repaired in the replay.
@Suite struct MojibakeWireTests {
    private static let sound = #"{"text":"Hallå, “ñ” 語"}"#

    /// The text as shown by a tool that reads one letter for each byte.
    private static func damaged(_ text: String, _ encoding: String.Encoding) -> String {
        text.utf8.map { byte in
            let single = Data([byte])
            return String(data: single, encoding: encoding) ?? String(data: single, encoding: .isoLatin1) ?? ""
        }
        .joined()
    }

    private static func archive(_ text: String, _ type: String, _ size: JSON?) -> String {
        var content: JSONObject = ["mimeType": .string(type), "text": .string(text)]
        if let size { content.append("size", size) }
        let entry: JSON = [
            "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
            "request": [
                "method": "GET", "url": "http://b.example/api/v1/x", "httpVersion": "HTTP/1.1", "headers": [],
                "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0,
            ],
            "response": [
                "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
                "headers": [["name": "Content-Type", "value": .string(type)]], "content": .object(content),
                "redirectURL": "", "headersSize": -1, "bodySize": -1,
            ],
            "cache": [:], "timings": ["send": 0, "wait": 1, "receive": 0],
        ]
        let log: JSON = [
            "log": ["version": "1.2", "creator": ["name": "mitmproxy", "version": "11"], "entries": [entry]]
        ]
        return log.text
    }

    @Test(arguments: [
        "application/json; charset=utf-8", "application/json; charset=UTF-8", "text/plain;charset=utf8",
        "text/event-stream; charset=utf-8", "application/json",
    ])
    func `13 also where the type says UTF-8 and no size is noted, and it is listed`(type: String) throws {
        let count = Int64(Self.sound.utf8.count)
        for encoding in [String.Encoding.isoLatin1, .windowsCP1252] {
            let damaged = Self.damaged(Self.sound, encoding)
            let cases: [(size: JSON?, isMended: Bool)] = [
                (nil, true), (-1, true), (.integer(count), true), (.integer(Int64(damaged.utf8.count)), false),
                (.integer(count + 1), false),
            ]
            for (size, isMended) in cases {
                let folder = try Folder(["a.har": Self.archive(damaged, type, size)])
                let validated = try Program.run(["validate", "a.har"], in: folder)
                expectEqual(validated.status, 0)
                let note = (validated.output + validated.errors).contains("it is read as UTF-8")
                expectEqual(note, isMended, "\(type), size \(size?.text ?? "absent")")
                let replay = try Proxy(["replay", "a.har"], in: folder)
                let answer = try replay.ask("GET", "/api/v1/x")
                expectEqual(answer.status, 200)
                let expected = isMended ? Self.sound : damaged
                expectEqual(answer.text.trimmingCharacters(in: .newlines), expected, "size \(size?.text ?? "absent")")
            }
        }
    }

    @Test func `13 fields that can't be sent and a wrong length are listed, and the rest is replayed`() throws {
        let type: JSON = ["name": "Content-Type", "value": "text/plain"]
        for (name, value) in [
            ("X-A", "1\r\nX-B: 2"), ("X-A", "1\nX-B: 2"), ("X-A", "a\u{0}b"), ("", "x"), ("X A", "x"),
            ("Content-Length", "4711"),
        ] {
            let field: JSON = ["name": .string(name), "value": .string(value)]
            let log = try JSONReader.read(text: Self.archive("sound", "text/plain", 5))
            let path: [JSONPathElement] = ["log", "entries", 0, "response", "headers"]
            let folder = try Folder(["a.har": log.putting([field, type], at: path[...]).text])
            let validated = try Program.run(["validate", "a.har"], in: folder)
            let said = validated.output + validated.errors
            #expect(said.contains("$.log.entries[0].response.headers"), "\(name): \(said)")
            let replay = try Proxy(["replay", "a.har"], in: folder)
            let answer = try replay.ask("GET", "/api/v1/x")
            expectEqual(answer.status, 200)
            expectEqual(answer.text, "sound")
            expectEqual(answer["Content-Type"], "text/plain")
            #expect(answer["X-A"] == nil && answer["X-B"] == nil && answer["Content-Length"] == "5")
        }
    }
}
