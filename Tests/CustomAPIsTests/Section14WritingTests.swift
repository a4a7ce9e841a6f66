import CivilTime
import CustomAPIs
import JSON
import TestSupport
import Testing

/// Writing and conditions (own-API contract, section 14).
@Suite struct Section14WritingTests {
    static func harness(_ resource: String = "", _ table: String = "{}") throws -> CustomAPIHarness {
        try CustomAPIHarness([
            "api.json":
                "{\"tables\":{\"items\":\(table)},\"resources\":[{\"path\":\"/i\",\"table\":\"items\"\(resource)}]}",
            "tables/items.json": #"[{"id":1,"name":"Mug","sku":"a","n":{"x":1}},{"id":2,"name":"Lamp","sku":"b"}]"#,
        ])
    }

    @Test(arguments: [
        ("application/json", 201), ("application/json; charset=utf-8", 201), ("application/vnd.shop+json", 201),
        ("application/merge-patch+json", 201), ("application/json-patch+json", 415), ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415), (nil, 415),
    ])
    func `14 a body is JSON by its content type`(type: String?, status: Int) throws {
        let answer = try Self.harness().send("POST", "/i", text: "{}", type)
        expectEqual(answer.status, status)
        if status == 415 { expectEqual(answer.json["error"]?["code"], "unsupported_media_type") }
    }

    @Test(arguments: ["", "{", "[]", "1", "null", "\"x\""])
    func `14 what is no object is a bad request`(text: String) throws {
        let harness = try Self.harness()
        for (method, target) in [("POST", "/i"), ("PUT", "/i/1"), ("PATCH", "/i/1")] {
            let answer = try harness.send(method, target, text: text, "application/json")
            expectEqual(answer.status, 400)
            expectEqual(answer.json["error"]?["code"], "bad_request")
        }
    }

    @Test func `14 a merge patch changes members in their places`() throws {
        let harness = try Self.harness()
        let patch: JSON = ["z": 1, "name": .null, "n": ["y": 2, "x": .null], "sku": "c"]
        try expectEqual(harness.patch("/i/1", patch).text, #"{"id":1,"sku":"c","n":{"y":2},"z":1}"#)
        try expectEqual(
            harness.patch("/i/1", ["n": ["deep": ["a": .null, "b": 1]]]).json["n"]?.text,
            #"{"y":2,"deep":{"b":1}}"#
        )
    }

    @Test func `14 members that are read only, and the times, are ignored in bodies and kept`() throws {
        let harness = try Self.harness(
            "",
            #"{"readOnly":["state"],"createdAt":"made","updatedAt":"changed","time":"unix"}"#
        )
        let made = try harness.post("/i", ["name": "X", "state": "on", "made": 1, "changed": 2])
        expectEqual(made.text, #"{"id":3,"name":"X","made":1735732800,"changed":1735732800}"#)
        try harness.advance(.seconds(10))
        let replaced = try harness.put("/i/3", ["made": 7, "name": "Y", "state": "off"])
        expectEqual(replaced.text, #"{"id":3,"name":"Y","made":1735732800,"changed":1735732810}"#)
        try harness.advance(.seconds(10))
        try expectEqual(harness.patch("/i/3", ["changed": 0, "state": "x"]).json["changed"], 1_735_732_810)
    }

    @Test func `14 a key may be sent with create, and no other one with a change`() throws {
        let harness = try Self.harness()
        let made = try harness.post("/i", ["id": 9, "name": "X"])
        expectEqual(made.text, #"{"id":9,"name":"X"}"#)
        try expectEqual(harness.post("/i", ["name": "Y"]).json["id"], 10)
        let taken = try harness.post("/i", ["id": 9])
        expectEqual(taken.status, 409)
        expectEqual(taken.json["error"]?["code"], "conflict")
        // A text and a number with one address are one key.
        try expectEqual(harness.post("/i", ["id": "9"]).status, 409)
        try expectEqual(harness.post("/i", ["id": ["x"]]).status, 422)
        try expectEqual(harness.post("/i", ["id": ""]).status, 422)
        for method in ["PUT", "PATCH"] {
            let refused = try harness.send(method, "/i/9", text: #"{"id":8}"#, "application/json")
            expectEqual(refused.status, 422)
            expectEqual(refused.json["error"]?["details"]?[0]?["path"], "$.id")
            try expectEqual(harness.send(method, "/i/9", text: #"{"id":9,"name":"Z"}"#, "application/json").status, 200)
        }
    }

    @Test func `14 a replace of a missing row makes it only where that is declared`() throws {
        try expectEqual(Self.harness().put("/i/5", ["name": "X"]).status, 404)
        let harness = try Self.harness(#","upsert":true"#)
        let made = try harness.put("/i/5", ["name": "X"])
        expectEqual(made.status, 201)
        expectEqual(made.text, #"{"id":5,"name":"X"}"#)
        expectEqual(made["Location"], "http://127.0.0.1:4700/i/5")
        try expectEqual(harness.put("/i/5", ["name": "Y"]).status, 200)
        try expectEqual(harness.put("/i/7", ["id": 8]).status, 422)
        try expectEqual(harness.patch("/i/77", [:]).status, 404)
        try expectEqual(harness.put("/i/5", ["name": "Z"], ["If-None-Match": "*"]).status, 412)
        try expectEqual(harness.put("/i/6", ["name": "Z"], ["If-None-Match": "*"]).status, 201)
        try expectEqual(harness.put("/i/11", ["name": "Z"], ["If-Match": "*"]).status, 412)
        try expectEqual(harness.get("/i/11").status, 404)
    }

    @Test func `14 unique members are not shared, and null is not compared`() throws {
        let harness = try Self.harness("", #"{"unique":["sku",["name","color"]]}"#)
        let taken = try harness.post("/i", ["sku": "a"])
        expectEqual(taken.status, 409)
        expectEqual(taken.json["error"]?["code"], "conflict")
        try expectEqual(harness.post("/i", ["sku": .null]).status, 201)
        try expectEqual(harness.post("/i", ["sku": .null]).status, 201)
        try expectEqual(harness.patch("/i/2", ["sku": "a"]).status, 409)
        try expectEqual(harness.put("/i/2", ["sku": "a"]).status, 409)
        try expectEqual(harness.get("/i/2").json["sku"], "b")
        try expectEqual(harness.patch("/i/1", ["sku": "a", "color": "red"]).status, 200)
        try expectEqual(harness.post("/i", ["sku": "q", "name": "Mug", "color": "red"]).status, 409)
        try expectEqual(harness.post("/i", ["sku": "q", "name": "Mug", "color": "blue"]).status, 201)
        // What a row has given up is free again.
        try harness.patch("/i/1", ["sku": "z"])
        try expectEqual(harness.patch("/i/2", ["sku": "a"]).status, 200)
        try harness.delete("/i/2")
        try expectEqual(harness.post("/i", ["sku": "a"]).status, 201)
    }

    @Test func `14 a change that changes nothing keeps the time and the tag`() throws {
        let harness = try Self.harness("", #"{"updatedAt":"at"}"#)
        let first = try harness.patch("/i/1", ["name": "X"])
        expectEqual(first.json["at"], "2025-01-01T12:00:00Z")
        try harness.advance(.seconds(5))
        let same = try harness.patch("/i/1", ["name": "X"])
        expectEqual(same.text, first.text)
        expectEqual(same["ETag"], first["ETag"])
        let whole = try harness.put("/i/1", ["name": "X", "sku": "a", "n": ["x": 1]])
        expectEqual(whole.text, first.text)
        let other = try harness.patch("/i/1", ["name": "Y"])
        expectEqual(other.json["at"], "2025-01-01T12:00:05Z")
        #expect(other["ETag"] != first["ETag"])
    }

    @Test func `14 tags make requests conditional`() throws {
        let harness = try Self.harness()
        let row = try harness.get("/i/1")
        let tag = try #require(row["ETag"])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
        let unchanged = try harness.get("/i/1", ["If-None-Match": "\"x\", \(tag)"])
        expectEqual(unchanged.status, 304)
        expectEqual(unchanged.bytes, [])
        expectEqual(unchanged["ETag"], tag)
        try expectEqual(harness.get("/i/1", ["If-None-Match": "\"x\""]).status, 200)
        let list = try harness.get("/i")
        let listTag = try #require(list["ETag"])
        try expectEqual(harness.get("/i", ["If-None-Match": listTag]).status, 304)
        try expectEqual(harness.patch("/i/1", ["name": "X"], ["If-Match": "\"x\""]).status, 412)
        try expectEqual(harness.delete("/i/1", ["If-Match": "\"x\""]).status, 412)
        try expectEqual(harness.put("/i/1", [:], ["If-Match": "W/\(tag)"]).status, 412)
        try expectEqual(harness.get("/i/1").text, row.text)
        let changed = try harness.patch("/i/1", ["name": "X"], ["If-Match": tag])
        expectEqual(changed.status, 200)
        expectEqual(changed["ETag"], (try harness.get("/i/1"))["ETag"])
        try expectEqual(harness.get("/i", ["If-None-Match": listTag]).status, 200)
        try expectEqual(harness.patch("/i/1", ["name": "Z"], ["If-Match": tag]).status, 412)
        try expectEqual(harness.delete("/i/1", ["If-Match": "*"]).status, 204)
        try expectEqual(harness.delete("/i/1", ["If-Match": "*"]).status, 404)
    }

    @Test func `14 a condition can be required`() throws {
        let harness = try Self.harness(#","requireIfMatch":true"#)
        let refused = try harness.patch("/i/1", ["name": "X"])
        expectEqual(refused.status, 428)
        expectEqual(refused.json["error"]?["code"], "precondition_required")
        try expectEqual(harness.put("/i/1", [:]).status, 428)
        try expectEqual(harness.put("/i/1", [:], ["If-None-Match": "*"]).status, 412)
        try expectEqual(harness.put("/i/1", [:], ["If-None-Match": "\"other\""]).status, 428)
        try expectEqual(harness.delete("/i/1").status, 428)
        try expectEqual(harness.post("/i", [:]).status, 201)
        try expectEqual(harness.delete("/i/1", ["If-Match": "*"]).status, 204)
    }

    @Test func `14 a body that is too large is refused`() throws {
        let harness = try Self.harness()
        let room = CustomRoute.usualBodyLimit - #"{"a":""}"#.utf8.count
        let fits = String(repeating: "x", count: room)
        try expectEqual(harness.send("POST", "/i", text: "{\"a\":\"\(fits)\"}", "application/json").status, 201)
        let refused = try harness.send("POST", "/i", text: "{\"a\":\"\(fits)x\"}", "application/json")
        expectEqual(refused.status, 413)
        expectEqual(refused.json["error"]?["code"], "too_large")
    }
}
