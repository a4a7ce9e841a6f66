import CivilTime
import HTTPMessage
import Recording
import TestSupport
import Testing

@Suite struct ImportTests {
    @Test(arguments: [
        "chrome", "firefox", "safari", "charles", "proxyman", "mitmproxy", "chromium-156", "mitmproxy-11",
    ])
    func `13 an archive of each tool reads the same however it is cut`(tool: String) throws {
        let bytes = try Archives.bytes(tool)
        let whole = try Archives.read(bytes)
        #expect(!whole.entries.isEmpty)
        for pieces in [1, 2, 3, 7, 64, 1_000] {
            let cut = try Archives.read(bytes, pieces: pieces)
            expectEqual(cut.entries.map(\.entry), whole.entries.map(\.entry))
            expectEqual(cut.reader.oddities, whole.reader.oddities)
            expectEqual(cut.entries.map(\.offset), whole.entries.map(\.offset))
        }
        for found in whole.entries {
            let text = bytes[found.offset..<found.offset + found.length]
            expectEqual(text.first, UInt8(ascii: "{"))
            expectEqual(text.last, UInt8(ascii: "}"))
        }
    }

    @Test func `13 Chrome, with pseudo-fields, half surrogates, failed loads and streams`() throws {
        let (found, reader) = try Archives.read(try Archives.bytes("chrome"))
        let entries = found.map(\.entry)
        expectEqual(entries.count, 5)
        expectEqual(entries[0].request.headers.map(\.name), ["accept", "accept-encoding"])
        expectEqual(entries[0].response.content.bytes, Array(#"{"items":[1,2,3]}"#.utf8))
        #expect(!entries[0].response.content.isEncoded)
        expectEqual(entries[1].response.content.bytes, Array("GIF89a".utf8))
        let sent = String(decoding: entries[2].request.postData?.bytes ?? [], as: UTF8.self)
        #expect(sent.contains("half \u{FFFD} of"))
        expectEqual(entries[2].response.status, 0)
        expectEqual(entries[2].response.error, "net::ERR_CONNECTION_RESET")
        expectEqual(entries[3].events?.map(\.name), ["message", "done"])
        expectEqual(entries[3].events?.map { $0.offset.rounded() }, [50, 250])
        let notes = reader.oddities.items.map(\.note)
        #expect(notes.contains { $0.contains("pseudo-header fields") })
        #expect(notes.contains { $0.contains("not valid Unicode") })
        #expect(notes.contains { $0.contains("not http or https") })
        let pseudo = try #require(reader.oddities.items.first { $0.note.contains("pseudo") })
        expectEqual(pseudo.path, "$.log.entries[0].request.headers")
        expectEqual(pseudo.count, 4)
        #expect(pseudo.text(in: "chrome.har").hasPrefix("chrome.har:7: $.log.entries[0].request.headers: "))
    }

    @Test func `13 what Chromium and mitmproxy really wrote about an understudy reads and is replayed`() throws {
        for (tool, entries, events) in [("chromium-156", 7, 4), ("mitmproxy-11", 5, 2)] {
            let (found, reader) = try Archives.read(try Archives.bytes(tool))
            expectEqual(found.count, entries)
            #expect(!reader.oddities.items.contains { $0.note.contains("not valid") })
            let stream = found[events].entry
            expectEqual(stream.response.content.mimeType, "text/event-stream")
            let text = String(decoding: stream.response.content.bytes ?? [], as: UTF8.self)
            #expect(text.hasPrefix("data: {") && text.hasSuffix("\n\n"))
            if let offsets = stream.events?.map(\.offset) {
                #expect(offsets == offsets.sorted() && (offsets.first ?? -1) >= 0)
            }
            // Chromium lists the events, mitmproxy does not.
            expectEqual(stream.events == nil, tool == "mitmproxy-11")
            var book = ReplayIndex()
            for item in found { book.add(item.entry, file: 0, offset: item.offset, length: item.length) }
            expectEqual(book.unusable, tool == "chromium-156" ? 1 : 0)
            let request = stream.request
            let address = try #require(HARAddress(request.url))
            let live = book.fingerprint(of: stream, address)
            var place = ReplayPlace()
            guard case .line(let line) = book.choose(live, at: &place, failsWhenExhausted: true) else {
                Issue.record("\(tool): its own request does not fit")
                continue
            }
            expectEqual(book.lines[line].path, "/api/v1/conversations/conv_welcome_00000001/messages")
            let answer = ReplayAnswer(speed: 0).response(stream, requestID: nil, isHead: false)
            expectEqual(answer.status, .ok)
        }
    }

    @Test func `13 Firefox, with zones, missing contents and blocked loads`() throws {
        let (found, reader) = try Archives.read(try Archives.bytes("firefox"))
        expectEqual(found[0].entry.started.iso8601(.milliseconds), "2026-02-03T10:00:00.123Z")
        expectEqual(found[0].entry.response.headers.map(\.value), ["/home", "a=1", "b=2"])
        expectEqual(found[0].entry.request.postData?.bytes, Array("user=anna&lang=sv+SE".utf8))
        expectNil(found[1].entry.response.content.bytes)
        #expect(reader.oddities.items.contains { $0.note == "the content was left out" })
    }

    @Test func `13 Safari, with long fractions and no list of parameters`() throws {
        let (found, reader) = try Archives.read(try Archives.bytes("safari"))
        expectEqual(found[0].entry.started.iso8601(.microseconds), "2026-02-03T10:00:00.500000Z")
        expectEqual(found[0].entry.request.query, [HARPair("x", "1")])
        expectEqual(found[0].entry.timings.ssl, 15.25)
        #expect(reader.oddities.items.contains { $0.note.contains("query parameters") })
    }

    @Test func `13 Charles, with a byte order mark, repeats, loose base64 and an entry without answer`() throws {
        let (found, reader) = try Archives.read(try Archives.bytes("charles"))
        expectEqual(found[0].entry.request.headers.map(\.value), ["app.example.com:8080", "1", "2"])
        expectEqual(found[0].entry.response.content.bytes, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        expectEqual(found[0].entry.started.iso8601(.milliseconds), "2026-02-03T10:00:00.123Z")
        expectEqual(found[1].entry.request.method, "GET")
        expectEqual(found[1].entry.response.status, 0)
        expectEqual(reader.oddities.items.first?.note, "the file begins with a byte order mark")
        #expect(reader.oddities.items.contains { $0.note.contains("base64 has line ends") })
    }

    @Test func `13 Proxyman, with numbers for texts and base64 in requests`() throws {
        let (found, _) = try Archives.read(try Archives.bytes("proxyman"))
        expectEqual(found[0].entry.request.postData?.bytes, [0xDE, 0xAD, 0xBE, 0xEF])
        expectEqual(found[0].entry.request.headers[1], HARPair("Content-Length", "4"))
        #expect(!found[0].entry.response.content.isEncoded)
    }

    @Test func `13 mitmproxy, with microseconds and an empty content`() throws {
        let (found, _) = try Archives.read(try Archives.bytes("mitmproxy"))
        expectEqual(found[0].entry.response.content.bytes, Array("{\"error\":\"no\"}\n".utf8))
        expectEqual(found[0].entry.started.iso8601(.microseconds), "2026-02-03T10:00:00.123456Z")
        expectEqual(found[1].entry.response.error, "Connection refused")
    }

    // MARK: Broken files

    @Test func `13 a broken file is refused with line and path`() throws {
        expectEqual(Archives.fault(""), HARError(line: 1, path: "$", reason: "the file is empty"))
        expectEqual(Archives.fault("[]")?.reason, "expected '{', found '['")
        expectEqual(Archives.fault("{\"a\":1}")?.path, "$.log")
        expectEqual(Archives.fault("{\"log\":{\"version\":\"1.2\"}}")?.path, "$.log.entries")
        expectEqual(Archives.fault("{\"log\":{\"entries\":{}}}")?.reason, "must be an array")
        expectEqual(Archives.fault("{\"log\":{\"entries\":[]}} x")?.reason.hasPrefix("expected the end"), true)
        for text in [
            "{\"log\":{\"entries\":[{\"a\":1}}", "{\"log\":{\"entries\":[{}]", "{\"log\":{\"entries\":[{} {}]}}",
        ] {
            #expect(Archives.fault(text) != nil, "\(text)")
        }
        // Without any usable entry.
        let syntax = Archives.fault("{\"log\":{\"entries\":[\n\n{\"request\":\n{tru}}]}}")
        expectEqual(syntax?.line, 4)
        expectEqual(syntax?.path, "$.log.entries[0]")
        expectEqual(Archives.fault("{\"log\":{\"entries\":[7]}}")?.reason, "must be an object, found number")
        expectEqual(
            Archives.fault(
                "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\",\"url\":\"http://a/\",\"headers\":{}}}]}}"
            )?.path,
            "$.log.entries[0].request.headers"
        )
    }

    @Test func `13 an odd entry is left out and every mistake in it listed with line and path`() throws {
        let sound = #"{"request":{"method":"GET","url":"http://a/","headers":[]},"response":null}"#
        let cases: [(text: String, notes: [String])] = [
            (
                "{\"request\":{\"method\":\"GE T\",\n\"url\":7,\n\"headers\":[{\"value\":\"x\"},{}]}}",
                [
                    ":2: $.log.entries[1].request.method: must be a request method such as GET",
                    ":3: $.log.entries[1].request.url: must be an absolute address",
                    ":4: $.log.entries[1].request.headers[0].name: must be a string",
                    ":4: $.log.entries[1].request.headers[1].name: must be a string",
                ]
            ),
            ("{\"request\":\n{tru}}", [":3: $.log.entries[1]: expected a member name"]),
            ("7", [":2: $.log.entries[1]: must be an object, found number"]),
            ("null", [":2: $.log.entries[1]: must be an object, found null"]),
            ("NaN", [":2: $.log.entries[1]: "]), ("{\"time\":NaN}", [":2: $.log.entries[1]: "]),
            ("{\"a\":1,}", [":2: $.log.entries[1]: "]),
            ("{}", [":2: $.log.entries[1].request: is required"]),
            (
                #"{"request":{"method":"GET","url":"http://a/","headers":{}},"response":{"headers":7}}"#,
                [
                    ":2: $.log.entries[1].request.headers: must be an array, found object",
                    ":2: $.log.entries[1].response.headers: must be an array, found number",
                ]
            ),
        ]
        for (text, notes) in cases {
            let bytes = Array("{\"log\":{\"entries\":[\(sound),\n\(text),\(sound)]}}".utf8)
            for pieces in [Int.max, 1] {
                let (found, reader) = try Archives.read(bytes, pieces: pieces)
                expectEqual(found.map(\.index), [0, 2], "\(text)")
                expectEqual(reader.entryCount, 3)
                let told = reader.oddities.items.map { $0.text(in: "") }.filter {
                    $0.hasSuffix("the entry is left out")
                }
                expectEqual(told.count, notes.count, "\(text): \(told)")
                for (told, note) in zip(told, notes) { #expect(told.hasPrefix(note), "\(told)") }
            }
        }
    }

    @Test func `13 a file cut anywhere is refused, never taken for whole`() throws {
        let bytes = try Archives.bytes("safari")
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for count in stride(from: 0, to: end, by: 7) {
            #expect(throws: HARError.self) { try Archives.read(Array(bytes[..<count])) }
        }
    }

    @Test func `13 an entry of the limit is taken and one byte more refused`() throws {
        let entry = #"{"request":{"method":"GET","url":"http://a/","headers":[]},"response":null}"#
        let bytes = Array("{\"log\":{\"entries\":[\(entry)]}}".utf8)
        try expectEqual(Archives.read(bytes, limit: entry.utf8.count).entries.count, 1)
        #expect(throws: HARError.self) { try Archives.read(bytes, limit: entry.utf8.count - 1) }
        #expect(throws: HARError.self) { try Archives.read(bytes, pieces: 5, limit: entry.utf8.count - 1) }
    }
}
