import CivilTime
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

/// Deviations of known tools from the specification, one by one.
@Suite struct HabitTests {
    /// An archive of one entry, made from a plain one by changes at paths such as `response.status`.
    private static func read(
        _ changes: [String: JSON?] = [:],
        creator: String = "WebInspector",
        prefix: String = "",
        suffix: String = ""
    ) throws -> (entry: HAREntry, notes: [String]) {
        var entry = plain
        for (path, value) in changes { entry = changed(entry, path.split(separator: ".").map(String.init), value) }
        let text =
            #"{"log":{"version":"1.2","creator":{"name":"\#(creator)","version":"1"},"entries":[\#(entry.text)]}}"#
        let (found, reader) = try Archives.read(Array((prefix + text + suffix).utf8))
        return (try #require(found.first).entry, reader.oddities.items.map(\.note))
    }

    private static let plain: JSON = [
        "startedDateTime": "2026-02-03T10:00:00.123Z", "time": 5,
        "request": [
            "method": "GET", "url": "https://api.example.com/a?x=1", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": [["name": "Accept", "value": "*/*"]], "queryString": [["name": "x", "value": "1"]],
            "headersSize": -1, "bodySize": 0,
        ],
        "response": [
            "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
            "headers": [["name": "Content-Type", "value": "application/json"]],
            "content": ["size": 2, "mimeType": "application/json", "text": "{}"], "redirectURL": "",
            "headersSize": -1, "bodySize": 2,
        ],
        "cache": [:], "timings": ["send": 1, "wait": 3, "receive": 1],
    ]

    private static func changed(_ json: JSON, _ path: [String], _ value: JSON?) -> JSON {
        guard let name = path.first, case .object(var object) = json else { return value ?? .null }
        if path.count > 1 {
            object[name] = changed(object[name] ?? [:], Array(path.dropFirst()), value)
        } else {
            object[name] = value
        }
        return .object(object)
    }

    private static func isReplayed(_ entry: HAREntry) -> Bool {
        var book = ReplayIndex()
        book.add(entry, file: 0, offset: 0, length: 1)
        return book.unusable == 0
    }

    @Test func `13 Chrome: own members, web sockets and blocked loads`() throws {
        let own = try Self.read([
            "_resourceType": "fetch", "_initiator": ["type": "script"], "_priority": "High", "_connectionId": "7",
            "connection": "443", "pageref": "page_1", "response._transferSize": 300, "response._error": .null,
            "timings._blocked_queueing": 0.5, "timings._workerStart": -1,
        ])
        #expect(own.notes.isEmpty)
        expectNil(own.entry.response.error)
        let socket = try Self.read([
            "_resourceType": "websocket", "request.url": "wss://api.example.com/live", "response.status": 101,
            "_webSocketMessages": [["type": "send", "time": 1.5, "opcode": 1, "data": "{}"]],
        ])
        #expect(!Self.isReplayed(socket.entry))
        #expect(socket.notes.contains { $0.contains("not http or https") })
        for error in ["net::ERR_BLOCKED_BY_CLIENT", "net::ERR_ABORTED", "net::ERR_NAME_NOT_RESOLVED"] {
            let blocked = try Self.read([
                "response.status": 0, "response._error": .string(error),
                "response.content": ["size": 0, "mimeType": "x-unknown"],
            ])
            expectEqual(blocked.entry.response.error, error)
            #expect(!Self.isReplayed(blocked.entry))
            #expect(blocked.notes.contains { $0.contains("there is no status") })
        }
    }

    @Test func `13 Chrome: contents that were not kept, empty ones, and answers from the cache`() throws {
        let missing = try Self.read(["response.content": ["size": 500, "mimeType": "application/json"]])
        expectNil(missing.entry.response.content.bytes)
        expectEqual(missing.notes, ["the content was left out"])
        let empty = try Self.read(["response.status": 204, "response.content": ["size": 0, "mimeType": "x-unknown"]])
        #expect(empty.notes.isEmpty)
        #expect(Self.isReplayed(empty.entry))
        for status in [204, 205] {
            let odd = try Self.read(["response.status": .integer(Int64(status)), "response.bodySize": nil])
            expectEqual(odd.entry.response.content.bytes, [])
            #expect(odd.notes.contains("a \(status) has no content; it is left out"), "\(odd.notes)")
        }
        for status in [100, 103] {
            let interim = try Self.read(["response.status": .integer(Int64(status))])
            #expect(interim.notes.contains { $0.hasPrefix("a \(status) is an interim response") }, "\(interim.notes)")
            #expect(!Self.isReplayed(interim.entry))
        }
        let cached = try Self.read(["response.status": 304, "_fromCache": "disk", "response.bodySize": 0])
        #expect(Self.isReplayed(cached.entry))
        let decoded = try Self.read([
            "response.headers": [
                ["name": "content-encoding", "value": "zstd"], ["name": "content-length", "value": "9"],
            ],
            "response.content": ["size": 8, "mimeType": "application/json", "text": "{\"a\":1 }", "compression": -1],
        ])
        let answer = ReplayAnswer().response(decoded.entry, requestID: nil, isHead: false)
        expectNil(answer.fields["Content-Encoding"])
        expectEqual(answer.fields[.contentLength], "8")
    }

    @Test func `13 HTTP 2: pseudo-fields on both sides are left out, versions in any spelling are taken`() throws {
        for version in ["h2", "http/2.0", "HTTP/2", "h3", "http/2+quic/46", "unknown", ""] {
            let read = try Self.read([
                "request.httpVersion": .string(version), "response.httpVersion": .string(version),
                "request.headers": [
                    ["name": ":authority", "value": "api.example.com"], ["name": ":path", "value": "/a"],
                    ["name": "accept", "value": "*/*"],
                ],
                "response.headers": [
                    ["name": ":status", "value": "200"], ["name": "content-type", "value": "text/plain"],
                ],
                "response.statusText": "",
            ])
            expectEqual(read.entry.request.headers, [HARPair("accept", "*/*")])
            expectEqual(read.entry.response.headers, [HARPair("content-type", "text/plain")])
            #expect(Self.isReplayed(read.entry))
        }
    }

    @Test func `13 Firefox: bodies that were cut, raw headers, times in any zone`() throws {
        // devtools.netmonitor.responseBodyLimit cuts a body; its size is the whole one's.
        let cut = try Self.read(
            [
                "response.content": [
                    "size": 2_000_000, "mimeType": "application/json", "text": "{\"a\":", "comment": "truncated",
                ],
                "response._truncated": true,
            ],
            creator: "Firefox"
        )
        expectEqual(cut.entry.response.content.bytes, Array("{\"a\":".utf8))
        expectEqual(cut.entry.response.content.comment, "truncated")
        for (text, expected) in [
            ("2026-02-03T10:00:00.123Z", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T11:00:00.123+01:00", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T11:00:00.123+0100", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T11:00:00.123+01", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T04:30:00-05:30", "2026-02-03T10:00:00.000Z"),
            ("2026-02-03 10:00:00.123Z", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T10:00:00.123", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T10:00:00.1234567891Z", "2026-02-03T10:00:00.123Z"),
            ("2026-02-03T10:00:00", "2026-02-03T10:00:00.000Z"), ("yesterday", "1970-01-01T00:00:00.000Z"),
            ("2026-13-45T99:00:00Z", "1970-01-01T00:00:00.000Z"),
        ] {
            let read = try Self.read(["startedDateTime": .string(text)])
            expectEqual(read.entry.started.iso8601(.milliseconds), expected, "\(text)")
        }
        #expect(try Self.read(["startedDateTime": nil]).notes.contains { $0.contains("1970") })
    }

    @Test func `13 Safari: members that are missing`() throws {
        for path in [
            "request.queryString", "request.cookies", "request.headersSize", "request.bodySize", "request.httpVersion",
            "response.cookies", "response.redirectURL", "response.headersSize", "response.bodySize",
            "response.statusText",
            "response.httpVersion", "response.content.mimeType", "response.content.size", "cache", "timings", "time",
            "response.headers", "request.headers", "serverIPAddress",
        ] {
            let read = try Self.read([path: nil], creator: "WebKit Web Inspector")
            #expect(Self.isReplayed(read.entry), "\(path)")
            expectEqual(read.entry.request.query, [HARPair("x", "1")], "\(path)")
        }
        for path in ["request", "request.method", "request.url"] {
            #expect(throws: HARError.self, "\(path)") { try Self.read([path: nil]) }
        }
        #expect(!Self.isReplayed(try Self.read(["response": nil]).entry))
    }

    @Test func `13 Charles: a byte order mark, states of its own, repeats and one value of several lines`() throws {
        let read = try Self.read(
            [
                "response._charlesStatus": "COMPLETE", "request._charlesStatus": "COMPLETE", "comment": "",
                "response.headers": [
                    ["name": "Set-Cookie", "value": "a=1\nb=2"], ["name": "X-A", "value": "1"],
                    ["name": "X-A", "value": "2"],
                ],
                "response.content.compression": 0, "response.redirectURL": .null,
            ],
            creator: "Charles Proxy",
            prefix: "\u{FEFF}"
        )
        expectEqual(read.notes, ["the file begins with a byte order mark"])
        let answer = ReplayAnswer().response(read.entry, requestID: nil, isHead: false)
        expectEqual(
            answer.fields.pairs.map { "\($0.name)=\($0.value)" },
            [
                "Set-Cookie=a=1", "Set-Cookie=b=2", "X-A=1", "X-A=2", "Content-Type=application/json",
            ]
        )
        for state in ["FAILED", "RECEIVING_RESPONSE_HEADERS"] {
            let failed = try Self.read(["response._charlesStatus": .string(state), "response.status": .null])
            #expect(!Self.isReplayed(failed.entry))
        }
    }

    @Test func `13 Proxyman and mitmproxy: numbers and texts for one another, nulls, a NUL behind the end`() throws {
        let read = try Self.read(
            [
                "response.status": "200",
                "request.headers": [["name": "Content-Length", "value": 4], ["name": "X", "value": .null]],
                "response.content.encoding": .null, "request.postData": .null, "serverIPAddress": "", "connection": 12,
            ],
            creator: "Proxyman",
            suffix: "\u{0}"
        )
        expectEqual(read.entry.response.status, 200)
        expectEqual(read.entry.connection, "12")
        expectNil(read.entry.serverAddress)
        expectEqual(read.entry.request.headers, [HARPair("Content-Length", "4"), HARPair("X", "")])
        #expect(read.notes.contains("there is a NUL after the archive"))
        let binary = try Self.read(
            [
                "response.content": [
                    "size": 3, "mimeType": "application/octet-stream", "text": "AAEC", "encoding": "base64",
                ]
            ],
            creator: "mitmproxy"
        )
        expectEqual(binary.entry.response.content.bytes, [0, 1, 2])
        let failed = try Self.read(["response": .null, "_error": "Connection refused"], creator: "mitmproxy")
        #expect(!Self.isReplayed(failed.entry))
    }

    @Test func `13 negative, missing, huge and wrong timings are never waited for`() throws {
        let odd: [JSON] = [
            -1, -250.5, .null, "fast", .double(1e300), .double(-1e300), .integer(.max), .integer(.min), [:], true,
        ]
        for value in odd {
            for name in ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"] {
                let read = try Self.read(["timings.\(name)": value, "time": value])
                #expect(read.entry.time >= 0 && read.entry.time < 1e13)
                let answer = ReplayAnswer(speed: 1).response(read.entry, requestID: nil, isHead: false)
                for step in answer.timeline {
                    if case .wait(let length, _) = step { #expect(length < .seconds(100)) }
                }
                #expect(read.entry.timings.receive >= -1)
            }
        }
    }

    @Test func `13 statuses out of range, methods of any kind and addresses without a path`() throws {
        for status in [JSON.integer(99), 1_000, -200, .integer(.max), .double(200.5), "abc", [:]] {
            #expect(!Self.isReplayed(try Self.read(["response.status": status]).entry), "\(status)")
        }
        for method in ["get", "PROPFIND", "M-SEARCH", "purge"] {
            #expect(Self.isReplayed(try Self.read(["request.method": .string(method)]).entry))
        }
        #expect(throws: HARError.self) { try Self.read(["request.method": "GE T"]) }
        for url in ["https://api.example.com", "HTTPS://API.example.com?x", "http://[::1]:8080/a#b", "https://u:p@h/a"]
        {
            #expect(Self.isReplayed(try Self.read(["request.url": .string(url)]).entry), "\(url)")
        }
        for url in [
            "data:,x", "blob:https://a/1", "chrome-extension://a/b", "about:blank", "ftp://a/b", "/a", "https://",
        ] {
            #expect(!Self.isReplayed(try Self.read(["request.url": .string(url)]).entry), "\(url)")
        }
    }
}
