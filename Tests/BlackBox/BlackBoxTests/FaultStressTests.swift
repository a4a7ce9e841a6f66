import Foundation
import JSON
import TestSupport
import Testing

/// Many faults against one process: it stays up, ends every connection, and repeats the same results.
@Suite(.serialized) struct FaultStressTests {
    private static let effects = [
        #"{"status":503,"retryAfter":1}"#, #"{"delay":{"ms":20}}"#, #"{"delay":{"exponential":{"mean":5}}}"#,
        #"{"throttle":{"bytesPerSecond":50000}}"#, #"{"dribble":{"chunks":5,"overMs":20}}"#, #"{"connection":"reset"}"#,
        #"{"connection":"reset","afterBytes":40}"#, #"{"connection":"empty"}"#, #"{"connection":"stall"}"#,
        #"{"connection":"stall","forMs":20}"#, #"{"connection":"truncate"}"#, #"{"connection":"garbage"}"#,
        #"{"connection":"malformed-chunk"}"#, #"{"body":"html"}"#, #"{"body":"invalid-json"}"#, #"{"body":"empty"}"#,
        #"{"body":"truncated-json"}"#, #"{"body":"wrong-content-type"}"#, #"{"drift":{"auto":"breaking"}}"#,
        #"{"stream":{"cutAfterEvents":2}}"#, #"{"stream":{"errorAfterEvents":2}}"#, #"{"stream":{"duplicate":1}}"#,
        #"{"stream":{"splitUtf8":true}}"#, #"{"tokens":"expire"}"#, #"{"upload":{"readBytesPerSecond":5000}}"#,
        #"{"upload":{"stopAfterBytes":10}}"#, #"{"upload":{"rejectEarly":413}}"#, #"{"upload":{"resetAfterBytes":10}}"#,
    ]

    @Test func `8 random faults on random requests leave every connection in a defined state`() throws {
        let seed: UInt64 = 4_711
        var random = SeededGenerator(seed: seed)
        let served = try Served()
        _ = try served.control(
            "PUT",
            "/settings",
            #"{"omnichat":{"stream":{"gapMs":0,"firstTokenMs":0},"rateLimits":"off"}}"#
        )
        for round in 0..<120 {
            _ = try served.control("DELETE", "/faults")
            let token = try served.token()
            var chosen: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let effect = Self.effects.randomElement(using: &random) ?? ""
                let phase =
                    effect.contains("upload")
                    ? ""
                    : ["", #","phase":"before""#, #","phase":"after""#]
                        .randomElement(using: &random) ?? ""
                let made = try served.control("POST", "/faults", #"{"effect":\#(effect)\#(phase)}"#)
                expectEqual(made.status, 201, "seed \(seed), round \(round): \(made.text)")
                chosen.append(effect + phase)
            }
            let wire = try Wire(port: served.api)
            let requests = [
                Wire.request("GET", "/api/v1/conversations", token: token),
                Wire.request(
                    "POST",
                    "/api/v1/conversations",
                    body: Array(#"{"title":"x","model":"gpt-4o"}"#.utf8),
                    token: token
                ),
                Wire.request(
                    "POST",
                    "/api/v1/conversations/conv_welcome_00000001/messages",
                    body: Array(#"{"content":"Hi"}"#.utf8),
                    token: token
                ),
                Wire.request("GET", "/nowhere"), Wire.request("HEAD", "/api/v1/user/profile", token: token),
            ]
            // Two behind each other, as a connection that is reused.
            for _ in 0..<2 { try wire.send(requests.randomElement(using: &random) ?? []) }
            _ = try? wire.waitForEnd(within: 0.08)
            wire.close()
            let health = try served.control("GET", "/health")
            expectEqual(health.status, 200, "seed \(seed), round \(round): \(chosen)")
        }
        try Deadline().wait(for: "every exchange to end") {
            try served.control("GET", "/requests").json["items"]?.arrayValue?.allSatisfy { $0["outcome"] != "held" }
                == true
        }
    }

    @Test func `6 a script of faults makes the same decisions, bytes and journal in another process`() throws {
        func run() throws -> [String] {
            let served = try Served()
            let token = try served.token()
            for fault in [
                #"{"when":{"probability":0.4},"effect":{"status":503}}"#,
                #"{"when":{"probability":0.5,"every":2},"effect":{"drift":{"auto":"breaking"}}}"#,
                #"{"when":{"times":3,"probability":0.3},"effect":{"connection":"garbage"}}"#,
                #"{"effect":{"delay":{"uniform":[0,3]}}}"#,
            ] { _ = try served.control("POST", "/faults", fault) }
            var seen: [String] = []
            for _ in 0..<40 {
                let wire = try Wire(port: served.api)
                try wire.send(Wire.request("GET", "/api/v1/user/profile", token: token, fields: ["Connection: close"]))
                try wire.waitForEnd()
                seen.append(wire.received.map { String($0, radix: 16) }.joined())
            }
            let items = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
            return seen
                + items.map { "\($0["id"]?.text ?? "") \($0["fault"]?.text ?? "") \($0["decisions"]?.text ?? "")" }
        }
        try expectEqual(run(), run())
    }
}
