import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 17: short requests whose work is long hold no other connection up, and get the answers that
/// they would get at once.
@Suite(.serialized) struct WorkAheadTests {
    /// Milliseconds.
    private static let allowance = ProcessInfo.processInfo.environment["CI"] == nil ? 10.0 : 20

    private static func text(_ json: JSON) -> String { json.text }

    private static let rows: JSON = .array(
        (1...9_900).map { number in
            ["id": .integer(Int64(number)), "name": .string("n\(number)"), "kind": .string("k\(number % 7)")]
        }
    )

    private static let stubs: JSON = [
        [
            "match": ["path": "/text"],
            "response": ["text": .string(String(repeating: "{{query.q | base64}}", count: 1_000))],
        ],
        [
            "match": ["path": "/counted"],
            "response": [
                "body": [
                    "n": "{{counter.n}}", "die": "{{random 1 1000000}}",
                    "all": .array((0..<998).map { _ in "{{query.q}}" }),
                ]
            ],
        ],
        [
            "match": ["path": "/stated"], "requires": ["cart": "empty"], "sets": ["cart": "full"],
            "response": [
                "body": [
                    "n": "{{counter.n}}", "was": "{{state.cart}}", "all": .array((0..<998).map { _ in "{{query.q}}" }),
                ]
            ],
        ],
        [
            "match": ["path": "/events"],
            "response": ["events": .array((0..<300).map { _ in ["data": ["n": "{{counter.e}}", "at": "{{now}}"]] })],
        ],
        ["match": ["path": "/limit"], "response": ["text": .string(String(repeating: "{{body}}", count: 1_000))]],
        [
            "match": ["path": "/heavy"],
            "response": ["text": .string("{{counter.h}} " + String(repeating: "{{query.q | base64}}", count: 900))],
        ],
        // Never fits, but counts where the work of a list is estimated, as the form of errors does.
        ["match": ["path": "/p", "query": ["never": "x"]], "response": ["text": "{{query.q}}"]],
    ]

    private static func folder() throws -> Folder {
        try Folder([
            "apis/shop/api.json": #"""
            {"errors":{"body":{"error":"{{error.message}}"}},"states":{"cart":["empty","full"]},\#
            "tables":{"p":{}},"resources":[{"path":"/p","table":"p"},\#
            {"path":"/told","table":"p","list":{"envelope":{"data":"{{items}}","n":"{{counter.lists}}"}}}]}
            """#,
            "apis/shop/tables/p.json": text(rows),
            "apis/shop/stubs/a.json": text(stubs),
        ])
    }

    private func port(_ served: Served) throws -> Int {
        let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
        return try #require(text.split(separator: ":").last.flatMap { Int($0) })
    }

    private func served() throws -> Served {
        try Served(Served.frozen + ["--apis", "apis", "--api", "shop"], in: try Self.folder())
    }

    @Test func `17 lists, placeholders and coded bodies hold nobody up, from the first request on`() throws {
        let long = String(repeating: "z", count: 5_000)
        let targets = [
            "/p?name_in=" + Array(repeating: "a", count: 3_000).joined(separator: ","), "/p?sort=-name", "/p?q=n1",
            "/p?" + (0..<500).map { "name_like=x\($0)" }.joined(separator: "&"), "/text?q=" + long,
            "/counted?q=" + long,
            "/events", "/nothing?q=" + long,
        ]
        for target in targets {
            let served = try served()
            let wire = try Wire(port: try port(served))
            let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
                let answer = try wire.ask("GET", target)
                #expect([200, 404].contains(answer.status), "\(target.prefix(40)): \(answer.status)")
            }
            #expect(isFree, "\(target.prefix(40))")
        }
    }

    @Test func `17 what a worker fills counts and draws as the loop does`() throws {
        let served = try served()
        let wire = try Wire(port: try port(served))
        let long = String(repeating: "z", count: 5_000)
        // HEAD shows what GET is going to answer, and leaves it to GET.
        expectEqual(try wire.ask("HEAD", "/counted?q=" + long).status, 200)
        var drawn: [Int64] = []
        for number in 1...3 {
            // Short and long ones take turns.
            let answer = try wire.ask("GET", "/counted?q=" + (number == 2 ? "s" : long))
            expectEqual(answer.json["n"]?.intValue, Int64(number))
            expectEqual(answer.json["all"]?[997]?.stringValue, number == 2 ? "s" : long)
            drawn.append(try #require(answer.json["die"]?.intValue))
        }
        expectEqual(Set(drawn).count, 3)
        let stated = try wire.ask("GET", "/stated?q=" + long)
        expectEqual(stated.json["n"]?.intValue, 4)
        expectEqual(stated.json["was"]?.stringValue, "full")
        expectEqual(try wire.ask("GET", "/stated?q=" + long).status, 404)
        let hits = try served.control("GET", "/stubs?api=shop").json["items"]?.arrayValue?.map { $0["hits"]?.intValue }
        expectEqual(hits, [0, 3, 1, 0, 0, 0, 0])
        for number in 1...3 {
            let answer = try wire.ask("GET", "/told?kind=k\(number)")
            expectEqual(answer.json["n"]?.intValue, Int64(number))
        }
        // The same in another process, and after a reset.
        let other = try self.served()
        expectEqual(try Wire(port: try port(other)).ask("GET", "/counted?q=" + long).json["die"]?.intValue, drawn[0])
        expectEqual(try served.control("POST", "/reset").status, 200)
        expectEqual(try wire.ask("GET", "/counted?q=" + long).json["die"]?.intValue, drawn[0])
    }

    @Test func `17 a journal tells the same user of short and long requests in a comparison`() throws {
        let backend = try Backend()
        let folder = try Folder([
            "apis/shop/api.json": #"""
            {"tables":{"p":{},"users":{}},"auth":{"users":"users","identifier":"email"},\#
            "resources":[{"path":"/p","table":"p"}]}
            """#,
            "apis/shop/tables/p.json": "[]",
            "apis/shop/tables/users.json": #"[{"id":1,"email":"ann@example.com","password":"secret"}]"#,
        ])
        let served = try Served(Served.frozen + ["--apis", "apis", "--api", "shop"], in: folder)
        let order = #"{"api":"shop","mode":"diff","upstream":"\#(backend.url())"}"#
        expectEqual(try served.control("PUT", "/mode", order).status, 200)
        let made = try served.control("POST", "/tokens", #"{"api":"shop","user":"ann@example.com","kind":"access"}"#)
        let token = try #require(made.json["token"]?.stringValue)
        var users: [JSON?] = []
        for (target, length) in [("/p/nothing", 1), ("/p/nothing", 9_000), ("/other", 1), ("/other", 9_000)] {
            let body = Array(#"{"text":"\#(String(repeating: "x", count: length))"}"#.utf8)
            let wire = try Wire(port: try port(served))
            #expect(try wire.ask("PUT", target, body: body, token: token).status >= 400)
            users.append(try served.control("GET", "/requests?limit=1").json["items"]?[0]?["user"])
        }
        #expect(users[0] != nil)
        expectEqual(users[1], users[0])
        #expect(users[2] != nil)
        expectEqual(users[3], users[2])
    }

    @Test func `17 each event of a long stream is filled in its turn`() throws {
        let served = try served()
        let answer = try Wire(port: try port(served)).ask("GET", "/events")
        let numbers = answer.text.split(separator: "\n").compactMap { line in
            (try? JSONReader.read(text: String(line.dropFirst(6))))?["n"]?.intValue
        }
        expectEqual(numbers, Array(1...300))
    }

    @Test func `22 filling ends where the content is over its limit`() throws {
        let served = try served()
        let wire = try Wire(port: try port(served))
        // 1,000 times this is 8 MiB, and one byte more each is over it.
        let most = 8 * 1_048_576 / 1_000
        func ask(_ length: Int) throws -> WireAnswer {
            let body = Array(#""\#(String(repeating: "y", count: length))""#.utf8)
            return try wire.ask("POST", "/limit", body: body)
        }
        expectEqual(try ask(most).bytes.count, most * 1_000)
        expectEqual(try ask(most + 1).status, 500)
    }

    private static let heavy = "/heavy?q=" + String(repeating: "z", count: 6_000)

    /// Has all of them on their way before the first is answered.
    private func send(_ count: Int, _ target: String, to port: Int) throws -> [Wire] {
        try (0..<count).map { _ in
            let wire = try Wire(port: port)
            try wire.send(Wire.request("GET", target))
            return wire
        }
    }

    @Test func `17 as many requests wait for a part of a world as may, and one more is refused`() throws {
        let folder = try Self.folder()
        let served = try Served(Served.frozen + ["--apis", "apis", "--api", "shop", "--limit", "jobs=6"], in: folder)
        let port = try port(served)
        // One is at work while six wait.
        for wire in try send(7, Self.heavy, to: port) { expectEqual(try wire.answer().status, 200) }
        let answers = try send(12, Self.heavy, to: port).map { try $0.answer() }
        let refused = answers.filter { $0.status == 503 }
        #expect((1...5).contains(refused.count), "\(refused.count)")
        for answer in refused {
            expectEqual(answer["Retry-After"], "1")
            expectEqual(answer.json["error"]?.stringValue, "Too many requests are waiting. Try again soon.")
        }
        let numbers = answers.filter { $0.status == 200 }.compactMap { Int($0.text.prefix { $0 != " " }) }
        expectEqual(numbers.sorted(), Array(8..<(20 - refused.count)))
    }

    @Test func `17 refusals before a stub and answers over their limit are made by a worker`() throws {
        let errors: JSON = [
            "body": ["m": "{{error.message}}", "all": .array((0..<900).map { _ in "{{query.q | base64}}" })]
        ]
        let stubs: JSON = [
            ["match": ["path": "/g"], "response": ["text": "ok"]],
            [
                "match": ["path": "/open"], "open": true,
                "response": ["text": .string("{{counter.n}}" + String(repeating: "{{body | base64}}", count: 999))],
            ],
        ]
        let files = [
            "apis/shop/api.json": Self.text([
                "tables": ["users": [:]], "auth": ["users": "users", "identifier": "email"], "errors": errors,
            ]),
            "apis/shop/tables/users.json": #"[{"id":1,"email":"a@b.c","password":"x"}]"#,
            "apis/shop/stubs/a.json": Self.text(stubs),
        ]
        let served = try Served(Served.frozen + ["--apis", "apis", "--api", "shop"], in: try Folder(files))
        let port = try port(served)
        let long = String(repeating: "z", count: 5_000)
        let body = Array(#""\#(String(repeating: "y", count: 9_000))""#.utf8)
        var asked = 0
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            asked += 1
            let wire = try Wire(port: port)
            let refused = try wire.ask("GET", "/g?q=" + long)
            expectEqual(refused.status, 401)
            expectEqual(refused.json["all"]?[899]?.stringValue, Data(long.utf8).base64EncodedString())
            expectEqual(try wire.ask("POST", "/open", body: body).status, 500)
        }
        #expect(isFree)
        // Who is refused before the stub leaves it as it was.
        let hits = try served.control("GET", "/stubs?api=shop").json["items"]?.arrayValue?.map { $0["hits"]?.intValue }
        expectEqual(hits, [0, Int64(asked)])
        let sources = try served.control("GET", "/requests").json["items"]?.arrayValue?.map {
            $0["source"]?.stringValue
        }
        expectEqual(sources, Array(repeating: "stub", count: 2 * asked))
    }

    @Test func `17 who may have gone is answered after the others`() throws {
        let served = try served()
        let port = try port(served)
        let gone = try send(12, Self.heavy, to: port)
        for wire in gone { wire.endSending() }
        let last = try Wire(port: port).ask("GET", Self.heavy)
        let number = try #require(Int(last.text.prefix { $0 != " " }))
        #expect(number <= 3, "\(number)")
        // They are answered in the end.
        for wire in gone { expectEqual(try wire.answer().status, 200) }
    }

    @Test func `17 a stub that came while a gate held requests is filled by a worker`() throws {
        let served = try served()
        let port = try port(served)
        let target = "/gated?q=" + String(repeating: "z", count: 6_000)
        let gate = #"{"name":"g","match":{"api":"shop","path":"/gated"}}"#
        let stub: JSON = [
            "match": ["api": "shop", "path": "/gated"],
            "response": ["text": .string(String(repeating: "{{query.q | base64}}", count: 900))],
        ]
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            expectEqual(try served.control("POST", "/gates", gate).status, 201)
            let held = try send(3, target, to: port)
            try Deadline().wait(for: "the gate") {
                let gates = try? served.control("GET", "/gates").json["items"]
                return gates?[0]?["held"]?.arrayValue?.count == 3
            }
            expectEqual(try served.control("POST", "/stubs", stub.text).status, 201)
            expectEqual(try served.control("POST", "/gates/g/release", "{}").status, 200)
            for wire in held { expectEqual(try wire.answer().status, 200) }
            expectEqual(try served.control("DELETE", "/gates/g").status, 204)
            expectEqual(try served.control("DELETE", "/stubs").status, 204)
        }
        #expect(isFree)
    }

    @Test func `17 thousands of expressions and long bodies keep no short request waiting`() throws {
        let stubs: JSON = .array(
            (0..<1_000).map { number in
                [
                    "match": ["path": "/read", "bodyText": ["regex": .string("(a|b|c)*\(number)x")]],
                    "response": ["text": "x"],
                ]
            }
        )
        var files = [
            "apis/shop/api.json": "{}",
            "apis/shop/stubs/z.json": #"[{"match":{"path":"/s"},"response":{"text":"ok"}}]"#,
        ]
        for part in 0..<3 { files["apis/shop/stubs/\(part).json"] = stubs.text }
        let served = try Served(Served.frozen + ["--apis", "apis", "--api", "shop"], in: try Folder(files))
        let port = try port(served)
        let text = Array(String(repeating: "abc", count: 30_000).utf8)
        let long = try (0..<6).map { _ in try Wire(port: port) }
        for wire in long { try wire.send(Wire.request("POST", "/read", body: text)) }
        // It needs a worker, too, since its body is long.
        let answer = try Wire(port: port).ask(
            "POST",
            "/s",
            body: Array(#"{"a":"\#(String(repeating: "b", count: 40_000))"}"#.utf8)
        )
        expectEqual(answer.text, "ok")
        // Those that came before are still at work.
        let items = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        #expect(items.count { $0["path"]?.stringValue == "/read" } < long.count)
        #expect(try Probe.holdsNobody(served, within: Self.allowance) { usleep(200_000) })
    }

    @Test func `17 a chunked control call is refused at its limit, before it ends`() throws {
        let served = try Served(Served.frozen + ["--limit", "control-body=1000"])
        func answer(_ length: Int, ends: Bool) throws -> Int {
            let wire = try Wire(port: served.hub)
            var request = "POST /__admin/faults HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            request += "Transfer-Encoding: chunked\r\n\r\n"
            let effect = #"{"effect":{"status":503}}"#
            let content = effect + String(repeating: " ", count: length - effect.utf8.count)
            request += String(length, radix: 16) + "\r\n" + content + "\r\n" + (ends ? "0\r\n\r\n" : "")
            try wire.send(Array(request.utf8))
            return try wire.answer().status
        }
        expectEqual(try answer(1_000, ends: true), 201)
        expectEqual(try answer(1_001, ends: false), 413)
    }
}
