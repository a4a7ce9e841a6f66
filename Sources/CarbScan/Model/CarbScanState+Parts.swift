package import Emulation

extension CarbScanAPI {
    package static let parts: [StatePart<CarbScanState>] = [
        // Both only ever fall while requests are answered.
        .settings("settings") { $0.settings.analysisFailures + $0.settings.lostSyncAnswers },
        .table("users", \.users),
        .table("identities", \.identities),
        .table("meals", \.meals),
        .table("marks", \.marks),
        .table("badUploads", \.badUploads),
        .table("chatMessages", \.chatMessages),
        .table("quotas", \.quotas),
        .table("devices", \.devices),
        .table("magicLinks", \.magicLinks),
        .table("browserCodes", \.browserCodes),
        .table("endedSessions", \.endedSessions),
        .table("spentRefreshes", \.spentRefreshes),
        .table("holdingsEnds", \.holdingsEnds),
        .table("endedCredentials", \.endedCredentials),
        .table("purchases", \.purchases),
        .table("transactions", \.transactions),
        .table("receiptKeys", \.receiptKeys),
        .value("monthlyUses", \.monthlyUses),
        .value("lastMeal", \.lastMeal),
        .value("lastChatMessage", \.lastChatMessage),
        .value("lastToken", \.lastToken),
        .value("lastEnd", \.lastEnd),
        .value("tokenGeneration", \.tokenGeneration),
        .value("isSettled", \.isSettled),
        .derived("userIDsByEmail"),
        .derived("mealIDsByLocalID"),
        .derived("tokens"),
    ]

    package static func reindex(_ state: inout CarbScanState) { state.reindex() }

    package static func begin(_ state: inout CarbScanState, epoch: Epoch) { state.settle(epoch) }
}
