import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Control

/// Control contract, section 11: counting and verification.
@Suite struct VerificationTests {
    /// req_1 lists, req_2 creates, req_3 gets a profile, req_4 lists again.
    private func used() throws -> Harness {
        let harness = try Harness()
        let token = try harness.token()
        _ = try harness.chat(.get, "/api/v1/conversations?page=1", token: token)
        _ = try harness.chat(.post, "/api/v1/conversations", ["title": "A"], token: token)
        _ = try harness.chat(.get, "/api/v1/user/profile", token: token)
        _ = try harness.chat(.get, "/api/v1/conversations", token: token)
        return harness
    }

    private func verify(_ harness: Harness, _ body: String) throws -> Played {
        let answer = try harness.call(.post, "/verify", body)
        expectEqual(answer.status, 200, "always: \(answer.text)")
        return answer
    }

    private func verdict(_ harness: Harness, _ body: String) throws -> String {
        let answer = try verify(harness, body).json
        return "\(answer.string("verdict")) \(answer["count"]?.text ?? "none")"
    }

    private func misses(_ answer: Played) -> [String] {
        (answer.json["nearMisses"]?.arrayValue ?? []).map { miss in
            let differences = miss["differences"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return "\(miss.string("id")): \(differences.joined(separator: "; "))"
        }
    }

    @Test(arguments: [
        (#"{"match":{}}"#, 4), ("{}", 4), ("", 4), (#"{"match":{"method":"GET"}}"#, 3),
        (#"{"match":{"path":"/api/v1/conversations"}}"#, 3), (#"{"match":{"query":{"page":1}}}"#, 1),
        (#"{"match":{"body":{"title":"A"}}}"#, 1), (#"{"match":{"body":{"title":"B"}}}"#, 0),
        (#"{"match":{"user":"test@icloud.com"}}"#, 4), (#"{"match":{"api":"omnichat","path":"/**/profile"}}"#, 1),
    ])
    func `11 count tells how many requests match`(body: String, expected: Int64) throws {
        let answer = try used().call(.post, "/requests/count", body)
        expectEqual(answer.status, 200)
        expectEqual(answer.text, #"{"count":\#(expected)}"#)
    }

    @Test func `11 count is 422 for what does not fit`() throws {
        let answer = try used().call(.post, "/requests/count", #"{"match":{"pat":"/x"},"mach":{}}"#)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faultPaths, ["$.match.pat", "$.mach"])
    }

    @Test(arguments: [
        // No count means at least one.
        (#"{"match":{"method":"GET"}}"#, "pass 3"), (#"{"match":{"method":"PUT"}}"#, "fail 0"), ("{}", "pass 4"),
        (#"{"match":{"method":"GET"},"count":{"min":3}}"#, "pass 3"),
        (#"{"match":{"method":"GET"},"count":{"min":4}}"#, "fail 3"),
        (#"{"match":{"method":"GET"},"count":{"max":3}}"#, "pass 3"),
        (#"{"match":{"method":"GET"},"count":{"max":2}}"#, "fail 3"),
        (#"{"match":{"method":"PUT"},"count":{"max":0}}"#, "pass 0"),
        (#"{"match":{"method":"GET"},"count":{"exactly":3}}"#, "pass 3"),
        (#"{"match":{"method":"GET"},"count":{"exactly":2}}"#, "fail 3"),
        (#"{"match":{"method":"GET"},"count":{"exactly":4}}"#, "fail 3"),
        (#"{"match":{"method":"PUT"},"count":{"exactly":0}}"#, "pass 0"),
        (#"{"match":{"method":"GET"},"count":{"min":2,"max":3}}"#, "pass 3"),
        (#"{"match":{"method":"GET"},"count":{"exactly":3,"min":1,"max":9}}"#, "pass 3"),
    ])
    func `11 the verdict by count, always 200`(body: String, expected: String) throws {
        try expectEqual(verdict(try used(), body), expected)
    }

    @Test func `11 members of the verdict in their order, a reason only with fail`() throws {
        let harness = try used()
        try expectEqual(verify(harness, "{}").json.keys, ["verdict", "count", "nearMisses"])
        let failed = try verify(harness, #"{"match":{"method":"PUT"}}"#)
        expectEqual(failed.json.keys, ["verdict", "count", "reason", "nearMisses"])
        expectEqual(failed.json.string("reason"), "expected at least 1 request, found 0")
        let many = try verify(harness, #"{"match":{"method":"GET"},"count":{"exactly":1}}"#)
        expectEqual(many.json.string("reason"), "expected exactly 1 request, found 3: req_1, req_3, req_4")
        expectEqual(misses(many), [])
    }

    @Test(arguments: [
        (#"{"count":{"min":3,"max":2}}"#, "$.count.min"), (#"{"count":{"exactly":1,"min":2}}"#, "$.count.min"),
        (#"{"count":{"exactly":2,"max":1}}"#, "$.count.max"), (#"{"count":{"min":-1}}"#, "$.count.min"),
        (#"{"count":{"min":1.5}}"#, "$.count.min"), (#"{"count":{}}"#, "$.count"), (#"{"count":2}"#, "$.count"),
        (#"{"count":{"exact":2}}"#, "$.count.exact"), (#"{"order":{}}"#, "$.order"),
        (#"{"order":["x"]}"#, "$.order[0]"), (#"{"order":[]}"#, "$.order"),
        (#"{"order":[{},{"pth":"/"}]}"#, "$.order[1].pth"),
        (#"{"within":"2s"}"#, "$.within"), (#"{"within":"P1M"}"#, "$.within"), (#"{"within":"-PT1S"}"#, "$.within"),
        (#"{"within":"PT10M0.000001S"}"#, "$.within"), (#"{"withn":"PT1S"}"#, "$.withn"),
        (#"{"match":{"api":"trendy"}}"#, "$.match.api"),
    ])
    func `11 what contradicts itself or does not fit is 422`(body: String, path: String) throws {
        let answer = try used().call(.post, "/verify", body)
        expectEqual(answer.problem, "422 invalid-body")
        #expect(answer.faultPaths.contains(path), "\(answer.faults)")
    }

    @Test(arguments: [
        (#"[{"method":"POST"},{"path":"/**/profile"}]"#, "pass 4"),
        (#"[{"method":"GET"},{"method":"GET"},{"method":"GET"}]"#, "pass 4"),
        (#"[{"method":"GET"},{"method":"GET"},{"method":"GET"},{"method":"GET"}]"#, "fail 4"),
        // A subsequence, not neighbours.
        (#"[{"query":{"page":1}},{"path":"/**/profile"}]"#, "pass 4"),
        (#"[{"path":"/**/profile"},{"method":"POST"}]"#, "fail 4"),
    ])
    func `11 an order is a subsequence`(order: String, expected: String) throws {
        try expectEqual(verdict(try used(), #"{"order":\#(order)}"#), expected)
    }

    @Test func `11 an order has at most 1,000 items`() throws {
        let harness = try used()
        func order(_ count: Int) -> String { "[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]" }
        try expectEqual(verdict(harness, #"{"order":\#(order(1_000))}"#), "fail 4")
        let answer = try harness.call(.post, "/verify", #"{"order":\#(order(1_001))}"#)
        expectEqual(answer.problem, "422 invalid-body")
        expectEqual(answer.faultPaths, ["$.order"])
    }

    @Test func `11 a broken order says where, and what came too early`() throws {
        let harness = try used()
        let answer = try verify(harness, #"{"order":[{"path":"/**/profile"},{"method":"POST"}]}"#)
        expectEqual(answer.json.string("reason"), "no request fits order[1] after req_3, which fits order[0]")
        expectEqual(misses(answer).first, "req_2: order: expected after req_3, found before it or the same")
        let none = try verify(harness, #"{"order":[{"method":"PUT"}]}"#)
        expectEqual(none.json.string("reason"), "no request fits order[0]")
    }

    @Test func `11 near misses: the closest first with what differs, five at most`() throws {
        let harness = try used()
        let answer = try verify(
            harness,
            #"{"match":{"method":"POST","path":"/api/v1/conversation","body":{"title":"A"}}}"#
        )
        expectEqual(misses(answer).first, "req_2: path: expected /api/v1/conversation, found /api/v1/conversations")
        expectEqual(misses(answer).count, 4)
        for _ in 0..<5 { _ = try harness.chat(.get, "/api/v1/conversations") }
        expectEqual(misses(try verify(harness, #"{"match":{"method":"PUT"}}"#)).count, 5)
        let body = try verify(harness, #"{"match":{"method":"POST","body":{"title":"B","tags":[1]}}}"#)
        expectEqual(
            misses(body).first,
            "req_2: body.title: expected \"B\", found \"A\"; body.tags: expected [1], found none"
        )
        try expectEqual(verify(harness, #"{"match":{"method":"POST"}}"#).json["nearMisses"], [])
    }

    @Test func `11 a verdict is of its world, and of the API that the call is addressed to`() throws {
        let harness = try used()
        _ = try harness.call(.post, "/worlds", #"{"name":"other"}"#)
        try expectEqual(harness.call(.post, "/verify", "{}", world: "other").json.string("verdict"), "fail")
        try expectEqual(harness.call(.post, "/verify?api=omnichat", "{}").json["count"], 4)
        let own = try harness.send(
            .post,
            "/__admin/requests/count",
            body: Array("{}".utf8),
            headers: [(.contentType, "application/json")],
            entryPoint: .api(0)
        )
        expectEqual(own.json["count"], 4)
        _ = try harness.call(.delete, "/requests")
        try expectEqual(harness.call(.post, "/requests/count", "{}").json["count"], 0)
    }

    // MARK: within

    private func waiting(_ harness: Harness, _ body: String) throws -> PendingControlCall? {
        let head = RequestHead(
            method: .post,
            target: RequestTarget(rawPath: "/__admin/verify", rawQuery: nil),
            fields: [.host: "127.0.0.1:4680", .contentType: "application/json"]
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: .hub))
        let reply = harness.control.reply(
            HTTPRequest(head: head, body: RequestBody(Array(body.utf8))),
            address: address,
            entryPoint: .hub,
            emulator: harness.emulator,
            host: harness.host,
            origins: harness.origins,
            at: harness.hostTime
        )
        guard case .later(let call) = reply else { return nil }
        expectEqual(call.until, harness.hostTime.monotonic + .seconds(2))
        return call
    }

    private func text(_ response: Response?) throws -> String {
        try JSONReader.read(try #require(response).body.content).string("verdict")
    }

    @Test func `11 within waits until enough have come`() throws {
        let harness = try used()
        let call = try #require(
            try waiting(harness, #"{"match":{"method":"GET"},"count":{"min":4},"within":"PT2S"}"#)
        )
        expectNil(call.settled(at: harness.hostTime))
        _ = try harness.chat(.get, "/api/v1/models")
        try expectEqual(text(call.settled(at: harness.hostTime)), "pass")
        try expectNil(waiting(harness, #"{"match":{"method":"GET"},"within":"PT2S"}"#), "it holds already")
    }

    @Test func `11 within an order waits for its last request`() throws {
        let harness = try used()
        let order = #"[{"path":"/**/profile"},{"method":"POST"}]"#
        let call = try #require(try waiting(harness, #"{"order":\#(order),"within":"PT2S"}"#))
        expectNil(call.settled(at: harness.hostTime))
        try expectEqual(text(call.response(at: harness.hostTime)), "fail")
        _ = try harness.chat(.post, "/api/v1/conversations")
        try expectEqual(text(call.settled(at: harness.hostTime)), "pass")
    }

    @Test(arguments: ["exactly", "max"])
    func `11 within: what holds already is not waited for, and what no request can mend neither`(bound: String) throws {
        let harness = try used()
        let body = #"{"match":{"method":"GET"},"count":{"\#(bound)":3},"within":"PT2S"}"#
        try expectNil(waiting(harness, body), "it holds")
        try expectEqual(verdict(harness, body), "pass 3")
        _ = try harness.chat(.get, "/api/v1/models")
        try expectNil(waiting(harness, body), "no further request can mend it")
        try expectEqual(verdict(harness, body), "fail 4")
    }

    @Test func `11 PT0S does not wait`() throws {
        try expectEqual(verdict(try used(), #"{"match":{"method":"PUT"},"within":"PT0S"}"#), "fail 0")
    }

    @Test func `11 a wait ends with its world`() throws {
        let harness = try used()
        let call = try #require(try waiting(harness, #"{"count":{"min":9},"within":"PT2S"}"#))
        harness.emulator.deleteEverything(in: harness)
        try expectEqual(text(call.response(at: harness.hostTime)), "fail")
    }
}

extension Emulator {
    /// A reset while a call waits.
    fileprivate func deleteEverything(in harness: Harness) {
        guard let main = self[world: WorldName.main] else { return }
        _ = ControlAPI.reset(
            main,
            keepsClock: true,
            emulator: self,
            host: harness.host,
            at: harness.hostTime
        )
    }
}
