import JSON
import TestSupport
import Testing

/// Control contract, section 11: verdicts over a journal that has dropped entries.
@Suite struct DroppedEntryTests {
    /// A server whose journal has dropped a POST, as 150 GETs came after it.
    private func served() throws -> Served {
        let served = try Served(Served.frozen + ["--journal-bytes", "65536"])
        _ = try served.chat("POST", "/conversations", #"{"title":"A"}"#)
        let wire = try Wire(port: served.api)
        for _ in 0..<150 { _ = try wire.ask("GET", "/api/v1/user/profile") }
        #expect(try served.dropped() > 0)
        return served
    }

    private static let post = #"{"method":"POST"}"#
    private static let profile = #"{"method":"GET","path":"/api/v1/user/profile"}"#

    /// Orders with the verdict over what is left.
    private static let cases: [(body: String, verdict: String)] = [
        (#"{"match":\#(post),"count":{"exactly":0}}"#, "incomplete"),
        (#"{"match":\#(post),"count":{"exactly":1}}"#, "incomplete"),
        (#"{"match":\#(post),"count":{"max":0}}"#, "incomplete"),
        (#"{"match":\#(post),"count":{"max":5}}"#, "incomplete"),
        (#"{"match":\#(post),"count":{"min":0,"max":5}}"#, "incomplete"),
        (#"{"match":\#(post),"count":{"min":1}}"#, "incomplete"),
        (#"{"match":\#(post)}"#, "incomplete"),
        (#"{"match":\#(post),"count":{"min":0}}"#, "pass"),
        (#"{"match":\#(profile),"count":{"min":2}}"#, "pass"),
        (#"{"match":\#(profile),"count":{"min":100000}}"#, "incomplete"),
        (#"{"match":\#(profile),"count":{"max":2}}"#, "fail"),
        (#"{"match":\#(profile),"count":{"exactly":2}}"#, "fail"),
        (#"{"order":[\#(profile),\#(profile)]}"#, "pass"),
        (#"{"order":[\#(post),\#(profile)]}"#, "incomplete"),
        (#"{"order":[\#(profile),\#(post)]}"#, "incomplete"),
        (#"{"order":[\#(profile),\#(profile)],"count":{"max":100000}}"#, "pass"),
        (#"{"order":[\#(post),\#(profile)],"count":{"max":100000}}"#, "incomplete"),
        (#"{"match":\#(profile),"count":{"min":2,"max":100000}}"#, "pass"),
        (#"{"match":\#(post),"count":{"min":1,"max":100000}}"#, "incomplete"),
        (#"{"match":\#(profile),"count":{"max":2},"order":[\#(post)]}"#, "fail"),
        (#"{"match":\#(post),"count":{"exactly":0},"allowDropped":true}"#, "pass"),
        (#"{"match":\#(post),"count":{"min":1},"allowDropped":true}"#, "fail"),
        (#"{"order":[\#(post),\#(profile)],"allowDropped":true}"#, "fail"),
        (#"{"match":\#(post),"count":{"exactly":0},"allowDropped":false}"#, "incomplete"),
    ]

    @Test func `11 pass and fail are said only if they hold whatever was dropped`() throws {
        let served = try served()
        let dropped = try served.dropped()
        for (body, verdict) in Self.cases {
            let answer = try served.control("POST", "/verify", body)
            expectEqual(answer.status, 200)
            expectEqual(answer.json["verdict"]?.stringValue, verdict, body)
            expectEqual(answer.json["dropped"]?.intValue, dropped, "in every answer: \(body)")
            expectEqual(answer.json["reason"] == nil, verdict == "pass", body)
            if verdict == "incomplete" {
                expectEqual(answer.json["reason"]?.stringValue?.contains("dropped \(dropped) entries"), true, body)
            }
        }
        // A count that can't exceed its limit, whatever was dropped, and one that can by a single entry.
        for (most, verdict) in [(dropped, "pass"), (dropped - 1, "incomplete")] {
            let body = #"{"match":{"method":"PUT"},"count":{"max":\#(most)}}"#
            try expectEqual(served.control("POST", "/verify", body).json["verdict"]?.stringValue, verdict)
        }
        let counted = try served.control("POST", "/requests/count", #"{"match":\#(Self.post)}"#).json
        expectEqual(counted, ["count": 0, "dropped": .integer(dropped)])
        try expectEqual(served.control("POST", "/verify", #"{"allowDropped":1}"#).status, 422)
        // Nothing is unknown after the journal was cleared.
        _ = try served.control("DELETE", "/requests")
        let clear = try served.control("POST", "/verify", #"{"match":\#(Self.post),"count":{"exactly":0}}"#).json
        expectEqual(clear, ["verdict": "pass", "count": 0, "nearMisses": []])
        try expectEqual(served.control("POST", "/requests/count").json, ["count": 0])
    }

    @Test func `11 within: an upper limit is answered at once, and what comes can meet the others`() throws {
        let served = try served()
        let exact = try served.control(
            "POST",
            "/verify",
            #"{"match":\#(Self.post),"count":{"exactly":1},"within":"PT5M"}"#
        )
        expectEqual(exact.json["verdict"], "incomplete")
        let wire = try Wire(port: served.hub)
        let body = #"{"match":\#(Self.post),"within":"PT5M"}"#
        try wire.send(Wire.request("POST", "/__admin/verify", body: Array(body.utf8)))
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = try served.chat("POST", "/conversations", #"{"title":"B"}"#)
        let met = try wire.answer().json
        expectEqual(met["verdict"], "pass")
        expectEqual(met["count"], 1)
        let late = try served.control("POST", "/verify", #"{"match":{"method":"PUT"},"within":"PT0.2S"}"#).json
        expectEqual(late["verdict"], "incomplete", "when the time is up")
    }

    @Test func `11 within: what is dropped while a call waits has been looked at`() throws {
        let served = try Served(Served.frozen + ["--journal-bytes", "65536"])
        func waiting(_ body: String) throws -> Wire {
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("POST", "/__admin/verify", body: Array(body.utf8)))
            return wire
        }
        let exact = try waiting(#"{"match":{"method":"POST"},"count":{"exactly":2},"within":"PT5M"}"#)
        let order = try waiting(#"{"order":[{"method":"POST"},{"method":"POST"}],"within":"PT5M"}"#)
        try expectEqual(served.control("GET", "/health").status, 200)
        _ = try served.chat("POST", "/conversations", #"{"title":"A"}"#)
        let wire = try Wire(port: served.api)
        var count: Int64 = 0
        while try served.dropped() == 0 {
            for _ in 0..<40 { _ = try wire.ask("GET", "/api/v1/user/profile") }
            count += 40
            try #require(count < 4_000)
        }
        _ = try served.chat("POST", "/conversations", #"{"title":"B"}"#)
        for wire in [exact, order] {
            let answer = try wire.answer().json
            expectEqual(answer["verdict"], "pass", answer.text)
            #expect((answer["dropped"]?.intValue ?? 0) > 0)
        }
    }

    @Test func `11 the command exits with 1 for a verdict that is incomplete`() throws {
        let served = try served()
        let folder = try Folder(["none.json": #"{"match":\#(Self.post),"count":{"exactly":0}}"#])
        func verify(_ flags: [String] = []) throws -> Program.Result {
            let url = ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"]
            return try Program.run(["verify", "none.json"] + flags, environment: url, in: folder)
        }
        let found = try verify()
        expectEqual(found.status, 1, "\(found.errors)")
        #expect(found.output.hasPrefix("incomplete: 0 requests match; the journal has dropped "), "\(found.output)")
        try expectEqual(verify(["--json"]).status, 1)
        let allowed = try verify(["--allow-dropped"])
        expectEqual(allowed.status, 0, "\(allowed.output)")
        #expect(allowed.output.hasPrefix("pass: 0 requests match"), "\(allowed.output)")
    }
}

extension Served {
    /// The number of entries that the journal has dropped.
    fileprivate func dropped() throws -> Int64 { try control("GET", "/journal").json["dropped"]?.intValue ?? -1 }
}
