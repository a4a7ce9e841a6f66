import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 17 and 19: the limits of control calls, each at n and n + 1.
@Suite(.serialized) struct BoundTests {
    private func text(_ count: Int, _ letter: String = "x") -> String { String(repeating: letter, count: count) }

    private func path(_ answer: WireAnswer) -> String {
        "\(answer.status) \(answer.json["errors"]?.arrayValue?.first?["path"]?.stringValue ?? "")"
    }

    @Test func `17 a path pattern has at most 8 KiB and 32 stars`() throws {
        let served = try Served()
        func add(_ pattern: String) throws -> String {
            path(try served.control("POST", "/faults", #"{"match":{"path":"\#(pattern)"},"effect":{"status":500}}"#))
        }
        try expectEqual(add("/" + text(8_191)), "201 ")
        try expectEqual(add("/" + text(8_192)), "422 $.match.path")
        try expectEqual(add("/" + text(32, "a*")), "201 ")
        try expectEqual(add("/" + text(33, "a*")), "422 $.match.path")
        expectEqual(
            path(try served.control("POST", "/gates", #"{"match":{"path":"/\#(text(33, "*a"))"}}"#)),
            "422 $.match.path"
        )
        let latency = #"{"profile":"lte","match":{"path":"/\#(text(33, "*a"))"}}"#
        expectEqual(path(try served.control("PUT", "/latency", latency)), "422 $.match.path")
        expectEqual(
            path(try served.control("POST", "/verify", #"{"match":{"path":"/\#(text(8_192))"}}"#)),
            "422 $.match.path"
        )
        try expectEqual(served.control("GET", "/requests?path=/" + text(32, "a*")).status, 200)
        try expectEqual(served.control("GET", "/requests?path=/" + text(33, "a*")).status, 400)
    }

    @Test func `19 a pattern of a body has at most 1,000 values, and one of query or headers so many names`() throws {
        let served = try Served()
        func body(_ values: Int, _ value: String) -> String {
            (0..<values).map { #""k\#($0)":\#(value)"# }.joined(separator: ",")
        }
        for value in ["1", "{}", "[]", "null", #"{"a":{"b":true}}"#] {
            for call in ["/requests/count", "/verify"] {
                let fits = try served.control("POST", call, #"{"match":{"body":{\#(body(1_000, value))}}}"#)
                expectEqual(fits.status, 200, "\(value) \(fits.text)")
                let over = try served.control("POST", call, #"{"match":{"body":{\#(body(1_001, value))}}}"#)
                expectEqual(path(over), "422 $.match.body", "\(value) \(over.text)")
            }
        }
        for member in ["query", "headers"] {
            func add(_ count: Int) throws -> String {
                let match = #"{"match":{"\#(member)":{\#(body(count, "1"))}},"effect":{"status":500}}"#
                return path(try served.control("POST", "/faults", match))
            }
            try expectEqual(add(1_000), "201 ")
            try expectEqual(add(1_001), "422 $.match.\(member)")
        }
    }

    @Test(arguments: ["", #","within":"PT0.01S""#])
    func `11 an order of a verify has 1 to 1,000 items`(within: String) throws {
        let served = try Served()
        func status(_ count: Int) throws -> Int {
            let items = Array(repeating: #"{"path":"/none"}"#, count: count).joined(separator: ",")
            return try served.control("POST", "/verify", #"{"order":[\#(items)]\#(within)}"#).status
        }
        try expectEqual(status(1), 200)
        try expectEqual(status(1_000), 200)
        try expectEqual(status(0), 422)
        try expectEqual(status(1_001), 422)
    }

    @Test func `17 a fault, gate or latency has at most 64 KiB`() throws {
        let served = try Served()
        func sized(_ head: String, _ tail: String, _ count: Int) -> String {
            head + text(count - head.utf8.count - tail.utf8.count) + tail
        }
        let orders = [
            ("POST", "/faults", #"{"name":""#, #"","effect":{"status":500}}"#, 201),
            ("POST", "/gates", #"{"match":{"user":""#, #""}}"#, 201),
            ("PUT", "/latency", #"{"profile":"lte","match":{"user":""#, #""}}"#, 200),
        ]
        for (method, call, head, tail, status) in orders {
            try expectEqual(served.control(method, call, sized(head, tail, 65_536)).status, status, "\(call)")
            let over = try served.control(method, call, sized(head, tail, 65_537))
            expectEqual(path(over), "422 $", "\(call)")
            #expect(over.bytes.count < 1_000)
        }
    }

    @Test func `17 the effect of a release is as long as a fault may be, whatever keys stand beside it`() throws {
        let served = try Served()
        try expectEqual(served.control("POST", "/gates", #"{"name":"g","match":{"path":"/none"}}"#).status, 201)
        func release(_ count: Int, _ more: String = "") throws -> (status: Int, path: String) {
            let (head, tail) = (#"{"status":500,"message":""#, #""}"#)
            let effect = head + text(count - head.utf8.count - tail.utf8.count) + tail
            let answer = try served.control("POST", "/gates/g/release", #"{"effect":\#(effect)\#(more)}"#)
            #expect(answer.bytes.count < 1_000)
            return (answer.status, path(answer))
        }
        let padding = String(repeating: " ", count: 100_000)
        try expectEqual(release(65_536, padding).status, 200)
        try expectEqual(release(65_537).path, "422 $.effect")
    }

    @Test func `17 lists of names have at most 1,000`() throws {
        let served = try Served()
        func worlds(_ count: Int) throws -> String {
            let names = Array(repeating: #""omnichat/rate-limited""#, count: count).joined(separator: ",")
            return path(try served.control("POST", "/worlds", #"{"scenarios":[\#(names)]}"#))
        }
        try expectEqual(worlds(1_000), "201 ")
        try expectEqual(worlds(1_001), "422 $.scenarios")
        func origins(_ count: Int) throws -> String {
            let names = (0..<count).map { #""http://a\#($0).test""# }.joined(separator: ",")
            return path(try served.control("PUT", "/settings", #"{"cors":{"origins":[\#(names)]}}"#))
        }
        try expectEqual(origins(1_000), "200 ")
        try expectEqual(origins(1_001), "422 $.cors.origins")
    }

    /// Bodies with very many mistakes in them, or with very long ones.
    private static let broken: [(method: String, call: String, body: String)] = {
        let many = (0..<5_000).map { #""k\#($0)":[]"# }.joined(separator: ",")
        let long = #"""# + String(repeating: "é", count: 30_000) + #"""#
        let list = Array(repeating: long, count: 20).joined(separator: ",")
        return [
            ("POST", "/faults", "{\(many)}"), ("POST", "/faults", "{\(long):1}"),
            ("POST", "/faults", #"{"match":{"query":{\#(long):[]}},"effect":{"status":500}}"#),
            ("POST", "/faults", #"{"match":{"api":\#(long),"method":\#(long)},"effect":{"body":\#(long)}}"#),
            (
                "POST", "/worlds",
                #"{"scenarios":[\#(Array(repeating: #""x/y""#, count: 1_000).joined(separator: ","))]}"#
            ),
            ("POST", "/worlds", #"{"scenarios":[\#(list)],"from":\#(long),"name":\#(long)}"#),
            ("POST", "/worlds", #"{"from":\#(long)}"#),
            ("PUT", "/settings", "{\(many)}"), ("PUT", "/settings", "{\(long):1}"),
            ("PUT", "/settings", #"{"trendy":{\#(many)}}"#), ("PUT", "/settings", #"{"omnichat":{\#(long):1}}"#),
            ("PUT", "/settings", #"{"cors":{\#(many)}}"#), ("PUT", "/settings", #"{"cors":{"origins":[\#(list)]}}"#),
            ("PUT", "/clock", #"{"mode":\#(long),"now":\#(long)}"#), ("POST", "/clock/advance", #"{"by":\#(long)}"#),
            ("PUT", "/latency", #"{"profile":\#(long)}"#),
            ("PUT", "/mode", #"{"api":"trendy","mode":"record","upstream":\#(long)}"#),
            ("PUT", "/mode", #"{"api":\#(long),"mode":\#(long),"links":\#(long),"exhausted":\#(long)}"#),
            ("POST", "/tokens", #"{"api":"trendy","user":\#(long),"kind":"access"}"#),
            ("POST", "/tokens", #"{"api":\#(long),"user":"a","kind":\#(long),"state":\#(long)}"#),
            ("POST", "/verify", #"{"match":{\#(many)},"within":\#(long)}"#),
            ("POST", "/snapshots", #"{"name":\#(long)}"#),
        ]
    }()

    @Test func `17 a 422 has at most 100 reasons, each quoting at most 100 characters`() throws {
        let served = try Served()
        var most = 0
        for (method, call, body) in Self.broken {
            let answer = try served.control(method, call, body)
            #expect(
                answer.status == 422 || answer.status == 404,
                "\(call) \(body.prefix(80)) \(answer.text.prefix(300))"
            )
            let errors = answer.json["errors"]?.arrayValue ?? []
            most = max(most, errors.count)
            #expect(errors.count <= 100, "\(call) \(body.prefix(80))")
            #expect(!answer.text.contains(text(101, "é")), "\(call) \(body.prefix(80))")
            #expect(answer.bytes.count < 64 * 1_024, "\(call) \(body.prefix(80))")
        }
        expectEqual(most, 100)
        let quoted = try served.control("POST", "/faults", #"{"\#(text(100))":1,"effect":{"status":500}}"#)
        expectEqual(path(quoted), "422 $.\(text(100))")
        let cut = try served.control("POST", "/faults", #"{"\#(text(101))":1,"effect":{"status":500}}"#)
        expectEqual(path(cut), "422 $.\(text(100))…")
    }

    @Test func `17 a control body has at most 2 MiB, a world its own limit, whatever bodies of APIs may have`() throws {
        func body(_ count: Int) -> String { #"{"name":""# + text(count - 11) + #""}"# }
        let usual = try Served()
        try expectEqual(usual.control("POST", "/faults", body(2 << 20)).status, 422)
        try expectEqual(usual.control("POST", "/faults", body((2 << 20) + 1)).status, 413)
        let state = try usual.control("GET", "/state").text
        let size = state.utf8.count
        let said = try Served(Served.frozen + ["--limit", "control-body=100", "state=\(size)", "body=200"])
        try expectEqual(said.control("POST", "/faults", body(100)).status, 422)
        try expectEqual(said.control("POST", "/faults", body(101)).status, 413)
        try expectEqual(said.control("PUT", "/state", state).status, 200)
        try expectEqual(said.control("PUT", "/state", state + " ").status, 413)
        #expect(try said.chat("POST", "/auth/apple", #"{"x":"\#(text(192))"}"#).status != 413)
        try expectEqual(said.chat("POST", "/auth/apple", #"{"x":"\#(text(193))"}"#).status, 413)
    }

    @Test func `3 control calls take UTF-8 and no other charset`() throws {
        let served = try Served()
        func status(_ type: String) throws -> Int {
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request("POST", "/__admin/requests/count", body: Array("{}".utf8), type: type))
            return try wire.answer().status
        }
        for type in [
            "application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
            #"APPLICATION/JSON; Charset="Utf-8""#,
        ] {
            try expectEqual(status(type), 200, "\(type)")
        }
        for type in [
            "application/json; charset=latin-1", "application/json; charset=utf-16",
            "application/json; charset=us-ascii",
            #"application/json; charset="""#, "application/json; charset=utf-8; charset=utf-8", "text/json",
        ] {
            try expectEqual(status(type), 415, "\(type)")
        }
    }

    @Test(arguments: [("POST", "/requests/count", "{}"), ("PUT", "/latency", #"{"profile":"none"}"#)])
    func `3 a control write with two content types is 415, whatever they say and whichever comes first`(
        method: String,
        path: String,
        body: String
    ) throws {
        let served = try Served()
        let json = "Content-Type: application/json"
        for (fields, status) in [
            ([json], 200), ([json, json], 415), ([json, "content-type: text/plain"], 415),
            (["Content-Type: text/plain", json], 415), ([json, "Content-Type:"], 415), ([], 415),
        ] {
            let head = "\(method) /__admin\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.utf8.count)\r\n"
            let wire = try Wire(port: served.hub)
            try wire.send(Array((head + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body).utf8))
            try expectEqual(wire.answer().status, status, "\(fields)")
        }
    }

    @Test func `names that differ only in the order of their marks are as quick to tell apart as any others`() throws {
        let served = try Served()
        let marks = ["\u{301}", "\u{323}", "\u{327}", "\u{338}", "\u{345}", "\u{35C}", "\u{334}", "\u{31B}"]
        var names: [[String]] = [[]]
        for _ in marks { names = names.flatMap { name in marks.filter { !name.contains($0) }.map { name + [$0] } } }
        expectEqual(names.count, 40_320)
        let members = names.map { "\"a\($0.joined())\":1" }.joined(separator: ",")
        let answer = try Wire(port: served.hub).ask(
            "POST",
            "/trafikskola/api/mobile/auth/login",
            body: Array("{\(members)}".utf8)
        )
        expectEqual(answer.status, 400)
        try expectEqual(served.control("POST", "/faults", "{\(members)}").status, 422)
    }
}
