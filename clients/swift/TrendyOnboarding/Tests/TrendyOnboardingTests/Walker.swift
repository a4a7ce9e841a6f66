import Foundation
import Testing
import UnderstudyServer

@testable import TrendyOnboarding

/// A user who does at random what an app can do, and the record that must come of it.
@MainActor
struct WalkedUser {
    let account: Account
    /// The first dates of the steps since the last reset.
    var dates: [OnboardingStep: Date] = [:]
    /// The last answers that nothing may lose.
    var answers: [PermissionKind: PermissionStatus] = [:]
    /// The answers that a reset has dropped on their way: the backend may have got them or not.
    var dropped: [PermissionKind: Set<PermissionStatus?>] = [:]

    init(_ account: Account) { self.account = account }

    mutating func mark(_ step: OnboardingStep, _ service: OnboardingStatusService) {
        service.markStepCompleted(step)
        if dates[step] == nil { dates[step] = service.now }
    }

    mutating func answer(_ kind: PermissionKind, _ status: PermissionStatus, _ service: OnboardingStatusService) {
        service.recordPermission(kind, status)
        answers[kind] = status
        // A reset may drop the next ones, and the backend then has any of these.
        dropped[kind, default: [nil]].insert(status)
    }

    /// Notes a reset that has succeeded: the steps are open again, and answers that were waiting may be lost.
    mutating func reset(waiting: UpdateOnboardingStatusRequest) {
        dates = [:]
        let changes: [(PermissionKind, MemberChange<PermissionStatus>)] = [
            (.notifications, waiting.notificationsStatus), (.healthKit, waiting.healthkitStatus),
            (.location, waiting.locationStatus),
        ]
        for (kind, change) in changes where change != .leave { answers[kind] = nil }
    }

    /// Compares the record that the backend has with what the user did.
    func check(_ record: APIOnboardingStatus, _ seed: UInt64) {
        expectEqual(record.welcomeCompletedAt, dates[.welcome], "seed \(seed)")
        expectEqual(record.authCompletedAt, dates[.auth], "seed \(seed)")
        let permissionsDate = [dates[.permissions], dates[.finish]].compactMap(\.self).min()
        expectEqual(record.permissionsCompletedAt, permissionsDate, "seed \(seed)")
        expectEqual(record.completed, dates[.finish] != nil, "seed \(seed)")
        let statuses = [record.notificationsStatus, record.healthkitStatus, record.locationStatus]
        for (kind, status) in zip([PermissionKind.notifications, .healthKit, .location], statuses) {
            if let answer = answers[kind] {
                expectEqual(status, answer.rawValue, "seed \(seed)")
            } else {
                #expect((dropped[kind] ?? [nil]).contains { $0?.rawValue == status }, "seed \(seed)")
            }
        }
    }
}
