import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, sections 3 and 6 to 9, over sockets: what part A promises beside what other suites hold.
@Suite struct ConsoleCallTests {
    @Test func `control 4 a mode needs no world`() throws {
        let served = try Served(Served.frozen + ["--world-required"])
        for mode in [#"{"mode":"spy","upstream":"http://127.0.0.1:9"}"#, #"{"mode":"emulate"}"#] {
            let answer = try served.control("PUT", "/mode?api=omnichat", mode)
            expectEqual(answer.status, 200, "\(answer.text)")
        }
    }

    @Test func `9 worlds that are named are compared where every call has to name its own`() throws {
        let served = try Served(Served.frozen + ["--world-required"])
        for world in ["x", "y"] { _ = try served.control("POST", "/worlds", #"{"name":"\#(world)"}"#) }
        let answer = try served.control("POST", "/compare", #"{"a":{"world":"x"},"b":{"world":"y"}}"#)
        expectEqual(answer.status, 200, "\(answer.text)")
        expectEqual(answer.json["same"], true, "\(answer.text)")
        let request = try served.control("POST", "/compare", #"{"a":{"request":"req_1"},"b":{"request":"req_1"}}"#)
        expectEqual(request.status, 421, "\(request.text)")
    }

    @Test func `control 3 a member that is repeated is 422 and named`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"status":500}}"#)
        let answer = try served.control("PATCH", "/faults/flt_1", #"{"enabled":true,"enabled":false}"#)
        #expect(answer.status == 422 && answer.text.contains("enabled"), "\(answer.text)")
        try expectEqual(served.control("GET", "/faults/flt_1").json["enabled"], true)
    }

    @Test func `8 a preflight that is granted is no unmatched request`() throws {
        let served = try Served()
        let wire = try Wire(port: served.api)
        let fields = ["Origin: http://app.test", "Access-Control-Request-Method: GET"]
        try wire.send(Wire.request("OPTIONS", "/api/v1/conversations", fields: fields))
        try expectEqual(wire.answer().status, 204)
        try expectEqual(served.control("GET", "/coverage").json["unmatched"], 0)
        try expectEqual(served.control("GET", "/unmatched").json["items"], [])
        _ = try served.chat("GET", "/nothing")
        try expectEqual(served.control("GET", "/coverage").json["unmatched"], 1)
    }

    @Test func `8 endpoints are in the order of the OpenAPI documents`() throws {
        let served = try Served()
        for api in ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"] {
            let items = try served.control("GET", "/coverage?api=\(api)").json["items"]?.arrayValue ?? []
            let paths = try served.control("GET", "/openapi/\(api).json").json["paths"]?.objectValue?.members ?? []
            var places: [String] = []
            for item in items {
                let route = try #require(item["route"]?.stringValue)
                if places.last != route { places.append(route) }
            }
            let documented = paths.map(\.name)
            let common = documented.filter { places.contains($0) }
            expectEqual(places.filter { documented.contains($0) }, common, "\(api)")
        }
    }

    @Test func `9 two worlds are compared by the API of the call, and numbers by their value`() throws {
        let served = try Served()
        for world in ["x", "y"] {
            _ = try served.control("POST", "/worlds", #"{"name":"\#(world)"}"#)
            _ = try Wire(port: served.hub).ask("GET", "/@\(world)/omnichat/api/v1/conversations")
            _ = try Wire(port: served.hub).ask("GET", "/@\(world)/trendy/api/v1/events")
        }
        let order = #"{"a":{"world":"x"},"b":{"world":"y"}}"#
        let all = try served.control("POST", "/compare", order).json["items"]?.arrayValue ?? []
        expectEqual(all.map { $0["api"] }, ["omnichat", "trendy"])
        let one = try served.control("POST", "/compare?api=trendy", order).json["items"]?.arrayValue ?? []
        expectEqual(one.map { $0["api"] }, ["trendy"])
        for (name, number) in [("x", "1.0"), ("y", "1e0")] {
            let effect =
                ##"{"match":{"api":"omnichat"},"effect":{"respond":{"status":200,"text":"{\"n\":\##(number)}","headers":[["Content-Type","application/json"]]}}}"##
            _ = try served.control("POST", "/faults", effect, world: name)
            _ = try Wire(port: served.hub).ask("GET", "/@\(name)/omnichat/api/v1/models")
        }
        let again = try served.control("POST", "/compare?api=omnichat", order).json["items"]?.arrayValue ?? []
        expectEqual(again.map { $0["differences"] }, [0, 0], "\(again)")
    }

    @Test func `3 what changes settings and the clock is told, and noted`() throws {
        let served = try Served()
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events"))
        try wire.wait(for: ": understudy")
        _ = try served.control("PUT", "/settings", #"{"cors":{"origins":["http://app.test"]}}"#)
        _ = try served.control("PUT", "/scenarios/omnichat/expired-access-token")
        try wire.wait(for: "event: clock")
        let notes = try served.control("GET", "/notes").json["items"]?.arrayValue ?? []
        let kinds = notes.compactMap { $0["kind"]?.stringValue }
        #expect(kinds.contains("settings") && kinds.contains("clock"), "\(kinds)")
    }

    @Test(arguments: [#"{"mode":"spy","upstream":"http://127.0.0.1:9"}"#, #"{"mode":"replay","recording":"r.har"}"#])
    func `3 a mode is told in every world, whichever the call names`(order: String) throws {
        let archive = #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":[]}}"#
        let served = try Served(Served.frozen, in: try Folder(["recordings/r.har": archive]))
        _ = try served.control("POST", "/worlds", #"{"name":"w"}"#)
        let wires = try ["", "/@w"].map { prefix in
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("GET", prefix + "/__admin/events"))
            try wire.wait(for: ": understudy")
            return wire
        }
        let answer = try served.control("PUT", "/mode?api=omnichat", order)
        expectEqual(answer.status, 200, "\(answer.text)")
        for wire in wires { try wire.wait(for: #""part":"mode","action":"changed""#) }
    }

    @Test func `6 a phase that follows from the effect follows from the new one too`() throws {
        let served = try Served()
        let drift = #"{"match":{"api":"omnichat"},"effect":{"drift":{"set":"data.x","to":1}}}"#
        try expectEqual(served.control("POST", "/faults", drift).json["phase"], "after")
        let changed = try served.control("PATCH", "/faults/flt_1", #"{"effect":{"status":418}}"#)
        expectEqual(changed.json["phase"], "before", "\(changed.text)")
        let early = try served.control("PATCH", "/faults/flt_1", #"{"effect":{"upload":{"rejectEarly":413}}}"#)
        expectEqual(early.status, 200, "\(early.text)")
        // A phase that was given stays.
        _ = try served.control("POST", "/faults", #"{"effect":{"status":500},"phase":"after"}"#)
        let kept = try served.control("PATCH", "/faults/flt_2", #"{"effect":{"status":418}}"#)
        expectEqual(kept.json["phase"], "after", "\(kept.text)")
    }

    @Test func `9 a replay in a world asks the address that was asked`() throws {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"lk"}"#)
        let path = "/@lk/api/v1/conversations"
        _ = try Wire(port: served.api).ask("GET", path, token: try served.token(world: "lk"))
        let answer = try served.control("POST", "/requests/req_1/replay", "{}", world: "lk")
        expectEqual(answer.json["status"], 200, "\(answer.text)")
        let items = try served.control("GET", "/requests", world: "lk").json["items"]?.arrayValue ?? []
        let hosts = items.map { entry in
            entry["headers"]?.arrayValue?.first { $0.arrayValue?.first?.stringValue?.lowercased() == "host" }
        }
        #expect(hosts.count == 2 && hosts[0] == hosts[1], "\(hosts)")
    }

    @Test func `9 a replay goes the way of the request, through a mount and by the field that names the world`() throws
    {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"lk"}"#)
        let token = try served.token(world: "lk")
        let body = Array(#"{"content":"Hi"}"#.utf8)
        // Pictures of users have links in them.
        let path = "/sawaed/api/users/me"
        let order = #"{"api":"sawaed","user":"layla@sawaed.test","kind":"access"}"#
        let own = try served.control("POST", "/tokens", order, world: "lk").json["token"]?.stringValue
        _ = try Wire(port: served.hub).ask("GET", "/@lk" + path, token: own)
        let named = try Wire(port: served.hub)
        let fields = ["X-Understudy-World: lk", "Authorization: Bearer \(own ?? "")"]
        try named.send(Wire.request("GET", path, fields: fields))
        #expect(try named.answer().status < 500)
        _ = try Wire(port: served.api).ask("POST", "/@lk/api/v1/conversations", body: body, token: token)
        for id in ["req_1", "req_2"] {
            let answer = try served.control("POST", "/requests/\(id)/replay?api=sawaed", "{}", world: "lk")
            expectEqual(answer.json["same"], true, "\(id): \(answer.text)")
            let key = try #require(answer.json["id"]?.stringValue)
            let former = try served.control("GET", "/requests/\(id)?api=sawaed", world: "lk").json
            let later = try served.control("GET", "/requests/\(key)?api=sawaed", world: "lk").json
            expectEqual(former["headers"]?[0], later["headers"]?[0])
            expectEqual(former["path"], later["path"])
        }
    }

    @Test func `6 a match on an API's own port is checked against that API's requests`() throws {
        let served = try Served()
        _ = try served.chat("GET", "/models")
        _ = try Wire(port: served.hub).ask("GET", "/trendy/api/v1/events")
        let order = #"{"match":{"path":"/api/none"}}"#
        let whole = try served.control("POST", "/faults/check", order).json
        expectEqual(whole["checked"], 2)
        expectEqual(whole["nearMisses"]?.arrayValue?.count, 2)
        let own = try Wire(port: served.api).ask("POST", "/__admin/faults/check", body: Array(order.utf8)).json
        expectEqual(own["checked"], 1, "\(own.text)")
        expectEqual(own["nearMisses"]?.arrayValue?.count, 1, "\(own.text)")
    }

    @Test func `19 the list of worlds names all scenarios where there are several`() throws {
        let served = try Served()
        func world() throws -> JSON? { try served.control("GET", "/worlds").json["items"]?[0] }
        #expect(try world()?["scenarios"] == nil && world()?["scenario"] == nil)
        _ = try served.control("PUT", "/scenarios/omnichat/unicode")
        #expect(try world()?["scenarios"] == nil && world()?["scenario"] == "omnichat/unicode")
        _ = try served.control("PUT", "/scenarios/omnichat/file-gone")
        try expectEqual(world()?["scenarios"], ["omnichat/unicode", "omnichat/file-gone"])
        try expectEqual(world()?["scenario"], "omnichat/file-gone")
    }

    @Test func `3 a connection that breaks off without a wait is told once`() throws {
        let served = try Served()
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events"))
        try wire.wait(for: ": understudy")
        _ = try served.control(
            "POST",
            "/faults",
            #"{"match":{"api":"omnichat"},"effect":{"body":{"truncate":5}},"when":{"times":1}}"#
        )
        _ = try? served.chat("GET", "/models")
        _ = try served.chat("GET", "/conversations")
        try wire.wait(for: #""path":"/api/v1/conversations""#)
        #expect(!wire.text.contains(#""outcome":"held""#) && !wire.text.contains("event: outcome"), "\(wire.text)")
    }

    @Test func `6 an unknown fault is told with the nearest one`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"status":500}}"#)
        for method in ["GET", "DELETE", "PATCH"] {
            let answer = try served.control(method, "/faults/flt_11", method == "PATCH" ? #"{"enabled":true}"# : "")
            #expect(answer.status == 404 && answer.text.contains("Did you mean flt_1?"), "\(answer.text)")
        }
    }

    @Test func `7 the note of a deleted fault has its name`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"name":"late","effect":{"status":500}}"#)
        _ = try served.control("DELETE", "/faults/flt_1")
        let notes = try served.control("GET", "/notes?kind=faults").json["items"]?.arrayValue ?? []
        expectEqual(notes.first?["text"]?.stringValue, "The fault flt_1 (late) was deleted")
    }
}
