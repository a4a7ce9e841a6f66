import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import OmniChat
import TestSupport
import Testing
import Trendy
import Worlds

@testable import Control

/// Control contract, section 17: nothing delays another connection; long calls run on workers, over the state at their
/// start.
@Suite struct LongCallTests {
    private func reply(
        _ harness: Harness,
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        _ body: [UInt8] = []
    ) throws -> ControlDecision {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let head = RequestHead(
            method: method,
            target: RequestTarget(rawPath: parts[0], rawQuery: parts.count > 1 ? parts[1] : nil),
            fields: [.host: "127.0.0.1:4680", .contentType: "application/json"]
        )
        let address = try #require(harness.emulator.address(of: head, entryPoint: .hub))
        return harness.control.reply(
            HTTPRequest(head: head, body: RequestBody(body)),
            address: address,
            entryPoint: .hub,
            emulator: harness.emulator,
            host: harness.host,
            origins: harness.origins,
            at: harness.hostTime
        )
    }

    private func work(_ harness: Harness, _ path: String, _ body: String = "") throws -> ControlJob.Work? {
        let method: HTTPMessage.HTTPMethod = body.isEmpty ? .get : .post
        guard case .job(.work(let work)) = try reply(harness, method, "/__admin" + path, Array(body.utf8)) else {
            return nil
        }
        return work
    }

    /// Prepares a call as a worker would; tells whether there was anything to do.
    private func prepares(
        _ harness: Harness,
        _ emulator: Emulator,
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        _ body: String = ""
    ) throws -> Bool {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let head = RequestHead(
            method: method,
            target: RequestTarget(rawPath: "/__admin" + parts[0], rawQuery: parts.count > 1 ? parts[1] : nil),
            fields: [.host: "127.0.0.1:4680"]
        )
        let address = try #require(emulator.address(of: head, entryPoint: .hub))
        let request = HTTPRequest(head: head, body: RequestBody(Array(body.utf8)))
        guard let work = harness.control.preparation(for: request, address: address, emulator: emulator) else {
            return false
        }
        _ = work()
        return true
    }

    @Test func `17 what a call is the first to need of an API is read by a worker`() throws {
        var files = try Harness.seedFiles()
        files.isBuiltIn = true
        let api = try AnyAPI(OmniChatAPI.definition, seed: files)
        let harness = try Harness()
        let emulator = Emulator(apis: [api], configuration: EmulatorConfiguration(), at: harness.hostTime)
        expectEqual(api.unread, [.endpoints, .scenarios, .seed])
        #expect(try !prepares(harness, emulator, .get, "/clock"))
        #expect(try prepares(harness, emulator, .post, "/worlds"))
        expectEqual(api.unread, [.endpoints, .seed])
        #expect(try prepares(harness, emulator, .get, "/coverage"))
        expectEqual(api.unread, .seed)
        #expect(try !prepares(harness, emulator, .get, "/apis"))
        #expect(try prepares(harness, emulator, .get, "/settings"))
        expectEqual(api.unread, [])
        for path in ["/users", "/state", "/qr.json", "/scenarios", "/coverage"] {
            #expect(try !prepares(harness, emulator, .get, path))
        }
    }

    @Test(arguments: [
        ("/state/omnichat", "", ["trendy"]), ("/users?api=trendy", "", ["omnichat"]),
        ("/tokens", #"{"api":"omnichat","user":"test@icloud.com","kind":"access"}"#, ["trendy"]), ("/users", "", []),
        ("/state/nothing", "", []),
    ])
    func `17 of the APIs only those are read that a call names, or all`(
        _ path: String,
        _ body: String,
        _ unread: [String]
    ) throws {
        var (chat, trends) = (try Harness.seedFiles(), try Harness.seedFiles(of: "trendy"))
        chat.isBuiltIn = true
        trends.isBuiltIn = true
        let apis = [
            try AnyAPI(OmniChatAPI.definition, seed: chat),
            try AnyAPI(TrendyAPI.definition, seed: trends),
        ]
        let harness = try Harness()
        let emulator = Emulator(apis: apis, configuration: EmulatorConfiguration(), at: harness.hostTime)
        #expect(apis.allSatisfy { $0.unread.contains(.seed) })
        #expect(try prepares(harness, emulator, body.isEmpty ? .get : .post, path, body))
        expectEqual(apis.filter { $0.unread.contains(.seed) }.map(\.identity.name), unread)
    }

    @Test func `17 a document is written by a worker, and kept`() throws {
        let harness = try Harness()
        for path in ["/openapi.json", "/openapi/omnichat.json"] {
            let work = try #require(try work(harness, path))
            guard case .bytes(let document) = work.response().body,
                case .now(let again) = try reply(harness, .get, "/__admin" + path), case .bytes(let kept) = again.body
            else {
                Issue.record("\(path) is not kept")
                continue
            }
            expectEqual(kept, document)
        }
    }

    /// A world whose journal is too long to be searched on the loop.
    private func busy(_ count: Int = 120) throws -> Harness {
        let harness = try Harness()
        let token = try harness.token()
        try harness.set(#"{"omnichat":{"rateLimits":"off"}}"#)
        for number in 0..<count {
            _ = try harness.chat(
                .get,
                number % 5 == 4 ? "/api/v1/none/\(number)" : "/api/v1/conversations",
                token: token
            )
        }
        return harness
    }

    private static let reads = [
        ("/requests", ""), ("/requests?limit=7&offset=3", ""), ("/requests?status=4xx", ""), ("/requests/req_3", ""),
        ("/requests/none", ""), ("/requests.har", ""), ("/requests.har?limit=5&method=GET", ""), ("/unmatched", ""),
        ("/unmatched?limit=2&offset=1", ""), ("/state", ""), ("/requests/count", #"{"match":{"method":"GET"}}"#),
        ("/verify", #"{"match":{"path":"/api/v1/none/*"},"count":{"exactly":3}}"#),
        ("/verify", #"{"match":{"path":"/api/v1/none/*"},"order":[{"method":"GET"},{"method":"PUT"}]}"#),
    ]

    @Test(arguments: reads)
    func `17 a long journal is read elsewhere, and the answer is of the moment in which the call came`(
        path: String,
        body: String
    ) throws {
        let harness = try busy()
        let expected =
            harness.control.safety.adminToken == nil ? try harness.call(body.isEmpty ? .get : .post, path, body) : nil
        let work = try #require(try work(harness, path, body))
        // The world goes on before a worker has the time.
        _ = try harness.chat(.put, "/api/v1/none/9")
        _ = try harness.call(.put, "/clock", #"{"mode":"frozen","now":"2031-01-01T00:00:00Z"}"#)
        _ = try harness.call(.delete, "/requests")
        _ = try harness.call(.post, "/reset")
        let late = Played(immediate: work.response())
        expectEqual(late.status, expected?.status)
        expectEqual(late.text, expected?.text)
        expectEqual(late.fields[.totalCount], expected?.fields[.totalCount])
    }

    @Test func `17 a short journal is read where it is`() throws {
        let harness = try busy(5)
        for (path, body) in Self.reads where path != "/state" {
            try expectNil(work(harness, path, body), "\(path)")
        }
    }

    @Test func `17 what is wrong with a call is said at once`() throws {
        let harness = try busy()
        for path in [
            "/requests?limit=x", "/requests?status=9", "/unmatched?offset=-1", "/outbox?limit=", "/requests?lmit=1",
        ] {
            guard case .now(let response) = try reply(harness, .get, "/__admin" + path) else {
                Issue.record("\(path) went elsewhere")
                continue
            }
            #expect([400, 422].contains(response.status.code), "\(path)")
        }
    }

    @Test(arguments: [199, 200])
    func `4 two hundred worlds are listed in place, one more elsewhere, and both as their pages are`(made: Int) throws {
        let harness = try Harness()
        for number in 0..<made {
            try expectEqual(harness.call(.post, "/worlds", #"{"name":"w\#(number)"}"#).status, 201)
        }
        expectEqual(try work(harness, "/worlds") != nil, made == 200)
        let whole = try harness.call(.get, "/worlds")
        expectEqual(whole.fields[.totalCount], "\(made + 1)")
        var pages: [JSON] = []
        for offset in stride(from: 0, through: made, by: 50) {
            let page = try harness.call(.get, "/worlds?limit=50&offset=\(offset)")
            expectEqual(page.fields[.totalCount], "\(made + 1)")
            pages += page.json["items"]?.arrayValue ?? []
        }
        expectEqual(whole.text, JSON.object(["items": .array(pages)]).text)
        expectEqual(pages.first?["name"], "main")
        expectEqual(pages.last?["name"], .string("w\(made - 1)"))
    }

    @Test func `12 a full outbox is listed elsewhere, newest first`() throws {
        let harness = try Harness()
        let hosted = try harness.hosted()
        for number in 0..<201 {
            hosted.world.withCore { core in
                let to = number % 2 == 0 ? "a@example.com" : "b@example.com"
                core.outbox.post(
                    Outbox.Message(to: to, kind: .push, api: "omnichat", token: "\(number)", at: core.now)
                )
            }
        }
        let work = try #require(try work(harness, "/outbox?to=a@example.com&limit=2"))
        let answer = Played(immediate: work.response())
        expectEqual(answer.fields[.totalCount], "101")
        expectEqual(answer.json["items"]?.arrayValue?.map { $0["token"] }, ["200", "198"])
    }

    @Test func `3 a long list is sent in pieces that are one document, with its length`() throws {
        let harness = try busy(300)
        let response = try #require(try work(harness, "/requests")).response()
        guard case .steps(let steps) = response.body, case .length(let length)? = response.framing else {
            Issue.record("it is not in pieces")
            return
        }
        #expect(steps.count > 3)
        expectEqual(response.body.content.count, length)
        for case .bytes(let piece) in steps { #expect(piece.count < 80 * 1_024) }
        let items = try JSONReader.read(response.body.content)["items"]?.arrayValue ?? []
        expectEqual(items.count, 300)
        for (number, item) in items.enumerated() { expectEqual(item["seq"], .integer(Int64(300 - number))) }
    }

    // MARK: Import

    @Test func `4 a document is read elsewhere and takes its place when it is whole`() throws {
        let harness = try busy()
        let document = try harness.call(.get, "/state").text
        _ = try harness.call(.post, "/worlds", #"{"name":"copy"}"#)
        guard case .job(.importing(let order)) = try reply(harness, .put, "/@copy/__admin/state", Array(document.utf8))
        else {
            Issue.record("it was read in place")
            return
        }
        let read = order.read()
        try expectEqual(harness.hosted("copy").world.requestCount, 0)
        let answer = Played(immediate: order.finish(read, harness.hostTime))
        expectEqual(answer.status, 200)
        expectEqual(answer.json["name"], "copy")
        try expectEqual(harness.hosted("copy").world.requestCount, 120)
        let own = try harness.call(.get, "/requests", world: "copy").text
        expectEqual(
            own,
            (try harness.call(.get, "/requests").text).replacing(#""world":"main""#, with: #""world":"copy""#)
        )
    }

    @Test func `4 a world that was deleted while its document was read stays away`() throws {
        let harness = try busy()
        let document = try harness.call(.get, "/state").text
        _ = try harness.call(.post, "/worlds", #"{"name":"copy"}"#)
        guard case .job(.importing(let order)) = try reply(harness, .put, "/@copy/__admin/state", Array(document.utf8))
        else {
            Issue.record("it was read in place")
            return
        }
        let read = order.read()
        try expectEqual(harness.call(.delete, "/worlds/copy").status, 204)
        expectEqual(Played(immediate: order.finish(read, harness.hostTime)).status, 404)
        expectNil(harness.emulator[world: "copy"])
    }

    @Test func `5 an imported clock goes on from the moment in which the call came`() throws {
        let harness = try busy()
        _ = try harness.call(.put, "/clock", #"{"mode":"offset","now":"2030-01-01T00:00:00Z","rate":2}"#)
        let document = try harness.call(.get, "/state").text
        guard case .job(.importing(let order)) = try reply(harness, .put, "/__admin/state", Array(document.utf8)) else {
            Issue.record("it was read in place")
            return
        }
        let read = order.read()
        harness.passRealTime(.seconds(3))
        expectEqual(Played(immediate: order.finish(read, harness.hostTime)).status, 200)
        try expectEqual(harness.call(.get, "/clock").json["now"], "2030-01-01T00:00:00.000Z")
        harness.passRealTime(.seconds(3))
        try expectEqual(harness.call(.get, "/clock").json["now"], "2030-01-01T00:00:06.000Z")
    }

    @Test(arguments: [("{\"format\":\"understudy-world\"", 400), ("[1]", 422), ("{\"format\":\"other\"}", 422)])
    func `4 a long document that does not fit changes nothing`(start: String, status: Int) throws {
        let harness = try busy()
        let before = try harness.call(.get, "/state").text
        let body = Array((start + String(repeating: " ", count: 10_000)).utf8)
        guard case .job(.importing(let order)) = try reply(harness, .put, "/__admin/state", body) else {
            Issue.record("it was read in place")
            return
        }
        expectEqual(Played(immediate: order.finish(order.read(), harness.hostTime)).status, status)
        try expectEqual(harness.call(.get, "/state").text, before)
    }

    // MARK: within

    @Test func `11 within looks through a long journal elsewhere`() throws {
        let harness = try busy()
        let body = #"{"match":{"path":"/api/v1/late"},"within":"PT2S"}"#
        guard case .later(let call) = try reply(harness, .post, "/__admin/verify", Array(body.utf8)) else {
            Issue.record("it does not wait")
            return
        }
        expectEqual(call.until, harness.hostTime.monotonic + .seconds(2))
        let (none, seen) = try look(harness, try #require(call.watch))
        expectNil(none)
        let watch = try #require(seen)
        #expect(!watch.hasNews(in: try harness.hosted().world), "each entry is looked at once")
        let late = Played(immediate: try #require(call.work(watch, at: harness.hostTime)).response())
        expectEqual(late.json["verdict"], "fail")
        expectEqual(late.json["count"], 0)
        let old = VerificationWalk(try harness.hosted().world, [(1, watch)])
        _ = try harness.chat(.get, "/api/v1/late")
        expectNil(Self.all(old).answer, "it looks at what was there when it began")
        let found = try #require(try look(harness, watch).answer)
        expectEqual(Played(immediate: found).json, ["verdict": "pass", "count": 1, "nearMisses": []])
    }

    private func look(
        _ harness: Harness,
        _ watch: VerificationWatch
    ) throws -> (answer: Response?, watch: VerificationWatch?) {
        Self.all(VerificationWalk(try harness.hosted().world, [(1, watch)]))
    }

    private static func all(_ look: VerificationWalk) -> (answer: Response?, watch: VerificationWatch?) {
        var look = look
        while !look.isOver { look.advance() }
        return (look.takeSettled().first?.answer, look.watches.first?.watch)
    }

    @Test func `11 within over a short journal is looked through in place`() throws {
        let harness = try busy(5)
        let body = #"{"match":{"path":"/api/v1/late"},"within":"PT2S"}"#
        guard case .later(let call) = try reply(harness, .post, "/__admin/verify", Array(body.utf8)) else {
            Issue.record("it does not wait")
            return
        }
        try expectEqual(#require(call.watch).hasNews(in: try harness.hosted().world), false)
        expectNil(call.settled(at: harness.hostTime))
    }
}
