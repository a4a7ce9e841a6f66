import Backend
import CivilTime
import Conditions
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// The smaller ones (wire contract, section 10).
@Suite struct WireSection10Tests {
    private static func harness() throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json": #"{"resources":[{"path":"/items","table":"items"}]}"#,
            "tables/items.json": #"[{"id":1,"name":"a","tier":"x"}]"#,
        ])
    }

    @Test(arguments: [
        ("30", "30"), ("0", "0"), (#""PT30S""#, "Wed, 01 Jan 2025 12:00:30 GMT"),
        (#""PT0S""#, "Wed, 01 Jan 2025 12:00:00 GMT"), (#""P1DT1H""#, "Thu, 02 Jan 2025 13:00:00 GMT"),
        (#""P1W""#, "Wed, 08 Jan 2025 12:00:00 GMT"), (#""PT1000000000S""#, "Sat, 09 Sep 2056 13:46:40 GMT"),
    ])
    func `10 retryAfter is a number, or a date that far ahead of the clock of the world`(
        value: String,
        field: String
    ) throws {
        let harness = try Self.harness()
        try harness.addFault(try JSONReader.read(text: "{\"effect\":{\"status\":503,\"retryAfter\":\(value)}}"))
        try expectEqual(harness.get("/items")["Retry-After"], field)
    }

    @Test func `10 the date follows the clock of the world`() throws {
        let harness = try Self.harness()
        try harness.advance(.hours(24))
        try harness.addFault(["effect": ["status": 429, "retryAfter": "PT1M"]])
        try expectEqual(harness.get("/items")["Retry-After"], "Thu, 02 Jan 2025 12:01:00 GMT")
    }

    @Test(arguments: [
        "-1", "1.5", "\"\"", "\"30\"", "\"P1Y\"", "\"P1M\"", "\"-PT1S\"", "\"PT1000000001S\"", "true", "[]",
    ])
    func `10 another retryAfter is refused`(value: String) throws {
        let harness = try Self.harness()
        let order = try JSONReader.read(text: "{\"effect\":{\"status\":503,\"retryAfter\":\(value)}}")
        #expect(throws: (any Error).self, "\(value)") { try harness.addFault(order) }
    }

    @Test func `10 changes of a drift are made in order, if one changes something`() throws {
        func body(_ drift: String) throws -> (text: String, decisions: Int) {
            let harness = try Self.harness()
            let fault = "{\"when\":{\"times\":1},\"effect\":{\"drift\":\(drift)}}"
            try harness.addFault(try JSONReader.read(text: fault))
            let text = try harness.get("/items/1").text
            return (text, try harness.hosted().world.faults.faults.first?.hits ?? -1)
        }
        let changed = try body(#"[{"remove":"tier"},{"set":"name","to":2},{"retype":"name","as":"string"}]"#)
        expectEqual(changed.text, #"{"id":1,"name":"2"}"#)
        expectEqual(changed.decisions, 1)
        // The order counts, and one that changes nothing does no harm.
        try expectEqual(
            body(#"[{"retype":"id","as":"string"},{"set":"id","to":7}]"#).text,
            #"{"id":7,"name":"a","tier":"x"}"#
        )
        try expectEqual(body(#"[{"remove":"nothing"},{"null":"name"}]"#).text, #"{"id":1,"name":null,"tier":"x"}"#)
        let idle = try body(#"[{"remove":"nothing"},{"remove":"nowhere"}]"#)
        expectEqual(idle.text, #"{"id":1,"name":"a","tier":"x"}"#)
        expectEqual(idle.decisions, 0)
    }

    @Test func `10 a drift has 1 to 20 changes`() throws {
        let harness = try Self.harness()
        func order(_ count: Int, _ change: String = #"{"remove":"a"}"#) throws -> JSON {
            let list = Array(repeating: change, count: count).joined(separator: ",")
            return try JSONReader.read(text: "{\"effect\":{\"drift\":[\(list)]}}")
        }
        for count in [1, 20] { try harness.addFault(try order(count)) }
        for count in [0, 21] {
            #expect(throws: (any Error).self, "\(count)") { try harness.addFault(try order(count)) }
        }
        for change in ["1", "{}", #"{"remove":"a","null":"b"}"#, #"{"set":"a"}"#, #"{"remove":"a","x":1}"#] {
            #expect(throws: (any Error).self, "\(change)") { try harness.addFault(try order(1, change)) }
        }
    }

    /// The seconds by which a token is ahead, the setting, and the status.
    @Test(arguments: [
        (30, "refuse", 200), (31, "refuse", 401), (31, "accept", 200), (3_600, "accept", 200), (-600, "refuse", 200),
    ])
    func `10 a JWT whose iat is over 30 s ahead is refused`(ahead: Int64, setting: String, status: Int) throws {
        let harness = try SignInFixture.harness()
        try harness.set(["futureIat": .string(setting)])
        let token = try harness.login().access
        // The clock goes back under the token.
        let (hosted, hostTime) = (try harness.hosted(), harness.hostTime)
        let time = hosted.world.now(hostTime) - .seconds(ahead)
        hosted.world.withCore { $0.clock.set(.frozen(time), at: hostTime) }
        let answer = try harness.get("/v1/notes", token: token)
        expectEqual(answer.status, status)
        if status == 401 { expectEqual(answer.json["error"]?["code"], "token_invalid") }
    }

    @Test func `10 the setting is refuse at first, and APIs without JWTs have none`() throws {
        let harness = try SignInFixture.harness()
        try expectEqual(harness.settings()["futureIat"], "refuse")
        let opaque = try SignInFixture.harness(tokens: #"{"format":"opaque"}"#)
        try expectEqual(opaque.settings()["futureIat"], nil)
        expectEqual(harness.api.settingFaults(["futureIat": "maybe"]).count, 1)
    }
}
