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

/// Wire contract, sections 4 and 5: effects on framing and on connections, as timelines and decisions.
@Suite struct WireEffectTests {
    private func reasons(_ harness: EngineHarness) throws -> [String] {
        try harness.journal().map { entry in
            entry.decisions.map { $0.acted ? "acted" : $0.reason ?? "" }.joined(separator: ", ")
        }
    }

    /// The first paths of mistakes in a fault with that effect.
    private func refusals(_ effect: String) throws -> [String] {
        var check = BodyCheck(["effect": try JSONReader.read(text: effect)])
        _ = FaultSpec.read(&check, apis: ["notes"], scope: nil)
        check.refuseUnknown()
        return check.items.map(\.path)
    }

    /// A timeline in words.
    private func words(_ response: Response) -> [String] {
        response.timeline.map { step in
            switch step {
            case .head(let head): "head \(head.framing)"
            case .bytes(let bytes): "bytes \(bytes.count)"
            case .stray(let bytes): "stray \(String(decoding: bytes, as: UTF8.self))"
            case .wait(let length, let waiting): "wait \(length.wholeMilliseconds) \(waiting)"
            case .closeAfter(let length, let waiting): "close after \(length.wholeMilliseconds) \(waiting)"
            case .interim(let status, let fields): "interim \(status.code) \(fields.pairs.map(\.name))"
            default: "\(step)"
            }
        }
    }

    @Test func `4 framing keeps the content and changes what says its length`() throws {
        let count = try EngineHarness().send(.get, "/notes/n1").text.utf8.count
        for (word, expected) in [
            ("chunked", ["head chunked", "bytes \(count)", "end"]),
            ("close", ["head untilClose", "bytes \(count)", "end"]),
            ("longer", ["head length(\(count))", "bytes \(count)", "stray understudy extra", "end"]),
        ] {
            let harness = try EngineHarness()
            try harness.fault(#"{"effect":{"framing":"\#(word)"}}"#)
            let response = try harness.send(.get, "/notes/n1").answer.response
            expectEqual(words(response), expected)
            #expect(!response.fields.contains(.contentLength))
            expectEqual(response.fields[.connection], word == "close" ? "close" : nil)
        }
        try expectEqual(refusals(#"{"framing":"shorter"}"#), ["$.effect.framing"])
        try expectEqual(refusals(#"{"framing":"longer","bytes":1}"#), ["$.effect.bytes"])
    }

    @Test func `4 framing, stall and their like are not used up where there is no content`() throws {
        for effect in [
            #"{"framing":"chunked"}"#, #"{"framing":"close"}"#, #"{"framing":"longer"}"#,
            #"{"connection":"stall","afterBytes":3}"#,
        ] {
            let harness = try EngineHarness()
            try harness.fault(#"{"when":{"times":1},"effect":\#(effect)}"#)
            try harness.send(.head, "/notes/n1")
            try harness.send(.head, "/numbered")
            try expectEqual(reasons(harness), ["no content", "no content"], effect)
            try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, 0)
        }
        // An answer in chunks has no length that its content could exceed, and is in chunks already.
        for (word, reason) in [("chunked", "nothing to change"), ("longer", "nothing to change"), ("close", "acted")] {
            let harness = try EngineHarness()
            try harness.fault(#"{"effect":{"framing":"\#(word)"}}"#)
            try harness.send(.post, "/slow", body: #"{"token":"x"}"#)
            try expectEqual(reasons(harness), [reason])
        }
    }

    @Test func `4 framing, raw and close are those of HTTP/1.1 alone, whatever orders them`() throws {
        for effect in [
            #"{"framing":"longer"}"#, #"{"raw":{"text":"x"}}"#, #"{"connection":"close"}"#,
            #"{"interim":[{"status":103}]}"#,
        ] {
            let harness = try EngineHarness()
            try harness.fault(#"{"when":{"times":1},"effect":\#(effect)}"#)
            let old = try harness.begin(.get, "/notes/n1", version: .http10)
            harness.finish(old)
            expectEqual(old.status, 200)
            try harness.send(.get, "/notes/n1")
            let reason = effect.contains("interim") ? "no interim answers" : "not HTTP/1.1"
            try expectEqual(reasons(harness), [reason, "acted"], effect)
        }
        let harness = try EngineHarness()
        for (fields, version, applied, reason) in [
            ([.connection: "close", "Prefer": "fault=close"], .http11, nil, "closes anyway"),
            (["Prefer": "fault=close"], .http10, nil, "not HTTP/1.1"),
            (["Prefer": "fault=close, wait=1"], .http11, "fault=close, wait=1", "acted, acted"),
            (["Prefer": "fault=close, wait=1"], .http10, "wait=1", "not HTTP/1.1, acted"),
        ] as [(Fields, HTTPVersion, String?, String)] {
            let answer = try harness.begin(.get, "/notes/n1", fields: fields, version: version)
            harness.finish(answer)
            expectEqual(answer.answer.response.fields["Preference-Applied"], applied)
            try expectEqual(reasons(harness).last, reason)
        }
    }

    @Test func `4 what the request alone decides holds for preferences and for releases, too`() throws {
        let harness = try EngineHarness()
        for (fields, method, applied, reason) in [
            (["Prefer": "fault=truncate"], .head, nil, "no content"),
            (["Prefer": "fault=malformed-chunk, wait=1"], .head, "wait=1", "no content, acted"),
            (["Prefer": "fault=invalid-json"], .head, nil, "no content"),
            (["Prefer": "fault=reset"], .head, "fault=reset", "acted"),
            (["Prefer": "fault=truncate"], .get, "fault=truncate", "acted"),
        ] as [(Fields, HTTPMessage.HTTPMethod, String?, String)] {
            let answer = try harness.send(method, "/notes/n1", fields: fields)
            expectEqual(answer.answer.response.fields["Preference-Applied"], applied, reason)
            try expectEqual(reasons(harness).last, reason)
        }
        let hosted = try harness.hosted("main")
        for phase in [FaultSpec.Phase.before, .after] {
            for (effect, method, range, reason) in [
                (#"{"framing":"longer"}"#, .head, nil, "no content"), (#"{"body":"empty"}"#, .head, nil, "no content"),
                (#"{"dribble":{"chunks":2,"overMs":10}}"#, .head, nil, "no content"),
                (#"{"connection":"truncate"}"#, .head, nil, "no content"),
                (#"{"connection":"reset","afterBytes":1}"#, .head, nil, "no content"),
                (#"{"connection":"stall","afterBytes":1}"#, .head, nil, "no content"),
                (#"{"range":"shifted"}"#, .head, "bytes=0-1", "no range"),
                (#"{"range":"ignored"}"#, .get, nil, "no range"), (#"{"range":"changed"}"#, .get, "x", "no range"),
                (#"{"range":"shifted"}"#, .get, "bytes=0-1", "acted"),
                (#"{"connection":"reset"}"#, .head, nil, "acted"), (#"{"body":"empty"}"#, .get, nil, "acted"),
            ] as [(String, HTTPMessage.HTTPMethod, String?, String)] {
                let name = "g"
                _ = hosted.world.gates.add(name, Matcher(), phase)
                let held = try harness.begin(method, "/notes/n1", fields: range.map { ["Range": $0] } ?? [:])
                var check = BodyCheck(["effect": try JSONReader.read(text: effect)])
                let spec = FaultSpec.readEffect(&check, phase: phase)
                expectEqual(check.items.map(\.path), [], effect)
                _ = harness.emulator.release(name, in: hosted, effect: spec, at: harness.hostTime)
                hosted.world.gates.remove(name)
                harness.finish(held)
                try expectEqual(reasons(harness).last, reason, "\(effect) \(method.rawValue) \(phase)")
            }
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 204 No Content\r\n\r\nmilk", 204), ("HTTP/1.0 200 OK\r\n\r\n", 200), ("HTTP/1.1 404\n\n", 404),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 503 Down\r\n\r\n", 503),
        ("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 500 No\r\n\r\n", 200), ("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n", 0),
        ("HTTP/1.1 103 Early Hints\r\nHTTP/1.1 200 OK\r\n\r\n", 0), ("HTTP/1.1 2000 OK\r\n\r\n", 0),
        ("HTTP/1.1 20 OK\r\n\r\n", 0),
        ("HTTP/1.1 099 OK\r\n\r\n", 0), ("HTTP/1.1  200 OK\r\n\r\n", 0), ("HTTP 200 OK\r\n\r\n", 0), ("milk", 0),
        ("", 0),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n", 0),
    ])
    func `4 raw bytes go out unchecked, and the entry has their first final status`(text: String, status: Int) throws {
        let harness = try EngineHarness()
        try harness.fault(JSON.object(["effect": ["raw": ["text": .string(text)]]]).text)
        let response = try harness.send(.get, "/notes/n1").answer.response
        expectEqual(words(response).prefix(2), ["stray \(text)", "close"])
        let entry = try #require(try harness.journal().first)
        expectEqual(entry.status.code, status)
        expectEqual(entry.fault?.phase, .before)
    }

    @Test func `4 raw ends as it says, and is read strictly`() throws {
        for (then, expected) in [
            ("close", ["close"]), ("keep", ["end"]), ("stall", ["hold"]), ("reset", ["wait 20 either", "abort"]),
        ] {
            let harness = try EngineHarness()
            try harness.fault(#"{"effect":{"raw":{"base64":"/wA=","then":"\#(then)"}}}"#)
            let response = try harness.send(.post, "/notes", body: #"{"text":"milk"}"#).answer.response
            expectEqual(response.prelude.first, .stray([0xFF, 0]))
            expectEqual(Array(words(response).dropFirst().prefix(expected.count)), expected)
            try expectEqual(harness.hosted("main").world.core.outbox.messages.count, 0, "the endpoint has not run")
        }
        for (order, path) in [
            (#"{}"#, "$.effect.raw"), (#"{"text":"a","base64":"AAE="}"#, "$.effect.raw"),
            (#"{"base64":"AAE"}"#, "$.effect.raw.base64"), (#"{"text":1}"#, "$.effect.raw.text"),
            (#"{"text":"a","then":"wait"}"#, "$.effect.raw.then"),
            (#"{"text":"a","status":200}"#, "$.effect.raw.status"),
            (#"{"text":"\#(String(repeating: "a", count: 1_048_577))"}"#, "$.effect.raw.text"),
        ] {
            try expectEqual(refusals(#"{"raw":\#(order)}"#), [path])
        }
        let longest = String(repeating: "a", count: 1_048_576)
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"raw":{"text":"\#(longest)","then":"keep"}}}"#)
        try expectEqual(harness.send(.get, "/notes/n1").answer.response.prelude.first, .stray(Array(longest.utf8)))
        // The journal leaves long bytes out.
        try expectEqual(harness.journal().first?.fault?.effect, ["raw": ["then": "keep"]])
    }

    @Test func `4 interim answers come in their order, behind what delays the first byte, and before whatever follows`()
        throws
    {
        let harness = try EngineHarness()
        try harness.fault(#"{"effect":{"interim":[{"status":100}]},"on":"world"}"#)
        try harness.fault(#"{"effect":{"delay":{"ms":7}}}"#)
        try harness.fault(
            #"{"effect":{"interim":[{"status":103,"headers":{"Link":"a","X-A":["b","c"]},"afterMs":5},{"status":199}]}}"#
        )
        try harness.fault(#"{"effect":{"connection":"reset"}}"#)
        let first = [
            "wait 7 either", "interim 100 []", "wait 5 either", #"interim 103 ["Link", "X-A", "X-A"]"#,
            "interim 199 []",
        ]
        try expectEqual(
            Array(words(harness.send(.get, "/notes/n1").answer.response).prefix(6)),
            first + ["abort"]
        )
        try harness.hosted("main").world.faults.remove { $0.id == "flt_4" }
        let answer = try harness.send(.get, "/notes/n1").answer.response
        expectEqual(Array(words(answer).prefix(5)), first)
        expectEqual(answer.status, .ok)
        try expectEqual(reasons(harness), ["acted, acted, acted, acted", "acted, acted, acted"])
    }

    @Test func `4 an effect is shown without its nulls, in lists too`() throws {
        let text = #"{"interim":[{"status":102,"afterMs":null},{"status":103,"headers":null}]}"#
        var check = BodyCheck(["effect": try JSONReader.read(text: text)])
        let spec = FaultSpec.read(&check, apis: ["notes"], scope: nil)
        expectEqual(check.items.map(\.path), [])
        expectEqual(spec?.effectJSON, ["interim": [["status": 102], ["status": 103]]])
    }

    @Test func `4 interim answers are 1 to 10, of 100 to 199 but 101`() throws {
        func order(_ count: Int) -> String {
            #"{"interim":[\#([String](repeating: #"{"status":103}"#, count: count).joined(separator: ","))]}"#
        }
        for (effect, path) in [
            (order(0), "$.effect.interim"), (order(11), "$.effect.interim"), (#"{"interim":103}"#, "$.effect.interim"),
            (#"{"interim":[103]}"#, "$.effect.interim[0]"), (#"{"interim":[{}]}"#, "$.effect.interim[0].status"),
            (#"{"interim":[{"status":101}]}"#, "$.effect.interim[0].status"),
            (#"{"interim":[{"status":103},{"status":200}]}"#, "$.effect.interim[1].status"),
            (#"{"interim":[{"status":99}]}"#, "$.effect.interim[0].status"),
            (#"{"interim":[{"status":103,"headers":"Link: a"}]}"#, "$.effect.interim[0].headers"),
            (#"{"interim":[{"status":103,"headers":[["Content-Length","1"]]}]}"#, "$.effect.interim[0].headers[0]"),
            (#"{"interim":[{"status":103,"after":1}]}"#, "$.effect.interim[0].after"),
        ] {
            try expectEqual(refusals(effect).first, path)
        }
        for effect in [order(1), order(10), #"{"interim":[{"status":100},{"status":102},{"status":199}]}"#] {
            try expectEqual(refusals(effect), [])
        }
    }

    @Test func `4 a 100 is withheld from a client that waits for it, and from no other`() throws {
        let length: FieldName = .contentLength
        for (effect, expected) in [(#""continue":"never""#, nil), (#""continueAfterMs":5"#, Interval.milliseconds(5))] {
            let harness = try EngineHarness()
            try harness.fault(#"{"when":{"times":1},"effect":{"upload":{\#(effect)}},"on":"world"}"#)
            func admit(_ fields: Fields, _ version: HTTPVersion = .http11) throws -> UploadIntake? {
                let head = RequestHead(
                    method: .post,
                    target: RequestTarget(rawPath: "/notes"),
                    version: version,
                    fields: fields
                )
                let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
                let exchange = harness.emulator.open(head, address: address, peer: "", id: 99, at: harness.hostTime)
                let intake = harness.emulator.admit(exchange, at: harness.hostTime)
                harness.emulator.receive(HTTPRequest(head: head, body: RequestBody(Array("{}".utf8))), of: exchange)
                harness.emulator.answer(exchange, at: harness.hostTime)
                harness.finish(EngineHarness.Exchange(number: 99, answer: exchange))
                return intake
            }
            try expectNil(admit([length: "2"]))
            try expectNil(admit([length: "2", .expect: "100-continue"], .http10))
            try harness.send(.get, "/notes/n1", fields: [.expect: "100-continue"])
            guard
                case .withoutContinue(let pause, let waiting, nil, _) = try admit([
                    length: "2", .expect: "100-Continue",
                ])
            else {
                Issue.record("\(effect): it does not act")
                return
            }
            expectEqual(pause, expected)
            expectEqual(waiting, .world)
            try expectEqual(reasons(harness), ["no Expect", "no Expect", "no Expect", "acted"], effect)
            try expectEqual(harness.hosted("main").world.faults["flt_1"]?.hits, 1)
        }
        for effect in [#"{"upload":{"continue":"late"}}"#, #"{"upload":{"continueAfterMs":-1}}"#] {
            try expectEqual(refusals(effect).count, 1)
        }
        try expectEqual(refusals(#"{"upload":{"continue":"never","continueAfterMs":1}}"#), ["$.effect.upload"])
    }

    @Test func `5 close leaves the response whole, without Connection close, and a client that closes uses nothing up`()
        throws
    {
        let harness = try EngineHarness()
        let plain = try words(harness.send(.get, "/notes/n1").answer.response)
        try harness.fault(#"{"when":{"times":2},"effect":{"connection":"close","afterMs":40},"on":"world"}"#)
        try harness.send(.get, "/notes/n1", fields: [.connection: "Close"])
        try harness.send(.get, "/notes/n1", fields: [.connection: "x, close"])
        let response = try harness.send(.get, "/notes/n1").answer.response
        expectEqual(words(response), ["close after 40 world"] + plain)
        #expect(!response.closesConnection)
        try expectEqual(words(harness.send(.head, "/notes/n1").answer.response).first, "close after 40 world")
        try expectEqual(reasons(harness), ["", "closes anyway", "closes anyway", "acted", "acted"])
        try expectEqual(harness.journal().last?.fault?.phase, .after)
        try expectEqual(refusals(#"{"connection":"close","afterBytes":1}"#), ["$.effect.afterBytes"])
    }

    @Test func `5 stall sends the head and so many bytes, less than all, then nothing`() throws {
        let count = try EngineHarness().send(.get, "/notes/n1").text.utf8.count
        for (order, sent, ending) in [
            (#""afterBytes":0"#, 0, ["hold"]), (#""afterBytes":3"#, 3, ["hold"]),
            (#""afterBytes":\#(count)"#, count - 1, ["hold"]),
            (#""afterBytes":3,"forMs":50"#, 3, ["wait 50 either", "close"]),
        ] {
            let harness = try EngineHarness()
            try harness.fault(#"{"effect":{"connection":"stall",\#(order)}}"#)
            let response = try harness.send(.get, "/notes/n1").answer.response
            expectEqual(words(response), ["head length(\(count))", "bytes \(sent)"] + ending)
        }
    }

    @Test
    func `5 match connection tells the first request of a connection from those behind it, wherever there is a match`()
        throws
    {
        let harness = try EngineHarness()
        try harness.fault(#"{"match":{"connection":"reused"},"effect":{"status":503}}"#)
        try harness.fault(#"{"match":{"connection":"fresh","method":"DELETE"},"effect":{"status":410}}"#)
        for (method, isOnReused, status) in [
            (.get, false, 200), (.get, true, 503), (.delete, false, 410), (.delete, true, 503),
        ] as [(HTTPMessage.HTTPMethod, Bool, Int)] {
            let answer = try harness.begin(method, "/notes/n1", isOnReused: isOnReused)
            harness.finish(answer)
            expectEqual(answer.status, status)
        }
        let journal = try harness.journal()
        expectEqual(journal.map(\.isOnReused), [false, true, false, true])
        var check = BodyCheck(["method": "GET", "connection": "reused"])
        let matcher = Matcher(&check, apis: ["notes"])
        expectEqual(journal.map { matcher.matches($0) }, [false, true, false, false])
        expectEqual(matcher.differences(from: MatchSubject(journal[0])), ["connection: expected reused, found fresh"])
        #expect(matcher.looksBeyondPath)
    }
}
