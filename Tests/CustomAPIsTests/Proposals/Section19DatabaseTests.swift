import Backend
import HTTPMessage
import JSON
import Scaffolding
import TestSupport
import Testing

/// The import of json-server's file (own-API contract, section 19).
@Suite struct Section19DatabaseTests {
    private static func scaffold(_ text: String) throws -> Scaffold {
        var order = ScaffoldOrder()
        order.database = ScaffoldOrder.Source(place: "db.json", name: "db.json", bytes: Array(text.utf8))
        return try Scaffold(order, version: "1")
    }

    private static func harness(_ scaffold: Scaffold) throws -> CustomAPIHarness {
        var files: [String: String] = [:]
        for file in scaffold.files { files[file.path] = String(decoding: file.bytes, as: UTF8.self) }
        return try CustomAPIHarness(files)
    }

    private static let database = """
        {"posts": [{"id": 1, "title": "b", "views": 5}, {"id": 2, "title": "a", "views": 9}, {"title": "c"}],
         "comments": [{"id": "x", "postId": 1, "text": "hi"}, {"id": "x", "postId": 2}, 7, {"id": true}],
         "profile": {"name": "Ada"}, "settings": {"id": "s", "dark": true}, "version": 3, "bad name": [], "_codes": []}
        """

    @Test func `19 lists of json-server are tables, objects are single rows`() throws {
        let scaffold = try Self.scaffold(Self.database)
        let harness = try Self.harness(scaffold)
        try expectEqual(harness.get("/posts").json.arrayValue?.compactMap { $0["id"]?.intValue }, [1, 2, 3])
        try expectEqual(harness.get("/posts?_sort=views&_order=desc&_page=1&_limit=1").json[0]?["id"], 2)
        try expectEqual(harness.get("/posts?_sort=title").json[0]?["title"], "a")
        try expectEqual(harness.get("/posts?q=c").json.arrayValue?.count, 1)
        try expectEqual(harness.get("/posts?views_gte=6").json.arrayValue?.count, 1)
        try expectEqual(harness.get("/posts/1/comments").json, [["id": "x", "postId": 1, "text": "hi"]])
        try expectEqual(harness.get("/posts/9/comments").status, 404)
        let made = try harness.post("/posts/2/comments", ["text": "yo"])
        expectEqual([made.status, made.json["postId"]?.intValue.map { Int($0) }], [201, 2])
        try expectEqual(harness.post("/posts", ["title": "d"]).json["id"], 4)
        try expectEqual(harness.delete("/posts/4").status, 200)
        try expectEqual(harness.get("/profile").json, ["name": "Ada"])
        try expectEqual(harness.patch("/profile", ["age": 36]).json, ["name": "Ada", "age": 36])
        try expectEqual(harness.put("/profile", ["name": "Eva"]).json, ["name": "Eva"])
        try expectEqual(harness.get("/settings").json, ["id": "s", "dark": true])
        try expectEqual(harness.post("/profile", [:]).status, 405)
    }

    @Test func `19 what can't be carried over from json-server is listed`() throws {
        let omissions = try Self.scaffold(Self.database).omissions.map {
            "\($0.line) \($0.path) \($0.reason.prefix(24))"
        }
        expectEqual(
            omissions,
            [
                "1 $.posts[2] has no id; it gets 3", "2 $.comments[1] an earlier row has the i",
                "2 $.comments[2] is no object, so it is n", "2 $.comments[3] its id is neither a text",
                "3 $.version is neither a list nor an", "3 $['bad name'] the name of a table has ",
                "3 $._codes this table belongs to th", "1 $ ?_embed and ?_expand are", "1 $ ?_page without ?_limit i",
            ]
        )
        let lists = try Self.scaffold(
            #"{"tags": ["a {{b}}", 2], "none": [], "mix": [1, {"id": 7}], "posts": [{"id": 1}]}"#
        )
        expectEqual(
            lists.files.map(\.path).sorted(),
            ["api.json", "stubs/tags.json", "tables/mix.json", "tables/none.json", "tables/posts.json"]
        )
        try expectEqual(Self.harness(lists).get("/tags").json, ["a {{b}}", 2])
        expectEqual(
            lists.omissions.first?.reason,
            "is a list of plain values: GET /tags answers with it by stubs/tags.json, and nothing can be written"
        )
        for (text, reason) in [("[]", "must be an object whose "), ("{", "Invalid JSON"), ("{\"a\":", "Invalid JSON")] {
            #expect { _ = try Self.scaffold(text) } throws: { error in
                guard let item = (error as? SeedError)?.items.first else { return false }
                return item.place == "db.json" && item.reason.hasPrefix(reason)
            }
        }
    }
}
