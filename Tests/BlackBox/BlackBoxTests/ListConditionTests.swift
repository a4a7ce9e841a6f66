import Foundation
import JSON
import TestSupport
import Testing

/// The conditions of lists, and parameters that mean nothing to one (own-API contract, section 13).
@Suite struct ListConditionTests {
    private static let shop = [
        "apis/shop/api.json": #"""
        {"tables":{"posts":{}},"resources":[{"path":"/posts","table":"posts"},\#
        {"path":"/paged","table":"posts","list":{"paging":{"style":"page","limit":2}}},\#
        {"path":"/told","table":"posts","list":{"paging":{"style":"page","limit":2}}},\#
        {"path":"/declared","table":"posts"}]}
        """#,
        "apis/shop/openapi.json": #"""
        {"openapi":"3.1.0","info":{"title":"S","version":"1"},"paths":{"/declared":{"get":{"parameters":\#
        [{"name":"tone","in":"query","schema":{"type":"string"}},{"name":"X-Only","in":"header","schema":{"type":"string"}},\#
        {"name":"deep","in":"query","style":"deepObject","schema":{"type":"object","properties":{"a":{"type":"string"}}}},\#
        {"name":"spread","in":"query","schema":{"type":"object","properties":{"left":{},"right":{}}}}],\#
        "responses":{"200":{"description":"x"}}}},\#
        "/paged":{"get":{"parameters":[{"name":"any","in":"query","schema":{"type":"object",\#
        "additionalProperties":{"type":"string"}}}],"responses":{"200":{"description":"x"}}}}}}
        """#,
        "apis/shop/tables/posts.json": #"""
        [{"id":1,"title":"Hello","views":5,"on":true,"at":"2025-01-01"},\#
        {"id":2,"title":"World","views":7,"on":false,"at":"2025-01-02T00:00:00Z"},\#
        {"id":3,"title":"Zed","views":10,"at":"2025-01-03"},{"id":5,"title":"Über","views":10.5,"at":"later"}]
        """#,
    ]

    private func served() throws -> Served {
        try Served(Served.frozen + ["--apis", "apis", "--api", "shop"], in: try Folder(Self.shop))
    }

    private func ask(_ served: Served, _ target: String) throws -> WireAnswer {
        let text = try #require(served.ready["apis"]?["shop"]?.stringValue)
        let port = try #require(text.split(separator: ":").last.flatMap { Int($0) })
        return try Wire(port: port).ask("GET", target)
    }

    @Test func `13 repeated conditions mean either value, but for negations and orders all of them`() throws {
        let served = try served()
        let many = (0..<1_500).map { "\($0 % 7 + 100)" }.joined(separator: ",")
        let cases: [(query: String, ids: [Int64])] = [
            ("id=1&id=3", [1, 3]), ("id=1&id=1", [1]), ("id_in=1,3,3,3", [1, 3]), ("id_in=\(many),5", [5]),
            ("id_ne=1", [2, 3, 5]), ("id_ne=1&id_ne=5", [2, 3]), ("id_ne=1&id_ne=1", [2, 3, 5]),
            ("id_ne=1&id_ne=2&id_ne=3&id_ne=5", []), ("title_ne=Hello&title_ne=Zed", [2, 5]),
            ("title_ne=Hello&id_ne=2", [3, 5]), ("on_ne=true&on_ne=null", [2]), ("on=null&on=true", [1, 3, 5]),
            ("views_gte=7&views_gte=10", [3, 5]), ("views_gte=10&views_gte=7", [3, 5]), ("views_gt=7&views_gt=10", [5]),
            ("views_lt=10.5&views_lte=7", [1, 2]), ("views_lte=7&views_lte=5", [1]),
            ("views_gt=5&views_lt=10.5", [2, 3]),
            ("title_gte=World&title_gte=Zed", [3, 5]), ("title_lt=World", [1]),
            ("at_gte=2025-01-01&at_gte=2025-01-02&id_lt=5", [2, 3]), ("at=2025-01-02", [2]),
            ("at_lt=2025-01-03&at_gt=2025-01-01", [2]),
            ("title_like=HELL&title_like=z", [1, 3]), ("title_like=l&id_ne=1", [2]), ("views=10&views=10.5", [3, 5]),
        ]
        for (query, ids) in cases {
            let found = try ask(served, "/posts?\(query)").json.arrayValue?.compactMap { $0["id"]?.intValue }
            expectEqual(found, ids, query.prefix(60).description)
        }
    }

    @Test func `13 an order takes what JSON has as a number, and refuses all else`() throws {
        let served = try served()
        let cases: [(query: String, status: Int)] = [
            ("views_gte=7", 200), ("views_gte=-7.5e-1", 200), ("views_lt=1e400", 200), ("views_gte=NaN", 400),
            ("views_lte=Infinity", 400), ("views_gte=-inf", 400), ("views_gte=0x1", 400), ("views_gte=.5", 400),
            ("views_gte=5.", 400), ("views_gte=%2B3", 400), ("views_gte=%203", 400), ("views_gt=3&views_gt=nan", 400),
            ("views=NaN", 200), ("views_in=NaN,7", 200),
        ]
        for (query, status) in cases {
            let answer = try ask(served, "/posts?\(query)")
            expectEqual(answer.status, status, "\(query): \(answer.text)")
        }
        try expectEqual(ask(served, "/posts?views_lt=1e400").json.arrayValue?.count, 4)
        try expectEqual(ask(served, "/posts?views_gt=1e400").json, [])
    }

    @Test func `13 a parameter that means nothing to a list is told in the entry`() throws {
        let served = try served()
        func told(_ target: String) throws -> [String] {
            expectEqual(try ask(served, target).status, 200)
            let entry = try served.control("GET", "/requests?limit=1").json["items"]?[0]
            return (entry?["violations"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        }
        expectEqual(try told("/posts?_page=2&_limit=1&title=Zed&_page=3"), ["?_page", "?_limit"])
        expectEqual(
            try told("/posts?title_contains=x&filter%5Bid%5D=1&tags=a"),
            ["?title_contains", "?filter[id]", "?tags"]
        )
        expectEqual(try told("/posts?title=Zed&title_ne=x&q=z&sort=-id&order=desc"), [])
        // Those of other styles of paging, and those of this one.
        expectEqual(try told("/told?page=2&limit=1&offset=1"), ["?offset"])
        expectEqual(try told("/posts?page=2"), ["?page"])
        // Of search, order and page one value counts: the first.
        let twice = "/paged?page=2&page=3&limit=1&limit=2&q=a&q=b&sort=id&sort=-id"
        expectEqual(try told(twice), ["?page", "?limit", "?q", "?sort"])
        expectEqual(try told("/paged?page=1&page=1&sort=id&sort=id"), [])
        // The document's own are declared, whatever the list makes of them.
        expectEqual(try told("/declared?tone=red&x=1"), ["?x"])
        expectEqual(try told("/declared?deep%5Ba%5D=1&deep[b]=1&left=1&right=2"), [])
        expectEqual(
            try told("/declared?X-Only=1&deeper[a]=1&middle=1&deep[a=1"),
            ["?X-Only", "?deeper[a]", "?middle", "?deep[a"]
        )
        expectEqual(try told("/paged?anything=1"), [])
        expectEqual(try told("/posts?" + (0..<11).map { "x\($0)=1" }.joined(separator: "&")).count, 10)
        expectEqual(try served.control("PUT", "/settings", #"{"shop":{"validation":"off"}}"#).status, 200)
        expectEqual(try told("/posts?_page=2"), [])
    }
}
