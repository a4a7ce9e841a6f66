import CustomAPIs
import JSON
import TestSupport
import Testing

/// Resources (own-API contract, section 12).
@Suite struct Section12ResourceTests {
    static let api = """
        {"tables":{"users":{},"orders":{"createdAt":"at"}},
         "resources":[{"path":"/v1/products","table":"products"},
                      {"path":"/v1/users/{userId}/orders","table":"orders","parents":{"userId":"users"}},
                      {"path":"/v1/users/{uid}/things","table":"orders","methods":["list","create"],
                       "bind":{"uid":"owner"}},
                      {"path":"/v1/settings","table":"settings","single":true}]}
        """
    static let files = [
        "api.json": api,
        "tables/products.json": #"[{"id":1,"name":"Mug","price":12.5},{"id":2,"name":"Lamp","price":49}]"#,
        "tables/users.json": #"[{"id":1,"name":"Anna"},{"id":2,"name":"Bo"}]"#,
        "tables/orders.json": #"[{"id":10,"userId":1,"sum":5},{"id":11,"userId":2,"sum":6}]"#,
        "tables/settings.json": #"[{"id":"main","theme":"dark"}]"#,
    ]

    @Test func `12 all six methods work on a table`() throws {
        let harness = try CustomAPIHarness(Self.files)
        let list = try harness.get("/v1/products")
        expectEqual(list.status, 200)
        expectEqual(list.text, #"[{"id":1,"name":"Mug","price":12.5},{"id":2,"name":"Lamp","price":49}]"#)
        expectEqual(list["X-Total-Count"], "2")
        let made = try harness.post("/v1/products", ["name": "Towel", "price": 9.95])
        expectEqual(made.status, 201)
        expectEqual(made.text, #"{"id":3,"name":"Towel","price":9.95}"#)
        expectEqual(made["Location"], "http://127.0.0.1:4700/v1/products/3")
        try expectEqual(harness.get("/v1/products/3").text, made.text)
        let replaced = try harness.put("/v1/products/3", ["price": 8, "color": "red"])
        expectEqual(replaced.status, 200)
        expectEqual(replaced.text, #"{"id":3,"price":8,"color":"red"}"#)
        let patched = try harness.patch("/v1/products/3", ["color": .null, "name": "Towel"])
        expectEqual(patched.text, #"{"id":3,"price":8,"name":"Towel"}"#)
        let deleted = try harness.delete("/v1/products/3")
        expectEqual(deleted.status, 204)
        expectEqual(deleted.bytes, [])
        let gone = try harness.get("/v1/products/3")
        expectEqual(gone.status, 404)
        expectEqual(gone.text, #"{"error":{"code":"not_found","message":"There is no such row."}}"#)
        // A key is never used twice.
        try expectEqual(harness.post("/v1/products", ["name": "Soap"]).json["id"], 4)
    }

    @Test func `12 a nested parameter is a condition on a member, and is set`() throws {
        let harness = try CustomAPIHarness(Self.files)
        try expectEqual(harness.get("/v1/users/1/orders").text, #"[{"id":10,"userId":1,"sum":5}]"#)
        try expectEqual(harness.get("/v1/users/1/orders/11").status, 404)
        try expectEqual(harness.get("/v1/users/2/orders/11").status, 200)
        try expectEqual(harness.get("/v1/users/3/orders").status, 404)
        try expectEqual(harness.post("/v1/users/3/orders", [:]).status, 404)
        let made = try harness.post("/v1/users/2/orders", ["sum": 7])
        expectEqual(made.text, #"{"id":12,"sum":7,"userId":2,"at":"2025-01-01T12:00:00Z"}"#)
        expectEqual(made["Location"], "http://127.0.0.1:4700/v1/users/2/orders/12")
        let refused = try harness.post("/v1/users/2/orders", ["userId": 1])
        expectEqual(refused.status, 422)
        expectEqual(
            refused.text,
            """
            {"error":{"code":"validation_failed","message":"The request is invalid.",\
            "details":[{"path":"$.userId","reason":"must be 2"}]}}
            """
        )
        try expectEqual(harness.patch("/v1/users/2/orders/12", ["userId": 1]).status, 422)
        try expectEqual(harness.patch("/v1/users/2/orders/12", ["userId": 2]).status, 200)
        try expectEqual(harness.post("/v1/users/2/orders", ["userId": 2]).status, 201)
        try expectEqual(harness.get("/v1/users/2/orders").json.arrayValue?.count, 3)
    }

    @Test func `12 bind names another member`() throws {
        let harness = try CustomAPIHarness(Self.files)
        let made = try harness.post("/v1/users/u-1/things", ["a": 1])
        expectEqual(made.json["owner"], "u-1")
        try expectEqual(harness.get("/v1/users/u-1/things").json.arrayValue?.count, 1)
        try expectEqual(harness.get("/v1/users/u-2/things").text, "[]")
    }

    @Test func `12 a single resource is the first row`() throws {
        let harness = try CustomAPIHarness(Self.files)
        try expectEqual(harness.get("/v1/settings").text, #"{"id":"main","theme":"dark"}"#)
        try expectEqual(harness.patch("/v1/settings", ["theme": "light"]).status, 200)
        try expectEqual(harness.get("/v1/settings/").text, #"{"id":"main","theme":"light"}"#)
        let refused = try harness.post("/v1/settings", [:])
        expectEqual(refused.status, 405)
        expectEqual(refused["Allow"], "GET, PUT, PATCH, HEAD, OPTIONS")
        try expectEqual(harness.options("/v1/settings").status, 204)
    }
}
