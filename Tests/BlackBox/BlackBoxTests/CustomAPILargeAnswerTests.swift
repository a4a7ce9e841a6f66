import JSON
import TestSupport
import Testing

/// Templates of resources and of sign-in that fill more than they may (own-API contract, sections 9, 12, 14 and 22).
@Suite struct CustomAPILargeAnswerTests {
    private static let most = 8 << 20

    /// Resources whose items and envelopes repeat what they show, and a sign-in.
    private func served(note: Int) throws -> Served {
        let note = String(repeating: "x", count: note)
        let bio = String(repeating: "y", count: 900_000)
        let folder = try Folder([
            "apis/shop/api.json": """
            {"tables":{"rows":{"newKey":"integer"},"users":{}},\
            "auth":{"users":"users","identifier":"mail","secret":"word","login":"/login","open":["/**"],\
            "response":{"access":"{{access}}","all":[\(Self.list("{{user}}", 10))]}},\
            "resources":[{"path":"/rows","table":"rows","list":{"envelope":{"data":"{{items}}","total":"{{total}}"}}},\
            {"path":"/twice","table":"rows","item":{"a":"{{row}}","b":"{{row.note}}","c":"{{row.note}}","p":"{{query.p}}"},\
            "list":{"envelope":[\(Self.list("{{items}}", 4))]},"statuses":{"delete":200}},\
            {"path":"/coded","table":"rows","item":[\(Self.list("{{row.note | base64}}", 900))]}]}
            """,
            "apis/shop/tables/rows.json": #"[{"id":1,"note":"\#(note)"},{"id":2,"note":""}]"#,
            "apis/shop/tables/users.json": #"[{"id":1,"mail":"a@b.c","word":"w","bio":"\#(bio)"}]"#,
        ])
        return try Served(Served.frozen + ["--api", "shop"], in: folder)
    }

    private static func list(_ text: String, _ count: Int) -> String {
        [String](repeating: "\"\(text)\"", count: count).joined(separator: ",")
    }

    private func ask(_ served: Served, _ method: String, _ target: String, _ body: String = "") throws -> WireAnswer {
        try Wire(port: served.hub).ask(method, "/shop" + target, body: Array(body.utf8))
    }

    @Test(arguments: [0, 1])
    func `22 a template fills 8 MiB beside the row that it shows, and no more`(over: Int) throws {
        let note = (4 << 20) - 100
        let served = try served(note: note)
        let beside = #"{"a":,"b":"","c":"","p":""}"#.utf8.count + 2 * note
        let rest = String(repeating: "p", count: Self.most - beside + over)
        let answer = try ask(served, "GET", "/twice/1?p=\(rest)")
        expectEqual(answer.status, over == 0 ? 200 : 500)
        if over > 0 { expectEqual(answer.json["error"]?["code"], "answer_too_large") }
        // A list is as long as its table, alone and once in its envelope.
        try expectEqual(ask(served, "GET", "/rows").status, 200)
        try expectEqual(ask(served, "GET", "/rows/1").status, 200)
        try expectEqual(ask(served, "GET", "/twice").status, 500)
    }

    @Test func `14 what can't be answered is not done`() throws {
        let served = try served(note: 900_000)
        let before = try served.control("GET", "/state/shop/rows").text
        let note = String(repeating: "x", count: 500_000)
        for (method, target, body) in [
            ("GET", "/coded/1", ""), ("HEAD", "/coded/1", ""), ("POST", "/coded", #"{"note":"\#(note)"}"#),
            ("PATCH", "/coded/2", #"{"note":"\#(note)"}"#), ("PUT", "/coded/2", #"{"note":"\#(note)"}"#),
        ] {
            let wire = try Wire(port: served.hub)
            try wire.send(Wire.request(method, "/shop\(target)", body: Array(body.utf8), type: "application/json"))
            let answer = try wire.answer(toHead: method == "HEAD")
            expectEqual(answer.status, 500, "\(method) \(target)")
            if method != "HEAD" { expectEqual(answer.json["error"]?["code"], "answer_too_large", method) }
        }
        try expectEqual(served.control("GET", "/state/shop/rows").text, before)
        // No key is used up.
        try expectEqual(ask(served, "POST", "/rows", "{}").json["id"], 3)
        try expectEqual(ask(served, "DELETE", "/twice/2").json["b"], "")
        try expectEqual(ask(served, "GET", "/rows/2").status, 404)
        let login = try ask(served, "POST", "/login", #"{"mail":"a@b.c","word":"w"}"#)
        expectEqual(login.status, 500)
        expectEqual(login.json["error"]?["code"], "answer_too_large")
    }

    @Test func `5 the refusal of a large answer is changed as others are`() throws {
        let folder = try Folder([
            "apis/shop/api.json": """
            {"errors":{"causes":{"answer_too_large":{"status":507,"code":"BIG"}}},"tables":{"rows":{}},\
            "resources":[{"path":"/rows","table":"rows","item":[\(Self.list("{{row.n}}", 900))]}]}
            """,
            "apis/shop/tables/rows.json": #"[{"id":1,"n":"\#(String(repeating: "x", count: 10_000))"}]"#,
        ])
        let served = try Served(Served.frozen + ["--api", "shop"], in: folder)
        let answer = try ask(served, "GET", "/rows/1")
        expectEqual(answer.status, 507)
        expectEqual(answer.json["error"]?["code"], "BIG")
        let document = try served.control("GET", "/openapi/shop.json").json
        let responses = document["paths"]?["/rows/{id}"]?["get"]?["responses"]
        #expect(responses?["507"] != nil, "\(responses?.text ?? "")")
    }
}
