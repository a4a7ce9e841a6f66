import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, sections 2, 3 and 9, over sockets.
@Suite struct ReplayWireTests {
    @Test func `console 9 a request is sent again as a client would, and what differs is told`() throws {
        let served = try Served()
        let token = try served.token()
        let wire = try Wire(port: served.api)
        let body = #"{"title":"Again"}"#
        let made = try wire.ask("POST", "/api/v1/conversations?a=1", body: Array(body.utf8), token: token).status
        let again = try served.control("POST", "/requests/req_1/replay", "{}")
        expectEqual(again.status, 201, "\(again.text)")
        expectEqual(
            again.json.objectValue?.members.map(\.name),
            [
                "id", "replayOf", "status", "outcome", "same", "differences",
            ]
        )
        expectEqual(again.json["replayOf"]?.stringValue, "req_1")
        expectEqual(again.json["status"]?.intValue, Int64(made))
        let entry = try served.control("GET", "/requests/\(again.json["id"]?.stringValue ?? "")").json
        expectEqual(entry["replayOf"]?.stringValue, "req_1")
        expectEqual(entry["query"]?.stringValue, "a=1")
        expectEqual(entry["body"]?["text"]?.stringValue, body)
        expectEqual(entry["user"]?.stringValue, "test@icloud.com")
        let first = try served.control("GET", "/requests/req_1").json
        #expect((entry["connection"]?.intValue ?? 0) > (first["connection"]?.intValue ?? .max))
        _ = try served.control("POST", "/users/test@icloud.com/revoke", #"{"tokens":"all"}"#)
        try expectEqual(served.control("POST", "/requests/req_1/replay", #"{"token":"same"}"#).json["status"], 401)
        let fresh = try served.control("POST", "/requests/req_1/replay", #"{"token":"fresh"}"#)
        expectEqual(fresh.json["status"]?.intValue, Int64(made))
        _ = try wire.ask("GET", "/nowhere")
        try expectEqual(served.control("POST", "/requests/req_5/replay", "{}").json["same"], true)
        try expectEqual(served.control("POST", "/requests/req_5/replay", #"{"token":"fresh"}"#).status, 422)
        try expectEqual(served.control("POST", "/requests/none/replay", "{}").status, 404)
        try expectEqual(served.control("POST", "/requests/req_1/replay", #"{"token":"old"}"#).status, 422)
        let long = [UInt8](repeating: 0x61, count: 65_537)
        _ = try wire.ask("POST", "/api/v1/auth/apple", body: long)
        let newest = try served.control("GET", "/requests?limit=1&fields=id").json["items"]?[0]?["id"]?.stringValue
        try expectEqual(served.control("POST", "/requests/\(newest ?? "")/replay", "{}").status, 409)
    }

    @Test func `console 2 requests of one connection have its number, and times that agree`() throws {
        let served = try Served()
        let wire = try Wire(port: served.api)
        for _ in 0..<2 { _ = try wire.ask("GET", "/api/v1/conversations") }
        _ = try Wire(port: served.api).ask("GET", "/api/v1/conversations")
        let items = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        let numbers = items.map { $0["connection"]?.intValue ?? 0 }
        #expect(numbers.count == 3 && numbers[1] == numbers[2] && numbers[0] != numbers[1])
        for item in items {
            expectEqual(item["peer"]?.stringValue?.hasPrefix("127.0.0.1:"), true)
            let (start, end) = (item["startedAt"]?.stringValue ?? "", item["endedAt"]?.stringValue ?? "")
            #expect(start.count == 27 && end.count == 27 && start <= end, "\(start) \(end)")
        }
        let lines = try served.control("GET", "/requests?view=line").json["items"]?.arrayValue ?? []
        for line in lines {
            let timings = line["timings"]
            let parts = (timings?["handle"]?.doubleValue ?? 0) + (timings?["wait"]?.doubleValue ?? 0)
            #expect((line["ms"]?.doubleValue ?? -1) >= parts - 0.001, "\(line.text)")
            #expect(line.text.utf8.count <= 450)
        }
    }

    @Test func `console 2 a gate of phase after shows the answer that waits`() throws {
        let served = try Served()
        _ = try served.control("POST", "/gates", #"{"name":"g","phase":"after"}"#)
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        _ = try served.control("GET", "/gates/g?wait=60")
        let held = try served.control("GET", "/requests").json["items"]?[0]
        expectEqual(held?["status"], 401)
        expectEqual(held?["outcome"]?.stringValue, "held")
        expectEqual(held?["responseBody"]?["text"]?.stringValue?.isEmpty, false)
        expectEqual(held?["gate"]?.stringValue, "g")
        let effect = #"{"effect":{"respond":{"status":418,"text":"edited"}}}"#
        _ = try served.control("POST", "/gates/g/release", effect)
        try wire.wait(for: "edited")
        #expect(wire.text.contains("HTTP/1.1 418"))
    }
}
