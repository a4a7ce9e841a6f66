import Foundation

#if canImport(Observation)
public import Observation
#endif

/// The onboarding status of the signed-in user: stored on the device, changed at once, and sent to the backend in order.
///
/// A change shows at once, is stored before it is sent, and stays among the pending changes until the backend has confirmed
/// it. A sync returns the backend's record with the pending changes applied on top. All network work of a user runs one task
/// at a time, in the order in which it was requested.
///
/// ```swift
/// let service = OnboardingStatusService(
///     transport: URLSessionTransport(baseURL: backend),
///     identity: session,
///     store: FileStore(folder: try FileStore.defaultFolder())
/// )
/// ```
///
/// At launch it has a cached status at once, and a fresh one within three seconds:
///
/// ```swift
/// let known = service.readCachedStatus()
/// let result = await service.sync(timeout: .seconds(3))
/// ```
@MainActor
public final class OnboardingStatusService {
    /// The cache over the service's store, for reads from any thread.
    ///
    /// ```swift
    /// let isFirstLaunch = !service.cache.hasAnyUserCompletedOnboarding()
    /// ```
    public nonisolated let cache: OnboardingCache

    let endpoint: OnboardingEndpoint
    let identity: any OnboardingIdentity
    let clock: any OnboardingClock
    let sleeper: any OnboardingSleeper
    let book: RecordCache
    let shown = ObservedStates()
    var lanes: [String: Lane] = [:]
    var attempts: [SyncAttempt] = []
    /// The users whose record is about to be reset, with the number of resets that wait or run.
    var resets: [String: Int] = [:]
    /// The answers that callers of resets wait for, with the users.
    var resetAnswers: [(user: String, answer: OneAnswer<Result<Void, OnboardingError>>)] = []
    var retries: [String: Retry] = [:]
    /// The token of each user that the backend has refused since the last change of the identity.
    var refusedTokens: [String: String] = [:]
    /// The number of sign-outs so far: work of an earlier session ends without a trace.
    var session = 0
    /// The user whom the identity still named at the last sign-out; nothing is shown of them before the next call.
    var signedOut: String?
    /// The pause that the backend has asked for.
    var pause: Pause?

    /// Creates a service, which shows what the cache has of the signed-in user.
    ///
    /// One service per process is enough; several, and those of other processes, may share a store.
    ///
    /// ```swift
    /// let service = OnboardingStatusService(
    ///     transport: URLSessionTransport(baseURL: backend),
    ///     identity: session,
    ///     store: FileStore(folder: try FileStore.defaultFolder())
    /// )
    /// ```
    public init(
        transport: any OnboardingTransport,
        identity: any OnboardingIdentity,
        store: any KeyValueStore,
        clock: any OnboardingClock = SystemClock(),
        sleeper: any OnboardingSleeper = SystemSleeper()
    ) {
        endpoint = OnboardingEndpoint(transport: transport)
        self.identity = identity
        self.clock = clock
        self.sleeper = sleeper
        cache = OnboardingCache(store: store)
        book = RecordCache(store: store)
        if let user { show(user) }
    }

    // MARK: What is shown

    /// The status of the signed-in user as it was last read, changed or synced; nil after ``handleLogout()``.
    ///
    /// ```swift
    /// guard let status = service.currentStatus else { return screens.showSignIn() }
    /// route(by: status)
    /// ```
    public var currentStatus: CachedOnboardingStatus? { shownState?.status }

    /// True while a sync of the signed-in user runs or waits for its turn.
    ///
    /// ```swift
    /// screens.showProgress(service.isSyncing)
    /// ```
    public var isSyncing: Bool { (shownState?.runningSyncs ?? 0) > 0 }

    /// The reason why the last sync or push of the signed-in user failed; nil after a success.
    ///
    /// ```swift
    /// if service.lastSyncError == .unauthorized { screens.showSignIn() }
    /// ```
    public var lastSyncError: OnboardingError? { shownState?.lastSyncError }

    /// True while the backend has not confirmed every change of the signed-in user.
    ///
    /// ```swift
    /// screens.showHint(service.hasPendingChanges ? "Your answers are sent when there is a network." : nil)
    /// ```
    public var hasPendingChanges: Bool { shownState?.hasPendingChanges ?? false }

    /// The reason why the store did not accept the last change of the signed-in user; nil if it did.
    ///
    /// Until the store accepts it, the change is kept in memory and sent like any other.
    ///
    /// ```swift
    /// if let error = service.lastStoreError { log("onboarding is not on disk yet: \(error)") }
    /// ```
    public var lastStoreError: StoreError? { shownState?.lastStoreError }

    /// A user who has signed in since the last call is shown as the store has them.
    private var shownState: ShownState? {
        guard let user, !isSignedOut(user) else { return nil }
        return shown.users[user] ?? stored(user, ShownState())
    }

    // MARK: The cache

    /// Returns the cached status of the signed-in user at once; nil without a user.
    ///
    /// ```swift
    /// let known = service.readCachedStatus()
    /// if let step = known?.step { screens.show(step) }
    /// ```
    public func readCachedStatus() -> CachedOnboardingStatus? { user.flatMap { book.records(of: $0).status } }

    /// Tells whether the signed-in user has completed onboarding, as far as the device knows.
    ///
    /// ```swift
    /// if service.isOnboardingComplete() { screens.showMainScreen() }
    /// ```
    public func isOnboardingComplete() -> Bool { readCachedStatus()?.completed ?? false }

    // MARK: The user

    /// Cancels all running work, and clears the shown status; the cache, pending changes and the device's flag stay.
    ///
    /// ```swift
    /// service.handleLogout()
    /// screens.showSignIn()
    /// ```
    public func handleLogout() {
        session += 1
        for attempt in attempts { attempt.end(.notAuthenticated) }
        for reset in resetAnswers { reset.answer.give(.failure(.cancelled)) }
        for lane in lanes.values { lane.cancel() }
        for user in retries.keys { retries[user]?.stop() }
        // The next sign-in is a change of the identity, whatever token it brings.
        refusedTokens = [:]
        shown.users = [:]
        signedOut = user
    }

    /// Removes everything that the device has of an account, pending changes included; the device's flag stays.
    ///
    /// ```swift
    /// try await account.delete(userId)
    /// service.handleAccountDeleted(userId)
    /// ```
    public func handleAccountDeleted(_ userId: String) {
        let user = userId.lowercased()
        guard !user.isEmpty else { return }
        for attempt in attempts where attempt.user == user { attempt.end(.notAuthenticated) }
        for reset in resetAnswers where reset.user == user { reset.answer.give(.failure(.cancelled)) }
        lanes[user]?.cancel()
        retries[user]?.stop()
        refusedTokens[user] = nil
        shown.users[user] = nil
        book.erase(user)
    }

    /// Waits until all network work that runs now has ended, such as the push after a step, and everything is stored.
    ///
    /// An app that enters the background awaits it within its background task, and an extension before it ends. Retries
    /// are not waited for, and neither is a disk that is full.
    ///
    /// ```swift
    /// func sceneDidEnterBackground() async {
    ///     await service.waitForRunningWork()
    /// }
    /// ```
    public func waitForRunningWork() async {
        while let lane = lanes.values.first(where: { !$0.isIdle }) { await lane.waitUntilIdle() }
        // Another process holds the store for a moment only; one that is stuck must not hold this one.
        for _ in 1...Self.storeAttempts {
            guard !book.save(), book.isBusy else { break }
            await Task.yield()
        }
        if let user, !isSignedOut(user) { show(user) }
    }

    /// The number of times that what another process kept from being stored is tried again.
    static let storeAttempts = 100

    // MARK: For the other parts

    /// The id of the signed-in user in lower case; nil if nobody is signed in.
    var user: String? { identity.currentUserId.flatMap { $0.isEmpty ? nil : $0.lowercased() } }

    /// The present moment, in whole seconds as the backend keeps them.
    var now: Date { WireDate.whole(clock.now) }

    func lane(_ user: String) -> Lane {
        if let lane = lanes[user] { return lane }
        let lane = Lane()
        lanes[user] = lane
        return lane
    }

    /// Shows what the book has of a user.
    func show(_ user: String) {
        change(user) { $0 = stored(user, $0) }
    }

    /// Tells whether a user has signed out and made no call since, though the identity may still name them.
    func isSignedOut(_ user: String) -> Bool { user == signedOut && shown.users[user] == nil }

    /// Returns a state with what the book has of a user.
    private func stored(_ user: String, _ state: ShownState) -> ShownState {
        let records = book.records(of: user)
        var state = state
        state.status = records.status
        state.hasPendingChanges = !records.pending.isEmpty
        state.lastStoreError = book.error(of: user)
        return state
    }

    /// Changes what is shown of a user, now or at the next sign-in; nothing of one who has signed out.
    func change(_ user: String, _ change: (inout ShownState) -> Void) {
        guard user == self.user || shown.users[user] != nil else { return }
        var state = shown.users[user] ?? ShownState()
        change(&state)
        if state != shown.users[user] { shown.users[user] = state }
    }
}

#if canImport(Observation)
/// Its state lies in an observable object, so views that read it are updated.
extension OnboardingStatusService: nonisolated Observable {}
#endif
