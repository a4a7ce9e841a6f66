import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import CarbScan

/// Section 7.13: sync.
struct Section7SyncTests {
    private static let answerKeys = ["modifiedMeals", "syncedLocalMeals", "serverTimestamp", "conflictResolution"]

    @Test func `7.13 without a timestamp everything comes, oldest first, in four fields`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let data = try harness.post("/meals/sync", token: token, json: [:]).data
        expectEqual(data.keys, Self.answerKeys)
        expectEqual(data.string("conflictResolution"), "server_wins")
        let rows = data["modifiedMeals"]?.arrayValue ?? []
        expectEqual(rows.count, 18)
        expectEqual(rows[0].keys, ["id", "name", "carbEstimate", "createdAt"])
        expectEqual(rows.map { $0["id"]?.intValue ?? 0 }, rows.map { $0["id"]?.intValue ?? 0 }.sorted())
        expectEqual(data.string("serverTimestamp"), "2025-01-31T20:00:00.000Z")
        expectEqual(data["syncedLocalMeals"]?.count, 0)
    }

    @Test func `7.13 the last timestamp gives nothing again, and nothing is lost with a frozen clock`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        var mark = try harness.sync(token).at("serverTimestamp")
        for round in 1...5 {
            _ = try harness.analyze(Harness.picture, token)
            let other = try harness.sync(token, [Harness.localMeal("other \(round)")])
            expectEqual(other.at("syncedLocalMeals").count, 1)
            let data = try harness.sync(token, since: mark).data
            // Three scans at most; the uploads come in any case.
            expectEqual(data["modifiedMeals"]?.count, round <= 3 ? 2 : 1)
            mark = data["serverTimestamp"] ?? .null
            try expectEqual(harness.sync(token, since: mark).at("modifiedMeals").count, 0)
        }
    }

    @Test func `7.13 an upload is stored once, rounded, and does not come back`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let meals: [JSON] = [
            Harness.localMeal(
                "a",
                name: " Soup ",
                carbs: 12.5,
                confidence: 0.855,
                at: "2025-01-20T12:00:00.123456+02:00"
            ),
            Harness.localMeal("b", carbs: 12.49, confidence: "0.5", at: "2030-01-01T00:00:00Z"),
            Harness.localMeal("c", carbs: 0),
            Harness.localMeal("d", carbs: 1_000, confidence: 1),
        ]
        let data = try harness.sync(token, meals).data
        expectEqual(data["modifiedMeals"]?.count, 0)
        expectEqual(
            data.at("syncedLocalMeals").text,
            #"[{"localId":"a","serverId":274},{"localId":"b","serverId":275},{"localId":"c","serverId":276},{"localId":"d","serverId":277}]"#
        )
        let again = try harness.sync(token, meals).data
        expectEqual(again["modifiedMeals"]?.count, 0)
        expectEqual(again.at("syncedLocalMeals").text, data.at("syncedLocalMeals").text)
        let rows = try harness.get("/meals", token: token).at("meals").arrayValue ?? []
        expectEqual(
            rows.map(\.text),
            [
                #"{"id":275,"name":"Soup","carbEstimate":12,"confidenceLevel":"0.50","createdAt":"2030-01-01T00:00:00.000Z"}"#,
                #"{"id":274,"name":" Soup ","carbEstimate":13,"confidenceLevel":"0.86","createdAt":"2025-01-20T10:00:00.123Z"}"#,
                #"{"id":277,"name":"Soup","carbEstimate":1000,"confidenceLevel":"1.00","createdAt":"2025-01-20T10:00:00.000Z"}"#,
                #"{"id":276,"name":"Soup","carbEstimate":0,"confidenceLevel":"1.00","createdAt":"2025-01-20T10:00:00.000Z"}"#,
            ]
        )
        try expectEqual(harness.status(token).at("scans.remaining"), 3)
    }

    @Test func `7.13 a known local id that differs is a conflict: nothing is written and the server's version comes`()
        throws
    {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let first = try harness.sync(token, [Harness.localMeal("a"), Harness.localMeal("b")])
        let mark = first.at("serverTimestamp")
        for changed in [
            Harness.localMeal("a", name: "Stew"), Harness.localMeal("a", carbs: 23),
            Harness.localMeal("a", confidence: 0.9),
            Harness.localMeal("a", at: "2025-01-20T10:00:00.001Z"),
        ] {
            let data = try harness.sync(token, since: mark, [changed, Harness.localMeal("b")]).data
            expectEqual(
                data.at("modifiedMeals").text,
                #"[{"id":274,"name":"Soup","carbEstimate":22,"createdAt":"2025-01-20T10:00:00.000Z"}]"#
            )
            expectEqual(
                data.at("syncedLocalMeals").text,
                #"[{"localId":"a","serverId":274},{"localId":"b","serverId":275}]"#
            )
        }
        // The same after normalising: no conflict.
        let same = Harness.localMeal("a", carbs: 21.5, confidence: 0.999, at: "2025-01-20T11:00:00+01:00")
        try expectEqual(harness.sync(token, since: mark, [same]).at("modifiedMeals").count, 0)
    }

    @Test func `7.13 the same local id twice in a batch: the second is known`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let data = try harness.sync(
            token,
            [Harness.localMeal("a"), Harness.localMeal("a", carbs: 5), Harness.localMeal("a")]
        ).data
        expectEqual(
            data.at("syncedLocalMeals").text,
            #"[{"localId":"a","serverId":274},{"localId":"a","serverId":274},{"localId":"a","serverId":274}]"#
        )
        expectEqual(data.at("modifiedMeals.0.carbEstimate"), 22)
        expectEqual(data["modifiedMeals"]?.count, 1)
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 1)
    }

    @Test func `7.13 two users may use one local id, and canonical equivalents are different ones`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let other = try harness.mint(Harness.relay)
        try expectEqual(harness.sync(token, [Harness.localMeal("x")]).at("syncedLocalMeals.0.serverId"), 274)
        try expectEqual(harness.sync(other, [Harness.localMeal("x")]).at("syncedLocalMeals.0.serverId"), 275)
        let forms = [Harness.localMeal("\u{E9}"), Harness.localMeal("e\u{301}")]
        try expectEqual(harness.sync(token, forms).at("syncedLocalMeals.1.serverId"), 277)
    }

    @Test func `7.13 an old meal uploaded by one device reaches the other; a future timestamp gives nothing`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let mark = try harness.sync(token).at("serverTimestamp")
        _ = try harness.sync(token, [Harness.localMeal("old", at: "1999-12-31T23:59:59Z")])
        try expectEqual(harness.sync(token, since: mark).at("modifiedMeals.0.createdAt"), "1999-12-31T23:59:59.000Z")
        try expectEqual(harness.sync(token, since: "2999-01-01T00:00:00Z").at("modifiedMeals").count, 0)
    }

    @Test func `7.13 the mark only grows, also when the clock goes back`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let mark = try harness.sync(token).at("serverTimestamp")
        try harness.setClock(Harness.noon)
        _ = try harness.analyze(Harness.picture, token)
        let data = try harness.sync(token, since: mark).data
        expectEqual(data["modifiedMeals"]?.count, 1)
        expectEqual(data.string("serverTimestamp"), "2025-01-31T20:00:00.001Z")
    }

    @Test func `7.13 one bad item refuses the batch, and every bad field is listed`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let meals: [JSON] = [
            Harness.localMeal("good"), [:], "x",
            [
                "localId": .string(String(repeating: "x", count: 129)),
                "name": .string(String(repeating: "x", count: 201)),
                "carbEstimate": 1_000.5, "confidenceLevel": 1.01, "createdAt": "2025-01-20",
            ],
            [
                "localId": " ", "name": 5, "carbEstimate": "12", "confidenceLevel": "x",
                "createdAt": "2025-01-20T10:00:00",
            ],
            ["localId": "y", "name": "y", "carbEstimate": -0.1, "confidenceLevel": true, "createdAt": 5],
        ]
        let reply = try harness.post(
            "/meals/sync",
            token: token,
            json: ["lastSyncTimestamp": "yesterday", "localMeals": .array(meals)]
        )
        expectEqual(
            reply.error,
            #"400 VALIDATION_ERROR {"lastSyncTimestamp":"invalid_format","localMeals[1].localId":"required","localMeals[1].name":"required","localMeals[1].carbEstimate":"required","localMeals[1].createdAt":"required","localMeals[2]":"wrong_type","localMeals[3].localId":"too_long","localMeals[3].name":"too_long","localMeals[3].carbEstimate":"out_of_range","localMeals[3].confidenceLevel":"out_of_range","localMeals[3].createdAt":"invalid_format","localMeals[4].localId":"empty","localMeals[4].name":"wrong_type","localMeals[4].carbEstimate":"wrong_type","localMeals[4].confidenceLevel":"invalid_format","localMeals[4].createdAt":"invalid_format","localMeals[5].carbEstimate":"out_of_range","localMeals[5].confidenceLevel":"wrong_type","localMeals[5].createdAt":"wrong_type"}"#
        )
        try expectEqual(harness.get("/meals", token: token).at("pagination.total"), 0)
        for body: JSON in [["localMeals": "x"], ["lastSyncTimestamp": 5]] {
            #expect(try harness.post("/meals/sync", token: token, json: body).error.contains("wrong_type"))
        }
    }

    @Test func `7.13 limits at n and n+1`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.new)
        let meals = (1...501).map { Harness.localMeal("m\($0)") }
        try expectEqual(harness.sync(token, meals).error, #"400 VALIDATION_ERROR {"localMeals":"too_many_items"}"#)
        try expectEqual(harness.sync(token, Array(meals.dropLast())).at("syncedLocalMeals").count, 500)
        let edge = Harness.localMeal(
            String(repeating: "i", count: 128),
            name: String(repeating: "\u{1F35C}", count: 100)
        )
        try expectEqual(harness.sync(token, [edge]).status, 200)
        try expectEqual(
            harness.sync(token, [Harness.localMeal("z", name: String(repeating: "\u{1F35C}", count: 101))]).status,
            400
        )
    }
}
