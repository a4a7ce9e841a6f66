import HTTPMessage
import TestSupport
import Testing

@Suite struct RouterNearestTests {
    static func nearest(_ method: HTTPMethod, _ raw: String) throws -> [Router.Suggestion] {
        try Router(RouterTests.rows(RouterTests.table)).nearest(to: RouterTests.path(raw), method: method)
    }

    @Test(arguments: [
        ("PUT", "/api/v1/user/profile", "/api/v1/user/profile", "method PUT instead of GET"),
        (
            "GET", "/api/v1/conversation", "/api/v1/conversations",
            "typo in the path: conversation instead of conversations"
        ),
        (
            "GET", "/api/v1/covnersations/7/messages", "/api/v1/conversations/{id}/messages",
            "typo in the path: covnersations instead of conversations"
        ),
        ("GET", "/conversations", "/api/v1/conversations", "missing prefix /api/v1"),
        ("HEAD", "/api/v1/user/profil", "/api/v1/user/profile", "typo in the path: profil instead of profile"),
        ("GET", "/user/profile", "/api/v1/user/profile", "missing prefix /api/v1"),
        ("GET", "/omnichat/api/v1/user/profile", "/api/v1/user/profile", "surplus prefix /omnichat"),
        ("GET", "/api/v2/user/profile", "/api/v1/user/profile", "typo in the path: v2 instead of v1"),
        ("POST", "/API/v1/auth/apple", "/api/v1/auth/apple", "typo in the path: API instead of api"),
        ("GET", "/api/v1/conversations/7/messages/9", "/api/v1/conversations/{id}/messages", "surplus /9"),
        ("POST", "/api/v1/auth/google", "/api/v1/auth/apple", "segment google instead of apple"),
    ])
    func `the nearest route comes first and says what differs (control contract, section 11)`(
        method: String,
        raw: String,
        template: String,
        differs: String
    ) throws {
        let suggestions = try Self.nearest(HTTPMethod(rawValue: method), raw)
        expectEqual(suggestions.count, 3)
        expectEqual(suggestions.first?.row.template.text, template)
        expectEqual(suggestions.first?.differs, differs)
    }

    @Test func `equals are in the order of the table and differences are values`() throws {
        let suggestions = try Self.nearest(.put, "/api/v1/conversations/7")
        expectEqual(suggestions.prefix(2).map(\.row.method), [.get, .delete])
        expectEqual(suggestions.first?.differences, [.method(sent: .put, known: .get)])
    }

    @Test func `a route that takes the request has no differences`() throws {
        try expectEqual(Self.nearest(.get, "/api/v1/files/a/b/c").first?.differences, [])
    }

    @Test func `hostile paths are answered in bounded time`() throws {
        let table = (0..<300).map { ("GET", "/service\($0 % 40)/resource\($0)/{id}/action\($0 % 7)") }
        let router = try Router(RouterTests.rows(table))
        let long = Path(segments: [String](repeating: "resource", count: 4_000))
        let wide = Path(segments: [String](repeating: String(repeating: "resourcf", count: 1_000), count: 12))
        let marks = Path(segments: ["a" + String(repeating: "\u{301}", count: 4_000)])
        for path in [long, wide, marks] {
            let elapsed = ProcessorTime.measure {
                expectEqual(router.nearest(to: path, method: .get).count, 3)
            }
            #expect(elapsed < .seconds(2))
        }
    }
}
