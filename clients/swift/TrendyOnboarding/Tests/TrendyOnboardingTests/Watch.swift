import Foundation
import Synchronization
import Testing

/// Ends a test that hangs: releases everything that it holds back, so that it goes on and fails.
///
/// A test of a deadline holds a response back, and waits for what the library does in spite of it. Where a rule is broken that
/// may never come, and the transports of these tests have no time limit of their own. So in a test in which nothing has moved
/// for some minutes the gates are removed, token refreshes return, and sleeps end; and the test fails, whatever comes of that.
final class Watch: Sendable {
    private struct State {
        var moves = 0
        var hasHung = false
        var releases: [@Sendable () async -> Void] = []
    }

    @TaskLocal static var current: Watch?

    /// The seconds without a move after which a test hangs.
    ///
    /// They are counted one by one: on a machine that is too busy to count them, they are longer. Under load a test may wait
    /// for some seconds until it gets a thread, and nothing moves in the meantime.
    let patience: Int
    private let state = Mutex(State())

    init(patience: Int) { self.patience = patience }

    var hasHung: Bool { state.withLock(\.hasHung) }

    /// Throws if the test has hung.
    static func check(_ what: @autoclosure () -> String) throws {
        guard let current, current.hasHung else { return }
        throw Hang(description: what())
    }

    /// Notes that the test is not stuck: a request was sent, or a wait has ended.
    static func move() { current?.state.withLock { $0.moves += 1 } }

    /// Adds what is to be done when the test hangs.
    static func onHang(_ release: @escaping @Sendable () async -> Void) {
        current?.state.withLock { $0.releases.append(release) }
    }

    /// Counts the seconds until the test has ended, or hangs.
    func patrol(_ name: String) async {
        guard await isStill() else { return }
        let releases = state.withLock { state in
            state.hasHung = true
            return state.releases
        }
        // Not waited for: where the main actor is blocked none of them ends.
        Task {
            for release in releases { await release() }
        }
        guard await isStill() else { return }
        // Nothing can end it: better no run than one that never ends.
        fatalError("a test hangs for good: \(name)")
    }

    /// Returns true when nothing has moved for long enough, and false when the test has ended.
    private func isStill() async -> Bool {
        var (moves, seconds) = (state.withLock(\.moves), 0)
        while seconds < patience {
            do { try await Task.sleep(for: .seconds(1)) } catch { return false }
            let now = state.withLock(\.moves)
            (moves, seconds) = (now, now == moves ? seconds + 1 : 0)
        }
        return true
    }
}

/// A wait for something that does not come.
struct Hang: Error, CustomStringConvertible {
    var description: String
}

/// Watches each test of a suite.
struct WatchTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true
    let patience: Int

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let watch = Watch(patience: patience)
        let patrol = Task { await watch.patrol(test.name) }
        defer { patrol.cancel() }
        try await Watch.$current.withValue(watch) { try await function() }
        if watch.hasHung { throw Hang(description: "nothing moved for \(patience) s until everything was released") }
    }
}

extension Trait where Self == WatchTrait {
    /// Fails a test that hangs, and lets the others go on.
    static var watched: WatchTrait { watched(patience: 120) }

    /// Fails a test in which nothing moves for that many seconds.
    static func watched(patience: Int) -> WatchTrait { WatchTrait(patience: patience) }
}
