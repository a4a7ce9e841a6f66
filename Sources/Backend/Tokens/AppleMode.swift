/// The values of the switch `apple.mode`, with which every API that has a sign-in with Apple checks identity tokens.
package enum AppleMode: String, Codable, CaseIterable, Sendable {
    /// Takes any text; only tokens that Understudy made are verified.
    case lenient
    /// Verifies every token.
    case strict
}

extension SettingDeclaration {
    /// The switch `apple.clientId`, the audience of identity tokens.
    package static func appleClientID(_ member: any WritableKeyPath<State, String> & Sendable) -> Self {
        text("apple.clientId", "The audience that strict mode requires", member)
    }
}
