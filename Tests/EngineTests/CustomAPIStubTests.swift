import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Own-API contract, sections 4, 7, 9, 21 and 22: stubs of an API of the user's own, and their world.
@Suite struct CustomAPIStubTests {
    private static let cart = [(name: "cart", values: ["empty", "full", "paid"])]

    @Test func `7 a stub requires values of states and sets them when it acts`() throws {
        var folder = CustomNotes.Folder(states: Self.cart)
        folder.stubs = [
            (
                "stubs/a.json",
                #"""
                [{"match":{"method":"POST","path":"/cart"},"requires":{"cart":"empty"},"sets":{"cart":"full"},
                  "response":{"status":201,"body":{"cart":"{{state.cart}}"}}},
                 {"match":{"method":"POST","path":"/cart"},"response":{"status":409,"body":{"cart":"{{state.cart}}"}}}]
                """#
            )
        ]
        let harness = try EngineHarness(own: folder)
        try harness.make("other")
        let first = try harness.send(.post, "/cart")
        #expect((first.status, first.text) == (201, #"{"cart":"full"}"#))
        let second = try harness.send(.post, "/cart")
        #expect((second.status, second.text) == (409, #"{"cart":"full"}"#))
        try expectEqual(harness.send(.post, "/@other/cart").status, 201)
        try expectEqual(
            harness.stubProblems(
                #"{"requires":{"crt":"full"},"sets":{"cart":"ful"},"response":{"text":"{{state.x}}"}}"#
            ),
            [
                "$.requires.crt: there is no such state; did you mean cart?",
                "$.sets.cart: must be one of empty, full, paid",
                "$.response.text: {{state.x}}: unknown state x; known are cart",
            ]
        )
    }

    @Test func `7 a token is asked for unless the stub is open, and a refusal is no hit`() throws {
        var folder = CustomNotes.Folder()
        folder.token = "secret"
        let harness = try EngineHarness(own: folder)
        try harness.stub(#"{"match":{"path":"/open"},"open":true,"response":{"text":"open"}}"#)
        try harness.stub(#"{"match":{"path":"/closed"},"response":{"text":"{{user.role}}"}}"#)
        try expectEqual(harness.texts("/open", "/closed"), ["open", "no token"])
        let token: Fields = ["Authorization": "Bearer secret"]
        try expectEqual(harness.send(.get, "/closed", fields: token).text, "secret")
        try expectEqual(harness.hosted("main").world.stubs.stubs.map(\.hits), [1, 1])
        let entries = try harness.journal()
        expectEqual(entries.map { $0.source?.rawValue }, ["stub", "stub", "stub"])
        expectEqual(entries.map(\.stub), ["stb_1", nil, "stb_2"])
    }

    @Test func `7 a file of the folder is content, with the media type of its ending`() throws {
        var folder = CustomNotes.Folder()
        folder.files = ["a/b.JSON": Array("{{uuid}}".utf8), "x.bin": [0, 255]]
        let harness = try EngineHarness(own: folder)
        try harness.stub(#"{"match":{"path":"/j"},"response":{"file":"a/b.JSON"}}"#)
        try harness.stub(#"{"match":{"path":"/x"},"response":{"file":"x.bin"}}"#)
        let reply = try harness.send(.get, "/j")
        expectEqual(reply.text, "{{uuid}}")
        expectEqual(reply.answer.response.fields["Content-Type"], "application/json")
        try expectEqual(harness.send(.get, "/x").answer.response.body.content, [0, 255])
        for path in ["../x", "/x.bin", "a//b", "./x.bin", "a/../x.bin"] {
            try expectEqual(
                harness.stubProblems(#"{"response":{"file":"\#(path)"}}"#),
                ["$.response.file: must be a path below files/, without . and .."]
            )
        }
        try expectEqual(
            harness.stubProblems(#"{"response":{"file":"no"}}"#),
            ["$.response.file: there is no such file in the API's files/"]
        )
    }

    @Test func `8 stubs of files come first, and a reset brings them back with 0 hits`() throws {
        var folder = CustomNotes.Folder()
        folder.stubs = [
            ("stubs/a.json", #"{"name":"a","match":{"path":"/a"},"response":{"text":"file"}}"#),
            ("stubs/b.json", #"[{"match":{"path":"/b"},"response":{"text":"b"}},{"enabled":false,"response":{}}]"#),
        ]
        let harness = try EngineHarness(own: folder)
        func list() throws -> [String] {
            try harness.hosted("main").world.stubs.stubs.map { "\($0.id) \($0.origin.text) \($0.hits) \($0.isEnabled)" }
        }
        let fresh = [
            "stb_1 file:stubs/a.json 0 true", "stb_2 file:stubs/b.json 0 true", "stb_3 file:stubs/b.json 0 false",
        ]
        try expectEqual(list(), fresh)
        try harness.stub(#"{"match":{"path":"/a"},"response":{"text":"call"}}"#)
        try expectEqual(harness.texts("/a", "/b"), ["call", "b"])
        try expectEqual(list().first, "stb_4 call 1 true")
        for only in [0, nil] {
            try harness.emulator.reset(harness.hosted("main"), only: only, keepClock: false, at: harness.hostTime)
            try expectEqual(list(), fresh)
            try harness.stub(#"{"match":{"path":"/a"},"response":{"text":"call"}}"#)
            try expectEqual(harness.texts("/a"), ["call"])
        }
    }

    @Test func `9 placeholders say what the request and the world hold`() throws {
        let harness = try EngineHarness(own: CustomNotes.Folder()) {
            $0.clock = .frozen(Instant(seconds: 1_735_732_800))
        }
        try harness.stub(
            #"""
            {"match":{"path":"/v1/items/{id}/{rest…}"},"response":{
              "headers":{"X-Id":"{{path.id}}","X-None":"{{query.none}}"},
              "body":{"id":"{{path.id}}","rest":"{{path.rest}}","q":"{{query.q}}","page":"{{query.page | int}}",
                      "tier":"{{header.x-tier}}","name":"{{body.user.name}}","n":"{{body.list[1]}}","at":"{{now}}",
                      "count":"{{counter.a}}","text":"{{counter.a}} of {{counter.b}}","m":"{{request.method}}",
                      "p":"{{request.path}}","base":"{{base}}","r":"{{request.id}}"}}}
            """#
        )
        let fields: Fields = ["X-Tier": "gold", "Host": "shop.test"]
        let reply = try harness.send(
            .post,
            "/v1/items/a%20b/c/d",
            fields: fields,
            body: #"{"user":{"name":"Ann"},"list":[1,2.50]}"#
        )
        expectEqual(
            reply.text,
            #"{"id":"a b","rest":"c/d","tier":"gold","name":"Ann","n":2.50,"at":"2025-01-01T12:00:00Z","count":1,"text":"2 of 1","m":"POST","p":"/v1/items/a%20b/c/d","base":"http://shop.test","r":"req_1"}"#
        )
        expectEqual(reply.answer.response.fields["X-Id"], "a b")
        expectNil(reply.answer.response.fields["X-None"])
    }

    @Test func `9 of a form placeholders take the first value`() throws {
        let harness = try EngineHarness()
        try harness.stub(#"{"response":{"text":"{{body.a}}{{body.b}}"}}"#)
        let form: Fields = ["Content-Type": "application/x-www-form-urlencoded"]
        try expectEqual(harness.send(.post, "/x", fields: form, body: "a=1&a=2&b=x+y").text, "1x y")
        let parts: Fields = ["Content-Type": "multipart/form-data; boundary=B"]
        let content = "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhi\r\n--B--\r\n"
        try expectEqual(harness.send(.post, "/x", fields: parts, body: content).text, "hi")
    }

    @Test func `9 chance and counters repeat in every process, and begin anew with a reset`() throws {
        func run(_ harness: EngineHarness) throws -> [String] { try harness.texts("/a", "/b", "/a") }
        let text = #"{"response":{"text":"{{uuid}} {{random 1 1000000}} {{pick red green blue}} {{counter.n}}"}}"#
        let first = try EngineHarness(own: CustomNotes.Folder())
        try first.stub(text)
        let answers = try run(first)
        expectEqual(Set(answers).count, 3)
        let uuid = answers[0].split(separator: " ")[0]
        #expect(uuid.count == 36 && uuid.dropFirst(14).first == "4" && "89ab".contains(uuid.dropFirst(19).first ?? "x"))
        let second = try EngineHarness(own: CustomNotes.Folder())
        try second.stub(text)
        try expectEqual(run(second), answers)
        for only in [0, nil] {
            try first.emulator.reset(first.hosted("main"), only: only, keepClock: false, at: first.hostTime)
            try first.stub(text)
            try expectEqual(run(first), answers)
        }
    }

    @Test func `4 the journal names the source where custom APIs or stubs are`() throws {
        let plain = try EngineHarness()
        try plain.send(.get, "/notes/n1")
        try expectEqual(plain.journal().map(\.source), [nil])
        try plain.stub(#"{"match":{"path":"/s/{id}"},"response":{}}"#)
        try plain.fault(#"{"match":{"path":"/f"},"effect":{"status":500}}"#)
        for path in ["/notes/n1", "/s/1", "/nowhere", "/f"] { try plain.send(.get, path) }
        let entries = try plain.journal().dropFirst()
        expectEqual(entries.map { $0.source?.rawValue }, ["emulated", "stub", nil, nil])
        expectEqual(entries.map(\.route), ["/notes/{id}", "/s/{id}", nil, nil])
        expectEqual(entries.map(\.stub), [nil, "stb_1", nil, nil])
        // Packed entries keep it.
        try plain.make("resting")
        try expectEqual(plain.journal().dropFirst().map { $0.source?.rawValue }, ["emulated", "stub", nil, nil])
    }

    @Test func `4 faults, gates and latency act on stubs, and the phase decides whether one counts`() throws {
        let harness = try EngineHarness()
        let stub = try harness.stub(#"{"match":{"path":"/x"},"response":{"text":"answer"}}"#)
        func hits() throws -> Int? { try harness.hosted("main").world.stubs[stub.id]?.hits }
        try harness.fault(#"{"when":{"times":1},"effect":{"status":503}}"#)
        try expectEqual(harness.send(.get, "/x").status, 503)
        try expectEqual(hits(), 0)
        try harness.fault(#"{"when":{"times":1},"phase":"after","effect":{"status":503}}"#)
        try expectEqual(harness.send(.get, "/x").status, 503)
        try expectEqual(hits(), 1)
        try harness.fault(#"{"when":{"times":1},"effect":{"body":"empty"}}"#)
        try expectEqual(harness.send(.get, "/x").text, "")
        try expectEqual(hits(), 2)
        // In the phase before, the stub answers in a copy of the world that is thrown away.
        try harness.fault(#"{"when":{"times":1},"phase":"before","effect":{"body":"empty"}}"#)
        try expectEqual(harness.send(.get, "/x").text, "")
        try expectEqual(hits(), 2)
    }

    @Test func `21 stubs and their counts belong to the world`() throws {
        let harness = try EngineHarness(own: CustomNotes.Folder(states: Self.cart))
        try harness.stub(#"{"match":{"path":"/x"},"responses":[{"text":"1"},{"text":"2"},{"text":"{{counter.c}}"}]}"#)
        try expectEqual(harness.texts("/x"), ["1"])
        try harness.make("fork", from: "main")
        try expectEqual(harness.texts("/@fork/x", "/@fork/x", "/x"), ["2", "1", "2"])
        let dump = try harness.emulator.dump(harness.hosted("fork"), at: harness.hostTime).document
        let other = try EngineHarness(own: CustomNotes.Folder(states: Self.cart))
        try other.emulator.load(try #require(dump.objectValue), into: other.hosted("main"), at: other.hostTime)
        try expectEqual(other.texts("/x"), ["2"])
        try expectEqual(harness.texts("/@fork/x"), ["2"])
        let again = try other.emulator.dump(other.hosted("main"), at: other.hostTime).document
        expectEqual(again["stubs"]?["stubs"]?[0]?["hits"], 4)
    }

    @Test func `21 a world without stubs has none in its document`() throws {
        let harness = try EngineHarness()
        try expectNil(harness.emulator.dump(harness.hosted("main"), at: harness.hostTime).document["stubs"])
    }

    @Test func `22 of 10,000 stubs the last is found as quickly as the first`() throws {
        let harness = try EngineHarness()
        for number in 0..<10_000 {
            try harness.stub(#"{"match":{"method":"GET","path":"/items/\#(number)"},"response":{"text":"\#(number)"}}"#)
        }
        func cost(_ path: String) throws -> Duration {
            var times: [Duration] = []
            for _ in 0..<30 { times.append(try ProcessorTime.measure { try harness.send(.get, path) }) }
            return times.sorted()[times.count / 2]
        }
        try expectEqual(harness.texts("/items/0", "/items/9999"), ["0", "9999"])
        let (first, last) = (try cost("/items/9999"), try cost("/items/0"))
        #expect(last < first + .microseconds(20), "\(first), then \(last)")
    }
}
