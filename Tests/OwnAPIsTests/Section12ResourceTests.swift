import JSON
import OwnAPIs
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
        let harness = try OwnHarness(Self.files)
        let list = try harness.get("/v1/products")
        #expect(list.status == 200)
        #expect(list.text == #"[{"id":1,"name":"Mug","price":12.5},{"id":2,"name":"Lamp","price":49}]"#)
        #expect(list["X-Total-Count"] == "2")
        let made = try harness.post("/v1/products", ["name": "Towel", "price": 9.95])
        #expect(made.status == 201)
        #expect(made.text == #"{"id":3,"name":"Towel","price":9.95}"#)
        #expect(made["Location"] == "http://127.0.0.1:4700/v1/products/3")
        #expect(try harness.get("/v1/products/3").text == made.text)
        let replaced = try harness.put("/v1/products/3", ["price": 8, "color": "red"])
        #expect(replaced.status == 200)
        #expect(replaced.text == #"{"id":3,"price":8,"color":"red"}"#)
        let patched = try harness.patch("/v1/products/3", ["color": .null, "name": "Towel"])
        #expect(patched.text == #"{"id":3,"price":8,"name":"Towel"}"#)
        let deleted = try harness.delete("/v1/products/3")
        #expect(deleted.status == 204)
        #expect(deleted.bytes == [])
        let gone = try harness.get("/v1/products/3")
        #expect(gone.status == 404)
        #expect(gone.text == #"{"error":{"code":"not_found","message":"There is no such row."}}"#)
        // A key is never used twice.
        #expect(try harness.post("/v1/products", ["name": "Soap"]).json["id"] == 4)
    }

    @Test func `12 a nested parameter is a condition on a member, and is set`() throws {
        let harness = try OwnHarness(Self.files)
        #expect(try harness.get("/v1/users/1/orders").text == #"[{"id":10,"userId":1,"sum":5}]"#)
        #expect(try harness.get("/v1/users/1/orders/11").status == 404)
        #expect(try harness.get("/v1/users/2/orders/11").status == 200)
        #expect(try harness.get("/v1/users/3/orders").status == 404)
        #expect(try harness.post("/v1/users/3/orders", [:]).status == 404)
        let made = try harness.post("/v1/users/2/orders", ["sum": 7])
        #expect(made.text == #"{"id":12,"sum":7,"userId":2,"at":"2025-01-01T12:00:00Z"}"#)
        #expect(made["Location"] == "http://127.0.0.1:4700/v1/users/2/orders/12")
        let refused = try harness.post("/v1/users/2/orders", ["userId": 1])
        #expect(refused.status == 422)
        #expect(
            refused.text == """
                {"error":{"code":"validation_failed","message":"The request does not fit.",\
                "details":[{"path":"$.userId","reason":"must be 2"}]}}
                """
        )
        #expect(try harness.patch("/v1/users/2/orders/12", ["userId": 1]).status == 422)
        #expect(try harness.patch("/v1/users/2/orders/12", ["userId": 2]).status == 200)
        #expect(try harness.post("/v1/users/2/orders", ["userId": 2]).status == 201)
        #expect(try harness.get("/v1/users/2/orders").json.arrayValue?.count == 3)
    }

    @Test func `12 bind names another member`() throws {
        let harness = try OwnHarness(Self.files)
        let made = try harness.post("/v1/users/u-1/things", ["a": 1])
        #expect(made.json["owner"] == "u-1")
        #expect(try harness.get("/v1/users/u-1/things").json.arrayValue?.count == 1)
        #expect(try harness.get("/v1/users/u-2/things").text == "[]")
    }

    @Test func `12 a single resource is the first row`() throws {
        let harness = try OwnHarness(Self.files)
        #expect(try harness.get("/v1/settings").text == #"{"id":"main","theme":"dark"}"#)
        #expect(try harness.patch("/v1/settings", ["theme": "light"]).status == 200)
        #expect(try harness.get("/v1/settings/").text == #"{"id":"main","theme":"light"}"#)
        let refused = try harness.post("/v1/settings", [:])
        #expect(refused.status == 405)
        #expect(refused["Allow"] == "GET, PUT, PATCH, HEAD, OPTIONS")
        #expect(try harness.options("/v1/settings").status == 204)
    }
}
