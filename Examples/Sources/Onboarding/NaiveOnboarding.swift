import Foundation
import TrendyOnboarding

/// A data layer as the plan first sketches it: short, plausible, and wrong in four places.
///
/// It has the library's transport, identity and sleeper, so that a test can put both into the same trouble.
@MainActor
public final class NaiveOnboarding {
    /// The status on the device.
    public private(set) var status: CachedOnboardingStatus?
    /// The lines that the developer sees.
    public private(set) var log: [String] = []

    private let transport: any OnboardingTransport
    private let identity: any OnboardingIdentity
    private let sleeper: any OnboardingSleeper
    private let now: Date
    private var pushes: [Task<Void, Never>] = []

    /// Creates the layer of a signed-in user.
    public init(
        transport: any OnboardingTransport,
        identity: any OnboardingIdentity,
        sleeper: any OnboardingSleeper,
        now: Date
    ) {
        self.transport = transport
        self.identity = identity
        self.sleeper = sleeper
        self.now = now
    }

    /// Records a step, and pushes it beside everything else.
    public func markStepCompleted(_ step: OnboardingStep) {
        var status = self.status ?? CachedOnboardingStatus(userId: identity.currentUserId ?? "", lastUpdatedAt: now)
        var request = UpdateOnboardingStatusRequest()
        switch step {
        case .welcome:
            status.welcomeCompletedAt = now
            request.welcomeCompletedAt = .set(now)
        case .auth:
            status.authCompletedAt = now
            request.authCompletedAt = .set(now)
        case .permissions:
            status.permissionsCompletedAt = now
            request.permissionsCompletedAt = .set(now)
        case .finish:
            status.completed = true
            request.completed = .set(true)
        }
        self.status = status
        let push = Task {
            do {
                _ = try await call(.patch, JSONEncoder().encode(request))
            } catch {
                // L4: nobody does.
                log.append("push failed, will retry")
            }
        }
        pushes.append(push)
    }

    /// Reads the record.
    public func syncFromBackend() async -> CachedOnboardingStatus? {
        do {
            let answer = try await call(.get)
            // L5: whatever the user did offline is gone. L7: the answer may be older than a push that is confirmed.
            status = CachedOnboardingStatus(answer, at: now)
        } catch {
            log.append("sync failed")
        }
        return status
    }

    /// Reads the record, and gives up after a time.
    public func syncFromBackend(timeout: Duration) async -> CachedOnboardingStatus? {
        let sleeper = sleeper
        return await withTaskGroup(of: CachedOnboardingStatus?.self) { group in
            group.addTask { await self.syncFromBackend() }
            group.addTask {
                try? await sleeper.sleep(for: timeout)
                return await self.status
            }
            let first = await group.next() ?? nil
            // L8: a group waits for its children, cancelled or not.
            group.cancelAll()
            return first
        }
    }

    /// Waits for the pushes so far.
    public func waitForPushes() async {
        for push in pushes { await push.value }
    }

    private struct Refused: Error {}

    private func call(_ method: OnboardingRequest.Method, _ body: Data? = nil) async throws -> APIOnboardingStatus {
        let token = try await identity.accessToken(for: identity.currentUserId ?? "")
        let request = OnboardingRequest(
            method: method,
            path: "/api/v1/users/onboarding",
            headers: ["Authorization": "Bearer \(token)", "Content-Type": "application/json"],
            body: body
        )
        let response = try await transport.send(request)
        guard response.status == 200 else { throw Refused() }
        return try JSONDecoder().decode(APIOnboardingStatus.self, from: response.body)
    }
}
