import HTTPMessage
import TestSupport
import Testing

@Suite struct RouterTests {
    static func rows(_ table: [(String, String)]) throws -> [Router.Row] {
        try table.enumerated().map { index, row in
            Router.Row(method: HTTPMethod(rawValue: row.0), template: try #require(RouteTemplate(row.1)), index: index)
        }
    }

    static let table = [
        ("POST", "/api/v1/auth/apple"), ("GET", "/api/v1/conversations"), ("POST", "/api/v1/conversations"),
        ("GET", "/api/v1/conversations/{id}"), ("DELETE", "/api/v1/conversations/{id}"),
        ("GET", "/api/v1/conversations/{id}/messages"), ("GET", "/api/v1/files/{key…}"),
        ("DELETE", "/api/v1/files/{key…}"),
        ("GET", "/api/v1/conversations/recent"), ("GET", "/api/v1/user/profile"), ("PATCH", "/api/v1/user/profile"),
        ("GET", "/"),
    ]

    static func path(_ raw: String) throws -> Path { try #require(Path(raw: raw)) }

    @Test func `each row is found by a path of its form`() throws {
        let router = try Router(Self.rows(Self.table))
        func index(_ method: HTTPMethod, _ raw: String) throws -> Int? {
            try router.match(Self.path(raw))?.row(for: method)?.index
        }
        try expectEqual(index(.post, "/api/v1/auth/apple"), 0)
        try expectEqual(index(.post, "/api/v1/conversations"), 2)
        try expectEqual(index(.delete, "/api/v1/conversations/7"), 4)
        try expectEqual(index(.get, "/api/v1/conversations/7/messages"), 5)
        try expectEqual(index(.get, "/"), 11)
        for raw in [
            "/api", "/api/v1", "/api/v1/auth", "/x", "/api/v1/files", "/api/v1/conversations/7/messages/1",
            "/API/v1/auth/apple",
        ] {
            try expectNil(router.match(Self.path(raw)), "\(raw)")
        }
    }

    @Test func `parameters are decoded and in order`() throws {
        let router = try Router(Self.rows([("GET", "/a/{x}/b/{y}")]))
        try expectEqual(router.match(Self.path("/a/%41%2F/b/é"))?.parameters, ["A/", "é"])
    }

    @Test func `the rest of a path is the same as plain segments and as one encoded segment`() throws {
        let router = try Router(Self.rows(Self.table))
        for raw in ["/api/v1/files/u/c/f.png", "/api/v1/files/u%2Fc%2Ff.png", "/api/v1/files/u%2Fc/f.png"] {
            try expectEqual(router.match(Self.path(raw))?.parameters, ["u/c/f.png"])
        }
    }

    @Test func `a literal wins over a parameter, and a parameter over a rest`() throws {
        let router = try Router(
            Self.rows([
                ("GET", "/{rest…}"), ("GET", "/{a}/x"), ("GET", "/a/{b}"), ("GET", "/a/b/c"), ("GET", "/a/{b}/d"),
            ])
        )
        func found(_ raw: String) throws -> (Int?, [String]) {
            let match = try router.match(Self.path(raw))
            return (match?.rows.first?.index, match?.parameters ?? [])
        }
        #expect(try found("/a/x") == (2, ["x"]))
        #expect(try found("/b/x") == (1, ["b"]))
        #expect(try found("/a/b/c") == (3, []))
        // The literal leads nowhere: the parameter is tried after it.
        #expect(try found("/a/b/d") == (4, ["b"]))
        #expect(try found("/a/b/e") == (0, ["a/b/e"]))
        #expect(try found("/a") == (0, ["a"]))
        try expectNil(router.match(Self.path("/")))
    }

    @Test func `allowed methods are in the order of the table`() throws {
        let router = try Router(Self.rows(Self.table))
        try expectEqual(router.match(Self.path("/api/v1/conversations"))?.allowedMethods, [.get, .post])
        try expectEqual(router.match(Self.path("/api/v1/files/x"))?.allowedMethods, [.get, .delete])
        guard case .methodNotAllowed(let methods) = router.route(.put, try Self.path("/api/v1/conversations/recent"))
        else {
            Issue.record("expected the methods of both templates")
            return
        }
        expectEqual(methods, [.get, .delete])
    }

    @Test func `a method that only the lesser template has is still found`() throws {
        let router = try Router(Self.rows(Self.table))
        guard
            case .found(let row, let parameters) = router.route(.delete, try Self.path("/api/v1/conversations/recent"))
        else {
            Issue.record("expected the row with the parameter")
            return
        }
        expectEqual(row.index, 4)
        expectEqual(parameters, ["recent"])
        guard case .notFound = router.route(.get, try Self.path("/nowhere")) else {
            Issue.record("expected nothing")
            return
        }
        guard case .found(let best, let none) = router.route(.get, try Self.path("/api/v1/conversations/recent")) else {
            Issue.record("expected the literal row")
            return
        }
        #expect(best.index == 8 && none.isEmpty)
    }

    @Test(arguments: [
        ("/a", "/a"), ("/a/{x}", "/a/{y}"), ("/{x…}", "/{y…}"), ("/", "/"),
    ])
    func `two rows that take the same requests are a conflict`(first: String, second: String) throws {
        let table = try Self.rows([("GET", first), ("GET", second)])
        let conflict = #expect(throws: Router.Conflict.self) { try Router(table) }
        expectEqual(conflict?.first.index, 0)
        expectEqual(conflict?.second.index, 1)
        #expect(throws: Never.self) { try Router(Self.rows([("GET", first), ("POST", second)])) }
    }

    @Test func `a segment that is only canonically equivalent is another one`() throws {
        let router = try Router(Self.rows([("GET", "/K")]))
        try expectNil(router.match(Self.path("/%E2%84%AA")))
        #expect(try router.match(Self.path("/K")) != nil)
    }

    @Test func `an empty table takes nothing`() throws {
        let router = try Router([])
        try expectNil(router.match(Self.path("/")))
        #expect(router.nearest(to: try Self.path("/a"), method: .get).isEmpty)
    }

    @Test(arguments: [
        "", "a", "a/b", "/a/", "//", "/a//b", "/{}", "/{a}/{a}", "/{a…}/b", "/a{b}", "/{a}b", "/{a b}", "/{…}", "/é",
        "/a%20b", "/..",
        "/./a", "/{a}{b}", "/a b",
    ])
    func `a template that is not of the right form is refused`(text: String) { expectNil(RouteTemplate(text)) }

    @Test func `a template alone matches as the router does`() throws {
        let seed: UInt64 = 99
        var random = SeededGenerator(seed: seed)
        let rows = try Self.rows(Self.table)
        let words = ["api", "v1", "conversations", "recent", "messages", "files", "user", "profile", "x%2Fy", "7"]
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...5, using: &random)
            let raw =
                "/"
                + (0..<count).map { _ in words[Int.random(in: 0..<words.count, using: &random)] }.joined(separator: "/")
            let path = try Self.path(Bool.random(using: &random) ? "/api/v1" + raw : raw)
            let match = try Router(rows).match(path)
            let matching = rows.filter { $0.template.match(path) != nil }
            expectEqual(match == nil, matching.isEmpty, "seed \(seed), \(raw)")
            for row in match?.rows ?? [] {
                expectEqual(row.template.match(path), match?.parameters, "seed \(seed), \(raw)")
                expectEqual(row.template.parameterNames.count, match?.parameters.count)
            }
        }
    }
}
