package import Emulation

extension TrendyAPI {
    package static let parts: [StatePart<TrendyState>] = [
        .settings("settings"),
        .table("accounts", \.accounts),
        .table("sessions", \.sessions),
        .table("refreshTokens", \.refreshTokens),
        .table("issuedAccess", \.issuedAccess),
        .table("onboarding", \.onboarding),
        .table("eventTypes", \.eventTypes),
        .table("events", \.events),
        .table("propertyDefinitions", \.propertyDefinitions),
        .table("geofences", \.geofences),
        .table("changes", \.changes),
        .value("lastChange", \.lastChange),
        .table("insights", \.insights),
        .table("profiles", \.profiles),
        .table("storedAnswers", \.storedAnswers),
        .table("knocks", \.knocks.rows),
        .value("closedUntil", \.closedUntil),
        .windows("signIns", \.signIns),
        .windows("refreshes", \.refreshes),
        .derived("accountIDsByEmail"),
        .derived("tokens"),
        .derived("variants"),
        .derived("seedAccounts"),
    ]

    package static func reindex(_ state: inout TrendyState) { state.reindex() }
}
