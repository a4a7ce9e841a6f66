import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Conduct contract, sections 5 and 13: content that is coded or cut is judged as what it was, or not at all.
@Suite struct ConductContentTests {
    private struct Case {
        var name: String
        var text: String
        var fields: [(String, String)] = []
        var size = -1
        var more: [(String, JSON)] = []
        /// The rule that is found.
        var rule: String?
    }

    private static func gzip(_ text: String) -> [UInt8] { Deflate.compress(Array(text.utf8), .gzip) ?? [] }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Bytes that a tool has taken for text.
    private static func mistaken(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static let cut = #"{"a":"xxxxxxxxxxxxxxxxxxxx"#
    private static let twice = #"{"a":1,"a":2}"#
    private static let packed = [("Content-Encoding", "gzip")]
    private static let inBase64: [(String, JSON)] = [("encoding", "base64")]

    private static let cases: [Case] = [
        Case(name: "whole", text: #"{"a":1}"#, size: 7),
        Case(name: "whole and damaged", text: cut, size: cut.utf8.count, rule: "body/type-wrong"),
        Case(
            name: "whole by its length, whatever the size",
            text: cut,
            fields: [("Content-Length", "\(cut.utf8.count)")],
            size: 4_000,
            rule: "body/type-wrong"
        ),
        Case(name: "of unknown size and damaged", text: cut, rule: "body/type-wrong"),
        Case(name: "cut by the size", text: cut, size: cut.utf8.count + 1),
        Case(name: "cut by Content-Length", text: cut, fields: [("Content-Length", "90000")]),
        Case(name: "cut by Content-Length beside a size", text: cut, fields: [("Content-Length", "900")], size: 26),
        Case(name: "cut by a mark", text: cut, size: cut.utf8.count, more: [("_truncated", true)]),
        Case(name: "coded", text: base64(gzip(twice)), fields: packed, more: inBase64, rule: "body/json-unsafe"),
        Case(name: "coded and sound", text: base64(gzip(#"{"a":1}"#)), fields: packed, more: inBase64),
        Case(
            name: "coded in two",
            text: base64(gzip(twice)),
            fields: [("Content-Encoding", "identity, gzip")],
            more: inBase64,
            rule: "body/json-unsafe"
        ),
        Case(name: "coded and cut", text: base64(Array(gzip(twice).dropLast(9))), fields: packed, more: inBase64),
        Case(name: "coded and taken for text", text: mistaken(gzip(#"{"a":1}"#)), fields: packed),
        Case(
            name: "brotli",
            text: base64([0x1B, 0x0A, 0xFF, 0xFE]),
            fields: [("Content-Encoding", "br")],
            more: inBase64
        ),
        Case(name: "brotli taken for text", text: "\u{B}\u{2}", fields: [("Content-Encoding", "br")]),
        Case(name: "decoded by the tool", text: twice, fields: packed, size: 40, rule: "body/json-unsafe"),
        Case(name: "decoded by the tool and damaged", text: cut, fields: packed, rule: "body/type-wrong"),
        Case(name: "decoded by the tool and cut", text: cut, fields: packed + [("Content-Length", "9000")]),
        Case(name: "decoded by the tool and marked", text: cut, fields: packed, more: [("_truncated", true)]),
    ]

    private static func entry(_ item: Case, at turn: Int) -> JSON {
        let fields = [("User-Agent", "App/1"), ("Content-Type", "application/json")] + item.fields
        var post: JSONObject = ["mimeType": "application/json", "text": .string(item.text)]
        for (name, value) in item.more { post.append(name, value) }
        return [
            "startedDateTime": .string("2026-05-01T10:00:\(10 + turn).000Z"), "time": 20,
            "request": [
                "method": "POST", "url": .string("https://h\(turn).test/v1/items"), "httpVersion": "HTTP/1.1",
                "cookies": [],
                "headers": .array(fields.map { ["name": .string($0.0), "value": .string($0.1)] }), "queryString": [],
                "headersSize": -1, "bodySize": .integer(Int64(item.size)), "postData": .object(post),
            ],
            "response": [
                "status": 201, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
                "content": ["size": 0, "mimeType": ""], "redirectURL": "", "headersSize": -1, "bodySize": 0,
            ],
            "cache": [:], "timings": ["send": 0, "wait": 20, "receive": 0], "serverIPAddress": "192.0.2.1",
        ]
    }

    @Test func `13 content of a file that is coded or cut is decoded, or accuses nobody`() throws {
        let entries = Self.cases.enumerated().map { Self.entry($1, at: $0) }
        let log: JSON = [
            "log": ["version": "1.2", "creator": ["name": "Tool", "version": "1"], "entries": .array(entries)]
        ]
        let folder = try Folder(["a.har": log.text])
        let report = try Program.run(["conduct", "--format", "json", "a.har"], in: folder).json
        let findings = report["findings"]?.arrayValue ?? []
        for (turn, item) in Self.cases.enumerated() {
            let found = findings.filter { $0["api"]?.stringValue == "h\(turn).test" }.compactMap {
                $0["rule"]?.stringValue
            }
            expectEqual(found, item.rule.map { [$0] } ?? [], item.name)
        }
    }

    @Test func `13 long and coded content is judged alike in a journal and in its file`() throws {
        let served = try Served()
        let folder = try Folder()
        let token = try served.token()
        let letters = (0..<90_000).map { _ in String("abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "a") }
        let long = #"{"title":"\#(letters.joined())"}"#
        let bodies: [(bytes: [UInt8], coding: String?)] = [
            (Array(long.utf8), nil), (Self.gzip(long), "gzip"), (Self.gzip(#"{"title":"a"}"#), "gzip"),
            ([0x1B, 0x0A, 0xFF, 0xFE], "br"),
        ]
        for (bytes, coding) in bodies {
            let wire = try Wire(port: served.api)
            let fields = coding.map { ["Content-Encoding: \($0)"] } ?? []
            try wire.send(Wire.request("POST", "/api/v1/conversations", body: bytes, token: token, fields: fields))
            _ = try wire.answer()
        }
        func rules(_ report: JSON) -> [String] {
            report["findings"]?.arrayValue?.compactMap { $0["rule"]?.stringValue }.filter { $0.hasPrefix("body/") }
                ?? []
        }
        try expectEqual(rules(served.control("GET", "/conduct").json), [])
        try folder.write("j.har", served.control("GET", "/requests.har").text)
        let words = ["conduct", "--api", "omnichat", "--format", "json", "j.har"]
        let report = try Program.run(words, in: folder).json
        expectEqual(report["journal"]?["entries"], 4)
        expectEqual(rules(report), [])
    }
}
