/// The result of a sync: a fresh status, or what is known without one.
///
/// ```swift
/// switch await service.sync(timeout: .seconds(3)) {
/// case .fresh(let status): route(by: status)
/// case .stale(let status, _): route(by: status)  // nil on the first launch without a network
/// case .notAuthenticated: screens.showSignIn()
/// }
/// ```
public enum SyncResult: Hashable, Sendable {
    /// The backend's answer, with the changes that it has not confirmed laid over it.
    case fresh(CachedOnboardingStatus)
    /// The status as the device has it, nil if it has none, and the reason.
    case stale(CachedOnboardingStatus?, OnboardingError)
    /// The lack of a user: nobody is signed in, or another one has signed in meanwhile.
    case notAuthenticated

    /// The status, fresh or stale.
    public var status: CachedOnboardingStatus? {
        switch self {
        case .fresh(let status): status
        case .stale(let status, _): status
        case .notAuthenticated: nil
        }
    }
}
