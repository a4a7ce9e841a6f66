import Backend
import CivilTime
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 7: scenarios and settings as calls.
@Suite struct ScenarioCallTests {
    private func dates(_ harness: Harness) throws -> String {
        try harness.call(.get, "/settings").json["omnichat"]?.string("dates") ?? ""
    }

    @Test func `a scenario has name, title, expectation and whether it is on`() throws {
        let harness = try Harness()
        let off =
            #"{"name":"omnichat/fractional-dates","title":"All body dates carry milliseconds","#
            + #""expect":"Accept both forms","active":false}"#
        let row = try #require(
            try harness.call(.get, "/scenarios").items.first { $0.string("name") == "omnichat/fractional-dates" }
        )
        expectEqual(row.text, off)
        let put = try harness.call(.put, "/scenarios/omnichat/fractional-dates")
        expectEqual(put.text, off.replacing("false", with: "true"))
        let delete = try harness.call(.delete, "/scenarios/omnichat/fractional-dates")
        expectEqual(delete.text, #"{"name":"omnichat/fractional-dates","active":false,"changed":[]}"#)
    }

    @Test func `switching on twice is once`() throws {
        let harness = try Harness()
        for _ in 0..<3 { try expectEqual(harness.call(.put, "/scenarios/omnichat/clock-skew").status, 200) }
        try expectEqual(harness.call(.get, "/clock").json.string("now"), "2025-01-01T12:10:00.000Z")
        for _ in 0..<2 { _ = try harness.call(.put, "/scenarios/omnichat/unicode") }
        let token = try harness.token()
        let list = try harness.chat(.get, "/api/v1/conversations", token: token).json["conversations"]?.arrayValue
        expectEqual(list?.count, 5)
    }

    @Test func `switching off twice lists the rows once`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/scenarios/omnichat/unicode")
        try expectEqual(harness.call(.delete, "/scenarios/omnichat/unicode").json["changed"]?.arrayValue?.count, 3)
        try expectEqual(harness.call(.delete, "/scenarios/omnichat/unicode").json["changed"]?.arrayValue, [])
    }

    @Test func `a moved clock is told to the player`() throws {
        let harness = try Harness()
        _ = try harness.call(.put, "/scenarios/omnichat/expired-access-token")
        let now = Harness.noon + .seconds(900)
        expectEqual(harness.host.calls, [.moved(world: 0, now: now, speed: 0)])
        _ = try harness.call(.put, "/scenarios/omnichat/unicode")
        expectEqual(harness.host.calls.count, 1)
    }

    @Test func `an unknown scenario is 404 with the nearest`() throws {
        for method in [HTTPMessage.HTTPMethod.put, .delete] {
            let answer = try Harness().call(method, "/scenarios/omnichat/unicorn")
            expectEqual(answer.problem, "404 not-found")
            expectEqual(answer.detail, "There is no scenario \"omnichat/unicorn\". Did you mean omnichat/unicode?")
        }
    }

    @Test func `scenarios that set the same setting return it in any order`() throws {
        // Both set stream.framing.
        let (first, second) = ("/scenarios/omnichat/stream-one-byte", "/scenarios/omnichat/stream-coalesced")
        func framing(_ harness: Harness) throws -> String {
            try harness.call(.get, "/settings").json["omnichat"]?["stream"]?.string("framing") ?? ""
        }
        for (order, between) in [([first, second], "coalesced"), ([second, first], "oneByte")] {
            let harness = try Harness()
            _ = try harness.call(.put, first)
            _ = try harness.call(.put, second)
            try expectEqual(framing(harness), "coalesced")
            _ = try harness.call(.delete, order[0])
            try expectEqual(framing(harness), between)
            _ = try harness.call(.delete, order[1])
            try expectEqual(framing(harness), "event")
        }
    }

    @Test func `three scenarios over one setting of the user's own return to it`() throws {
        let harness = try Harness()
        try harness.set(#"{"omnichat":{"stream":{"framing":"splitUtf8"}}}"#)
        let names = ["stream-one-byte", "stream-coalesced", "stream-split-utf8"].map { "/scenarios/omnichat/\($0)" }
        for name in names { _ = try harness.call(.put, name) }
        for name in [names[1], names[0], names[2]] { _ = try harness.call(.delete, name) }
        let settings = try harness.call(.get, "/settings").json
        expectEqual(settings["omnichat"]?["stream"]?.string("framing"), "splitUtf8")
    }

    @Test func `all 38 at once, off in any order, leave the settings as they were`() throws {
        for isReversed in [true, false] {
            let harness = try Harness()
            let before = try harness.call(.get, "/settings").text
            let names = try harness.call(.get, "/scenarios").items.map { $0.string("name") }
            for name in names { try expectEqual(harness.call(.put, "/scenarios/\(name)").status, 200) }
            #expect(try harness.call(.get, "/scenarios").items.allSatisfy { $0["active"] == true })
            for name in isReversed ? names.reversed() : names {
                try expectEqual(harness.call(.delete, "/scenarios/\(name)").status, 200)
            }
            try expectEqual(harness.call(.get, "/settings").text, before)
        }
    }

    // MARK: Settings

    @Test func `the settings are nested by API, and narrowed on its port`() throws {
        let harness = try Harness()
        let hub = try harness.call(.get, "/settings")
        expectEqual(hub.json.keys, ["omnichat", "cors", "conduct"])
        expectEqual(
            hub.json["omnichat"]?["apple"]?.text,
            #"{"mode":"lenient","clientId":"com.example.omnichat","tokens":"checked","email":"shared"}"#
        )
        expectEqual(hub.json["omnichat"]?.string("rateLimits"), "on", "every API has rateLimits")
        let own = try harness.call(.get, "/settings", entryPoint: .api(0)).json
        expectEqual(own.keys, ["omnichat"])
        expectEqual(own["omnichat"], hub.json["omnichat"])
    }

    @Test func `a change is merged, and the answer is everything`() throws {
        let harness = try Harness()
        let answer = try harness.call(
            .put,
            "/settings",
            #"{"omnichat":{"apple":{"mode":"strict"},"dates":"fractional"}}"#
        )
        expectEqual(answer.status, 200)
        expectEqual(answer.text, try harness.call(.get, "/settings").text)
        expectEqual(
            answer.json["omnichat"]?["apple"]?.text,
            #"{"mode":"strict","clientId":"com.example.omnichat","tokens":"checked","email":"shared"}"#
        )
        try expectEqual(dates(harness), "fractional")
        try expectEqual(harness.call(.put, "/settings", "{}").text, answer.text)
    }

    @Test(arguments: [
        (#"{"omnichat":{"apple":{"mode":"strictt"}}}"#, "$.omnichat.apple.mode: must be one of lenient, strict"),
        (#"{"omnichat":{"apple":"strict"}}"#, "$.omnichat.apple: must be an object, found string"),
        (#"{"omnichat":"strict"}"#, "$.omnichat: must be an object"),
        (#"{"omnichat":{"rateLimits":false}}"#, "$.omnichat.rateLimits: must be one of on, off"),
        (#"{"omnichat":{"serverErrors":-1}}"#, "$.omnichat.serverErrors: must be from 0 to 1000000"),
        (#"{"omnichat":{"serverErrors":1000001}}"#, "$.omnichat.serverErrors: must be from 0 to 1000000"),
        (#"{"omnichat":{"stream":{"pieces":7}}}"#, "$.omnichat.stream.pieces: must be from 8 to 100000"),
        (#"{"omnichat":{"apple.mode":"strict"}}"#, "$.omnichat.apple.mode: unknown setting"),
        (#"{"omnichatt":{}}"#, "$.omnichatt: unknown member; allowed: omnichat, cors, conduct; did you mean omnichat?"),
    ])
    func `an unknown key or value is 422 with the allowed ones`(body: String, fault: String) throws {
        let harness = try Harness()
        let before = try harness.call(.get, "/settings").text
        let answer = try harness.call(.put, "/settings", body)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faults.count, 1)
        expectEqual(answer.faults.first?.hasPrefix(fault), true, "\(answer.faults)")
        try expectEqual(harness.call(.get, "/settings").text, before)
    }

    @Test func `an unknown setting names the allowed ones and the nearest`() throws {
        let answer = try Harness().call(.put, "/settings", #"{"omnichat":{"apple":{"mod":"strict"}}}"#)
        expectEqual(
            answer.faults,
            [
                "$.omnichat.apple.mod: unknown setting; allowed: mode, clientId, tokens, email; did you mean mode?"
            ]
        )
    }

    @Test func `one fault leaves everything as it was`() throws {
        let harness = try Harness()
        let body = #"{"omnichat":{"dates":"fractional","apple":{"mode":"strict","x":1},"serverErrors":"many"}}"#
        let answer = try harness.call(.put, "/settings", body)
        expectEqual(answer.faultPaths, ["$.omnichat.apple.x", "$.omnichat.serverErrors"])
        try expectEqual(dates(harness), "whole")
    }
}
