/// A control that holds matching requests until the test releases them (control contract, section 10).
///
/// Use it to stage a race without a sleep: wait until the request is held, act, then release.
public struct Gate: Sendable {
    /// The state of a gate.
    public struct Status: Sendable, Decodable {
        /// The gate's name.
        public var name: String
        /// The journal's keys of the requests that are held, oldest first.
        public var held: [String]
        /// The number of requests that have passed the gate.
        public var passed: Int
    }

    /// The name of the gate.
    public let name: String
    let client: ControlClient

    private var path: String { "/gates/\(ControlClient.escaped(name))" }

    /// Waits until `count` requests are held, for at most `seconds` of real time, and returns the state of the gate.
    ///
    /// Throws `ControlError.refused` when the time is up.
    ///
    /// The limit only ends a test that has failed. It is long because tests that run at the same time may occupy the
    /// threads of this test's child tasks, and so delay the requests to wait for.
    @discardableResult
    public func waitUntilHeld(_ count: Int = 1, seconds: Int = 30) async throws(ControlError) -> Status {
        // The server waits a minute at most; polling covers the rest of the time.
        var status = try await client.get("\(path)?wait=\(min(max(seconds, 0), 60))", as: Status.self)
        var tries = 0
        // The call returns with the first held request; more follow one by one.
        while status.held.count < count, tries < seconds * 50 {
            try? await Task.sleep(for: .milliseconds(20))
            status = try await client.get(path)
            tries += 1
        }
        guard status.held.count >= count else {
            throw .refused(
                status: 0,
                title: "too few",
                detail: "\(status.held.count) of \(count) requests are held at \(name)"
            )
        }
        return status
    }

    private struct Release: Encodable {
        var count: Int?
        var effect: Effect?
        var held: [String]?
    }

    /// Releases the oldest requests, or all without a count; an effect makes them fail.
    public func release(_ count: Int? = nil, effect: Effect? = nil) async throws(ControlError) {
        try await client.send("POST", "\(path)/release", Release(count: count, effect: effect))
    }

    /// Releases the requests with these journal keys, in this order; `Status.held` lists the keys.
    public func release(held keys: [String], effect: Effect? = nil) async throws(ControlError) {
        try await client.send("POST", "\(path)/release", Release(effect: effect, held: keys))
    }

    /// Releases all requests and removes the gate.
    public func remove() async throws(ControlError) { try await client.send("DELETE", path) }
}

extension World {
    private struct GateOrder: Encodable {
        var name: String
        var match: Match
        var phase: String
    }

    /// Adds a gate that holds matching requests from now on, before or after the endpoint runs.
    public func gate(
        _ name: String,
        on match: Match,
        phase: Fault.Phase = .before
    ) async throws(ControlError) -> Gate {
        try await client.send("POST", "/gates", GateOrder(name: name, match: match, phase: phase.rawValue))
        return Gate(name: name, client: client)
    }
}
