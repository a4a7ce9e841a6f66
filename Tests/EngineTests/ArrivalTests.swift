import Engine
import HTTPMessage
import TestSupport
import Testing

/// The preflight hook of an API, which runs before routing.
struct ArrivalTests {
    @Test func `an answer on arrival ends the matter, for unknown paths and methods too, and may go without an id`()
        throws
    {
        let harness = try EngineHarness()
        for method in [HTTPMethod.get, .delete] {
            let exchange = try harness.send(method, "/early/bird")
            expectEqual(exchange.status, 204)
            expectNil(exchange.id)
            expectEqual(exchange.answer.response.fields["X-Route"], "none")
        }
        try expectEqual(harness.journal().count, 2)
    }

    @Test func `a refusal on arrival takes the API's form and has the id that every answer has`() throws {
        let harness = try EngineHarness()
        for _ in 0..<2 { try harness.send(.get, "/early") }
        let exchange = try harness.send(.get, "/early")
        expectEqual(exchange.status, 429)
        #expect(exchange.id != nil)
        expectEqual(exchange.answer.response.fields["X-Route"], "none")
    }

    @Test func `on arrival the call knows the route that would take it`() throws {
        let harness = try EngineHarness()
        let exchange = try harness.send(.get, "/notes/1", fields: ["X-Early": "yes"])
        expectEqual(exchange.status, 204)
        expectEqual(exchange.answer.response.fields["X-Route"], "/notes/{id}")
    }
}
