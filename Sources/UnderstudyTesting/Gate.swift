/// Holds matching requests until the test lets them go, so that a race is staged without a sleep (control contract, section 10).
public struct Gate: Sendable {
    /// How a gate stands.
    public struct Status: Sendable, Decodable {
        /// The gate's name.
        public var name: String
        /// The journal's keys of the requests that are held, oldest first.
        public var held: [String]
        /// How many requests have gone through.
        public var passed: Int
    }

    /// As it was named.
    public let name: String
    let client: ControlClient

    private var path: String { "/gates/\(ControlClient.escaped(name))" }

    /// Waits until that many requests are held, at most for so many seconds of real time.
    ///
    /// The time only ends a test that has failed. It is long because tests that run beside this one may keep its own
    /// child tasks from their threads for a while, and with them the requests that are waited for.
    @discardableResult
    public func waitUntilHeld(_ count: Int = 1, seconds: Int = 30) async throws(ControlError) -> Status {
        // The server waits a minute at most; the rest of the time is spent on looking again.
        var status = try await client.get("\(path)?wait=\(min(max(seconds, 0), 60))", as: Status.self)
        var tries = 0
        // The call answers with the first one that is held; more follow one by one.
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

    /// Lets the oldest go, all if no count is given; with an effect they fail so.
    public func release(_ count: Int? = nil, effect: Effect? = nil) async throws(ControlError) {
        try await client.send("POST", "\(path)/release", Release(count: count, effect: effect))
    }

    /// Lets these go, in this order: keys of the journal, as `Status.held` has them.
    public func release(held keys: [String], effect: Effect? = nil) async throws(ControlError) {
        try await client.send("POST", "\(path)/release", Release(effect: effect, held: keys))
    }

    /// Lets all go, and holds no more.
    public func remove() async throws(ControlError) { try await client.send("DELETE", path) }
}

extension World {
    private struct GateOrder: Encodable {
        var name: String
        var match: Match
        var phase: String
    }

    /// Holds matching requests from now on: before the endpoint runs, or after it has run.
    public func gate(
        _ name: String,
        on match: Match,
        phase: Fault.Phase = .before
    ) async throws(ControlError) -> Gate {
        try await client.send("POST", "/gates", GateOrder(name: name, match: match, phase: phase.rawValue))
        return Gate(name: name, client: client)
    }
}
