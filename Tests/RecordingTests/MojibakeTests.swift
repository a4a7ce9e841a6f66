import Foundation
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

/// Control contract, section 13, Import: text that a tool decoded wrongly is repaired, text that can't be sent is
/// dropped, and both are listed.
@Suite struct MojibakeTests {
    private static let sound = "data: Hallå, 語, “x” ñ\n\n"

    /// The text as shown by a tool that reads one letter for each byte.
    private static func damaged(_ text: String, windows: Bool) -> String {
        let specials = Array(
            "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars
        )
        var scalars = String.UnicodeScalarView()
        for byte in text.utf8 {
            scalars.append(windows && (0x80...0x9F).contains(byte) ? specials[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(scalars)
    }

    private static func archive(_ entries: [JSON]) -> [UInt8] {
        JSON.object([
            "log": ["version": "1.2", "creator": ["name": "mitmproxy", "version": "11"], "entries": .array(entries)]
        ]).serialized()
    }

    private static func entry(
        _ text: String,
        type: String = "text/event-stream",
        size: JSON? = nil,
        headers: [JSON] = [],
        request: JSONObject = [:]
    ) -> JSON {
        var content: JSONObject = ["mimeType": .string(type), "text": .string(text)]
        if let size { content.append("size", size) }
        var asked: JSONObject = [
            "method": "POST", "url": "http://b.example/x", "httpVersion": "HTTP/1.1", "headers": [], "queryString": [],
            "cookies": [], "headersSize": -1,
        ]
        for member in request.members { asked.append(member.name, member.value) }
        return [
            "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1, "request": .object(asked),
            "response": [
                "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "headers": .array(headers), "cookies": [],
                "content": .object(content), "redirectURL": "", "headersSize": -1, "bodySize": -1,
            ],
            "cache": [:], "timings": ["send": 0, "wait": 1, "receive": 0],
        ]
    }

    private static func read(_ entry: JSON) throws -> (entry: HAREntry, notes: [String]) {
        let read = try Archives.read(archive([entry]))
        return (try #require(read.entries.first?.entry), read.reader.oddities.items.map(\.note))
    }

    @Test func `13 the stream of a mitmproxy archive is mended and listed`() throws {
        let read = try Archives.read(try Archives.bytes("mojibake"))
        let entry = try #require(read.entries.first?.entry)
        expectEqual(entry.response.content.bytes, Array("data: Hallå\n\n".utf8))
        let note = try #require(read.reader.oddities.items.first)
        expectEqual(note.note, "the text was decoded as Latin-1; it is read as UTF-8")
        expectEqual(note.path, "$.log.entries[0].response.content.text")
        let answer = ReplayAnswer().response(entry, requestID: nil, isHead: false)
        guard case .steps(let steps) = answer.body else {
            Issue.record("no stream")
            return
        }
        let sent = steps.flatMap { step -> [UInt8] in if case .bytes(let bytes) = step { bytes } else { [] } }
        expectEqual(sent, Array("data: Hallå\n\n".utf8))
    }

    @Test(arguments: [
        ("text/event-stream", false), ("text/event-stream", true), ("application/json", false), ("text/plain", true),
        ("application/problem+json; charset=iso-8859-1", false), ("", true), ("text/html; charset=utf-8", false),
    ])
    func `13 the size says whether it was decoded wrongly`(type: String, windows: Bool) throws {
        let damaged = Self.damaged(Self.sound, windows: windows)
        let count = Self.sound.utf8.count
        let sizes: [JSON?] = type.contains("utf-8") ? [.integer(Int64(count))] : [.integer(Int64(count)), nil, -1]
        for size in sizes {
            let read = try Self.read(Self.entry(damaged, type: type, size: size))
            expectEqual(
                read.entry.response.content.bytes,
                Array(Self.sound.utf8),
                "\(type) \(String(describing: size))"
            )
            expectEqual(
                read.notes,
                [
                    "the text was decoded as \(windows ? "Windows-1252" : "Latin-1"); it is read as UTF-8"
                ]
            )
        }
        // The length of the text as it stands, or any other: it is sound.
        for size in [damaged.utf8.count, count + 1, count - 1, 0] {
            let read = try Self.read(Self.entry(damaged, type: type, size: .integer(Int64(size))))
            expectEqual(read.entry.response.content.bytes, Array(damaged.utf8))
            expectEqual(read.notes, [])
        }
    }

    @Test(arguments: ["plain", "Hallå", "å", "Ã¥ 語", "Ã", "naïve café", "\u{80}\u{20AC}"])
    func `13 what is no UTF-8 taken for single bytes stays`(text: String) throws {
        let read = try Self.read(Self.entry(text))
        expectEqual(read.entry.response.content.bytes, Array(text.utf8))
        expectEqual(read.notes, [])
        // A type that says Latin-1 is believed, but for what is UTF-8 always.
        let declared = try Self.read(Self.entry("Ã¥", type: "text/plain; charset=windows-1252"))
        expectEqual(declared.entry.response.content.bytes, Array("Ã¥".utf8))
    }

    @Test func `13 events, request bodies and parts of forms are mended too, one note for each entry`() throws {
        let sound = #"{"q":"Hallå"}"#
        let damaged = Self.damaged(sound, windows: false)
        var events = Self.entry("")
        if case .object(var object) = events {
            object.append(
                "_eventSourceMessages",
                [["time": 1, "eventName": "message", "eventId": "", "data": .string(damaged)]]
            )
            events = .object(object)
        }
        try expectEqual(Self.read(events).entry.events?.first?.data, sound)
        try expectEqual(Self.read(events).entry.response.content.bytes, Array("data: \(sound)\n\n".utf8))

        func posting(_ text: String, _ type: String, _ size: Int) -> JSON {
            Self.entry(
                "x",
                request: [
                    "postData": ["mimeType": .string(type), "text": .string(text)],
                    "bodySize": .integer(Int64(size)),
                ]
            )
        }
        for size in [sound.utf8.count, -1] {
            let read = try Self.read(posting(damaged, "application/json", size))
            expectEqual(read.entry.request.postData?.bytes, Array(sound.utf8))
            expectEqual(read.notes.count, 1)
        }
        // A picture in a form: the size proves that each letter was a byte, though they are no UTF-8.
        let part =
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.jpg\"\r\n\r\n\u{FF}\u{D8}\u{E5}\r\n--b--\r\n"
        let bytes = part.unicodeScalars.map { UInt8($0.value) }
        let upload = try Self.read(posting(part, "multipart/form-data; boundary=b", bytes.count))
        expectEqual(upload.entry.request.postData?.bytes, bytes)
        let unknown = try Self.read(posting(part, "multipart/form-data; boundary=b", -1))
        expectEqual(unknown.entry.request.postData?.bytes, Array(part.utf8))

        let both = try Archives.read(Self.archive([Self.entry("Ã¥"), Self.entry("Ã¤"), Self.entry("ok")]))
        expectEqual(
            both.reader.oddities.items.map(\.path),
            [
                "$.log.entries[0].response.content.text", "$.log.entries[1].response.content.text",
            ]
        )
    }

    @Test(arguments: [
        ("X-A", "1\r\nX-B: 2", "a line end"), ("X-A", "1\nX-B: 2", "a line end"), ("X-A", "a\u{0}b", "a NUL"),
        ("X-A", "a\u{7}b", "a control character"), ("", "x", "no name"), ("X A", "x", "not a field name"),
        ("X:A", "x", "not a field name"), ("Set-Cookie", "a=1\r\nX-B: 2", "a line end"),
    ])
    func `13 a field that can't be sent is dropped and listed`(name: String, value: String, why: String) throws {
        let field: JSON = ["name": .string(name), "value": .string(value)]
        let read = try Self.read(
            Self.entry("x", headers: [field, ["name": "X-C", "value": "3"]], request: ["headers": [field]])
        )
        expectEqual(read.entry.response.headers, [HARPair("X-C", "3")])
        expectEqual(read.entry.request.headers, [])
        expectEqual(read.notes.count, 2)
        #expect(read.notes.allSatisfy { $0.contains(why) && $0.contains("dropped") }, "\(read.notes)")
    }

    @Test func `13 a wrong length is listed, and the true one is sent`() throws {
        func length(_ value: String, _ more: [JSON] = []) -> [JSON] {
            [["name": "Content-Length", "value": .string(value)]] + more
        }
        for wrong in ["2", "4", "x", "-1", ""] {
            let read = try Self.read(Self.entry("abc", type: "text/plain", size: 3, headers: length(wrong)))
            #expect(read.notes.count == 1 && read.notes[0].contains("3 bytes"), "\(wrong): \(read.notes)")
            let answer = ReplayAnswer().response(read.entry, requestID: nil, isHead: false)
            expectEqual(answer.fields[.contentLength], "3")
        }
        try expectEqual(Self.read(Self.entry("abc", size: 3, headers: length("3"))).notes, [])
        // Of compressed content it was the length on the wire.
        let coded = length("2", [["name": "Content-Encoding", "value": "gzip"]])
        try expectEqual(Self.read(Self.entry("abc", size: 3, headers: coded)).notes, [])
    }
}
