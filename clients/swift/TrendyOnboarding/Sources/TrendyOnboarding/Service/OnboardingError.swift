/// The reason why the backend could not be reached, rejected a change, or gave no usable response.
///
/// ```swift
/// func text(_ error: OnboardingError) -> String? {
///     switch error {
///     case .network, .timedOut, .pausing: "No connection. Your answers are kept."
///     case .unauthorized, .notAuthenticated, .noCredential: "Please sign in again."
///     case .refused(_, let message): message
///     case .cancelled, .unreadableAnswer, .answerOfAnotherUser: nil
///     }
/// }
/// ```
public enum OnboardingError: Error, Hashable, Sendable {
    /// The lack of a user: nobody is signed in, or another one has signed in meanwhile.
    case notAuthenticated
    /// An answer that did not come in time.
    case timedOut
    /// A cancellation by the caller, or by a sign-out.
    case cancelled
    /// A request without a response.
    case network(reason: String)
    /// A sign-in library that gave no access token.
    case noCredential(reason: String)
    /// An access token that the backend refused; nothing is sent until there is another one, or a sign-in.
    case unauthorized
    /// A pause that the backend asked for, and that has not ended.
    case pausing
    /// A status other than success and 401, with the backend's text if it gave one.
    case refused(status: Int, message: String?)
    /// A success whose content is no onboarding record.
    case unreadableAnswer(reason: String)
    /// An answer about another user, which was not stored.
    case answerOfAnotherUser
}
