import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

extension EngineHarness {
    /// Adds a stub to a world, in front of all others.
    @discardableResult
    func stub(_ text: String, world: String = "main", at place: Int? = 0) throws -> Stub {
        let object = try #require(JSONReader.read(text: text).objectValue)
        var check = BodyCheck(object)
        let spec = StubSpec.read(&check, object, StubContext(emulator.apis[0]))
        check.refuseUnknown()
        #expect(check.items.isEmpty, "\(text): \(check.items)")
        return try hosted(world).world.stubs.add(try #require(spec), .call, at: place)
    }

    /// The problems of a stub, as `path: reason`.
    func stubProblems(_ text: String) throws -> [String] {
        let object = try #require(JSONReader.read(text: text).objectValue)
        var check = BodyCheck(object)
        _ = StubSpec.read(&check, object, StubContext(emulator.apis[0]))
        check.refuseUnknown()
        return check.items.map { "\($0.path): \($0.reason)" }
    }

    /// The texts of answers to requests for those paths.
    func texts(_ paths: String...) throws -> [String] { try paths.map { try send(.get, $0).text } }
}

/// Own-API contract, section 7: which stub answers, and with what.
@Suite struct StubTests {
    @Test func `7 the first stub that fits answers, before the endpoint`() throws {
        let harness = try EngineHarness()
        let plain = try harness.send(.get, "/notes/n1")
        try harness.stub(#"{"match":{"path":"/notes/{id}"},"response":{"text":"second"}}"#)
        try harness.stub(#"{"match":{"path":"/notes/n1"},"response":{"status":201,"text":"first"}}"#)
        let reply = try harness.send(.get, "/notes/n1")
        #expect((reply.status, reply.text) == (201, "first"))
        try expectEqual(harness.texts("/notes/n2"), ["second"])
        try expectEqual(harness.hosted("main").world.stubs.stubs.map(\.hits), [1, 1])
        try expectEqual(harness.hosted("main").world.stubs.remove { _ in true }, 2)
        try expectEqual(harness.send(.get, "/notes/n1").text, plain.text)
    }

    @Test func `7 without a match a stub takes every request, preflights and unknown paths too`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"response":{"status":418}}"#)
        try expectEqual(harness.send(.options, "/notes").status, 418)
        try expectEqual(harness.send(.delete, "/no/such/thing").status, 418)
    }

    @Test func `7 HEAD is taken by a stub for GET`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"match":{"method":"GET","path":"/a"},"response":{"text":"x"}}"#)
        try expectEqual(harness.send(.head, "/a").status, 200)
        try expectEqual(harness.send(.post, "/a").status, 404)
    }

    @Test func `1 HEAD leaves responses of contents at their turn`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"match":{"path":"/a"},"responses":[{"base64":"YWE="},{"base64":"YmJi"}]}"#)
        func tag(_ method: HTTPMessage.HTTPMethod) throws -> String? {
            try harness.send(method, "/a").answer.response.fields[.eTag]
        }
        let (first, second) = (ContentTag.over(Array("aa".utf8)), ContentTag.over(Array("bbb".utf8)))
        for (method, expected) in [
            (HTTPMessage.HTTPMethod.head, first), (.head, first), (.get, first), (.head, second), (.get, second),
        ] {
            try expectEqual(tag(method), expected)
        }
        try expectEqual(harness.hosted("main").world.stubs.stubs.first?.hits, 2)
    }

    @Test func `7 responses follow each other, then after decides`() throws {
        for (after, expected) in [
            ("repeat", ["a", "b", "b", "b"]), ("cycle", ["a", "b", "a", "b"]), ("pass", ["a", "b", "other", "other"]),
        ] {
            let harness = try EngineHarness()
            try harness.stub(#"{"match":{"path":"/x"},"response":{"text":"other"}}"#)
            try harness.stub(
                #"{"match":{"path":"/x"},"responses":[{"text":"a"},{"text":"b"}],"after":"\#(after)"}"#
            )
            try expectEqual(harness.texts("/x", "/x", "/x", "/x"), expected, "\(after)")
        }
    }

    @Test func `7 when is that of faults, and stubs that it holds back leave the request to others`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"match":{"path":"/x"},"response":{"text":"other"}}"#)
        try harness.stub(#"{"match":{"path":"/x"},"when":{"skip":1,"times":2},"response":{"text":"acted"}}"#)
        try expectEqual(harness.texts("/x", "/x", "/x", "/x"), ["other", "acted", "acted", "other"])
        try harness.stub(#"{"match":{"path":"/y"},"when":{"from":"T0+PT1H"},"response":{"text":"late"}}"#)
        try expectEqual(harness.send(.get, "/y").status, 404)
        harness.pass(.hours(1))
        try expectEqual(harness.texts("/y"), ["late"])
    }

    @Test func `7 a stub that is off is passed over`() throws {
        let harness = try EngineHarness()
        let stub = try harness.stub(#"{"match":{"path":"/x"},"response":{"text":"a"}}"#)
        _ = try harness.hosted("main").world.stubs.change(stub.id, isEnabled: false)
        try expectEqual(harness.send(.get, "/x").status, 404)
        _ = try harness.hosted("main").world.stubs.change(stub.id, isEnabled: true)
        try expectEqual(harness.texts("/x"), ["a"])
    }

    @Test func `7 the content's form decides on the media type, unless a header does`() throws {
        let harness = try EngineHarness()
        let forms = [
            (#""body":{"b":1,"a":[null]}"#, "application/json", #"{"b":1,"a":[null]}"#),
            (#""body":null"#, "application/json", "null"),
            (#""text":"h\u00e9""#, "text/plain; charset=utf-8", "hé"),
            (#""base64":"aGk=""#, "application/octet-stream", "hi"),
            (#""headers":{"Content-Type":"application/xml"},"text":"<a/>""#, "application/xml", "<a/>"),
            (#""headers":[["content-type","text/csv"]],"body":1"#, "text/csv", "1"),
        ]
        for (form, type, content) in forms {
            try harness.stub(#"{"match":{"path":"/x"},"response":{\#(form)}}"#)
            let reply = try harness.send(.get, "/x")
            expectEqual(reply.answer.response.fields["Content-Type"], type, "\(form)")
            expectEqual(reply.text, content)
        }
        try harness.stub(#"{"response":{"status":204}}"#)
        let empty = try harness.send(.get, "/x")
        #expect((empty.status, empty.text, empty.answer.response.fields["Content-Type"]) == (204, "", nil))
    }

    @Test func `7 headers are pairs, or an object of texts and lists of texts, and keep their order`() throws {
        let harness = try EngineHarness()
        for headers in [#"[["X-A","1"],["X-B","2"],["X-A","3"]]"#, #"{"X-A":["1","3"],"X-B":"2"}"#] {
            try harness.stub(#"{"match":{"path":"/x"},"response":{"headers":\#(headers)}}"#)
            let fields = try harness.send(.get, "/x").answer.response.fields
            expectEqual(fields.values("X-A"), ["1", "3"])
            expectEqual(fields["X-B"], "2")
        }
    }

    @Test func `7 a delay comes before the head and ends with the world's clock too`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"response":{"delay":{"ms":250}}}"#)
        try expectEqual(harness.send(.get, "/x").answer.response.prelude, [.wait(.milliseconds(250), .either)])
    }

    @Test func `7 events are sent one after the other, each after its wait`() throws {
        let harness = try EngineHarness()
        try harness.stub(
            #"""
            {"match":{"path":"/s"},"response":{"events":[
              {"event":"start","id":"1","data":{"n":1}},{"data":"two\r\nlines","afterMs":500},{"data":"{{path.none ?? end}}x"}
            ],"template":false}}
            """#
        )
        let response = try harness.send(.get, "/s").answer.response
        expectEqual(response.fields["Content-Type"], "text/event-stream")
        guard case .steps(let steps) = response.body else {
            Issue.record("no steps")
            return
        }
        expectEqual(
            steps,
            [
                .bytes(Array("event: start\nid: 1\ndata: {\"n\":1}\n\n".utf8)),
                .wait(.milliseconds(500), .either), .bytes(Array("data: two\ndata: lines\n\n".utf8)),
                .bytes(Array("data: {{path.none ?? end}}x\n\n".utf8)), .end,
            ]
        )
        // Faults of streams act on them as on any other.
        try harness.fault(#"{"effect":{"stream":{"cutAfterEvents":1}}}"#)
        let cut = try harness.send(.get, "/s").answer.response.body.content
        expectEqual(String(decoding: cut, as: UTF8.self), "event: start\nid: 1\ndata: {\"n\":1}\n\n")
    }

    @Test(arguments: [
        (#"{}"#, ["$: must have exactly one of response and responses"]),
        (#"{"response":{},"responses":[{}]}"#, ["$: must have exactly one of response and responses"]),
        (#"{"responses":[]}"#, ["$.responses: must be a list of 1 to 100 responses"]),
        (#"{"response":{"status":199}}"#, ["$.response.status: must be a whole number from 200 to 599"]),
        (#"{"response":{"status":600}}"#, ["$.response.status: must be a whole number from 200 to 599"]),
        (
            #"{"response":{"text":"","body":1}}"#,
            ["$.response: must have at most one of body, text, base64, file, events"]
        ),
        (#"{"response":{"status":204,"text":""}}"#, ["$.response.text: a 204 has no content"]),
        (#"{"response":{"status":205,"body":1}}"#, ["$.response.body: a 205 has no content"]),
        (#"{"response":{"status":304,"events":[]}}"#, ["$.response.events: a 304 has no content"]),
        (
            #"{"response":{"headers":{"Content-Length":"1"}}}"#,
            ["$.response.headers.Content-Length: is set by the server itself"]
        ),
        (
            #"{"responses":[{},{"headers":[["connection","close"]]}]}"#,
            ["$.responses[1].headers[0]: is set by the server itself"]
        ),
        (#"{"response":{"headers":{"a b":"1"}}}"#, ["$.response.headers.a b: is not the name of a header field"]),
        (
            #"{"response":{"headers":{"a":["x","b\nc"]}}}"#,
            ["$.response.headers.a[1]: has characters that a header field value can't have"]
        ),
        (#"{"response":{"headers":{"a":1}}}"#, ["$.response.headers.a: must be a string"]),
        (#"{"response":{"base64":"aGk"}}"#, ["$.response.base64: is not base64 with padding (RFC 4648 section 4)"]),
        (#"{"response":{"file":"a.json"}}"#, ["$.response.file: the API notes has no folder with files"]),
        (
            #"{"response":{"events":[{"dta":1}]}}"#,
            [
                "$.response.events[0].data: is required, or retry or comment",
                "$.response.events[0].dta: unknown member; allowed: event, id, data, comment, retry, afterMs; did you mean data?",
            ]
        ),
        (
            #"{"response":{"body":{"a":["{{uid}}"]}}}"#,
            ["$.response.body.a[0]: {{uid}}: unknown placeholder uid; did you mean uuid?"]
        ),
        (
            #"{"match":{"path":"/a/{id}"},"responses":[{"headers":{"X":"{{path.ip}}"}}]}"#,
            ["$.responses[0].headers.X: {{path.ip}}: unknown path parameter ip; did you mean id?"]
        ),
        (#"{"response":{"delay":{"ms":-1}}}"#, ["$.response.delay.ms: must be a number from 0 to 86400000"]),
        (#"{"response":{},"after":"loop"}"#, ["$.after: must be one of repeat, cycle, pass"]),
        (#"{"response":{},"requires":{"a":"b"}}"#, ["$.requires: built-in APIs have no states"]),
        (#"{"response":{},"sets":{"a":"b"}}"#, ["$.sets: built-in APIs have no states"]),
        (#"{"response":{},"open":true}"#, ["$.open: built-in APIs don't support open"]),
        (
            #"{"reponse":{}}"#,
            [
                "$: must have exactly one of response and responses",
                "$.reponse: unknown member; allowed: name, match, requires, when, sets, open, response, responses, after; did you mean response?",
            ]
        ),
        (
            #"{"match":{"path":{"regex":"(?=a)"}},"response":{}}"#,
            ["$.match.path.regex: look-ahead is not supported, at character 1"]
        ),
    ])
    func `7 a stub that does not fit is refused with its path`(text: String, problems: [String]) throws {
        try expectEqual(EngineHarness().stubProblems(text), problems)
    }

    @Test func `7 a stub has 100 responses and no more`() throws {
        let harness = try EngineHarness()
        let most = Array(repeating: "{}", count: 100).joined(separator: ",")
        try expectEqual(harness.stubProblems(#"{"responses":[\#(most)]}"#), [])
        try expectEqual(
            harness.stubProblems(#"{"responses":[\#(most),{}]}"#),
            ["$.responses: must be a list of 1 to 100 responses"]
        )
    }

    @Test func `22 content has 8 MiB and no more`() throws {
        let harness = try EngineHarness()
        let most = String(repeating: "a", count: 8 << 20)
        try expectEqual(harness.stubProblems(#"{"response":{"text":"\#(most)"}}"#), [])
        try expectEqual(
            harness.stubProblems(#"{"response":{"text":"\#(most)a"}}"#),
            ["$.response.text: must be at most 8388608 bytes"]
        )
    }

    @Test func `22 content that becomes too large is an error of the API`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"match":{"path":"/x"},"response":{"text":"{{body.a}}{{body.a}}"}}"#)
        let half = String(repeating: "a", count: 4 << 20)
        try expectEqual(harness.send(.post, "/x", body: #"{"a":"\#(half)"}"#).text.utf8.count, 8 << 20)
        try expectEqual(harness.send(.post, "/x", body: #"{"a":"\#(half)a"}"#).status, 500)
    }
}
