import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: responses of backends that say of themselves what is not so.
@Suite struct OddResponseTests {
    private let backend: SilentBackend

    init() throws { backend = try SilentBackend() }

    private static func response(_ fields: [String], _ content: [UInt8]) -> [UInt8] {
        let head = ["HTTP/1.1 200 OK"] + fields + ["Content-Length: \(content.count)", "", ""]
        return head.joined(separator: "\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + content
    }

    private func has(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: backend.folder.url.appendingPathComponent(name))
    }

    /// Records one request for each file of the backend, and returns the log, the entries and the answers of a replay.
    private func recorded(_ names: [String], in folder: Folder) throws -> (log: String, entries: [JSON]) {
        let record = [
            "record", "--api", "omnichat", "--upstream", "http://127.0.0.1:\(backend.port)", "--out", "r.har",
        ]
        let child = try Child(record + ["--port", "0"], in: folder)
        try Deadline().wait(for: "the ready line") { try child.output().hasSuffix("\n") }
        let ready = try JSONReader.read(text: String(try child.output().dropLast()))
        let port = ready["apis"]?["omnichat"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) } ?? 0
        for name in names {
            let answer = try Wire(port: port).ask("GET", "/raw/\(name)")
            expectEqual(answer.status, 200, "\(name): \(answer.text)")
        }
        child.signal(2)
        _ = try child.waitForExit()
        let text = try String(contentsOf: folder.url.appendingPathComponent("r.har"), encoding: .utf8)
        let entries = try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? []
        return (try child.errors(), entries)
    }

    @Test func `13 content that is not in the coding that its field names is recorded, searched and replayed`() throws {
        let plain = Array(#"{"email":"anna@example.com","note":"hallå"}"#.utf8)
        let packed = Deflate.compress(plain, .gzip) ?? []
        let cases: [(name: String, coding: String, content: [UInt8], isKept: Bool)] = [
            ("none", "none", plain, true), ("utf", "UTF-8", plain, true), ("latin", "ISO-8859-1", plain, true),
            ("gzip", "gzip", plain, true), ("xgzip", "x-gzip", plain, true), ("deflate", "deflate", plain, true),
            ("br", "br", plain, true), ("zstd", "zstd", plain, true), ("words", "x-what", plain, true),
            ("both", "gzip, none", packed, true), ("packed", "gzip", packed, true),
            ("cut", "gzip", Array(packed.dropLast(12)), false),
            ("coded", "br", [0x0B, 0x15, 0x80, 0, 1, 2] + plain + [3], false),
            ("frame", "zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x01] + plain, false),
        ]
        for one in cases {
            let fields = ["Content-Type: application/json", "Content-Encoding: \(one.coding)"]
            try has(one.name, Self.response(fields, one.content))
        }
        let folder = try Folder()
        let (log, entries) = try recorded(cases.map(\.name), in: folder)
        let replay = try Proxy(["replay", "r.har"], in: folder)
        for (one, entry) in zip(cases, entries) {
            let content = entry["response"]?["content"]
            let lines = log.split(separator: "\n").filter {
                $0.contains("recording: ") && $0.contains("/raw/\(one.name):")
            }
            guard one.isKept else {
                expectNil(content?["text"], "\(one.name)")
                #expect(lines.count == 1 && lines[0].contains("left out"), "\(one.name): \(log)")
                continue
            }
            let expected = #"{"email":"redacted-email-1@example.invalid","note":"hallå"}"#
            expectEqual(content?["text"]?.stringValue, expected, "\(one.name)")
            expectEqual(lines.count, 0, "\(one.name): \(log)")
            let answer = try replay.ask("GET", "/raw/\(one.name)")
            expectEqual(answer.text, expected, "\(one.name)")
            expectNil(answer["Content-Encoding"], "\(one.name)")
        }
    }

    @Test func `13 bytes of fields that are no UTF-8 are recorded and replayed as they came`() throws {
        try has(
            "a",
            Self.response(
                ["Content-Type: text/plain", "X-Name: Bj\u{F6}rk \u{E9}\u{FF}", "X-Mail: \u{E9} anna@example.com"],
                [0x78]
            )
        )
        let folder = try Folder()
        let entries = try recorded(["a"], in: folder).entries
        let fields = entries.first?["response"]?["headers"]?.arrayValue ?? []
        expectEqual(fields.first { $0["name"] == "X-Name" }?["value"]?.stringValue, "Björk é\u{FF}")
        let replay = try Proxy(["replay", "r.har"], in: folder)
        let raw = try replay.ask("GET", "/raw/a").raw
        let expected: [UInt8] = Array("X-Name: Bj".utf8) + [0xF6] + Array("rk ".utf8) + [0xE9, 0xFF, 0x0D, 0x0A]
        #expect(Data(raw).range(of: Data(expected)) != nil, "\(String(decoding: raw, as: UTF8.self))")
        let mail: [UInt8] = Array("X-Mail: ".utf8) + [0xE9] + Array(" redacted-email-1@example.invalid\r\n".utf8)
        #expect(Data(raw).range(of: Data(mail)) != nil, "\(String(decoding: raw, as: UTF8.self))")
    }

    @Test func `13 blanks before the colon of a backend's field are taken out`() throws {
        try has("a", Self.response(["Content-Type : text/plain", "X-Old \t : v : w"], [0x78]))
        let folder = try Folder()
        let entries = try recorded(["a"], in: folder).entries
        let fields = entries.first?["response"]?["headers"]?.arrayValue ?? []
        expectEqual(fields.first { $0["name"] == "X-Old" }?["value"]?.stringValue, "v : w")
        let raw = try Proxy(["replay", "r.har"], in: folder).ask("GET", "/raw/a").text
        expectEqual(raw, "x")
    }
}
