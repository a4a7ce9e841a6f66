import Backend
import CivilTime
import Engine
import ForwardProxy
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Proxy contract, section 7: `verify` with `noOtherHosts`.
@Suite struct OtherHostTests {
    private func proxied(_ hosts: [(host: String, world: String, isOther: Bool)]) throws -> Harness {
        let harness = try Harness()
        let proxy = ForwardProxyState(HostMap([]), token: nil)
        for (place, item) in hosts.enumerated() {
            let key = SeenHosts.Key(host: item.host, port: place + 1, world: item.world)
            let sight = SeenHosts.Sight(key, .refused, isTunnel: true, isOther: item.isOther)
            proxy.note(sight, at: Instant(seconds: Int64(place)))
        }
        harness.host.forwardProxy = proxy
        return harness
    }

    @Test func `7 noOtherHosts fails if the world's clients asked for other hosts, and names them`() throws {
        let harness = try proxied([
            ("a.example", "main", true), ("b.example", "main", false), ("::1", "main", true), ("c.example", "w", true),
        ])
        let named = "the clients asked for other hosts: a.example:1, [::1]:3"
        let cases: [(body: String, verdict: String, reason: String?)] = [
            (#"{"noOtherHosts":true}"#, "fail", named), (#"{"noOtherHosts":true,"allowDropped":true}"#, "fail", named),
            (#"{"noOtherHosts":false,"count":{"max":3}}"#, "pass", nil),
            (#"{"noOtherHosts":false}"#, "fail", "expected at least 1 request, found 0"),
            (#"{"noOtherHosts":true,"match":{}}"#, "fail", "expected at least 1 request, found 0; \(named)"),
            (#"{"noOtherHosts":true,"count":{"exactly":0}}"#, "fail", named),
            (#"{"noOtherHosts":true,"within":"PT10M"}"#, "fail", named),
        ]
        for (body, verdict, reason) in cases {
            let answer = try harness.call(.post, "/verify", body)
            expectEqual(answer.status, 200, body)
            expectEqual(answer.json["verdict"]?.stringValue, verdict, body)
            expectEqual(answer.json["reason"]?.stringValue, reason, body)
        }
        harness.host.forwardProxy?.clear(world: "main")
        expectEqual(
            try harness.call(.post, "/verify", #"{"noOtherHosts":true}"#).text,
            #"{"verdict":"pass","count":0,"nearMisses":[]}"#
        )
    }

    @Test func `7 alone it judges nothing else, and of many hosts ten are named`() throws {
        let clean = try proxied([("b.example", "main", false)])
        let answer = try clean.call(.post, "/verify", #"{"noOtherHosts":true}"#)
        expectEqual(answer.text, #"{"verdict":"pass","count":0,"nearMisses":[]}"#)
        // Beside an expectation of requests both have to hold.
        expectEqual(
            try clean.call(.post, "/verify", #"{"noOtherHosts":true,"match":{}}"#).json["verdict"]?.stringValue,
            "fail"
        )
        let many = try proxied((0..<12).map { ("h\($0).example", "main", true) })
        let reason = try many.call(.post, "/verify", #"{"noOtherHosts":true}"#).json["reason"]?.stringValue
        expectEqual(reason?.hasSuffix("h9.example:10 and 2 more"), true, reason ?? "")
    }

    @Test func `1 without the proxy it is 409, and what is no boolean 422`() throws {
        let harness = try Harness()
        for body in [#"{"noOtherHosts":true}"#, #"{"noOtherHosts":true,"match":{},"within":"PT2S"}"#] {
            expectEqual(try harness.call(.post, "/verify", body).problem, "409 proxy-off", body)
        }
        for body in [#"{"noOtherHosts":1}"#, #"{"noOtherHosts":"true"}"#, #"{"noOtherHosts":[]}"#] {
            let answer = try harness.call(.post, "/verify", body)
            expectEqual(answer.problem, "422 invalid-body", body)
            expectEqual(answer.faultPaths, ["$.noOtherHosts"], body)
        }
        expectEqual(try harness.call(.post, "/verify", #"{"noOtherHosts":false,"count":{"min":0}}"#).status, 200)
    }
}
