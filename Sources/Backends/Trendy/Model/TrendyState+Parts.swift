package import Backend

extension TrendyAPI {
    private static let owner = RowReference("userId", to: "accounts")

    package static let storedProperties: [StatePart<TrendyState>] = [
        .settings("settings", \.settings),
        .table("accounts", \.accounts, ranges: ["data": .free]),
        .table("sessions", \.sessions).referring(owner),
        .table("refreshTokens", \.refreshTokens),
        .table("issuedAccess", \.issuedAccess).referring(owner),
        .table("onboarding", \.onboarding),
        .table("eventTypes", \.eventTypes).named(by: "id", \EventType.uuid, in: \.eventTypes).referring(owner),
        .table("events", \.events, ranges: Event.ranges).named(by: "uuid", \Event.uuid, in: \.events).referring(owner),
        .table("propertyDefinitions", \.propertyDefinitions, ranges: PropertyDefinition.ranges)
            .named(by: "id", \PropertyDefinition.uuid, in: \.propertyDefinitions)
            .referring(owner),
        .table("geofences", \.geofences, ranges: Geofence.ranges)
            .named(by: "id", \Geofence.uuid, in: \.geofences)
            .referring(
                owner,
                RowReference("entryTypeId", to: "eventTypes"),
                RowReference("exitTypeId", to: "eventTypes")
            ),
        .table(
            "changes",
            \.changes,
            ranges: ["number": .count] + Event.ranges.under("event") + Geofence.ranges.under("geofence")
                + PropertyDefinition.ranges.under("propertyDefinition")
        )
        .keyed(by: "number")
        .referring(
            owner,
            RowReference("entityId", to: "events", "eventTypes", "geofences", "propertyDefinitions")
        ),
        .counter("lastChange", \.lastChange) { $0.changes.rows.map(\.number).max() ?? 0 },
        .table(
            "insights",
            \.insights,
            ranges: ["metricValue": .free, "pValue": .free, "sampleSize": .shown, "metadata": .free]
        )
        .named(by: "id", \Insight.uuid, in: \.insights)
        .referring(
            owner,
            RowReference("eventTypeAId", to: "eventTypes"),
            RowReference("eventTypeBId", to: "eventTypes")
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
