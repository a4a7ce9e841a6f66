public import Testing
public import UnderstudyClient

/// A trait that judges the client's conduct after each test (conduct contract, section 14).
///
/// It goes beside `.understudy()`, in either order, on a test or a suite: it judges after the test's body and before its
/// world goes, also when the test has failed.
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

    /// The judgement that a world's trait within this one has to make.
    @TaskLocal static var pending: ConductTrait?

    /// Runs the test, then judges.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        // Without a world yet, the trait that makes it judges.
        guard let world = try? World.current else {
            return try await Self.$pending.withValue(self) { try await function() }
        }
        try await judge(world, after: function)
    }

    /// Runs a test and judges its world, also when the test throws.
    func judge(_ world: World, after function: @Sendable () async throws -> Void) async throws {
        do {
            try await function()
        } catch {
            await judge(world)
            throw error
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
                try await world.set(["conduct": ["allow": .array(known + list)]])
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
        guard let trait = ConductTrait.pending else { return try await function() }
        try await ConductTrait.$pending.withValue(nil) { try await trait.judge(world, after: function) }
    }
}

extension Trait where Self == ConductTrait {
    /// Judges the client's conduct after each test; `allowing` has rules (ids or globs) that may be broken, with the reason.
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
    /// Records an issue for each finding at or above a level, with what was seen, what was expected and what to do.
    ///
    ///     try await world.conduct().verify(.error)
    public func verify(_ level: Severity, sourceLocation: SourceLocation = #_sourceLocation) {
        for finding in findings(atLeast: level) {
            Issue.record(Comment(rawValue: finding.description), sourceLocation: sourceLocation)
        }
    }

    /// Records an issue for each of these rules that was not exercised.
    ///
    ///     try await world.conduct().verify(requiring: ["auth/repeat-after-401"])
    public func verify(requiring ids: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        for id in ids {
            guard let rule = rules.first(where: { $0.id == id }) else {
                Issue.record("There is no rule of conduct \(id) in the report", sourceLocation: sourceLocation)
                continue
            }
            guard rule.status != .passed, rule.status != .failed else { continue }
            let means = (rule.exercisedBy ?? []).joined(separator: ", ")
            Issue.record(
                "The rule \(id) was not exercised\(means.isEmpty ? "" : "; it is by \(means)")",
                sourceLocation: sourceLocation
            )
        }
    }
}
