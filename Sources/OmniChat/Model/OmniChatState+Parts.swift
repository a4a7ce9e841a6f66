package import Emulation

extension OmniChatAPI {
    package static let parts: [StatePart<OmniChatState>] = [
        .settings("settings"),
        .table("users", \.users),
        .table("plans", \.plans),
        .table("identities", \.identities),
        .table("rememberedTokens", \.rememberedTokens),
        .table("conversations", \.conversations),
        .table("messages", \.messages),
        .table("attachments", \.attachments),
        .table("files", \.files),
        .table("refreshSessions", \.refreshSessions),
        .table("issuedAccess", \.issuedAccess),
        .table("usedOfflineTokens", \.usedOfflineTokens),
        .table("usage", \.usage),
        .table("transactions", \.transactions),
        .table("models", \.models),
        .windows("windows", \.windows),
        .windows("uploadWindows", \.uploadWindows),
        .derived("userIDsByEmail"),
        .derived("lists"),
        .derived("tokens"),
    ]

    package static func reindex(_ state: inout OmniChatState) { state.reindex() }
}

extension OmniChatState {
    /// Makes the index of e-mails anew.
    mutating func reindex() {
        userIDsByEmail = ShardedMap()
        for user in users.rows { userIDsByEmail[user.email] = user.id }
        lists = ConversationLists()
    }
}
