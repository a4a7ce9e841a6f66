import Foundation
import JSON
import TestSupport
import Testing

/// Uploads that end early, and slow ones (wire contract, sections 8 and 10).
@Suite(.serialized) struct WireUploadTests {
    private static func port(_ served: Served) throws -> Int {
        let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    private static let folder = [
        "apis/shop/api.json": #"""
        {"uploads":[{"path":"/files"}],"idempotency":true,"resources":[{"path":"/orders","table":"orders"}]}
        """#, "apis/shop/tables/orders.json": "[]",
    ]

    private static let tus = ["Tus-Resumable: 1.0.0"]

    private func ask(
        _ port: Int,
        _ method: String,
        _ path: String,
        _ fields: [String],
        body: String = ""
    ) throws -> WireAnswer {
        let wire = try Wire(port: port)
        try wire.send(Wire.request(method, path, body: Array(body.utf8), fields: fields))
        return try wire.answer(toHead: method == "HEAD")
    }

    @Test(arguments: ["resetAfterBytes", "stopAfterBytes"])
    func `8 of an upload that a fault ends only the bytes up to its number count`(effect: String) throws {
        let served = try Served(Served.frozen + ["--api", "shop"], in: Folder(Self.folder))
        let port = try Self.port(served)
        for count in [1, 1_000, 40_000] {
            let made = try ask(port, "POST", "/files", Self.tus + ["Upload-Length: 100000"])
            let path = try #require(made["Location"]?.components(separatedBy: "127.0.0.1").last)
            let fault = #"{"when":{"times":1},"effect":{"upload":{"\#(effect)":\#(count)}}}"#
            try expectEqual(served.control("POST", "/faults?api=shop", fault).status, 201)
            let wire = try Wire(port: port)
            let type = "application/offset+octet-stream"
            let body = [UInt8](repeating: 0x61, count: 100_000)
            // All at once, so that more than that number is there to be read.
            try wire.send(Wire.request("PATCH", path, body: body, type: type, fields: Self.tus + ["Upload-Offset: 0"]))
            func entry() throws -> JSON? {
                try served.control("GET", "/requests?limit=1&method=PATCH").json["items"]?[0]
            }
            if effect == "stopAfterBytes" {
                // The entry is there when the head has come, and nothing more is read after that number.
                try Deadline().wait(for: "the entry") { try entry()?["path"] == .string(path) }
                usleep(200_000)
                wire.abort()
            }
            try Deadline().wait(for: "the end") { try entry()?["path"] == .string(path) && entry()?["endedAt"] != nil }
            try expectEqual(entry()?["body"]?["bytes"], .integer(Int64(count)))
            try expectEqual(ask(port, "HEAD", path, Self.tus)["Upload-Offset"], "\(count)")
            _ = try served.control("DELETE", "/faults")
        }
    }

    @Test func `8 every answer has the version, those that HTTP itself refuses too`() throws {
        let served = try Served(["--api", "shop"], in: Folder(Self.folder))
        let port = try Self.port(served)
        let made = try ask(port, "POST", "/files", Self.tus + ["Upload-Length: 10"])
        let path = try #require(made["Location"]?.components(separatedBy: "127.0.0.1").last)
        for (place, more, status) in [
            (path, "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400), (path, "Content-Length: x\r\n\r\n", 400),
            (path, "Expect: odd\r\nContent-Length: 1\r\n\r\n", 417), ("/orders", "Content-Length: x\r\n\r\n", 400),
        ] {
            let wire = try Wire(port: port)
            let head = "PATCH \(place) HTTP/1.1\r\nHost: 127.0.0.1\r\nTus-Resumable: 1.0.0\r\n"
            try wire.send(Array((head + more).utf8))
            let answer = try wire.answer()
            expectEqual(answer.status, status, more)
            expectEqual(answer["Tus-Resumable"], place == path ? "1.0.0" : nil, more)
        }
    }

    @Test func `8 kept answers survive a restart with a store`() throws {
        let folder = try Folder(Self.folder)
        let key = ["Idempotency-Key: k1"]
        func run(_ work: (Int) throws -> Void) throws {
            let served = try Served(["--api", "shop", "--state", "store"], in: folder)
            try work(Self.port(served))
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
        }
        var first = ""
        try run { port in
            let answer = try ask(port, "POST", "/orders", key, body: #"{"sku":"a"}"#)
            expectEqual(answer.status, 201)
            first = answer.text
        }
        try run { port in
            let again = try ask(port, "POST", "/orders", key, body: #"{"sku":"a"}"#)
            expectEqual(again.status, 201)
            expectEqual(again["Idempotency-Replayed"], "true")
            expectEqual(again.text, first)
            try expectEqual(ask(port, "POST", "/orders", key, body: #"{"sku":"b"}"#).status, 422)
            try expectEqual(ask(port, "GET", "/orders", []).json.arrayValue?.count, 1)
        }
    }

    @Test func `10 uploadBytesPerSecond reads content at that rate, on the clock of the world`() throws {
        let served = try Served(Served.frozen + ["--api", "shop"], in: Folder(Self.folder))
        let port = try Self.port(served)
        for body in [
            #"{"uploadBytesPerSecond":0}"#, #"{"profile":"edge","uploadBytesPerSecond":1}"#,
            #"{"uploadBytesPerSecond":5,"match":{"body":{"a":1}}}"#,
            #"{"uploadBytesPerSecond":5,"match":{"bodyText":{"contains":"a"}}}"#,
            #"{"profile":"edge","match":{"body":{"a":1}}}"#,
        ] { try expectEqual(served.control("PUT", "/latency?api=shop", body).status, 422, body) }
        let order = #"{"uploadBytesPerSecond":1000,"match":{"method":"POST"},"on":"world"}"#
        try expectEqual(served.control("PUT", "/latency?api=shop", order).json["uploadBytesPerSecond"], 1_000)
        // The clock stands, so the content is never read, until it is moved: 100 bytes in each tenth of a second.
        let wire = try Wire(port: port)
        try wire.send(
            Wire.request("POST", "/orders", body: Array("{\"a\":\"\(String(repeating: "x", count: 992))\"}".utf8))
        )
        var moved = 0
        try Deadline().wait(for: "the answer") {
            if try served.control("GET", "/requests?method=POST").json["items"]?[0] != nil { return true }
            moved += 100
            try expectEqual(served.control("POST", "/clock/advance", #"{"by":"PT0.1S"}"#).status, 200)
            return false
        }
        try expectEqual(wire.answer().status, 201)
        // A read may bring all of it at once, and its time passes all the same.
        #expect(moved >= 1_000, "\(moved)")
        // What the match leaves out is read at once, and with a fault the slower rate holds.
        try expectEqual(ask(port, "PUT", "/orders/none", [], body: #"{"a":"y"}"#).status, 404)
        // One advance ends all the waits of its time, however many reads that are.
        let long = try Wire(port: port)
        try long.send(
            Wire.request("POST", "/orders", body: Array("{\"a\":\"\(String(repeating: "x", count: 40_000))\"}".utf8))
        )
        var advances = 0
        try Deadline().wait(for: "the long answer") {
            if try served.control("GET", "/requests?method=POST").json["items"]?.arrayValue?.count == 2 { return true }
            advances += 1
            try expectEqual(served.control("POST", "/clock/advance", #"{"by":"PT10M"}"#).status, 200)
            usleep(50_000)
            return false
        }
        try expectEqual(long.answer().status, 201)
        #expect(advances < 12, "\(advances)")
        _ = try served.control("PUT", "/latency?api=shop", #"{"profile":"none"}"#)
        try expectEqual(ask(port, "POST", "/orders", [], body: "{}").status, 201)
        // A fault's time passes by the clocks that it names, too.
        let fault = #"{"match":{"method":"POST"},"effect":{"upload":{"readBytesPerSecond":10000}},"on":"world"}"#
        try expectEqual(served.control("POST", "/faults?api=shop", fault).status, 201)
        let held = try Wire(port: port)
        try held.send(
            Wire.request("POST", "/orders", body: Array("{\"a\":\"\(String(repeating: "x", count: 992))\"}".utf8))
        )
        usleep(300_000)
        try expectEqual(served.control("GET", "/requests?method=POST").json["items"]?.arrayValue?.count, 3)
        try Deadline().wait(for: "the held answer") {
            try expectEqual(served.control("POST", "/clock/advance", #"{"by":"PT1S"}"#).status, 200)
            return try served.control("GET", "/requests?method=POST").json["items"]?.arrayValue?.count == 4
        }
        try expectEqual(held.answer().status, 201)
    }
}
