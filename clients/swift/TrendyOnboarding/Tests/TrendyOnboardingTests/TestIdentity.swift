import Foundation
import Synchronization
import TrendyOnboarding

/// A sign-in library whose user, token and speed a test chooses.
final class TestIdentity: OnboardingIdentity {
    private struct State {
        var userId: String?
        var tokens: [String: String] = [:]
        var isStuck = false
        var asked = 0
        var stuck: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var currentUserId: String? { state.withLock(\.userId) }
    /// The number of times that a token was asked for.
    var asked: Int { state.withLock(\.asked) }

    func signIn(_ userId: String?, token: String? = nil) {
        state.withLock { state in
            state.userId = userId
            if let userId, let token { state.tokens[userId.lowercased()] = token }
        }
    }

    /// From now on no token comes, whatever is cancelled, until `free()`.
    func stick() { state.withLock { $0.isStuck = true } }

    func free() {
        let stuck = state.withLock { state in
            state.isStuck = false
            defer { state.stuck = [] }
            return state.stuck
        }
        for continuation in stuck { continuation.resume() }
    }

    struct NoToken: Error {}

    func accessToken(for userId: String) async throws -> String {
        state.withLock { $0.asked += 1 }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state in
                if state.isStuck { state.stuck.append(continuation) }
                return !state.isStuck
            }
            if goesOn { continuation.resume() }
        }
        guard let token = state.withLock({ $0.tokens[userId] }) else { throw NoToken() }
        return token
    }
}
