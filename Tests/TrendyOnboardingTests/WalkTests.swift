import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// The random walk (Trendy contract, section 11.5).
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)))
struct WalkTests {
    nonisolated static let seeds: [UInt64] = {
        var generator = SeededGenerator.announced("T45")
        // Some that are the same every time, and some that are new.
        return Array(1...8) + (1...8).map { _ in generator.next() }
    }()

    @Test(arguments: seeds)
    func `T45 after a hundred steps over a lossy network the backend equals the cache`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let device = try await Device()
        // The backend's limiter would hold a frozen clock back for ever.
        try await device.world.set(["trendy": ["rateLimits": "off"]])
        let losses: [(Effect, Fault.Phase, Double)] = [
            (.connection(.empty), .before, 0.15), (.connection(.empty), .after, 0.15), (.status(500), .before, 0.1),
            (.body(.truncatedJSON), .after, 0.1), (.status(503, retryAfter: 2), .before, 0.05),
            (.status(429, retryAfter: 1), .before, 0.05),
        ]
        for (effect, phase, probability) in losses {
            let fault = Fault(effect, on: Match(.trendy), when: Fault.When(probability: probability), phase: phase)
            try await device.world.add(fault)
        }
        var dates: [OnboardingStep: Date] = [:]
        var permissions: [PermissionKind: PermissionStatus] = [:]
        var syncs: [Task<SyncResult, Never>] = []
        for _ in 1...100 {
            let service = device.service
            switch random.below(10) {
            case 0...2:
                let step = OnboardingStep.allCases[random.below(4)]
                service.markStepCompleted(step)
                if dates[step] == nil { dates[step] = device.service.now }
            case 3, 4:
                let kind = PermissionKind.allCases[random.below(3)]
                let status = PermissionStatus.allCases[random.below(4)]
                service.recordPermission(kind, status)
                permissions[kind] = status
            case 5: syncs.append(Task { await service.sync() })
            case 6: _ = await service.sync(timeout: .seconds(3))
            case 7: device.time.advance(by: .seconds(random.below(5)))
            case 8: await device.quiet()
            default:
                if random.below(4) == 0 {
                    // What the former process began ends with it.
                    for sync in syncs { _ = await sync.value }
                    syncs = []
                    await device.quiet()
                    device.restart()
                }
            }
        }
        for sync in syncs { _ = await sync.value }
        try await device.world.removeFaults()
        await device.quiet()
        // The pause of a 503 may still run.
        device.time.advance(by: .seconds(120))
        try await device.until { device.service.pause == nil }
        let result = await device.service.sync()
        await device.quiet()
        #expect(!device.service.hasPendingChanges, "seed \(seed)")
        #expect(!device.service.isSyncing, "seed \(seed)")
        #expect(device.transport.most == 1, "seed \(seed)")
        let record = try await device.record()
        let status = try #require(result.status)
        #expect(status == CachedOnboardingStatus(record, at: status.lastUpdatedAt), "seed \(seed)")
        #expect(device.service.readCachedStatus() == status, "seed \(seed)")
        #expect(record.welcomeCompletedAt == dates[.welcome], "seed \(seed)")
        #expect(record.authCompletedAt == dates[.auth], "seed \(seed)")
        let permissionsDate = [dates[.permissions], dates[.finish]].compactMap(\.self).min()
        #expect(record.permissionsCompletedAt == permissionsDate, "seed \(seed)")
        #expect(record.completed == (dates[.finish] != nil), "seed \(seed)")
        let answers = [record.notificationsStatus, record.healthkitStatus, record.locationStatus]
        #expect(answers == PermissionKind.allCases.map { permissions[$0]?.rawValue }, "seed \(seed)")
    }
}
