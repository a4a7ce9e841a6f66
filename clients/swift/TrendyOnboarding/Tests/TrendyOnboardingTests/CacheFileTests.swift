import Foundation
import Testing
import UnderstudyTesting

@testable import TrendyOnboarding

/// Days on which a file of the cache is broken.
@MainActor
@Suite(.understudy(clock: .frozen(at: noon)), .watched)
struct CacheFileTests {
    private let folder = StoreTests.folder()

    enum Damage: CaseIterable {
        case emptied, cut, zeroed, newer

        func damage(_ data: Data) -> Data {
            switch self {
            case .emptied: Data()
            case .cut: data.prefix(data.count / 2)
            case .zeroed: Data(count: data.count)
            case .newer: Data(#"{"version":9,"records":[{"form":"unknown"}]}"#.utf8)
            }
        }
    }

    @Test(arguments: Damage.allCases, ["onboarding_status_", "onboarding_pending_"])
    func `a damaged file costs no step, and heals with the next sync`(damage: Damage, prefix: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = try await Device(store: FileStore(folder: folder))
        device.transport.isOffline = true
        device.service.markStepCompleted(.welcome)
        device.service.markStepCompleted(.auth)
        await device.quiet()
        let file = folder.appendingPathComponent(prefix + Account.new.id)
        try damage.damage(Data(contentsOf: file)).write(to: file)
        device.restart()
        expectEqual(device.service.currentStatus?.step, .permissions)
        #expect(device.service.hasPendingChanges)
        device.transport.isOffline = false
        await expectEqual(device.service.sync().status?.step, .permissions)
        #expect(!device.service.hasPendingChanges)
        expectNil(device.service.lastStoreError)
        let record = try await device.record()
        #expect((record.welcomeCompletedAt, record.authCompletedAt) == (noon, noon))
        expectEqual(device.service.cache.read(Account.new.id)?.step, .permissions)
    }

    @Test func `what a write that was cut off has left is no entry`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = try await Device(.welcome, store: FileStore(folder: folder))
        _ = await device.service.sync()
        for name in [".dat.nosync0a1b.Xy3Zq4", "onboarding_status_x.tmp", "notes.txt", "%", "onboarding_status_%zz"] {
            try Data("{".utf8).write(to: folder.appendingPathComponent(name))
        }
        device.restart()
        expectEqual(device.service.currentStatus?.step, .auth)
        try expectEqual(device.store.keys(withPrefix: ""), ["onboarding_status_\(Account.welcome.id)"])
        try device.service.cache.clearAll()
        try expectEqual(device.store.keys(withPrefix: ""), [])
    }
}
