import Foundation
public import Testing
public import UnderstudyClient

/// A trait that gives each test a world of its own: `@Test(.understudy(scenarios: ["sawaed/otp-expired"]))`.
///
/// On a suite it holds for every test in it. When a test fails its journal is attached, and its exchanges are printed.
public struct WorldTrait: TestTrait, SuiteTrait, TestScoping {
    /// A trait of a suite applies to each of its tests.
    public let isRecursive = true
    let seed: UInt64?
    let clock: UnderstudyServer.Clock?
    let scenarios: [String]

    /// Creates the world, runs the test, reports a failure, deletes the world.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The tests of a suite come here one by one.
        guard testCase != nil else { return try await function() }
        let world = try await UnderstudyServer.shared.get().world(seed: seed, clock: clock, scenarios: scenarios)
        let hasFailed = Guarded(false)
        let watch = IssueHandlingTrait.compactMapIssues { issue in
            hasFailed.withLock { $0 = true }
            return issue
        }
        do {
            try await watch.provideScope(for: test, testCase: testCase) {
                try await World.$ofThisTask.withValue(world) { try await function() }
            }
        } catch {
            hasFailed.withLock { $0 = true }
            await Self.report(world, test)
            try? await world.delete()
            throw error
        }
        if hasFailed.withLock({ $0 }) { await Self.report(world, test) }
        try? await world.delete()
    }

    private static func report(_ world: World, _ test: Test) async {
        let name = test.name.filter { $0.isLetter || $0.isNumber }
        Attachment.record(Array(await world.report()), named: "understudy-\(name).json")
        let text = "Understudy's journal of \"\(test.name)\":\n\(await world.summary())\n"
        FileHandle.standardError.write(Data(text.utf8))
    }
}

extension Trait where Self == WorldTrait {
    /// Gives each test a world of its own, which is deleted when the test is over.
    public static func understudy(
        seed: UInt64? = nil,
        clock: UnderstudyServer.Clock? = nil,
        scenarios: [String] = []
    ) -> WorldTrait {
        WorldTrait(seed: seed, clock: clock, scenarios: scenarios)
    }
}
