#if canImport(Observation)
import Observation
#endif

/// The state that is shown of one user.
struct ShownState: Equatable, Sendable {
    var status: CachedOnboardingStatus?
    var runningSyncs = 0
    var lastSyncError: OnboardingError?
    var hasPendingChanges = false
    var lastStoreError: StoreError?
}

/// The states that are shown, one for each user, observable where there is Observation.
///
/// It is kept by user, so that what belongs to one is never shown to another, whatever arrives when.
#if canImport(Observation)
@Observable
#endif
@MainActor
final class ObservedStates {
    var users: [String: ShownState] = [:]
}
