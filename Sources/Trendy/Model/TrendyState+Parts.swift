package import Emulation

extension TrendyAPI {
    package static let storedProperties: [StatePart<TrendyState>] = [
        .settings("settings", \.settings),
        .table("accounts", \.accounts, ranges: ["data": .free]),
        .table("sessions", \.sessions),
        .table("refreshTokens", \.refreshTokens),
        .table("issuedAccess", \.issuedAccess),
        .table("onboarding", \.onboarding),
        .table("eventTypes", \.eventTypes),
        .table("events", \.events, ranges: Event.ranges),
        .table("propertyDefinitions", \.propertyDefinitions, ranges: PropertyDefinition.ranges),
        .table("geofences", \.geofences, ranges: Geofence.ranges),
        .table(
            "changes",
            \.changes,
            ranges: ["number": .count] + Event.ranges.under("event") + Geofence.ranges.under("geofence")
                + PropertyDefinition.ranges.under("propertyDefinition")
        ),
        .counter("lastChange", \.lastChange) { $0.changes.rows.map(\.number).max() ?? 0 },
        .table(
            "insights",
            \.insights,
            ranges: ["metricValue": .free, "pValue": .free, "sampleSize": .shown, "metadata": .free]
        ),
        .table("profiles", \.profiles, ranges: ["onboardingStep": .free]),
        .table("storedAnswers", \.storedAnswers, ranges: ["status": .whole(200...299)]),
        .table("knocks", \.knocks.rows, ranges: ["count": .whole(0...1_000_001)]),
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

// Positions and numbers from clients are returned unchanged; nothing computes with them.

extension Event {
    fileprivate static let ranges: StoredRanges = ["latitude": .free, "longitude": .free, "properties": .free]
}

extension PropertyDefinition {
    fileprivate static let ranges: StoredRanges = ["displayOrder": .int32, "defaultValue": .free]
}

extension Geofence {
    fileprivate static let ranges: StoredRanges = [
        "latitude": .number(-90...90), "longitude": .number(-180...180), "radius": .number(0...1e9),
    ]
}
