import Foundation
import JSON
import TestSupport
import Testing

/// Recordings and worlds: each world has a place of its own in what is replayed.
@Suite(.serialized) struct ReplayWorldTests {
    /// Three answers to one request, the last of them first in the file.
    private static let archive: String = {
        func entry(_ number: Int, _ second: Int) -> String {
            #"{"startedDateTime":"2025-01-01T12:00:0\#(second).000Z","time":1,"request":{"method":"GET","#
                + #""url":"https://api.example.com/n","httpVersion":"HTTP/1.1","cookies":[],"headers":[],"#
                + #""queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","#
                + #""httpVersion":"HTTP/1.1","cookies":[],"headers":[],"content":{"size":7,"mimeType":"#
                + #""application/json","text":"{\"n\":\#(number)}"},"redirectURL":"","headersSize":-1,"#
                + #""bodySize":7},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}"#
        }
        return #"{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":["#
            + [entry(3, 3), entry(1, 1), entry(2, 2)].joined(separator: ",") + "]}}"
    }()

    @Test func `4 a world goes through a recording on its own; forks go on, reset and restore return`() throws {
        let folder = try Folder(["n.har": Self.archive])
        let replay = try Proxy(["replay", "n.har", "--exhausted", "fail"], in: folder)
        func next(_ world: String = "") throws -> Int64? {
            let answer = try replay.ask("GET", world + "/n")
            #expect(answer.status == 404 || answer["Content-Type"] == "application/json")
            return answer.json["n"]?.intValue
        }
        func make(_ body: String) throws { try expectEqual(replay.control("POST", "/worlds", body).status, 201) }
        try expectEqual(next(), 1)
        try make(#"{"name":"w1"}"#)
        try expectEqual(next("/@w1"), 1)
        try expectEqual(next(), 2)
        try make(#"{"name":"w2","from":"main"}"#)
        try expectEqual(next("/@w2"), 3)
        try expectNil(next("/@w2"))
        try expectEqual(next(), 3)
        try expectNil(next())
        try expectEqual(next("/@w1"), 2)
        try expectEqual(replay.control("POST", "/snapshots", #"{"name":"here"}"#).status, 201)
        try expectEqual(replay.control("POST", "/reset").status, 200)
        try expectEqual(replay.control("GET", "/mode?api=omnichat").json["mode"], "replay")
        try expectEqual(next(), 1)
        try expectEqual(next("/@w1"), 3)
        try expectEqual(replay.control("POST", "/snapshots/here/restore").status, 200)
        try expectNil(next())
        try expectEqual(replay.control("POST", "/reset?api=omnichat").status, 200)
        try expectEqual(next(), 1)
        try replay.stop()
    }

    @Test func `13 setting the mode again begins the recording anew for every world`() throws {
        let folder = try Folder(["recordings/n.har": Self.archive])
        let served = try Served(in: folder)
        let order = #"{"api":"omnichat","mode":"replay","recording":"n.har"}"#
        func next() throws -> Int64? { try Wire(port: served.api).ask("GET", "/n").json["n"]?.intValue }
        for _ in 0..<2 {
            try expectEqual(served.control("PUT", "/mode", order).status, 200)
            try expectEqual(next(), 1)
            try expectEqual(next(), 2)
            try expectEqual(next(), 3)
            try expectEqual(next(), 3)
        }
    }

    @Test func `13 what a client sends under a telling name stands for what was recorded elsewhere, too`() throws {
        let backend = try Backend()
        let folder = try Folder()
        let device = "5f3a9c0d7e1b2468aabbccddeeff0011"
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        try expectEqual(recorder.ask("POST", "/devices", #"{"deviceToken":"\#(device)"}"#).status, 200)
        try expectEqual(recorder.ask("DELETE", "/devices/\(device)").status, 200)
        let entry = try recorder.control("GET", "/requests?limit=1").json["items"]?[0]
        let sent = entry?["responseHeaders"]?.arrayValue?.map { $0[0]?.stringValue } ?? []
        #expect(sent.contains("X-Request-Id"))
        try recorder.stop()
        let file = try String(contentsOf: folder.url.appendingPathComponent("rec.har"), encoding: .utf8)
        #expect(!file.contains(device))
        let replay = try Proxy(["replay", "rec.har"], in: folder)
        try expectEqual(replay.ask("DELETE", "/devices/\(device)").status, 404)
        try expectEqual(replay.ask("POST", "/devices", #"{"deviceToken":"\#(device)"}"#).status, 200)
        try expectEqual(replay.ask("DELETE", "/devices/\(device)").status, 200)
        try replay.stop()
    }

    @Test(arguments: [
        ("br, gzip;q=0.5", "gzip;q=0.5"), ("gzip,deflate", "gzip,deflate"), ("br", "identity"),
        ("deflate, br, gzip", "deflate, gzip"),
    ])
    func `13 a coding that can't be read is not asked for`(_ asked: String, _ passed: String) throws {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        let wire = try Wire(port: recorder.api)
        try wire.send(Wire.request("GET", "/echo", fields: ["Accept-Encoding: \(asked)"]))
        let echo = try wire.answer().json["headers"]?.arrayValue ?? []
        #expect(echo.contains(["Accept-Encoding", .string(passed)]), "\(echo)")
        try recorder.stop()
    }

    @Test func `13 faults act on a recorded path that the emulation does not have, whatever the API`() throws {
        let folder = try Folder(["recordings/n.har": Self.archive])
        let served = try Served(["--clock", "frozen:2025-01-01T12:00:00Z"], in: folder)
        for api in Checkout.apis {
            let order = #"{"api":"\#(api)","mode":"replay","recording":"n.har"}"#
            try expectEqual(served.control("PUT", "/mode", order).status, 200)
            let fault = #"{"match":{"api":"\#(api)"},"when":{"times":1},"effect":{"status":503}}"#
            try expectEqual(served.control("POST", "/faults", fault).status, 201)
            func next() throws -> WireAnswer { try Wire(port: served.hub).ask("GET", "/\(api)/n") }
            try expectEqual(next().status, 503, "\(api)")
            try expectEqual(next().json["n"], 1, "\(api)")
        }
    }

    @Test func `13 the mode shows what a comparison leaves out`() throws {
        let served = try Served(["--clock", "frozen:2025-01-01T12:00:00Z"])
        let order = #"{"api":"omnichat","mode":"spy","upstream":"http://127.0.0.1:1","ignore":{"headers":["X-A"]}}"#
        let shown =
            #"{"api":"omnichat","mode":"spy","upstream":"http://127.0.0.1:1","ignore":{"headers":["X-A"],"query":[],"body":[]}}"#
        try expectEqual(served.control("PUT", "/mode", order).text, shown)
        try expectEqual(served.control("GET", "/mode?api=omnichat").text, shown)
    }

    @Test func `2 a recording that is not there is a slip of the command line`() throws {
        let folder = try Folder()
        for command in [["replay", "none.har", "--port", "0"], ["diff", "none.har"]] {
            let result = try Program.run(command + ["--api", "omnichat"], in: folder)
            expectEqual(result.status, 2)
            #expect(result.errors.contains("none.har: there is no such file"))
        }
    }

    @Test func `2 a mistake in the folder of a custom API is no difference`() throws {
        let folder = try Folder(["apis/shop/api.json": #"{"titel":"x"}"#])
        try folder.write("a.har", #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}"#)
        let result = try Program.run(["diff", "a.har", "--api", "shop"], in: folder)
        expectEqual(result.status, 2)
        expectEqual(result.output, "")
        #expect(result.errors.contains("apis/shop/api.json:1: $.titel: "), "\(result.errors)")
    }

    @Test func `13 whoever has the last byte finds the exchange recorded, compared and ready to be replayed`() throws {
        let backend = try Backend()
        let served = try Served(["--clock", "frozen:2025-01-01T12:00:00Z"], in: try Folder())
        func mode(_ text: String) throws {
            try expectEqual(served.control("PUT", "/mode", #"{"api":"omnichat",\#(text)}"#).status, 200)
        }
        for turn in 0..<10 {
            try mode(#""mode":"record","upstream":"\#(backend.url())","recording":"r\#(turn).har""#)
            try expectEqual(Wire(port: served.api).ask("GET", "/login").json["tier"], "gold")
            try expectEqual(Wire(port: served.api).ask("GET", "/echo?turn=\(turn)").status, 200)
            try mode(#""mode":"replay","recording":"r\#(turn).har""#)
            try expectEqual(Wire(port: served.api).ask("GET", "/echo?turn=\(turn)").status, 200, "turn \(turn)")
            try mode(#""mode":"spy","upstream":"\#(backend.url())""#)
            try expectEqual(Wire(port: served.api).ask("GET", "/login").json["tier"], "gold")
            let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
            expectEqual(entry?["differences"]?.arrayValue?.isEmpty, false, "turn \(turn)")
            expectEqual(entry?["responseBody"]?["text"]?.stringValue?.contains("gold"), true, "turn \(turn)")
        }
    }
}
