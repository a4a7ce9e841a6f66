import TrendyOnboarding

// The examples of the service's calls and of what it shows.

extension Launch {
    func isFirstLaunch() -> Bool {
        let isFirstLaunch = !service.cache.hasAnyUserCompletedOnboarding()
        return isFirstLaunch
    }

    func showStatus() {
        guard let status = service.currentStatus else { return screens.showSignIn() }
        route(by: status)
    }

    func showTheRest() {
        screens.showProgress(service.isSyncing)
        if service.lastSyncError == .unauthorized { screens.showSignIn() }
        screens.showHint(service.hasPendingChanges ? "Your answers are sent when there is a network." : nil)
        if let error = service.lastStoreError { log("onboarding is not on disk yet: \(error)") }
    }

    func showKnown() {
        let known = service.readCachedStatus()
        if let step = known?.step { screens.show(step) }
        if service.isOnboardingComplete() { screens.showMainScreen() }
    }

    func delete(_ account: any Account, of userId: String) async throws {
        try await account.delete(userId)
        service.handleAccountDeleted(userId)
    }

    func sceneDidEnterBackground() async {
        await service.waitForRunningWork()
    }

    func refresh() async {
        if case .stale(_, let error) = await service.sync() { log("could not refresh: \(error)") }
    }

    func startInTime() async {
        let status = await service.sync(timeout: .seconds(3)).status
        route(by: status)
    }

    func finish() {
        service.completeOnboarding()
        screens.showMainScreen()
    }

    func answerLocation(isAsked: Bool, isGranted: Bool) {
        let status: PermissionStatus = isAsked ? (isGranted ? .granted : .denied) : .notRequested
        service.recordPermission(.location, status)
    }

    func skipPermissions() {
        for kind in PermissionKind.allCases { service.recordPermission(kind, .skipped) }
    }
}

func text(_ error: OnboardingError) -> String? {
    switch error {
    case .network, .timedOut, .pausing: "No connection. Your answers are kept."
    case .unauthorized, .notAuthenticated, .noCredential: "Please sign in again."
    case .refused(_, let message): message
    case .cancelled, .unreadableAnswer, .answerOfAnotherUser: nil
    }
}

func title(_ step: OnboardingStep) -> String {
    switch step {
    case .welcome: "Welcome"
    case .auth: "Sign in"
    case .permissions: "What Trendy may do"
    case .finish: "Ready"
    }
}

func location(in request: UpdateOnboardingStatusRequest) -> String {
    switch request.locationStatus {
    case .leave: return "as it was"
    case .set(let status): return status.rawValue
    case .clear: return "never asked"
    }
}
