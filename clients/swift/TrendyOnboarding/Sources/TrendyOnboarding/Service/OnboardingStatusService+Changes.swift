import Foundation

/// Changes that the user makes: shown and stored at once, then pushed.
extension OnboardingStatusService {
    /// Records that a step is done.
    ///
    /// A step that is done already keeps its date, and nothing is sent. ``OnboardingStep/finish`` completes onboarding, and
    /// dates the permissions if they have no date. No step undoes the completion.
    ///
    /// ```swift
    /// service.markStepCompleted(.welcome)
    /// route(by: service.currentStatus)
    /// ```
    public func markStepCompleted(_ step: OnboardingStep) {
        guard let user else { return }
        let date = now
        change(user, at: date) { status in
            var request = UpdateOnboardingStatusRequest()
            switch step {
            case .welcome:
                if status?.welcomeCompletedAt == nil { request.welcomeCompletedAt = .set(date) }
            case .auth:
                if status?.authCompletedAt == nil { request.authCompletedAt = .set(date) }
            case .permissions:
                if status?.permissionsCompletedAt == nil { request.permissionsCompletedAt = .set(date) }
            case .finish:
                if status?.completed != true { request.completed = .set(true) }
                if status?.permissionsCompletedAt == nil { request.permissionsCompletedAt = .set(date) }
            }
            return request
        }
    }

    /// Completes onboarding, as ``markStepCompleted(_:)`` does with the last step.
    ///
    /// ```swift
    /// service.completeOnboarding()
    /// screens.showMainScreen()
    /// ```
    public func completeOnboarding() { markStepCompleted(.finish) }

    /// Records the user's answer to a request for a permission, with its date; a later answer replaces an earlier one.
    ///
    /// The answers are sent, but not kept in the cache: while the device is offline its own settings have them.
    ///
    /// ```swift
    /// service.recordPermission(.notifications, isGranted ? .granted : .denied)
    /// service.markStepCompleted(.permissions)
    /// ```
    public func recordPermission(_ kind: PermissionKind, _ status: PermissionStatus) {
        guard let user else { return }
        let date = now
        var request = UpdateOnboardingStatusRequest()
        switch kind {
        case .notifications:
            request.notificationsStatus = .set(status)
            request.notificationsCompletedAt = .set(date)
        case .healthKit:
            request.healthkitStatus = .set(status)
            request.healthkitCompletedAt = .set(date)
        case .location:
            request.locationStatus = .set(status)
            request.locationCompletedAt = .set(date)
        }
        change(user, at: date) { _ in request }
    }

    /// Applies any change of the record, as the calls for steps and permissions do; an empty request is not sent.
    ///
    /// ```swift
    /// var request = UpdateOnboardingStatusRequest()
    /// request.locationStatus = .clear
    /// service.push(request)
    /// ```
    public func push(_ request: UpdateOnboardingStatusRequest) {
        guard let user else { return }
        change(user, at: now) { _ in request }
    }

    /// Takes what a change makes of the present status; without a change nothing happens.
    private func change(
        _ user: String,
        at date: Date,
        _ change: @escaping (CachedOnboardingStatus?) -> UpdateOnboardingStatusRequest
    ) {
        let token = UUID().uuidString
        let isChanged = book.update(user) { records in
            let request = change(records.status)
            guard !request.isEmpty else { return false }
            records.take(request, token: token, at: date)
            return true
        }
        show(user)
        if isChanged { startPush(user) }
    }
}
