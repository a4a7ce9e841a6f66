import Backend

/// The settings of a custom API with sign-in (own-API contract, section 10).
package struct SignInSettings: Sendable, Equatable {
    /// The fate of a refresh token that is used.
    package enum Rotation: String, CaseIterable, Sendable { case rotate, reuse }

    /// The one-time codes that are sent.
    package enum Codes: String, CaseIterable, Sendable { case fixed, distinct }

    /// The fate of a JWT that was issued over half a minute after the present (wire contract, section 10).
    package enum FutureIssue: String, CaseIterable, Sendable { case refuse, accept }

    package var accessSeconds = 15 * 60
    package var refreshSeconds = 30 * 86_400
    package var rotation = Rotation.rotate
    package var codes = Codes.fixed
    package var futureIssue = FutureIssue.refuse

    package init() {}

    /// The seconds that a token may be good for: up to a hundred years.
    package static let lifetimes = 1...3_155_760_000
}

extension SignIn {
    /// The settings that the sign-in adds to those of every custom API.
    var declaredSettings: [SettingDeclaration<CustomAPIState>] {
        var declared: [SettingDeclaration<CustomAPIState>] = [
            .integer(
                "auth.accessSeconds",
                "The lifetime of access tokens issued from now on",
                \.settings.signIn.accessSeconds,
                in: SignInSettings.lifetimes
            ),
            .integer(
                "auth.refreshSeconds",
                "The lifetime of refresh tokens issued from now on",
                \.settings.signIn.refreshSeconds,
                in: SignInSettings.lifetimes
            ),
            .choice(
                "auth.rotation",
                "rotate: a refresh replaces the refresh token; reuse: it stays valid",
                \.settings.signIn.rotation
            ),
        ]
        if format == .jwt {
            declared.append(
                .choice(
                    "futureIat",
                    "accept: a JWT whose iat is over 30 s ahead is good",
                    \.settings.signIn.futureIssue
                )
            )
        }
        if routes.codeRequest != nil {
            declared.append(
                .choice("otp.codes", "distinct: every one-time code is different", \.settings.signIn.codes)
            )
        }
        return declared
    }
}
