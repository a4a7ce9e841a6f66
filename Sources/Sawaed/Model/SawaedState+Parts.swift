package import Emulation

extension SawaedAPI {
    package static let parts: [StatePart<SawaedState>] = [
        .settings("settings"),
        .table("users", \.users),
        .table("passwords", \.passwords),
        .table("codes", \.codes),
        .table("budgets", \.budgets),
        .table("sessions", \.sessions),
        .table("refreshTokens", \.refreshTokens),
        .table("accessEnds", \.accessEnds),
        .table("marks", \.marks),
        .table("counters", \.counters),
        .table("onboardings", \.onboardings),
        .table("regions", \.regions),
        .table("cities", \.cities),
        .table("skills", \.skills),
        .table("interests", \.interests),
        .table("profiles", \.profiles),
        .table("education", \.education),
        .table("experiences", \.experiences),
        .table("projects", \.projects),
        .table("awards", \.awards),
        .table("files", \.files),
        .table("uploadTokens", \.uploadTokens),
        .table("aiConfigs", \.aiConfigs),
        .table("aiSkills", \.aiSkills),
        .table("assessments", \.assessments),
        .table("learningPaths", \.learningPaths),
        .table("conversations", \.conversations),
        .table("messages", \.messages),
        .table("chatSessions", \.chatSessions),
        .table("pendingReplies", \.pendingReplies),
        .table("events", \.events),
        .table("registrations", \.registrations),
        .windows("windows", \.windows),
        .derived("userIDsByEmail"),
        .derived("registrationIDsByUser"),
        .derived("tokens"),
    ]

    package static func reindex(_ state: inout SawaedState) { state.reindex() }
}
