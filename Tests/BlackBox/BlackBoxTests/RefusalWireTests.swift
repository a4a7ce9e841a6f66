import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 3 and 11: what HTTP itself refuses is an exchange like any other, as soon as its head is
/// known.
@Suite(.serialized) struct RefusalWireTests {
    private func refused(_ port: Int, _ text: String) throws -> WireAnswer {
        let wire = try Wire(port: port)
        try wire.send(Array(text.utf8))
        return try wire.answer()
    }

    @Test(arguments: [
        ("Transfer-Encoding: gzip, chunked\r\n\r\n", 501), ("Expect: coffee\r\nContent-Length: 2\r\n\r\n", 417),
        ("Transfer-Encoding: chunked\r\n\r\nZZ\r\n", 400),
    ])
    func `11 a refusal is journalled in the world of its address, with an id of that world's counter`(
        rest: String,
        status: Int
    ) throws {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"w"}"#)
        let path = "/api/v1/auth/apple"
        let first = try refused(served.api, "POST /@w\(path) HTTP/1.1\r\nHost: x\r\n\(rest)")
        expectEqual(first.status, status)
        #expect(first.json["error"] != nil, "in the API's own form: \(first.text)")
        expectEqual(first["X-Request-Id"], "req_1")
        expectEqual(first["Connection"]?.lowercased(), "close")
        let own = try refused(served.api, "POST \(path) HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n\(rest)")
        expectEqual(own["X-Request-Id"], "mine")
        for (world, id) in [("w", "req_1"), ("main", "mine")] {
            let items = try Wire(port: served.hub).ask("GET", "/@\(world)/__admin/requests").json["items"]
            expectEqual(items?.arrayValue?.count, 1)
            let entry = items?[0]
            expectEqual(entry?["id"], .string(id))
            expectEqual(entry?["status"], .integer(Int64(status)))
            expectEqual(entry?["path"], .string(path))
            expectEqual(entry?["route"], .string(path))
            expectEqual(entry?["world"], .string(world))
            expectEqual(entry?["outcome"], "delivered")
        }
    }

    private static let long = String(repeating: "X-A: b\r\n", count: 201)

    @Test(arguments: [
        ("Transfer-Encoding: gzip, chunked\r\n\r\n", 501), ("Expect: coffee\r\nContent-Length: 2\r\n\r\n", 417),
        ("Transfer-Encoding: chunked\r\n\r\nZZ\r\n", 400), ("Bad name: x\r\n\r\n", 400), (long + "\r\n", 431),
    ])
    func `3 and 11 a refusal through the hub is the API's own and is journalled as on its own port`(
        rest: String,
        status: Int
    ) throws {
        let served = try Served()
        _ = try served.control("POST", "/worlds", #"{"name":"w"}"#)
        let path = "/api/v1/auth/apple"
        func shown(_ answer: WireAnswer) -> [String?] {
            ["Content-Type", "Connection", "X-Request-Id"].map { answer[$0] } + ["\(answer.status)", answer.text]
        }
        let hub = try refused(served.hub, "POST /@w/omnichat\(path) HTTP/1.1\r\nHost: x\r\n\(rest)")
        expectEqual(hub.status, status)
        #expect(hub.json["error"] != nil, "in the API's own form: \(hub.text)")
        _ = try Wire(port: served.hub).ask("POST", "/@w/__admin/reset")
        let own = try refused(served.api, "POST /@w\(path) HTTP/1.1\r\nHost: x\r\n\(rest)")
        expectEqual(shown(hub), shown(own))
        _ = try refused(served.hub, "POST /omnichat\(path) HTTP/1.1\r\nHost: x\r\n\(rest)")
        for world in ["w", "main"] {
            let items = try Wire(port: served.hub).ask("GET", "/@\(world)/__admin/requests").json["items"]
            expectEqual(items?.arrayValue?.count, 1)
            expectEqual(items?[0]?["id"], "req_1")
            expectEqual(items?[0]?["status"], .integer(Int64(status)))
            expectEqual(items?[0]?["path"], .string(path))
        }
    }

    @Test func `3 a refusal where no API is meant is a problem, on every port`() throws {
        let served = try Served()
        for (port, path) in [(served.hub, "/"), (served.hub, "/nope"), (served.api, "/__admin/health")] {
            let answer = try refused(port, "GET \(path) HTTP/1.1\r\nHost: x\r\n\(Self.long)\r\n")
            expectEqual(answer.status, 431)
            expectEqual(answer["Content-Type"], "application/problem+json")
        }
    }

    @Test func `11 a refused control call, an unknown world and a head that is none are in no journal`() throws {
        let served = try Served()
        let rest = "Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
        try expectEqual(refused(served.api, "POST /__admin/reset HTTP/1.1\r\n\(rest)").status, 501)
        try expectEqual(refused(served.api, "POST /@nope/api/v1/auth/apple HTTP/1.1\r\n\(rest)").status, 501)
        try expectEqual(refused(served.api, "GET  / HTTP/1.1\r\nHost: x\r\n\r\n").status, 400)
        try expectEqual(served.control("GET", "/requests").json["items"], [])
    }
}
