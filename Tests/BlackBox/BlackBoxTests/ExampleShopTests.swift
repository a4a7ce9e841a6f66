import Foundation
import JSON
import TestSupport
import Testing

/// The example shop, as somebody who reads `Examples/README.md` uses it.
@Suite(.serialized) struct ExampleShopTests {
    private static let examples = Checkout.root.appendingPathComponent("Examples")

    private static func serve() throws -> (served: Served, wire: Wire) {
        let apis = examples.appendingPathComponent("apis").path
        let served = try Served(Served.frozen + ["--apis", apis, "--api", "shop"])
        let address = try #require(served.ready["apis"]?["shop"]?.stringValue)
        let port = try #require(address.split(separator: ":").last.flatMap { Int($0) })
        return (served, try Wire(port: port))
    }

    private static func ask(_ wire: Wire, _ method: String, _ target: String, _ body: String = "", _ token: String?)
        throws -> WireAnswer
    {
        try wire.ask(method, target, body: Array(body.utf8), token: token)
    }

    private static func signIn(_ wire: Wire) throws -> String {
        let body = #"{"email":"anna@shop.example","password":"shop-pass-1"}"#
        return try #require(try ask(wire, "POST", "/v1/login", body, nil).json["accessToken"]?.stringValue)
    }

    @Test func `2 the example passes validate --strict`() throws {
        let place = Self.examples.appendingPathComponent("apis/shop").path
        let result = try Program.run(["validate", place, "--strict"])
        expectEqual(result.status, 0, "\(result.output)\(result.errors)")
    }

    @Test func `12 a visitor sees products, and a customer orders`() throws {
        let (served, wire) = try Self.serve()
        let products = try Self.ask(wire, "GET", "/v1/products?limit=2", "", nil)
        expectEqual(products.json["data"]?.arrayValue?.count, 2)
        #expect(products.json["next"]?.stringValue != nil)
        try expectEqual(Self.ask(wire, "GET", "/v1/orders", "", nil).json["error"]?["code"], "unauthorized")
        let token = try Self.signIn(wire)
        let order = #"{"items":[{"productId":"prd_mug","count":2}]}"#
        let made = try Self.ask(wire, "POST", "/v1/orders", order, token)
        expectEqual(made.status, 201, "\(made.text)")
        expectEqual(made.json["userId"], "usr_anna")
        let wrong = try Self.ask(wire, "POST", "/v1/orders", #"{"items":[]}"#, token)
        expectEqual(wrong.json["error"]?["details"]?[0]?["path"], "$.items")
        let reviews = try Self.ask(wire, "GET", "/v1/products/prd_mug/reviews", "", nil)
        expectEqual(reviews.json.arrayValue?.count, 2)
        try expectEqual(
            served.control("GET", "/requests?limit=1&fields=source").json["items"]?[0]?["source"],
            "openapi"
        )
    }

    @Test func `15 the token ends with the clock, and the checkout pays at the third call`() throws {
        let (served, wire) = try Self.serve()
        let token = try Self.signIn(wire)
        let answers = try (0..<3).map { _ in
            try Self.ask(wire, "POST", "/v1/checkout", #"{"orderId":"ord_1"}"#, token)
        }
        expectEqual(answers.map(\.status), [202, 202, 200])
        expectEqual(answers.last?.json["for"], "Anna")
        _ = try served.control("POST", "/clock/advance", #"{"by":"PT16M"}"#)
        try expectEqual(Self.ask(wire, "GET", "/v1/orders", "", token).json["error"]?["code"], "token_expired")
    }

    @Test func `10 its scenarios do what they say`() throws {
        let (served, wire) = try Self.serve()
        let token = try Self.signIn(wire)
        try expectEqual(served.control("PUT", "/scenarios/shop/checkout-closed", "{}").json["active"], true)
        let closed = try Self.ask(wire, "POST", "/v1/checkout", "{}", token)
        expectEqual(closed.status, 503)
        expectEqual(closed["Retry-After"], "120")
        try expectEqual(served.control("PUT", "/scenarios/shop/sold-out", "{}").json["active"], true)
        try expectEqual(Self.ask(wire, "GET", "/v1/products/prd_lamp", "", nil).json["stock"], 0)
    }
}
