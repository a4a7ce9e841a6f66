import CustomAPIs
import JSON
import TestSupport
import Testing

/// Lists (own-API contract, section 13).
@Suite struct Section13ListTests {
    static let rows = """
        [{"id":1,"name":"Mug","price":12.5,"at":"2025-01-01","tags":["a"],"size":{"w":3},"on":true},
         {"id":2,"name":"lamp","price":49,"at":"2025-01-01T00:00:00Z","size":{"w":12},"on":false},
         {"id":3,"name":"Towel","price":9.95,"at":"2024-12-31T23:00:00Z","note":null},
         {"id":4,"name":"mug, big","price":12.5,"note":"x","price_gt":1},
         {"id":5,"name":"Äpple","note":"null"}]
        """

    static func harness(_ list: String = "{}", _ table: String = "{}") throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json":
                #"{"tables":{"items":\#(table)},"resources":[{"path":"/i","table":"items","list":\#(list)}]}"#,
            "tables/items.json": rows,
        ])
    }

    /// Returns the keys of the rows in an answer.
    static func ids(_ answer: CustomAPIHarness.Answer) -> [Int64] {
        (answer.json["data"] ?? answer.json).arrayValue?.compactMap { $0["id"]?.intValue } ?? []
    }

    @Test(arguments: [
        ("price=12.5", [1, 4]), ("price=12.50", [1, 4]), ("price=49.0", [2]), ("name=Mug", [1]), ("name=mug", []),
        ("size.w=3", [1]), ("on=true", [1]), ("on=false", [2]), ("note=null", [1, 2, 3]), ("note_ne=null", [4, 5]),
        ("price_ne=12.5", [2, 3, 5]), ("price_gt=12.5", [2]), ("price_gte=12.5", [1, 2, 4]), ("price_lt=12.5", [3]),
        ("price_lte=12.5", [1, 3, 4]), ("name_like=MUG", [1, 4]), ("name_like=%C3%84p", [5]),
        ("name_like=%C3%A4p", []), ("id_in=1,3,9", [1, 3]), ("id=2&id=5", [2, 5]), ("name_in=Mug,Towel", [1, 3]),
        ("at=2025-01-01", [1, 2]), ("at=2025-01-01T01:00:00%2B01:00", [1, 2]), ("at_lt=2025-01-01", [3]),
        ("at_gte=2024-12-31T23:00:00Z", [1, 2, 3]), ("price=abc", []), ("price_gt=1", [4]), ("price_gt_gt=0", [4]),
        ("tags=a", [1, 2, 3, 4, 5]), ("unknown=1", [1, 2, 3, 4, 5]), ("name_gt=Towel", [2, 4, 5]),
        ("price=12.5&name_like=big", [4]), ("size.w_gt=3", [2]), ("price_in=12.5,49", [1, 2, 4]),
    ])
    func `13 filters find rows`(query: String, expected: [Int64]) throws {
        // A member that is really called so wins over a suffix.
        let answer = try Self.harness().get("/i?\(query)")
        let wanted = query == "price_gt=12.5" ? [] : query == "price_gt=1" ? [4] : expected
        expectEqual(Self.ids(answer), wanted, "\(query)")
        expectEqual(answer["X-Total-Count"], "\(wanted.count)")
    }

    @Test(arguments: ["price_lt=abc", "on_gt=1", "at_lt=yesterday", "size.w_gte=x"])
    func `13 a value that cannot be in an order is a bad request`(query: String) throws {
        let answer = try Self.harness().get("/i?\(query)")
        expectEqual(answer.status, 400)
        expectEqual(answer.json["error"]?["code"], "bad_request")
    }

    @Test(arguments: [
        ("sort=price", [3, 1, 4, 2, 5]), ("sort=-price", [2, 1, 4, 3, 5]), ("sort=price,-name", [3, 4, 1, 2, 5]),
        ("sort=name", [1, 3, 2, 4, 5]), ("sort=price&order=desc", [2, 1, 4, 3, 5]), ("sort=at", [3, 1, 2, 4, 5]),
        ("sort=-at", [1, 2, 3, 4, 5]), ("order=desc", [1, 2, 3, 4, 5]), ("sort=size.w", [1, 2, 3, 4, 5]),
        ("sort=-size.w", [2, 1, 3, 4, 5]), ("sort=on", [2, 1, 3, 4, 5]), ("sort=price&price_lt=13", [3, 1, 4]),
    ])
    func `13 a list is sorted by members, rows without one last`(query: String, expected: [Int64]) throws {
        expectEqual(Self.ids(try Self.harness().get("/i?\(query)")), expected, "\(query)")
    }

    @Test func `13 an unknown member to sort by is a bad request`() throws {
        let answer = try Self.harness().get("/i?sort=cost")
        expectEqual(answer.status, 400)
        expectEqual(answer.json["error"]?["details"]?[0]?["path"], "?sort")
    }

    @Test func `13 a search looks in all text members, or in those that are named`() throws {
        expectEqual(Self.ids(try Self.harness().get("/i?q=LAMP")), [2])
        expectEqual(Self.ids(try Self.harness().get("/i?q=x")), [4])
        expectEqual(Self.ids(try Self.harness(#"{"search":["name"]}"#).get("/i?q=x")), [])
        expectEqual(Self.ids(try Self.harness().get("/i?q=2024")), [3])
    }

    @Test func `13 filters can be limited, and parameters renamed`() throws {
        let harness = try Self.harness(
            """
            {"filters":["name"],"sort":"-id","names":{"q":"search","sort":"by","page":"p","limit":"n"},
             "paging":{"style":"page"}}
            """
        )
        expectEqual(Self.ids(try harness.get("/i?price=49")), [5, 4, 3, 2, 1])
        expectEqual(Self.ids(try harness.get("/i?name=Mug")), [1])
        expectEqual(Self.ids(try harness.get("/i?search=lamp")), [2])
        expectEqual(Self.ids(try harness.get("/i?by=price")), [3, 1, 4, 2, 5])
        expectEqual(Self.ids(try harness.get("/i?n=2&p=2")), [3, 2])
    }

    @Test func `13 write-only members are in no filter, sort or search`() throws {
        let harness = try Self.harness("{}", #"{"writeOnly":["note","size"]}"#)
        expectEqual(Self.ids(try harness.get("/i?note=x")), [1, 2, 3, 4, 5])
        expectEqual(Self.ids(try harness.get("/i?q=x")), [])
        try expectEqual(harness.get("/i?sort=note").status, 400)
        try expectEqual(harness.get("/i?sort=size.w").status, 400)
        try expectNil(harness.get("/i/4").json["note"])
    }

    @Test func `13 a list without paging ignores the parameters of pages`() throws {
        let answer = try Self.harness().get("/i?limit=2&page=x&cursor=y")
        expectEqual(answer.status, 200)
        expectEqual(Self.ids(answer).count, 5)
        expectNil(answer["Link"])
    }

    @Test func `13 pages by offset have links that keep the other parameters`() throws {
        let harness = try Self.harness(#"{"paging":{"style":"offset","limit":2,"max":3}}"#)
        let base = "http://127.0.0.1:4700/i"
        let first = try harness.get("/i")
        expectEqual(Self.ids(first), [1, 2])
        expectEqual(first["X-Total-Count"], "5")
        expectEqual(
            first["Link"],
            """
            <\(base)?offset=2>; rel="next", <\(base)?offset=0>; rel="first", <\(base)?offset=4>; rel="last"
            """
        )
        let middle = try harness.get("/i?sort=-id&offset=2&limit=2")
        expectEqual(Self.ids(middle), [3, 2])
        expectEqual(
            middle["Link"],
            """
            <\(base)?sort=-id&offset=4&limit=2>; rel="next", <\(base)?sort=-id&offset=0&limit=2>; rel="prev", \
            <\(base)?sort=-id&offset=0&limit=2>; rel="first", <\(base)?sort=-id&offset=4&limit=2>; rel="last"
            """
        )
        expectEqual(Self.ids(try harness.get("/i?limit=100")), [1, 2, 3])
        let beyond = try harness.get("/i?offset=50")
        expectEqual(beyond.text, "[]")
        expectEqual(beyond["Link"]?.contains("<\(base)?offset=4>; rel=\"prev\""), true)
        for query in ["limit=0", "limit=-1", "limit=x", "offset=-1", "limit=", "offset=1.5"] {
            let refused = try harness.get("/i?\(query)")
            expectEqual(refused.status, 400, "\(query)")
            expectEqual(refused.json["error"]?["code"], "bad_request")
        }
        try expectEqual(harness.get("/i?offset=99999999999999999999").text, "[]")
    }

    @Test func `13 pages by number`() throws {
        let harness = try Self.harness(
            """
            {"paging":{"style":"page","limit":2},"envelope":{"data":"{{items}}","meta":{"total":"{{total}}",
             "count":"{{count}}","page":"{{page}}","pages":"{{pages}}","limit":"{{limit}}"},"next":"{{next}}",
             "previous":"{{previous}}","first":"{{first}}","last":"{{last}}","cursor":"{{cursor}}"}}
            """
        )
        let second = try harness.get("/i?page=2")
        let base = "http://127.0.0.1:4700/i"
        expectEqual(Self.ids(second), [3, 4])
        expectEqual(second.json["meta"]?.text, #"{"total":5,"count":2,"page":2,"pages":3,"limit":2}"#)
        expectEqual(second.json["next"]?.stringValue, "\(base)?page=3")
        expectEqual(second.json["previous"]?.stringValue, "\(base)?page=1")
        expectEqual(second.json["first"]?.stringValue, "\(base)?page=1")
        expectEqual(second.json["last"]?.stringValue, "\(base)?page=3")
        expectNil(second.json["cursor"])
        let last = try harness.get("/i?page=3")
        expectNil(last.json["next"])
        try expectEqual(harness.get("/i?page=9").json["data"]?.text, "[]")
        try expectEqual(harness.get("/i?page=0").status, 400)
    }

    @Test func `13 pages may be counted from 0`() throws {
        let list =
            #"{"paging":{"style":"page","limit":2,"from":0},"envelope":{"data":"{{items}}","page":"{{page}}","next":"{{next}}"}}"#
        let harness = try Self.harness(list)
        let pages: [(query: String, ids: [Int64], page: Int64, next: Bool)] = [
            ("", [1, 2], 0, true), ("?page=0", [1, 2], 0, true), ("?page=1", [3, 4], 1, true),
            ("?page=2", [5], 2, false),
            ("?page=3", [], 3, false),
        ]
        for page in pages {
            let answer = try harness.get("/i" + page.query)
            expectEqual(Self.ids(answer), page.ids)
            expectEqual(answer.json["page"]?.intValue, page.page)
            expectEqual(answer.json["next"]?.stringValue?.hasSuffix("?page=\(page.page + 1)") ?? false, page.next)
            expectEqual(answer["Link"]?.contains("?page=0>; rel=\"first\""), true)
            expectEqual(answer["Link"]?.contains("?page=2>; rel=\"last\""), true)
        }
        try expectEqual(harness.get("/i?page=-1").status, 400)
        for (paging, reason) in [
            (#"{"style":"page","from":2}"#, "must be a whole number from 0 to 1"),
            (#"{"style":"offset","from":0}"#, "is for pages by number"),
        ] {
            let found = CustomAPIHarness.findings(
                #"{"tables":{"i":{}},"resources":[{"path":"/i","table":"i","list":{"paging":\#(paging)}}]}"#
            )
            expectEqual(found, ["apis/shop/api.json:1: $.resources[0].list.paging.from: \(reason)"])
        }
    }

    @Test func `13 a cursor stays right when rows come and go`() throws {
        for sort in ["", "&sort=price", "&sort=-name"] {
            let harness = try Self.harness(
                #"{"paging":{"style":"cursor","limit":2},"envelope":{"data":"{{items}}","c":"{{cursor}}"}}"#
            )
            let whole = Self.ids(try harness.get("/i?limit=100\(sort)"))
            let first = try harness.get("/i?\(sort.dropFirst())")
            expectEqual(Self.ids(first), Array(whole[..<2]))
            expectEqual(first["Link"]?.contains("rel=\"first\""), false)
            // Rows before the place come and go, the one at the place among them.
            try harness.delete("/i/\(whole[0])")
            try harness.delete("/i/\(whole[1])")
            let cursor = try #require(first.json["c"]?.stringValue)
            let second = try harness.get("/i?cursor=\(cursor)\(sort)")
            expectEqual(Self.ids(second), Array(whole[2..<4]), "\(sort)")
            let third = try harness.get("/i?cursor=\(try #require(second.json["c"]?.stringValue))\(sort)")
            expectEqual(Self.ids(third), Array(whole[4...]))
            expectNil(third.json["c"])
            // Back again.
            let back = try #require(Self.link(third, "prev"))
            let page = try harness.get(back)
            expectEqual(Self.ids(page), Array(whole[2..<4]))
            expectNil(Self.link(page, "prev"))
            #expect(Self.link(page, "next") != nil)
        }
    }

    @Test func `13 a cursor that is damaged, or of another list, is a bad request`() throws {
        let harness = try Self.harness(
            #"{"paging":{"style":"cursor","limit":2},"envelope":{"data":"{{items}}","c":"{{cursor}}"}}"#
        )
        let cursor = try #require(try harness.get("/i?sort=price").json["c"]?.stringValue)
        try expectEqual(harness.get("/i?sort=price&cursor=\(cursor)").status, 200)
        try expectEqual(harness.get("/i?sort=price&cursor=\(cursor)&limit=1").status, 200)
        try expectEqual(harness.get("/i?sort=name&cursor=\(cursor)").status, 400)
        try expectEqual(harness.get("/i?cursor=\(cursor)").status, 400)
        try expectEqual(harness.get("/i?sort=price&name=Mug&cursor=\(cursor)").status, 400)
        try expectEqual(harness.get("/i?sort=price&cursor=\(cursor.dropLast())").status, 400)
        try expectEqual(harness.get("/i?sort=price&cursor=x").status, 400)
        let changed = String(cursor.prefix(10)) + (cursor.dropFirst(10).first == "A" ? "B" : "A") + cursor.dropFirst(11)
        try expectEqual(harness.get("/i?sort=price&cursor=\(changed)").status, 400)
    }

    /// Returns the target of a link in an answer.
    static func link(_ answer: CustomAPIHarness.Answer, _ relation: String) -> String? {
        let links = answer["Link"]?.split(separator: ",").map { $0.drop { $0 == " " } } ?? []
        guard let link = links.first(where: { $0.hasSuffix("rel=\"\(relation)\"") }) else { return nil }
        let address = link.dropFirst().prefix { $0 != ">" }
        return String(address.dropFirst("http://127.0.0.1:4700".count))
    }

    @Test func `17 a list whose column has to be made anew takes long again`() throws {
        let count = 1_500
        let rows: JSON = .array(
            (1...count).map { ["id": .integer(Int64($0)), "name": .string("n\($0)"), "kind": "a"] }
        )
        let harness = try CustomAPIHarness([
            "api.json": #"""
            {"tables":{"items":{}},"resources":[{"path":"/i","table":"items",\#
            "list":{"paging":{"style":"page","limit":1,"max":1}}}]}
            """#,
            "tables/items.json": rows.text,
        ])
        func isLong(_ filter: String) throws -> Bool {
            expectEqual(try harness.get("/i?" + filter).status, 200)
            return harness.tookLong
        }
        for filter in ["name=n7", "kind=a"] {
            expectEqual(try isLong(filter), true)
            expectEqual(try isLong(filter), false)
        }
        // Most texts that the column of names knows belong to no row any more after so many changes.
        for number in 1...(count + 1_001) {
            expectEqual(try harness.patch("/i/\(number % count + 1)", ["name": .string("m\(number)")]).status, 200)
            if number.isMultiple(of: 100) { _ = try isLong("kind=a") }
        }
        _ = try isLong("kind=a")
        expectEqual(try isLong("name=n7"), true)
        expectEqual(try isLong("name=n7"), false)
    }
}
