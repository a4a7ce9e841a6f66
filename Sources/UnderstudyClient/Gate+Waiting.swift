extension Gate {
    /// Waits until `count` requests are held, and returns the state of the gate.
    ///
    /// The limit is real time, and kept however busy the server is. Throws `ControlError.timedOut` when it is over: its
    /// text has the gate's match, how many requests were held, and the nearest misses of the journal. The limit only ends
    /// a test that has failed: it is long because tests that run at the same time may occupy the threads of this test's
    /// child tasks, and so delay the requests to wait for.
    ///
    ///     let held = try await gate.waitUntilHeld(1, within: .seconds(3)).held
    @discardableResult
    public func waitUntilHeld(
        _ count: Int = 1,
        within limit: Duration = .seconds(30)
    ) async throws(ControlError) -> Status {
        try await waitUntilHeld(count, within: limit, explainingWithin: World.grace)
    }

    /// Waits until `count` requests are held, for at most so many seconds.
    ///
    ///     try await gate.waitUntilHeld(2, seconds: 10)
    @discardableResult
    public func waitUntilHeld(_ count: Int = 1, seconds: Int) async throws(ControlError) -> Status {
        try await waitUntilHeld(count, within: .seconds(seconds))
    }

    /// Waits as above; `grace` is the time that the explanation may take after the limit.
    @discardableResult
    package func waitUntilHeld(
        _ count: Int,
        within limit: Duration,
        explainingWithin grace: Duration
    ) async throws(ControlError) -> Status {
        let start = ContinuousClock.now
        let deadline = start + max(limit, .zero)
        // The misses are asked for shortly before the end, so that they are there in time.
        let explanation = Explanation(of: self, at: deadline - min(limit / 4, .milliseconds(200)))
        defer { explanation.cancel() }
        var last: Status?
        repeat {
            // The server answers at the first held request, so that only what follows is asked for again and again.
            let left = ContinuousClock.now.duration(to: deadline)
            let wait = (last?.held.isEmpty ?? true) ? min(max(left.seconds, 0), 59) : 0
            guard let status = try await poll(waiting: wait, until: deadline) else { break }
            last = status
            if status.held.count >= count { return status }
            if !status.held.isEmpty || wait == 0 { await pause(until: deadline) }
        } while ContinuousClock.now < deadline
        // One more look: the answer of a busy server may have come late.
        if let status = try? await poll(waiting: 0, until: deadline + grace / 2) {
            last = status
            if status.held.count >= count { return status }
        }
        let misses = await explanation.text(until: deadline + grace)
        throw .timedOut(message(count, limit, last, misses))
    }

    private func poll(waiting seconds: Double, until deadline: ContinuousClock.Instant) async throws(ControlError)
        -> Status?
    {
        let (client, name) = (world.client, name)
        let query: Query = seconds > 0 ? ["wait": "\(Int(seconds.rounded(.up)))"] : [:]
        return try await Race.run(until: deadline) { () async throws(ControlError) -> Status in
            try await client.ask(.getGate, name, query: query)
        }
    }

    private func pause(until deadline: ContinuousClock.Instant) async {
        let next = min(ContinuousClock.now + .milliseconds(20), deadline)
        try? await Task.sleep(until: next, clock: .continuous)
    }

    private func message(_ count: Int, _ limit: Duration, _ last: Status?, _ misses: String?) -> String {
        var lines = [GateError.head(name, last?.held.count ?? 0, of: count, after: limit)]
        if last == nil { lines[0] += " The server did not answer." }
        lines.append("  It holds: \(match)")
        if let passed = last?.passed, passed > 0 { lines.append("  \(passed) passed it before.") }
        if let misses { lines.append(misses) }
        return lines.joined(separator: "\n")
    }
}

/// The nearest misses of a gate, which are looked for while its call still waits.
private struct Explanation: Sendable {
    private let task: Task<String?, Never>

    init(of gate: Gate, at start: ContinuousClock.Instant) {
        task = Task {
            try? await Task.sleep(until: start, clock: .continuous)
            return Task.isCancelled ? nil : await Self.misses(of: gate)
        }
    }

    func cancel() { task.cancel() }

    /// Returns the text, or nil if it does not come in time.
    func text(until deadline: ContinuousClock.Instant) async -> String? {
        let task = task
        let text = try? await Race.run(until: deadline) { () async throws(ControlError) -> String? in await task.value }
        return text ?? nil
    }

    private static func misses(of gate: Gate) async -> String? {
        guard let seen = try? await gate.world.requests(limit: 200) else { return nil }
        if seen.isEmpty { return "  No request has reached the world \(gate.world.name)." }
        guard let misses = try? await gate.world.verify(gate.match).nearMisses, !misses.isEmpty else { return nil }
        let lines = misses.map { miss in
            let exchange = seen.first { $0.id == miss.id }
            let line = exchange.map { " \($0.method) \($0.path) → \($0.status)" } ?? ""
            return "    \(miss.id)\(line): \(miss.differences.joined(separator: "; "))"
        }
        return (["  Nearest misses:"] + lines).joined(separator: "\n")
    }
}
