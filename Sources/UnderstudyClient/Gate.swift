/// A control that holds matching requests until the test releases them (control contract, section 10).
///
/// Use it to stage a race without a sleep: wait until the request is held, act, then release.
///
///     let gate = try await world.gate("refresh", on: Match(.trafikskola, "POST", "/api/mobile/auth/refresh"))
///     // … the app makes its calls …
///     try await gate.remove()
public struct Gate: Sendable {
    /// The state of a gate.
    public struct Status: Sendable, Decodable {
        /// The gate's name.
        public var name: String
        /// The requests that it holds; nil if the server does not tell.
        public var match: Match?
        /// `before` or `after`; nil if the server does not tell.
        public var phase: String?
        /// False for a gate that holds nothing new; nil if the server does not tell.
        public var enabled: Bool?
        /// The journal's keys of the requests that are held, oldest first.
        public var held: [String]
        /// The number of requests that have passed the gate.
        public var passed: Int
        /// The reasons why it may never hold a request; nil for none.
        public var warnings: [ActiveFault.Warning]?
    }

    /// The name of the gate.
    public let name: String
    /// The requests that it holds.
    public let match: Match
    let world: World

    private var client: ControlClient { world.client }

    /// The state of the gate now.
    ///
    ///     let passed = try await gate.status.passed
    public var status: Status {
        get async throws(ControlError) { try await client.ask(.getGate, name) }
    }

    private struct Release: Encodable {
        var count: Int?
        var effect: Effect?
        var held: [String]?
    }

    /// Releases the oldest requests, or all without a count; an effect makes them fail.
    ///
    ///     try await gate.release(1, effect: .status(503))
    public func release(_ count: Int? = nil, effect: Effect? = nil) async throws(ControlError) {
        try await client.send(.releaseGate, name, body: Release(count: count, effect: effect))
    }

    /// Releases the requests with these journal keys, in this order; `Status.held` lists the keys.
    ///
    ///     let held = try await gate.waitUntilHeld(2).held
    ///     try await gate.release(held: held.reversed())
    public func release(held keys: [String], effect: Effect? = nil) async throws(ControlError) {
        try await client.send(.releaseGate, name, body: Release(effect: effect, held: keys))
    }

    /// Switches the gate off or on; one that is off holds nothing new, and keeps what it holds.
    ///
    ///     try await gate.set(enabled: false)
    public func set(enabled: Bool) async throws(ControlError) {
        try await client.send(.changeGate, name, body: ["enabled": enabled])
    }

    private struct Change: Encodable {
        var match: Match?
        var phase: String?
    }

    /// Changes what the gate holds from now on, and where; what is nil stays.
    ///
    /// It keeps what it holds.
    ///
    ///     try await gate.change(match: Match(.trendy, "POST"), phase: .after)
    public func change(match: Match? = nil, phase: Fault.Phase? = nil) async throws(ControlError) {
        try await client.send(.changeGate, name, body: Change(match: match, phase: phase?.rawValue))
    }

    /// Releases all requests and removes the gate.
    ///
    ///     try await gate.remove()
    public func remove() async throws(ControlError) { try await client.send(.deleteGate, name) }
}

extension World {
    private struct GateOrder: Encodable {
        var name: String
        var match: Match
        var phase: String
    }

    /// Adds a gate that holds matching requests from now on, before or after the endpoint runs.
    ///
    ///     let slow = try await world.gate("slow", on: Match(.trendy, "GET"), phase: .after)
    @discardableResult
    public func gate(
        _ name: String,
        on match: Match,
        phase: Fault.Phase = .before
    ) async throws(ControlError) -> Gate {
        try await client.send(.addGate, body: GateOrder(name: name, match: match, phase: phase.rawValue))
        return Gate(name: name, match: match, world: self)
    }

    /// Returns a gate that exists already, such as one that was added in the console.
    ///
    ///     try await world.gate(named: "refresh").release()
    public func gate(named name: String) async throws(ControlError) -> Gate {
        let status = try await client.ask(.getGate, name, as: Gate.Status.self)
        return Gate(name: status.name, match: status.match ?? Match(), world: self)
    }

    /// The gates of the world.
    ///
    ///     let held = try await world.gates.flatMap(\.held)
    public var gates: [Gate.Status] {
        get async throws(ControlError) { try await client.list(.getGates) }
    }
}
