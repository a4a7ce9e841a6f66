package import Backend

extension CarbScanAPI {
    package static let storedProperties: [StatePart<CarbScanState>] = [
        // Both only decrease while requests are answered.
        .settings("settings", \.settings) { $0.analysisFailures + $0.lostSyncAnswers },
        .table("users", \.users),
        .table("identities", \.identities),
        .table(
            "meals",
            \.meals,
            ranges: ["number": .count, "carbEstimate": .whole(0...1_000_000), "confidence": .percent],
            rule: RowRule("id", "number") { $0.id == "\($0.number)" ? nil : "must be the number as text" }
        ),
        .table("marks", \.marks),
        .table("badUploads", \.badUploads),
        .table(
            "chatMessages",
            \.chatMessages,
            ranges: ["number": .count],
            rule: RowRule("id", "number") { $0.id == "\($0.number)" ? nil : "must be the number as text" }
        ),
        .table("quotas", \.quotas),
        .table("devices", \.devices),
        .table("magicLinks", \.magicLinks),
        .table("browserCodes", \.browserCodes),
        .table("endedSessions", \.endedSessions),
        .table("spentRefreshes", \.spentRefreshes),
        .table("holdingsEnds", \.holdingsEnds, ranges: ["upTo": .count]),
        .table("endedCredentials", \.endedCredentials),
        .table("purchases", \.purchases),
        .table("transactions", \.transactions),
        .table("receiptKeys", \.receiptKeys),
        .table("recentTokens", \.recentTokens, ranges: RecentToken.ranges),
        .list("monthlyUses", \.monthlyUses, key: "userId", \.userId, ranges: ["[].scans": .whole(0...1_000)]) { state in
            // Each scan becomes an entry of a log at the first use of the world.
            let scans = state.monthlyUses.reduce(0) { $0 + $1.scans }
            return scans <= 1_000_000 ? [] : [PartFault(row: 0, "must have at most 1,000,000 scans in all")]
        },
        .counter("lastMeal", \.lastMeal) { state in
            // It may be 0 as long as nothing has been settled.
            !state.isSettled && state.lastMeal == 0 ? 0 : state.meals.rows.map(\.number).max() ?? 0
        },
        .counter("lastChatMessage", \.lastChatMessage) { $0.chatMessages.rows.map(\.number).max() ?? 0 },
        .counter("lastToken", \.lastToken) { state in
            let ended = state.holdingsEnds.rows.map(\.upTo).max() ?? 0
            return max(ended, state.recentTokens.rows.compactMap { Int($0.id) }.max() ?? 0)
        },
        .counter("lastEnd", \.lastEnd) { $0.holdingsEnds.rows.compactMap { Int($0.id) }.max() ?? 0 },
        .value("tokenGeneration", \.tokenGeneration, ranges: ["": .count]),
        .value("isSettled", \.isSettled),
        .derived("userIDsByEmail"),
        .derived("mealIDsByLocalID"),
        .derived("tokens"),
    ]
}
