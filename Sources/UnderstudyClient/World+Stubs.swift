/// Stubs (own-API contract, sections 7 and 8).
extension World {
    /// Adds a stub.
    @discardableResult
    public func add(_ stub: Stub) async throws(ControlError) -> ActiveStub {
        try await client.ask("POST", "/stubs", stub)
    }

    /// Adds a stub with one answer: `stub(Match(.trendy, "GET", "/v1/me"), .init(503))`.
    @discardableResult
    public func stub(_ match: Match, _ response: Stub.Response) async throws(ControlError) -> ActiveStub {
        try await add(Stub(match, response))
    }

    /// The stubs in the order in which they are tried, with their hits so far.
    public var stubs: [ActiveStub] {
        get async throws(ControlError) { try await client.get("/stubs", as: Items<ActiveStub>.self).items }
    }

    /// Returns a stub with its hits so far.
    public func stub(_ id: String) async throws(ControlError) -> ActiveStub {
        try await client.get("/stubs/\(ControlClient.escaped(id))")
    }

    /// Removes a stub.
    public func remove(_ stub: ActiveStub) async throws(ControlError) {
        try await client.send("DELETE", "/stubs/\(ControlClient.escaped(stub.id))")
    }

    /// Removes all stubs.
    public func removeStubs() async throws(ControlError) { try await client.send("DELETE", "/stubs") }
}
