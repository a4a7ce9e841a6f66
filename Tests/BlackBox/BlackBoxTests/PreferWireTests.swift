import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 8 and 9: what single requests ask for, and how slow the network is.
@Suite(.serialized) struct PreferWireTests {
    private static let list = "/api/v1/conversations"

    private func ask(_ served: Served, _ prefer: [String], _ target: String = list, token: String?) throws -> WireAnswer
    {
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", target, token: token, fields: prefer.map { "Prefer: \($0)" }))
        return try wire.answer()
    }

    @Test func `8 Prefer and __code are applied and echoed`() throws {
        let served = try Served()
        let token = try served.token()
        let limited = try ask(served, ["code=429"], token: token)
        expectEqual(limited.error, "429 Too many requests")
        expectEqual(limited["Preference-Applied"], "code=429")
        let both = try ask(served, ["respond-async, wait=0.2; foo", "code=\"503\""], token: token)
        expectEqual(both.status, 503)
        expectEqual(both["Preference-Applied"], "wait=0.2, code=503")
        try expectEqual(ask(served, ["code=503, wait=0.01"], token: token)["Preference-Applied"], "code=503, wait=0.01")
        for quoted in [#"note="a,code=503""#, #"note="a\",code=503", return=minimal"#, #"note="a;code=503";code=500"#] {
            try expectEqual(
                ask(served, [quoted], token: token).status,
                200,
                "a comma in quotes parts nothing: \(quoted)"
            )
        }
        let query = try ask(served, [], Self.list + "?__code=404", token: token)
        expectEqual(query.status, 404)
        expectEqual(query["Preference-Applied"], "code=404")
        let damaged = try ask(served, ["fault=invalid-json"], token: token)
        expectEqual(damaged["Preference-Applied"], "fault=invalid-json")
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(damaged.bytes) }
        let unknown = try ask(served, ["handling=lenient, return=minimal"], token: token)
        expectEqual(unknown.status, 200)
        expectNil(unknown["Preference-Applied"])
        let start = Date()
        try expectEqual(ask(served, ["wait=0.3"], token: token).status, 200)
        #expect(Date().timeIntervalSince(start) >= 0.28)
        let entry = try served.control("GET", "/requests?status=429").json["items"]?[0]
        expectEqual(entry?["fault"]?["effect"], ["status": 429])
        expectNil(entry?["fault"]?["id"])
    }

    @Test func `8 Prefer can reset the connection`() throws {
        let served = try Served()
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", Self.list, fields: ["Prefer: fault=reset"]))
        try wire.waitForEnd()
        #expect(wire.wasReset)
    }

    @Test(arguments: [
        "code=abc", "code=99", "code=199", "code=600", "code=", "wait=-1", "wait=3601", "wait=x", "fault=explode",
    ])
    func `8 an unusable value is a 400 problem`(preference: String) throws {
        let served = try Served()
        let answer = try ask(served, [preference], token: nil)
        expectEqual(answer.status, 400)
        expectEqual(answer["Content-Type"], "application/problem+json")
        expectEqual(answer.json["errors"]?[0]?["path"]?.stringValue?.hasPrefix("Prefer."), true)
    }

    @Test func `8 a refusal names the parameter that it came with`() throws {
        let served = try Served()
        let answer = try ask(served, [], Self.list + "?__code=600", token: nil)
        expectEqual(answer.status, 400)
        expectEqual(answer.json["errors"]?[0]?["path"], "?__code")
    }

    @Test func `9 a delay of the network comes before each answer, 100-loss lets nothing through`() throws {
        let served = try Served()
        let token = try served.token()
        try expectEqual(served.control("PUT", "/latency", #"{"delay":{"ms":200}}"#).json, ["delay": ["ms": 200]])
        let start = Date()
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 200)
        #expect(Date().timeIntervalSince(start) >= 0.18)
        try expectEqual(served.control("PUT", "/latency", #"{"profile":"100-loss"}"#).json, ["profile": "100-loss"])
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", Self.list, token: token))
        #expect(throws: TestError.self) { try wire.wait(for: "HTTP", within: 0.3) }
        try expectEqual(served.control("PUT", "/latency", #"{"profile":"none"}"#).json, ["profile": "none"])
        try expectEqual(served.chat("GET", "/conversations", token: token).status, 200)
    }

    @Test func `9 bytesPerSecond bounds a body`() throws {
        let served = try Served()
        let token = try served.token()
        let count = try served.chat("GET", "/conversations", token: token).bytes.count
        _ = try served.control("PUT", "/latency", #"{"delay":{"ms":0},"bytesPerSecond":\#(count * 3)}"#)
        let start = Date()
        try expectEqual(served.chat("GET", "/conversations", token: token).bytes.count, count)
        #expect(Date().timeIntervalSince(start) >= 0.3)
    }
}
