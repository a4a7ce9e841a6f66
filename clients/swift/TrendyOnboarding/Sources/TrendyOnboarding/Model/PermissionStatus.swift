/// The user's answer to a request for a permission.
///
/// "Never asked" is the absence of a status, and not ``notRequested``.
///
/// ```swift
/// let status: PermissionStatus = isAsked ? (isGranted ? .granted : .denied) : .notRequested
/// service.recordPermission(.location, status)
/// ```
public enum PermissionStatus: String, CaseIterable, Codable, Hashable, Sendable {
    /// The user agreed.
    case granted
    /// The user refused.
    case denied
    /// The user put the answer off.
    case skipped
    /// The app decided not to ask.
    case notRequested = "not_requested"
}

/// A permission that onboarding asks for.
///
/// ```swift
/// for kind in PermissionKind.allCases { service.recordPermission(kind, .skipped) }
/// ```
public enum PermissionKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// Notifications.
    case notifications
    /// Health data.
    case healthKit = "healthkit"
    /// The location.
    case location
}
