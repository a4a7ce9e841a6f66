import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Conditions

/// Event streams (wire contract, section 9).
@Suite struct EventStreamTests {
    private func text(_ harness: EngineHarness, after lastID: String? = nil, _ path: String = "/s") throws -> String {
        let exchange = try harness.send(.get, path, fields: lastID.map { ["Last-Event-ID": $0] } ?? Fields())
        return exchange.status == 200 ? exchange.text : "\(exchange.status)"
    }

    private func stub(_ harness: EngineHarness, _ response: String) throws {
        try harness.stub(#"{"match":{"path":"/s"},"response":\#(response)}"#)
    }

    @Test(arguments: [
        (#"{"data":"x","retry":100}"#, "retry: 100\ndata: x\n\n"), (#"{"retry":0}"#, "retry: 0\n\n"),
        (#"{"comment":""}"#, ":\n\n"), (#"{"comment":"a\r\nb\rc"}"#, ": a\n: b\n: c\n\n"),
        (#"{"comment":"c","retry":86400000,"id":"7"}"#, ": c\nid: 7\nretry: 86400000\n\n"),
        (
            #"{"event":"e","id":"7","data":{"a":1},"comment":"{{request.method}}","retry":5}"#,
            ": GET\nevent: e\nid: 7\nretry: 5\ndata: {\"a\":1}\n\n"
        ),
        (#"{"data":""}"#, "data: \n\n"), (#"{"data":"a\nb\n"}"#, "data: a\ndata: b\ndata: \n\n"),
    ])
    func `9 an item has its lines, and each ends with an empty line`(item: String, expected: String) throws {
        for (name, end) in [("lf", "\n"), ("crlf", "\r\n"), ("cr", "\r")] {
            let harness = try EngineHarness()
            try stub(harness, #"{"events":[\#(item),{"data":"last"}],"lineEnd":"\#(name)"}"#)
            let lines = (expected + "data: last\n\n").split(separator: "\n", omittingEmptySubsequences: false)
            try expectEqual(text(harness), lines.joined(separator: end), name)
        }
    }

    @Test func `9 a byte order mark begins the stream`() throws {
        let harness = try EngineHarness()
        try stub(harness, #"{"events":[{"data":"x","id":"1"},{"data":"y"}],"bom":true}"#)
        try expectEqual(
            harness.send(.get, "/s").answer.response.body.content.prefix(7),
            [0xEF, 0xBB, 0xBF] + Array("id: ".utf8)
        )
        try expectEqual(text(harness, after: "1"), "\u{FEFF}data: y\n\n")
        try stub(harness, #"{"events":[{"data":"x"}],"bom":false}"#)
        try expectEqual(text(harness), "data: x\n\n")
    }

    @Test func `9 a client that names the last event gets what follows it`() throws {
        let harness = try EngineHarness()
        let events = #"[{"id":"1","data":"a"},{"data":"b"},{"id":"ü","data":"c"},{"id":"3","data":"d"}]"#
        try stub(harness, #"{"events":\#(events)}"#)
        let all = "id: 1\ndata: a\n\ndata: b\n\nid: ü\ndata: c\n\nid: 3\ndata: d\n\n"
        for (id, expected) in [
            (nil, all), ("1", "data: b\n\nid: ü\ndata: c\n\nid: 3\ndata: d\n\n"), ("ü", "id: 3\ndata: d\n\n"),
            ("3", "204"),
            ("4", all), ("", all), ("01", all),
        ] { try expectEqual(text(harness, after: id), expected, "\(id ?? "none")") }
        let last = try harness.send(.get, "/s", fields: ["Last-Event-ID": "3"]).answer.response
        expectEqual(last.fields.contains(.contentType), false)
        expectEqual(last.body, .empty)
        try stub(harness, #"{"events":\#(events),"resume":false}"#)
        try expectEqual(text(harness, after: "3"), all)
        try stub(
            harness,
            #"{"events":[{"id":"{{request.method}}-1","data":"a"},{"id":"x","data":"b"},{"id":"x","data":"c"}]}"#
        )
        try expectEqual(text(harness, after: "GET-1"), "id: x\ndata: b\n\nid: x\ndata: c\n\n")
        try expectEqual(text(harness, after: "x"), "204")
        try stub(harness, #"{"events":[]}"#)
        try expectEqual(text(harness, after: "3"), "")
    }

    @Test(arguments: [
        (#"{"events":[{}]}"#, "events[0].data: is required, or retry or comment"),
        (#"{"events":[{"id":"1"}]}"#, "events[0].data: is required, or retry or comment"),
        (#"{"events":[{"event":"e","comment":"c"}]}"#, "events[0].data: is required"),
        (#"{"events":[{"retry":-1}]}"#, "events[0].retry: must be a whole number from 0 to 86400000"),
        (#"{"events":[{"retry":86400001}]}"#, "events[0].retry: must be a whole number from 0 to 86400000"),
        (#"{"events":[{"comment":1}]}"#, "events[0].comment: must be a string"),
        (#"{"events":[],"lineEnd":"lfcr"}"#, "lineEnd: must be one of lf, crlf, cr"),
        (#"{"text":"x","bom":true}"#, "bom: needs events"), (#"{"lineEnd":"lf"}"#, "lineEnd: needs events"),
        (#"{"body":1,"resume":false}"#, "resume: needs events"),
    ])
    func `9 mistakes are named`(response: String, expected: String) throws {
        try expectEqual(EngineHarness().stubProblems(#"{"response":\#(response)}"#), ["$.response.\(expected)"])
    }

    /// Contents that are streams by their type.
    private static let kinds = [
        #"{"text":"data: {\"n\":1}\n\n: c\n\ndata: {\"n\":2}\n\n","headers":{"Content-Type":"text/event-stream"}}"#,
        #"{"base64":"ZGF0YTogeyJuIjoxfQoKOiBjCgpkYXRhOiB7Im4iOjJ9Cgo=","headers":{"Content-Type":"TEXT/Event-Stream; charset=utf-8"}}"#,
        #"{"events":[{"data":{"n":1}},{"comment":"c"},{"data":{"n":2}}]}"#,
    ]

    @Test(arguments: kinds)
    func `9 content of that type is a stream, on which faults act`(response: String) throws {
        func plain(_ effect: String?, range: Bool = false) throws -> Response {
            let harness = try EngineHarness()
            try stub(harness, response)
            if let effect { try harness.fault(#"{"effect":\#(effect)}"#) }
            return try harness.send(.get, "/s", fields: range ? [.range: "bytes=0-3"] : Fields()).answer.response
        }
        let whole = try plain(nil)
        #expect(whole.isEventStream)
        expectEqual(whole.fields.contains(.contentLength), false)
        expectEqual(whole.fields.contains(.acceptRanges), false)
        try expectEqual(plain(nil, range: true).status, .ok)
        func text(_ effect: String) throws -> String { String(decoding: try plain(effect).body.content, as: UTF8.self) }
        let (one, comment, two) = ("data: {\"n\":1}\n\n", ": c\n\n", "data: {\"n\":2}\n\n")
        try expectEqual(text(#"{"stream":{"cutAfterEvents":1}}"#), one)
        try expectEqual(text(#"{"stream":{"cutAfterEvents":2}}"#), one + comment + two)
        try expectEqual(text(#"{"stream":{"duplicate":2}}"#), one + comment + two + comment + two)
        try expectEqual(text(#"{"drift":{"set":"n","to":7}}"#), "data: {\"n\":7}\n\n\(comment)data: {\"n\":7}\n\n")
        try expectEqual(text(#"{"drift":{"remove":"m"}}"#), one + comment + two, "nothing to change")
    }

    @Test(arguments: [("lf", "\n"), ("crlf", "\r\n"), ("cr", "\r")])
    func `9 drift keeps the other lines of an event, and the ends of lines`(name: String, end: String) throws {
        let harness = try EngineHarness()
        let events = #"[{"event":"e","id":"1","data":{"n":1}},{"data":"no JSON"},{"data":"{\n\"n\":2}","retry":3}]"#
        try stub(harness, #"{"events":\#(events),"lineEnd":"\#(name)","bom":true}"#)
        try harness.fault(#"{"effect":{"drift":{"set":"n","to":7}}}"#)
        let expected = "\u{FEFF}event: e\nid: 1\ndata: {\"n\":7}\n\ndata: no JSON\n\nretry: 3\ndata: {\"n\":7}\n\n"
        try expectEqual(
            text(harness),
            expected.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end)
        )
        try harness.fault(#"{"effect":{"stream":{"cutAfterEvents":1}}}"#)
    }

    @Test func `9 what respond sends is a stream too, and what has no content is none`() throws {
        let harness = try EngineHarness()
        let fields = #""headers":[["Content-Type","text/event-stream"]]"#
        try harness.fault(#"{"when":{"times":1},"effect":{"respond":{"status":200,\#(fields),"text":"data: x\n\n"}}}"#)
        let response = try harness.send(.get, "/notes/n1").answer.response
        #expect(response.isEventStream)
        try harness.stub(
            #"{"match":{"path":"/none"},"response":{"status":204,"headers":{"Content-Type":"text/event-stream"}}}"#
        )
        try expectEqual(harness.send(.get, "/none").answer.response.body, .empty)
    }

    @Test(arguments: [1, 2, 3, 5, 1_000])
    func `9 events are found at any cut, with any line ends`(length: Int) throws {
        let text = Array("\u{FEFF}data: a\r\n\r\n: c\n\ndata: b\r\rdata\n\nretry: 1\n\ndatax: 1\n\ndata:c\n\n".utf8)
        var steps: [Step] = []
        for start in stride(from: 0, to: text.count, by: length) {
            steps.append(.bytes(Array(text[start..<min(start + length, text.count)])))
        }
        let timeline = SSETimeline(steps + [.end])
        expectEqual(timeline.events.count, 4)
        expectEqual(timeline.events.last.map { String(decoding: $0.suffix(8), as: UTF8.self) }, "data:c\n\n")
        for (count, expected) in [(1, "a"), (2, "b"), (3, "data\n\n"), (4, "data:c\n\n")] {
            let head = timeline.head(events: count).reduce(into: [UInt8]()) {
                if case .bytes(let more) = $1 { $0 += more }
            }
            #expect(String(decoding: head.suffix(9), as: UTF8.self).contains(expected), "\(count)")
        }
    }
}
