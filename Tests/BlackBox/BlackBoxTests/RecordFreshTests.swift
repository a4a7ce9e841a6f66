import Foundation
import JSON
import TestSupport
import Testing

/// Wire contract, section 2: the conditions of a client's cache in a recorder.
@Suite(.serialized) struct RecordFreshTests {
    private static let conditions = [#"If-None-Match: "x""#, "If-Modified-Since: Wed, 01 Jan 2025 12:00:00 GMT"]

    /// The names of the fields that the backend got.
    private func names(_ method: String, _ port: Int) throws -> [String] {
        let wire = try Wire(port: port)
        let body = method == "POST" ? Array("{}".utf8) : []
        try wire.send(Wire.request(method, "/echo", body: body, fields: Self.conditions + ["Range: bytes=0-1"]))
        return try wire.answer().json["headers"]?.arrayValue?.compactMap { $0[0]?.stringValue } ?? []
    }

    @Test func `2 fresh takes the conditions out of forwarded GETs, and leaves other requests as they are`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har", "--fresh"], in: folder)
        let got = try names("GET", recorder.api)
        #expect(!got.contains { $0.hasPrefix("If-") }, "\(got)")
        #expect(got.contains("Range"))
        try expectEqual(
            names("POST", recorder.api).filter { $0.hasPrefix("If-") },
            ["If-None-Match", "If-Modified-Since"]
        )
        try expectEqual(recorder.control("GET", "/mode?api=omnichat").json["fresh"], true)
        // The same by a call, and off without it.
        for (fresh, expected) in [("true", 0), ("false", 2)] {
            let order = #"{"api":"omnichat","mode":"spy","upstream":"\#(backend.url())","fresh":\#(fresh)}"#
            try expectEqual(recorder.control("PUT", "/mode", order).status, 200)
            try expectEqual(names("GET", recorder.api).count { $0.hasPrefix("If-") }, expected)
        }
        try recorder.stop()
        let text = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent("rec.har")), as: UTF8.self)
        let entries = try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? []
        let sent = entries.first?["request"]?["headers"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        #expect(!sent.contains { $0.hasPrefix("If-") }, "\(sent)")
    }

    @Test func `2 the recorder's log names each 304 whose 200 it has not recorded`() throws {
        let backend = try Served(in: Folder())
        let stub = #"{"match":{"path":"/t"},"response":{"base64":"eA==","headers":{"ETag":"\"x\""}}}"#
        try expectEqual(backend.control("POST", "/stubs?api=omnichat", stub).status, 201)
        let folder = try Folder()
        let upstream = "http://127.0.0.1:\(backend.api)"
        let recorder = try Proxy(["record", "--upstream", upstream, "--out", "rec.har"], in: folder)
        for fields in [Self.conditions, [], Self.conditions] {
            let wire = try Wire(port: recorder.api)
            try wire.send(Wire.request("GET", "/t", fields: fields))
            try expectEqual(wire.answer().status, fields.isEmpty ? 200 : 304)
        }
        try recorder.stop()
        let note =
            "\(upstream)/t: only requests with its condition get this 304, because its 200 is not in the recording"
        let lines = try recorder.child.errors().split(separator: "\n").filter { $0.contains(note) }
        expectEqual(lines.count, 1)
    }
}
