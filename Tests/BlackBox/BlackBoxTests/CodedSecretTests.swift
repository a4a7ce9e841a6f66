import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 13 and 19: secrets that occur encoded in a recording.
@Suite(.serialized) struct CodedSecretTests {
    private let upstream: KeepingUpstream
    private let folder: Folder
    private let served: Served

    init() throws {
        upstream = try KeepingUpstream()
        folder = try Folder()
        served = try Served(in: folder)
    }

    private func order(_ mode: String, _ more: String = "") throws {
        let answer = try served.control("PUT", "/mode", #"{"api":"omnichat","mode":"\#(mode)"\#(more)}"#)
        expectEqual(answer.status, 200, "\(answer.text)")
    }

    /// The entries of the recording, once it is over.
    private func entries(_ count: Int) throws -> [JSON] {
        try order("emulate")
        let file = folder.url.appendingPathComponent("recordings/r.har")
        var entries: [JSON] = []
        try Deadline().wait(for: "the recording") {
            let text = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
            entries = (try? JSONReader.read(text: text))?["log"]?["entries"]?.arrayValue ?? []
            return entries.count == count
        }
        return entries
    }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func lines(_ text: String, _ width: Int) -> String {
        stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }
            .joined(separator: "\r\n")
    }

    private static func hex(_ text: String, _ prefix: String) -> String {
        text.utf8.map { prefix + ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased() }.joined()
    }

    /// Encodings of a secret that can occur in a sentence.
    private static func forms(_ secret: String) -> [(name: String, text: String)] {
        let wide = Data(secret.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        let packed = Data(Deflate.compress(Array("it is \(secret)".utf8), .gzip) ?? [])
        return [
            ("Base64", base64(secret)), ("user and Base64", base64("u:" + secret)),
            ("two characters before", base64("xy" + secret + "z")), ("glued", "ab" + base64(secret)),
            ("base64url", base64("??>" + secret).replacingOccurrences(of: "/", with: "_")),
            ("lines", lines(base64("user:" + secret), 20)), ("twice", base64(base64(secret))),
            ("percent", base64(hex(secret, "%"))), ("escapes", hex(secret, #"\u00"#)),
            ("escapes in Base64", base64(hex(secret, #"\x"#))), ("quoted-printable", hex(secret, "=")),
            ("soft line ends", lines(secret, 5).replacingOccurrences(of: "\r\n", with: "=\r\n")),
            ("UTF-16 in Base64", wide.base64EncodedString()), ("gzip in Base64", packed.base64EncodedString()),
        ]
    }

    @Test(arguments: ["access", "refresh"])
    func `19 an own secret in a sentence of a backend's answer does not reach the recording in any coding`(
        kind: String
    ) throws {
        let secret = try served.token(kind)
        try order("record", #","upstream":"\#(upstream.url)","recording":"r""#)
        let wire = try Wire(port: served.api)
        let forms = Self.forms(secret)
        for (name, form) in forms {
            upstream.answers("see \(form) ok")
            try expectEqual(
                wire.ask("GET", "/a").text,
                "see \(form) ok",
                "the client gets what the backend says: \(name)"
            )
            upstream.answers(JSON.object(["note": .string("see \(form) ok"), "id": "conversation-identifier-1"]).text)
            try expectEqual(wire.ask("GET", "/b").json["note"]?.stringValue, "see \(form) ok")
        }
        let entries = try entries(forms.count * 2)
        for (place, (name, form)) in forms.enumerated() {
            let text = try #require(entries[place * 2]["response"]?["content"]?["text"]?.stringValue)
            #expect(!text.contains(form) && text.hasPrefix("see ") && text.hasSuffix(" ok"), "\(name): \(text)")
            let json = try #require(entries[place * 2 + 1]["response"]?["content"]?["text"]?.stringValue)
            let note = try #require(try JSONReader.read(text: json)["note"]?.stringValue)
            #expect(!note.contains(form) && note.hasPrefix("see ") && note.hasSuffix(" ok"), "\(name): \(note)")
            #expect(json.contains("conversation-identifier-1"))
        }
    }

    @Test(arguments: [false, true])
    func `13 a secret goes out of all codings, learnt before or later`(isLate: Bool) throws {
        let secret = "Zx7qW8eRt5yUi55433Op"
        try order("record", #","upstream":"\#(upstream.url)","recording":"r""#)
        func send(_ body: [UInt8], _ type: String = "text/plain") throws {
            let wire = try Wire(port: served.api)
            try wire.send(Carrier(name: "", method: "POST", fields: ["Content-Type: \(type)"], body: body).wire)
            try expectEqual(wire.answer().status, 200)
        }
        let password = Array(#"{"password":"\#(secret)"}"#.utf8)
        if !isLate { try send(password, "application/json") }
        let forms = Self.forms(secret)
        for (_, form) in forms { try send(Array("see \(form) ok".utf8)) }
        try send(Array(Self.base64("hello \(secret)").utf8))
        try send(Deflate.compress(Array("hello \(secret)".utf8), .gzip) ?? [], "application/gzip")
        if isLate { try send(password, "application/json") }
        let journal = try served.control("GET", "/requests?limit=100").text
        var entries = try entries(forms.count + 3)
        if !isLate { entries.removeFirst() }
        for (entry, (name, form)) in zip(entries, forms) {
            let text = try #require(entry["request"]?["postData"]?["text"]?.stringValue, "\(name)")
            #expect(!text.contains(form) && text.hasPrefix("see ") && text.hasSuffix(" ok"), "\(name): \(text)")
            #expect(!journal.contains(form), "\(name)")
        }
        func content(_ entry: JSON) throws -> [UInt8] {
            let text = try #require(entry["request"]?["postData"]?["text"]?.stringValue)
            return Array(try #require(Data(base64Encoded: text)))
        }
        let whole = try content(entries[forms.count])
        expectEqual(String(decoding: whole, as: UTF8.self), "hello redacted-token-1")
        let packed = try Inflater.inflate(try content(entries[forms.count + 1]), .gzip, limit: 1_000)
        expectEqual(String(decoding: packed, as: UTF8.self), "hello redacted-token-1")
    }
}
