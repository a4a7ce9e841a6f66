/// The signed-in user, as reported by the app's sign-in library.
///
/// ```swift
/// struct Session: OnboardingIdentity {
///     let library: any SignInLibrary
///
///     var currentUserId: String? { library.user?.id.uuidString }
///
///     func accessToken(for userId: String) async throws -> String {
///         try await library.freshAccessToken()
///     }
/// }
/// ```
public protocol OnboardingIdentity: Sendable {
    /// The id of the signed-in user, in any case; nil if nobody is signed in.
    ///
    /// It is a property and answers at once, from what the sign-in library has in memory.
    var currentUserId: String? { get }

    /// Returns a valid access token of a user, refreshed if need be; throws if there is none.
    ///
    /// A token that the backend has refused is not sent again before a sign-out or another user's call, so a refresh has to
    /// bring another.
    func accessToken(for userId: String) async throws -> String
}
