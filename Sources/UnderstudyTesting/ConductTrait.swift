public import Testing
public import UnderstudyClient

/// A trait that judges the client's conduct after each test (conduct contract, section 14).
///
/// Use it beside `.understudy()`, in either order, on a test or a suite: it judges after the test's body and before its
/// world is deleted, even when the test has failed.
///
///     @Suite(.understudy(), .conduct(.error, allowing: ["url/unknown-route": "comes with the next release"]))
///     struct PoliteTests {
///         @Test func nothingIsAskedFor() async throws { #expect(try await World.current.requests().isEmpty) }
///     }
public struct ConductTrait: TestTrait, SuiteTrait, TestScoping {
    /// A trait of a suite applies to each of its tests.
    public let isRecursive = true
    let level: ConductReport.Severity
    let allowed: [String: String]

    /// The judgement that a world's trait within this one takes over.
    @TaskLocal static var order: Order?

    /// A judgement, which the innermost world's trait makes.
    final class Order: Sendable {
        let trait: ConductTrait
        let isTaken = Guarded(false)

        init(_ trait: ConductTrait) { self.trait = trait }
    }

    /// Runs the test, then judges.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await judge(try? World.current, after: function)
    }

    /// Runs a test and judges its world, also when the test throws; without a world, the trait that makes it judges.
    func judge(_ world: World?, after function: @Sendable () async throws -> Void) async throws {
        let order = Order(self)
        do {
            try await Self.$order.withValue(order) { try await function() }
        } catch {
            await judge(world, order)
            throw error
        }
        await judge(world, order)
    }

    private func judge(_ world: World?, _ order: Order) async {
        guard !order.isTaken.withLock({ $0 }) else { return }
        guard let world else {
            Issue.record("The trait .conduct needs a world: add .understudy() beside it")
            return
        }
        await judge(world)
    }

    private func judge(_ world: World) async {
        do {
            if !allowed.isEmpty {
                let list = allowed.sorted { $0.key < $1.key }.map { rule, reason -> JSONValue in
                    ["rule": .string(rule), "reason": .string(reason)]
                }
                let known = try await world.settings["conduct"]?["allow"]?.array ?? []
                let added = list.filter { !known.contains($0) }
                if !added.isEmpty { try await world.set(["conduct": ["allow": .array(known + added)]]) }
            }
            try await world.conduct().verify(level)
        } catch {
            Issue.record("The conduct could not be judged: \(error)")
        }
    }
}

extension WorldTrait.Scope {
    /// Runs a test and, if a trait around it asks for that, judges its client.
    func judging(_ function: @Sendable () async throws -> Void) async throws {
        guard let order = ConductTrait.order else { return try await function() }
        order.isTaken.withLock { $0 = true }
        try await order.trait.judge(world, after: function)
    }
}

extension Trait where Self == ConductTrait {
    /// Judges the client's conduct after each test; `allowing` maps rules (ids or globs) that may be broken to the reason.
    ///
    ///     @Test(.understudy(), .conduct(.error))
    ///     func itBehaves() async throws { #expect(try await World.current.requests().isEmpty) }
    public static func conduct(
        _ level: ConductReport.Severity,
        allowing allowed: [String: String] = [:]
    ) -> ConductTrait {
        ConductTrait(level: level, allowed: allowed)
    }
}

extension ConductReport {
    /// Records an issue for each finding at or above a level, with what was seen, what was expected and how to fix it.
    ///
    ///     try await world.conduct().verify(.error)
    public func verify(_ level: Severity, sourceLocation: SourceLocation = #_sourceLocation) {
        for finding in findings(atLeast: level) {
            Issue.record(Comment(rawValue: finding.description), sourceLocation: sourceLocation)
        }
    }

    /// Records an issue for each of these rules that was not exercised; a backend's own name for several rules is exercised if
    /// any of them is.
    ///
    ///     let report = try await world.conduct(rules: ["auth/*", "retry/*"])
    ///     report.verify(.error)
    ///     report.verify(requiring: ["auth/repeat-after-401", "trendy/refresh-once"])
    public func verify(requiring ids: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        for (id, means) in unexercised(ids) {
            guard let means else {
                Issue.record("The report has no conduct rule \(id)", sourceLocation: sourceLocation)
                continue
            }
            let help = means.isEmpty ? "" : "; exercise it with \(means.joined(separator: ", "))"
            Issue.record("The rule \(id) was not exercised\(help)", sourceLocation: sourceLocation)
        }
    }
}
