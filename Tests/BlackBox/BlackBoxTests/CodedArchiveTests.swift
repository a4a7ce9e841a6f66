import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, Import: content in a content coding or another charset, as tools write it.
@Suite struct CodedArchiveTests {
    private static let plain = #"{"email":"anna@example.com","id":17}"#
    private static let packed = Deflate.compress(Array(plain.utf8), .gzip) ?? []

    private static func pieces(_ bytes: [UInt8], _ encode: ([UInt8]) -> String) -> String {
        let parts = stride(from: 0, to: bytes.count, by: 20).map { Array(bytes[$0..<min($0 + 20, bytes.count)]) }
        return JSON.array(parts.map { .string(encode($0)) }).text
    }

    private static func entry(_ coding: String, _ text: String, _ more: [(name: String, value: JSON)] = []) -> JSON {
        SmallArchive.entry(
            "http://b.test/api/v1/x",
            fields: [("Content-Type", "application/json"), ("Content-Encoding", coding)],
            text: text,
            content: more
        )
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    @Test func `13 pieces of hex and base64 of a compressed content are decoded, and searched for secrets`() throws {
        let deflated = Deflate.compress(Array(Self.plain.utf8), .deflate) ?? []
        let cases: [(coding: String, text: String, encoding: String?)] = [
            ("gzip", Self.pieces(Self.packed, Self.hex), nil),
            ("gzip", Self.pieces(Self.packed) { Self.hex($0).uppercased() }, nil),
            ("gzip", JSON.array([.string(Self.hex(Self.packed))]).text, nil),
            ("gzip", Self.pieces(Self.packed, Self.base64), nil),
            ("gzip", Self.pieces(Self.packed, Self.base64), "base64"),
            ("x-gzip", Self.pieces(Self.packed, Self.hex), nil), ("deflate", Self.pieces(deflated, Self.hex), nil),
            // Without the form of zlib: its two bytes in front and four at the end.
            ("deflate", Self.pieces(Array(deflated.dropFirst(2).dropLast(4)), Self.hex), nil),
        ]
        for one in cases {
            let archive = SmallArchive.text([
                Self.entry(one.coding, one.text, one.encoding.map { [("encoding", .string($0))] } ?? [])
            ])
            let folder = try Folder(["a.har": archive])
            let answer = try Proxy(["replay", "a.har"], in: folder).ask("GET", "/api/v1/x")
            expectEqual(answer.text, Self.plain, "\(one)")
            expectNil(answer["Content-Encoding"], "\(one)")
            let made = try SmallArchive.imported(archive)
            #expect(made.text.contains("redacted-email-1@example.invalid"), "\(one): \(made.text)")
        }
    }

    @Test func `13 base64 of a coded content keeps its field, and its secrets don't reach a redacted recording`() throws
    {
        let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x24, 1, 0] + Array(Self.plain.utf8)
        let brotli: [UInt8] = [0x0B, 0x11, 0x80] + Array(Self.plain.utf8) + [3]
        let cases: [(coding: String, content: [UInt8], isOpen: Bool)] = [
            ("gzip", Self.packed, true), ("zstd", zstd, false), ("br", brotli, false),
        ]
        for (coding, content, isOpen) in cases {
            for text in [Self.base64(content), Self.pieces(content, Self.base64)] {
                let archive = SmallArchive.text([Self.entry(coding, text, [("encoding", "base64")])])
                let folder = try Folder(["a.har": archive])
                let answer = try Proxy(["replay", "a.har"], in: folder).ask("GET", "/api/v1/x")
                let isDecoded = isOpen && text.hasPrefix("[")
                expectEqual(answer.bytes, isDecoded ? Array(Self.plain.utf8) : content, "\(coding)")
                expectEqual(answer["Content-Encoding"], isDecoded ? nil : coding)
                let made = try SmallArchive.imported(archive)
                let kept = made.entries.first?["response"]?["content"]
                #expect(!made.text.contains(text), "\(coding)")
                if isOpen {
                    expectEqual(kept?["text"]?.stringValue, #"{"email":"redacted-email-1@example.invalid","id":17}"#)
                } else {
                    expectNil(kept?["text"])
                    #expect(made.output.contains(".response.content"), "\(coding): \(made.output)")
                }
            }
        }
    }

    @Test func `13 pieces of a content that can't be decoded are joined where the tool marks them`() throws {
        let brotli: [UInt8] = [0x0B, 0x11, 0x80] + Array(Self.plain.utf8) + [3]
        let texts = [
            Self.pieces(brotli, Self.hex), Self.pieces(brotli) { Self.hex($0).uppercased() },
            Self.pieces(brotli, Self.base64),
        ]
        let marks: [(name: String, value: JSON)?] = [
            ("_isBinary", true), ("encoding", "base64"), ("encoding", "hex"), ("size", .integer(Int64(brotli.count))),
            nil,
        ]
        var cases = texts.flatMap { text in marks.map { (text: text, mark: $0) } }
        cases.append((Self.hex(brotli), ("_isBinary", true)))
        for (text, mark) in cases {
            var entry = Self.entry("br", text, mark.map { [$0] } ?? [])
            if mark == nil, case .object(var object) = entry {
                // What Polly.js adds to each entry.
                object.append("_id", "5d0e7a9f6a1b5a3c8f6e8d3b1a2c4d5e")
                object.append("_order", 0)
                entry = .object(object)
            }
            let archive = SmallArchive.text([entry])
            let replay = try Proxy(["replay", "a.har"], in: Folder(["a.har": archive]))
            let answer = try replay.ask("GET", "/api/v1/x")
            expectEqual(answer.bytes, brotli, "\(text) \(String(describing: mark))")
            expectEqual(answer["Content-Encoding"], "br")
            try replay.stop()
            let made = try SmallArchive.imported(archive)
            expectNil(made.entries.first?["response"]?["content"]?["text"])
            #expect(made.output.contains(".response.content"), "\(made.output)")
        }
    }

    @Test func `13 text that a tool has decoded stays as it is, whatever its field says`() throws {
        for coding in ["gzip", "br", "zstd", "utf-8", "none", "deflate"] {
            for text in [Self.plain, #"["ff0000","00ff00"]"#, #"["cafe","beef"]"#, "[]", #"[1,"1f8b"]"#] {
                let folder = try Folder(["a.har": SmallArchive.text([Self.entry(coding, text)])])
                let answer = try Proxy(["replay", "a.har"], in: folder).ask("GET", "/api/v1/x")
                expectEqual(answer.text, text, "\(coding)")
                expectNil(answer["Content-Encoding"], "\(coding)")
            }
        }
    }

    @Test func `13 text of another charset is sent as UTF-8, and its type says so`() throws {
        for (type, expected) in [
            ("text/html; charset=ISO-8859-1", "text/html; charset=utf-8"),
            ("text/html;charset=\"Shift_JIS\"; x=1", "text/html;charset=utf-8; x=1"),
            ("text/plain; charset=utf-16le", "text/plain; charset=utf-8"),
            ("text/plain; charset=UTF-8", "text/plain; charset=UTF-8"), ("text/plain", "text/plain"),
        ] {
            for (text, sent) in [("<p>é 日本</p>", expected), ("<p>plain</p>", type)] {
                let archive = SmallArchive.text([
                    SmallArchive.entry(
                        "http://b.test/api/v1/x",
                        fields: [("Content-Type", type)],
                        text: text,
                        type: type
                    )
                ])
                let folder = try Folder(["a.har": archive])
                let answer = try Proxy(["replay", "a.har"], in: folder).ask("GET", "/api/v1/x")
                expectEqual(answer.text, text)
                expectEqual(answer["Content-Type"], sent)
            }
        }
        // Bytes are sent as they are.
        let latin: [UInt8] = [0x3C, 0x70, 0x3E, 0xE9]
        let archive = SmallArchive.text([
            SmallArchive.entry(
                "http://b.test/api/v1/x",
                fields: [("Content-Type", "text/html; charset=ISO-8859-1")],
                text: Self.base64(latin),
                type: "text/html; charset=ISO-8859-1",
                content: [("encoding", "base64")]
            )
        ])
        let answer = try Proxy(["replay", "a.har"], in: Folder(["a.har": archive])).ask("GET", "/api/v1/x")
        expectEqual(answer.bytes, latin)
        expectEqual(answer["Content-Type"], "text/html; charset=ISO-8859-1")
    }
}
