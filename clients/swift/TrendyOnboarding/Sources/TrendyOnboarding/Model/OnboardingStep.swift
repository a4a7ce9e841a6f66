public import Foundation

/// A step of onboarding that the backend has a record of.
///
/// An app with further steps of its own keeps them outside this type.
///
/// ```swift
/// func title(_ step: OnboardingStep) -> String {
///     switch step {
///     case .welcome: "Welcome"
///     case .auth: "Sign in"
///     case .permissions: "What Trendy may do"
///     case .finish: "Ready"
///     }
/// }
/// ```
public enum OnboardingStep: String, CaseIterable, Codable, Hashable, Sendable {
    /// The greeting.
    case welcome
    /// The sign-in.
    case auth
    /// The permissions.
    case permissions
    /// The last screen, which ends onboarding.
    case finish

    /// Returns the step that the user is at, by what is done; nil when onboarding is complete.
    ///
    /// Answers of the backend and local changes use this one function, so they never disagree.
    ///
    /// ```swift
    /// let step = OnboardingStep.current(completed: false, welcome: date, auth: nil, permissions: nil)  // .auth
    /// ```
    public static func current(completed: Bool, welcome: Date?, auth: Date?, permissions: Date?) -> OnboardingStep? {
        if completed { return nil }
        if permissions != nil { return .finish }
        if auth != nil { return .permissions }
        return welcome == nil ? .welcome : .auth
    }
}
