package import Backend

extension SawaedAPI {
    package static let storedProperties: [StatePart<SawaedState>] = [
        .settings("settings", \.settings),
        .table("users", \.users),
        .table("passwords", \.passwords),
        .table("codes", \.codes),
        .table("budgets", \.budgets, ranges: ["left": .shown]),
        .table("sessions", \.sessions),
        .table("refreshTokens", \.refreshTokens),
        .table("accessEnds", \.accessEnds, ranges: ["issuedUpTo": .shown]),
        .table("marks", \.marks),
        .table("counters", \.counters, ranges: ["value": .count]),
        .table("onboardings", \.onboardings)
            .referring(RowReference("draftSkillIds", to: "skills"), RowReference("draftInterestIds", to: "interests")),
        .table("regions", \.regions),
        .table("cities", \.cities),
        .table("skills", \.skills),
        .table("interests", \.interests),
        .table("profiles", \.profiles, ranges: ["completionPercentage": .percent])
            .referring(RowReference("storageId", to: "files")),
        .table("education", \.education, ranges: ["startYear": .free, "endYear": .free]),
        .table("experiences", \.experiences, ranges: ["startDate": .free, "endDate": .free]),
        .table("projects", \.projects),
        .table("awards", \.awards, ranges: ["year": .free]),
        .table(
            "files",
            \.files,
            ranges: ["bytes[]": .whole(0...255)],
            rule: RowRule("contentType") {
                // The type becomes a header field.
                $0.contentType.utf8.count <= SawaedAPI.longestFileType
                    ? nil : "must have at most \(SawaedAPI.longestFileType) bytes"
            }
        ),
        .table("uploadTokens", \.uploadTokens),
        .table("aiConfigs", \.aiConfigs),
        .table("aiSkills", \.aiSkills, ranges: ["levels[].level": .int32])
            .referring(
                RowReference("relatedSkillIds", to: "skills"),
                RowReference("relatedInterestIds", to: "interests")
            ),
        .table(
            "assessments",
            \.assessments,
            ranges: ["level": .int32, "confidence": .number(0...1)]
        ),
        .table("learningPaths", \.learningPaths, ranges: ["assessmentLevel": .int32]),
        .table(
            "conversations",
            \.conversations,
            ranges: ["questions": .whole(0...5), "correct": .whole(0...5)]
        )
        .referring(RowReference("skillId", to: "aiSkills")),
        .table("messages", \.messages, ranges: ["questionNumber": .whole(0...5)]),
        .table("chatSessions", \.chatSessions, ranges: ["pace": .whole(1...3_600_000)]),
        .table(
            "pendingReplies",
            \.pendingReplies,
            ranges: [
                "questionNumber": .whole(0...5), "result.level": .int32, "result.confidence": .number(0...1),
            ]
        ),
        .table("events", \.events, ranges: ["capacity": .shown, "maxRegistrationsPerUser": .shown])
            .referring(RowReference("posterStorageId", to: "files")),
        .table("registrations", \.registrations, ranges: ["quantity": .shown]),
        .windows("windows", \.windows),
        .table("recentAccess", \.recentAccess, ranges: RecentToken.ranges),
        .derived("userIDsByEmail"),
        .derived("registrationIDsByUser"),
        .derived("tokens"),
    ]
}
