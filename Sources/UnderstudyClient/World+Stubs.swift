/// Stubs (own-API contract, sections 7 and 8).
extension World {
    /// Adds a stub.
    ///
    ///     try await world.add(Stub(Match(.omnichat, "GET", "/offers/{id}"), .init(body: ["id": "{{path.id}}"]), .init(410)))
    @discardableResult
    public func add(_ stub: Stub) async throws(ControlError) -> ActiveStub {
        try await client.ask(.addStub, body: stub)
    }

    /// Adds a stub with one response.
    ///
    ///     try await world.stub(Match(.trendy, "GET", "/api/v1/me"), .init(503))
    @discardableResult
    public func stub(_ match: Match, _ response: Stub.Response) async throws(ControlError) -> ActiveStub {
        try await add(Stub(match, response))
    }

    /// The stubs in the order in which they are tried, with their hits so far.
    ///
    ///     let hits = try await world.stubs.map(\.hits)
    public var stubs: [ActiveStub] {
        get async throws(ControlError) { try await client.list(.getStubs) }
    }

    /// Returns a stub with its hits so far.
    ///
    ///     let added = try await world.stub(Match(.trendy), .init(503))
    ///     let hits = try await world.stub(added.id).hits
    public func stub(_ id: String) async throws(ControlError) -> ActiveStub {
        try await client.ask(.getStub, id)
    }

    /// Replaces a stub; its hits start at 0.
    ///
    ///     let added = try await world.stub(Match(.trendy), .init(503))
    ///     try await world.replace(added, with: Stub(Match(.trendy), .init(200)))
    @discardableResult
    public func replace(_ stub: ActiveStub, with other: Stub) async throws(ControlError) -> ActiveStub {
        try await client.ask(.replaceStub, stub.id, body: other)
    }

    /// Switches a stub on or off, moves it among the others, or names it; what is nil stays.
    ///
    ///     let added = try await world.stub(Match(.trendy), .init(503))
    ///     try await world.change(added, enabled: false)
    @discardableResult
    public func change(
        _ stub: ActiveStub,
        enabled: Bool? = nil,
        position: Int? = nil,
        name: String? = nil
    ) async throws(ControlError) -> ActiveStub {
        let change = StubChange(enabled: enabled, position: position, name: name)
        return try await client.ask(.changeStub, stub.id, body: change)
    }

    private struct StubChange: Encodable {
        var enabled: Bool?
        var position: Int?
        var name: String?
    }

    /// Removes a stub.
    ///
    ///     let added = try await world.stub(Match(.trendy), .init(503))
    ///     try await world.remove(added)
    public func remove(_ stub: ActiveStub) async throws(ControlError) {
        try await client.send(.deleteStub, stub.id)
    }

    /// Removes all stubs, or with `calls` those that calls have added.
    ///
    ///     try await world.removeStubs(calls: true)
    public func removeStubs(calls: Bool = false) async throws(ControlError) {
        try await client.send(.deleteStubs, query: ["source": calls ? "call" : nil])
    }
}
