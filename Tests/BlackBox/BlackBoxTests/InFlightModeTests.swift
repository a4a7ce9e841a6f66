import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: exchanges that are under way when something changes, and files that others write.
@Suite(.serialized) struct InFlightModeTests {
    private let backend: Backend
    private let folder: Folder
    private let served: Served

    init() throws {
        backend = try Backend()
        folder = try Folder(["recordings/none": ""])
        served = try Served(in: folder)
    }

    private func order(_ mode: String, _ api: String = "omnichat", recording: String? = nil) throws -> WireAnswer {
        var text = #"{"api":"\#(api)","mode":"\#(mode)""#
        if mode != "emulate" { text += #","upstream":"\#(backend.url())""# }
        if let recording { text += #","recording":"\#(recording)""# }
        return try served.control("PUT", "/mode", text + "}")
    }

    private func recorded(_ name: String) throws -> [JSON] {
        let file = folder.url.appendingPathComponent("recordings/\(name)")
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue ?? []
    }

    @Test(arguments: ["spy", "record"])
    func `13 an exchange that is under way when the mode ends is shown without its secrets and recorded`(mode: String)
        throws
    {
        try expectEqual(order(mode, recording: mode == "record" ? "r.har" : nil).status, 200)
        let wire = try Wire(port: served.api)
        let body = Array(#"{"password":"hunter2-secret"}"#.utf8)
        try wire.send(Wire.request("POST", "/stream?access_token=opaque-access-token-12345", body: body))
        try wire.wait(for: "exam")
        try expectEqual(order("emulate").status, 200)
        try wire.wait(for: "\r\n0\r\n\r\n")
        let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
        expectEqual(entry?["path"], "/stream")
        for secret in ["hunter2", "opaque-access", "anna@example.com", "anna@exam"] {
            expectEqual(entry?.text.contains(secret), false)
        }
        if mode == "record" { try expectEqual(recorded("r.har").count, 1) }
    }

    @Test func `13 whoever has the last byte of an answer finds it recorded`() throws {
        try expectEqual(order("record-missing", recording: "m.har").status, 200)
        for number in 1...20 {
            try expectEqual(Wire(port: served.api).ask("GET", "/echo?n=\(number)").status, 200)
            try expectEqual(recorded("m.har").count, number)
            // What was missing once is there from then on.
            try expectEqual(Wire(port: served.api).ask("GET", "/echo?n=\(number)").status, 200)
        }
        try expectEqual(recorded("m.har").count, 20)
    }

    @Test func `13 a mode that is set again goes on in its file, and no other writes it meanwhile`() throws {
        try expectEqual(order("record-missing", recording: "m.har").status, 200)
        _ = try Wire(port: served.api).ask("GET", "/echo?n=1")
        let refused = try order("record-missing", "trendy", recording: "m.har")
        expectEqual(refused.status, 422)
        expectEqual(refused.json["errors"]?[0]?["path"], "$.recording")
        let other = try Served(in: folder)
        let body = #"{"api":"omnichat","mode":"record-missing","recording":"m.har","upstream":"\#(backend.url())"}"#
        try expectEqual(other.control("PUT", "/mode", body).status, 422)
        try expectEqual(order("record-missing", recording: "m.har").status, 200)
        _ = try Wire(port: served.api).ask("GET", "/echo?n=2")
        try expectEqual(recorded("m.har").count, 2)
        try expectEqual(order("emulate").status, 200)
        try expectEqual(other.control("PUT", "/mode", body).status, 200)
    }

    @Test func `13 a mode ends, or goes on in its file, while long contents are written`() throws {
        let long = Array(#"{"text":"\#(String(repeating: "word ", count: 10_000))"}"#.utf8)
        func ask(_ count: Int) throws {
            for _ in 0..<count {
                try expectEqual(Wire(port: served.api).ask("POST", "/echo", body: long).status, 200)
            }
        }
        try expectEqual(order("record", recording: "r.har").status, 200)
        try ask(4)
        try expectEqual(order("record-missing", recording: "r.har").status, 200)
        try expectEqual(recorded("r.har").count, 4)
        try expectEqual(Wire(port: served.api).ask("GET", "/echo?n=1").status, 200)
        try expectEqual(order("record", recording: "r.har").status, 200)
        try ask(4)
        let ended = try order("emulate")
        expectEqual(ended.text, #"{"api":"omnichat","mode":"emulate"}"#)
        try expectEqual(recorded("r.har").count, 4)
        try expectEqual(recorded("r.previous.har").count, 5)
        // Its file is free then.
        try expectEqual(order("record-missing", "trendy", recording: "r.har").status, 200)
        for name in ["r.har", "r.previous.har"] {
            try expectEqual(Program.run(["validate", "recordings/\(name)"], in: folder).status, 0)
        }
    }

    @Test func `13 a disk that is full takes no answer away, and the archive stays whole`() throws {
        // The limit stands for the disk: a file that would be longer can't be written.
        let small = try Served(in: folder, prelude: "trap '' XFSZ; ulimit -f 100")
        let body = #"{"api":"omnichat","mode":"record","recording":"full.har","upstream":"\#(backend.url())"}"#
        try expectEqual(small.control("PUT", "/mode", body).status, 200)
        for _ in 0..<12 {
            let long = Array(#"{"text":"\#(String(repeating: "x", count: 10_000))"}"#.utf8)
            try expectEqual(Wire(port: small.api).ask("POST", "/echo", body: long).status, 200)
            #expect(try !recorded("full.har").isEmpty)
        }
        let kept = try recorded("full.har").count
        #expect((1...11).contains(kept))
        try expectEqual(Wire(port: small.api).ask("GET", "/close").status, 200)
        #expect(try recorded("full.har").count >= kept)
        small.child.signal(SIGINT)
        _ = try small.child.waitForExit()
        try expectEqual(Program.run(["validate", "recordings/full.har"], in: folder).status, 0)
        #expect(try small.child.errors().contains("can't be written"))
    }
}
