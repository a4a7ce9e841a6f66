import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// The library as the report of conduct judges it (conduct contract, sections 4 and 7).
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct OnboardingConductTests {
    /// The rules of this endpoint; one is left out, as it measures machine time, which a busy machine stretches.
    private static let rules =
        ["auth/*", "retry/*", "write/*", "body/*", "url/*", "privacy/*", "head/*"]
        + [
            "sends-only-changes", "pushes-until-they-arrive", "completes-once", "known-permissions", "dates-in-utc",
            "reads-status-once", "reads-before-writing",
        ].map { "trendy/\($0)" }

    /// Those whose situation this day has.
    private static let exercised = [
        "auth/repeat-after-401", "retry/retry-after-ignored", "retry/no-backoff", "retry/unbounded",
        "retry/refusal-repeated", "write/overlapping", "body/type-missing", "trendy/sends-only-changes",
        "trendy/pushes-until-they-arrive", "trendy/completes-once", "trendy/known-permissions", "trendy/dates-in-utc",
    ]

    /// Lets time pass on the device and at the backend, up to a retry that is due then.
    private func pass(_ seconds: Int, on device: Device) async throws {
        try await device.time.waitForSleep(of: .seconds(seconds))
        let sent = device.transport.sent.count
        try await device.world.advance(by: .seconds(seconds))
        device.time.advance(by: .seconds(seconds))
        try await device.until { device.transport.sent.count > sent }
    }

    @Test func `the report has nothing to say of a day on which everything goes wrong`() async throws {
        let device = try await Device()
        let (service, world) = (device.service, device.world)
        // The pauses are the test's: a library that knows an answer is held to it at once.
        try await world.set(["conduct": ["graceMs": 0]])
        _ = await service.sync()
        service.markStepCompleted(.welcome)
        await device.quiet()
        // A backend in trouble, and then an answer that is lost.
        try await world.fail(.status(500), on: change, times: 3)
        service.markStepCompleted(.auth)
        for pause in [1, 2, 4] { try await pass(pause, on: device) }
        try await device.until { !service.hasPendingChanges }
        try await world.fail(.connection(.empty), on: change, times: 1, phase: .after)
        service.recordPermission(.notifications, .granted)
        try await pass(1, on: device)
        try await device.until { !service.hasPendingChanges }
        // Too many calls.
        try await world.fail(.status(429, retryAfter: 60), on: change, times: 1)
        service.recordPermission(.healthKit, .skipped)
        try await pass(60, on: device)
        try await device.until { !service.hasPendingChanges }
        // A token that has expired: nothing is sent before there is another one.
        try await world.fail(.tokens(.expire), on: change, times: 1)
        service.markStepCompleted(.permissions)
        await device.quiet()
        _ = await service.sync()
        try await device.signIn(.new)
        _ = await service.sync()
        // A change that the backend refuses, and the last steps.
        try await world.fail(.status(422), on: change, times: 1)
        service.recordPermission(.location, .notRequested)
        await device.quiet()
        service.completeOnboarding()
        service.completeOnboarding()
        await device.quiet()
        try await service.resetOnboarding()
        _ = await service.sync()
        let report = try await world.conduct(rules: Self.rules)
        report.verify(.warning)
        #expect(report.isPass)
        for rule in Self.exercised {
            expectEqual(report.rules.first { $0.id == rule }?.status, .passed, "\(rule)")
        }
    }
}
