import Foundation
public import Testing
public import UnderstudyClient

/// A trait that gives each test a world of its own.
///
/// On a suite it applies to every test in it. When a test fails, possible causes are printed: faults that never hit,
/// gates that held nothing, requests that nothing matched, and the journal, which is attached too.
///
///     @Suite(.understudy(scenarios: ["sawaed/otp-expired"]))
///     struct ExpiredCodeTests {
///         @Test func theCodeIsRefused() async throws {
///             let world = try World.current
///             #expect(world.name != "main")
///         }
///     }
public struct WorldTrait: TestTrait, SuiteTrait, TestScoping {
    /// A trait of a suite applies to each of its tests.
    public let isRecursive = true
    let seed: UInt64?
    let clock: UnderstudyServer.Clock?
    let scenarios: [String]

    /// The scopes around the task that is running, the innermost last.
    @TaskLocal static var scope: Scope?

    /// Creates the world, runs the test, reports a failure, deletes the world.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The tests of a suite come here one by one.
        guard testCase != nil else { return try await function() }
        let server = try UnderstudyServer.shared.get()
        let world = try await server.world(seed: seed, clock: clock, scenarios: scenarios)
        let scope = Scope(world: world)
        // A test with a trait of its own in a suite with one works in its own world.
        Self.scope?.hasInner.withLock { $0 = true }
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            scope.note(issue.error)
            return issue
        }
        do {
            try await watch.provideScope(for: test, testCase: testCase) {
                try await Self.$scope.withValue(scope) {
                    try await World.$ofThisTask.withValue(world) {
                        try await scope.judging { try await function() }
                    }
                }
            }
        } catch {
            scope.note(error)
            await report(scope, test)
            try? await world.delete()
            throw error
        }
        if scope.hasFailed.withLock({ $0 }) { await report(scope, test) }
        try? await world.delete()
    }

    private func report(_ scope: Scope, _ test: Test) async {
        guard !scope.hasInner.withLock({ $0 }) else { return }
        let report = await FailureReport(of: scope.world, leavingOut: scope.toldGates.withLock { $0 })
        let name = test.name.filter { $0.isLetter || $0.isNumber }
        Attachment.record(Array(report.journal), named: "understudy-\(name).json")
        let text = "Understudy on \"\(test.name)\":\n\(report.text)\n"
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// A test's world, and what is known of its failure.
    final class Scope: Sendable {
        let world: World
        let hasFailed = Guarded(false)
        let hasInner = Guarded(false)
        let toldGates = Guarded<Set<String>>([])

        init(world: World) { self.world = world }

        /// Notes that the test has failed, and which gate its error tells of.
        func note(_ error: (any Error)?) {
            hasFailed.withLock { $0 = true }
            if case ControlError.timedOut(let text)? = error as? ControlError, let gate = GateError.name(in: text) {
                toldGates.withLock { _ = $0.insert(gate) }
            }
        }
    }
}

extension Trait where Self == WorldTrait {
    /// Gives each test a world of its own, which is deleted when the test is over.
    ///
    ///     @Test(.understudy(clock: .frozen(at: Date(timeIntervalSince1970: 1_735_732_800))))
    ///     func theYearIs2025() async throws {
    ///         #expect(try await World.current.now.timeIntervalSince1970 == 1_735_732_800)
    ///     }
    public static func understudy(
        seed: UInt64? = nil,
        clock: UnderstudyServer.Clock? = nil,
        scenarios: [String] = []
    ) -> WorldTrait {
        WorldTrait(seed: seed, clock: clock, scenarios: scenarios)
    }
}
