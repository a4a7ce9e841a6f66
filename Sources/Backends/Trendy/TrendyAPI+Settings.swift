import Backend
import JSON

/// The declarations of the settings.
extension TrendySettings {
    static let declarations: [SettingDeclaration<TrendyState>] = [
        .choice("rateLimits", "Whether the two limiters of the backend count (section 8)", \.settings.rateLimits),
        .choice(
            "authRateLimits",
            "Whether Supabase's own limits count: 30 sign-ins and 150 refreshes in 5 minutes (D28)",
            \.settings.authRateLimits
        ),
        .choice("profile", "deployed does what today's backend does in D2, D3, D5, D7 and D17", \.settings.profile),
        .choice("dates", "fractional writes the dates of /api/v1 with microseconds (D7)", \.settings.dates),
        .choice(
            "onboarding.unset",
            "null writes the unset members of the onboarding record as null (D6)",
            \.settings.unset
        ),
        .choice(
            "onboarding.permissions",
            "provisional answers a permission value that no client knows",
            \.settings.permissions
        ),
        .choice("onboarding.userId", "upper writes the record's user_id in upper case (D13)", \.settings.userID),
        .choice(
            "tokens.signing",
            "RS256 signs access tokens with a key that the JWKS shows (section 9.9)",
            { $0.settings.signing },
            { state, signing in
                state.settings.signing = signing
                state.tokens.forget()
            }
        ),
        .choice(
            "tokens.first",
            "expired makes the access token of every sign-in expired; those of a refresh work",
            \.settings.firstTokens
        ),
        .choice(
            "futureIat",
            "accept takes an access token whose iat is over 30 s ahead (wire contract, section 10)",
            \.settings.futureIat
        ),
        .choice(
            "apple.mode",
            "strict verifies identity tokens against Understudy's own keys (section 9.6)",
            \.settings.appleMode
        ),
        .appleClientID(\.settings.appleClientID),
        .compress(\.settings.compress),
    ]
}
