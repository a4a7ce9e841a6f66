import Emulation
import JSON

/// The declarations of the settings.
extension TrendySettings {
    static let declarations: [SettingDeclaration<TrendyState>] = [
        .choice(
            "rateLimits",
            "Whether the two limiters of the backend count (section 8)",
            { $0.settings.rateLimits },
            { $0.settings.rateLimits = $1 }
        ),
        .choice(
            "authRateLimits",
            "Whether Supabase's own limits count: 30 sign-ins and 150 refreshes in 5 minutes (D28)",
            { $0.settings.authRateLimits },
            { $0.settings.authRateLimits = $1 }
        ),
        .choice(
            "profile",
            "deployed does what today's backend does in D2, D3, D5, D7 and D17",
            { $0.settings.profile },
            { $0.settings.profile = $1 }
        ),
        .choice(
            "dates",
            "fractional writes the dates of /api/v1 with microseconds (D7)",
            { $0.settings.dates },
            { $0.settings.dates = $1 }
        ),
        .choice(
            "onboarding.unset",
            "null writes the unset members of the onboarding record as null (D6)",
            { $0.settings.unset },
            { $0.settings.unset = $1 }
        ),
        .choice(
            "onboarding.permissions",
            "provisional answers a permission value that no client knows",
            { $0.settings.permissions },
            { $0.settings.permissions = $1 }
        ),
        .choice(
            "onboarding.userId",
            "upper writes the record's user_id in upper case (D13)",
            { $0.settings.userID },
            { $0.settings.userID = $1 }
        ),
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
            "expired lets the access token of every sign-in count as expired; those of a refresh work",
            { $0.settings.firstTokens },
            { $0.settings.firstTokens = $1 }
        ),
        .choice(
            "apple.mode",
            "strict verifies identity tokens against Understudy's own keys (section 9.6)",
            { $0.settings.appleMode },
            { $0.settings.appleMode = $1 }
        ),
        SettingDeclaration(
            "apple.clientId",
            .text,
            "The audience that strict mode asks for",
            get: { .string($0.settings.appleClientID) },
            set: { $0.settings.appleClientID = $1.stringValue ?? "" }
        ),
    ]
}
