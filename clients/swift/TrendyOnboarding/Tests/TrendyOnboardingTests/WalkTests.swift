import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// The random walk (Trendy contract, section 11.5).
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct WalkTests {
    nonisolated static let seeds: [UInt64] = {
        var generator = SeededGenerator.announced("T45")
        // Some that are the same every time, and some that are new.
        return Array(1...8) + (1...8).map { _ in generator.next() }
    }()

    @Test(arguments: seeds)
    func `T45 after a hundred steps over a lossy network the backend equals the cache`(seed: UInt64) async throws {
        try await walk(seed, [.new])
    }

    @Test(arguments: seeds)
    func `T45 a hundred steps with resets among them lose nothing`(seed: UInt64) async throws {
        try await walk(seed, [.new], resets: true)
    }

    @Test(arguments: seeds)
    func `T45 a hundred steps of two users who take turns at one device lose nothing and mix nothing`(
        seed: UInt64
    ) async throws {
        try await walk(seed, [.new, .second], resets: true)
    }

    /// Does a hundred things at random over a network that loses requests and answers, and then compares both sides.
    private func walk(_ seed: UInt64, _ accounts: [Account], resets: Bool = false) async throws {
        var random = SeededGenerator(seed: seed)
        let device = try await Device(accounts[0])
        for account in accounts { _ = try await device.record(.delete, of: account) }
        try await lose(device.world, resets: resets)
        var users = accounts.map(WalkedUser.init)
        var place = 0
        var syncs: [Task<SyncResult, Never>] = []
        for _ in 1...100 {
            let service = device.service
            switch random.below(12) {
            case 0...2: users[place].mark(OnboardingStep.allCases[random.below(4)], service)
            case 3, 4:
                let status = PermissionStatus.allCases[random.below(4)]
                users[place].answer(PermissionKind.allCases[random.below(3)], status, service)
            case 5: syncs.append(Task { await service.sync() })
            case 6: _ = await service.sync(timeout: .seconds(3))
            case 7: device.time.advance(by: .seconds(random.below(5)))
            case 8: await device.quiet()
            case 9 where resets && random.below(3) == 0:
                // Nothing is on its way, so what waits is what the reset drops.
                await device.quiet()
                let waiting = service.book.records(of: users[place].account.id).pending.request
                if (try? await service.resetOnboarding()) != nil { users[place].reset(waiting: waiting) }
            case 10 where users.count > 1:
                if random.below(2) == 0 { service.handleLogout() }
                place = random.below(users.count)
                try await device.signIn(users[place].account)
            default:
                guard random.below(4) == 0 else { continue }
                // What the former process began ends with it.
                for sync in syncs { _ = await sync.value }
                syncs = []
                await device.quiet()
                device.restart()
            }
            // Whatever has arrived meanwhile: only what the present user has done is shown.
            let shown = device.service.currentStatus?.userId
            #expect(shown == nil || shown == users[place].account.id, "seed \(seed)")
        }
        for sync in syncs { _ = await sync.value }
        try await device.world.removeFaults()
        for user in users { try await settle(device, user, seed) }
        // Each lane has sent one request at a time.
        #expect(device.transport.most <= users.count, "seed \(seed)")
    }

    /// Makes the network lossy.
    private func lose(_ world: World, resets: Bool) async throws {
        // The backend's limiter would hold a frozen clock back for ever.
        try await world.set(["trendy": ["rateLimits": "off"]])
        let losses: [(Effect, Fault.Phase, Double)] = [
            (.connection(.empty), .before, 0.15), (.connection(.empty), .after, 0.15), (.status(500), .before, 0.1),
            (.body(.truncatedJSON), .after, 0.1), (.status(503, retryAfter: 2), .before, 0.05),
            (.status(429, retryAfter: 1), .before, 0.05),
        ]
        // A reset whose answer is lost has a test of its own: here one that fails has changed nothing.
        let methods = resets ? ["GET", "PATCH", "DELETE"] : ["GET", "PATCH"]
        for (effect, phase, probability) in losses {
            for method in methods where method != "DELETE" || phase == .before {
                let match = Match(.trendy, method, onboarding)
                let fault = Fault(effect, on: match, when: Fault.When(probability: probability), phase: phase)
                try await world.add(fault)
            }
        }
    }

    /// Lets everything of a user arrive, and compares device and backend.
    private func settle(_ device: Device, _ user: WalkedUser, _ seed: UInt64) async throws {
        try await device.signIn(user.account)
        await device.quiet()
        // The pause of a 503 may still run.
        device.time.advance(by: .seconds(120))
        try await device.until { device.service.pause == nil }
        let result = await device.service.sync()
        await device.quiet()
        #expect(!device.service.hasPendingChanges, "seed \(seed)")
        #expect(!device.service.isSyncing, "seed \(seed)")
        let record = try await device.record(of: user.account)
        let status = try #require(result.status)
        expectEqual(status, CachedOnboardingStatus(record, at: status.lastUpdatedAt), "seed \(seed)")
        expectEqual(device.service.readCachedStatus(), status, "seed \(seed)")
        expectEqual(device.service.currentStatus, status, "seed \(seed)")
        user.check(record, seed)
    }
}
