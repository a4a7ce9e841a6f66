package import Backend

extension OmniChatAPI {
    package static let storedProperties: [StatePart<OmniChatState>] = [
        .settings("settings", \.settings),
        .table(
            "users",
            \.users,
            ranges: ["battery.totalBalance": .shown, "battery.dailyAllowance": .shown]
        ),
        .table("plans", \.plans),
        .table("identities", \.identities),
        .table("rememberedTokens", \.rememberedTokens),
        .table("conversations", \.conversations).referring(RowReference("model", to: "models")),
        .table("messages", \.messages, ranges: ["tokensGenerated": .shown])
            .referring(RowReference("model", to: "models")),
        .table("attachments", \.attachments, ranges: ["fileSize": .shown])
            .referring(RowReference("key", to: "files")),
        .table(
            "files",
            \.files,
            ranges: ["bytes[]": .whole(0...255)],
            rule: RowRule("fileType") {
                // The type becomes a header field.
                OmniChatAPI.fileTypes.contains($0.fileType) ? nil : "must be a type that can be uploaded"
            }
        ),
        .table("refreshSessions", \.refreshSessions, ranges: ["expiresAt": .date, "revokedAt": .date]),
        .table("issuedAccess", \.issuedAccess, ranges: ["expiresAt": .date, "endedAt": .date]),
        .table("usedOfflineTokens", \.usedOfflineTokens),
        .table(
            "usage",
            \.usage,
            ranges: ["batteryUsed": .count, "messages": .count, "models[].count": .count]
        ),
        .table("transactions", \.transactions, ranges: ["amount": .shown, "balanceAfter": .shown]),
        .table("models", \.models, ranges: ["contextWindow": .shown, "maxOutput": .shown]),
        .windows("windows", \.windows),
        .windows("uploadWindows", \.uploadWindows),
        .derived("userIDsByEmail"),
        .derived("lists"),
        .derived("tokens"),
    ]
}

extension OmniChatState {
    /// Rebuilds the index of e-mails.
    mutating func reindex() {
        userIDsByEmail = ShardedMap()
        for user in users.rows { userIDsByEmail[user.email] = user.id }
        lists = ConversationLists()
    }
}
