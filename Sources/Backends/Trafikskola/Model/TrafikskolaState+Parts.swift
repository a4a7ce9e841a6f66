package import Backend

extension TrafikskolaAPI {
    /// Sums of a million such amounts are still exact enough to be shown.
    private static let money = StoredRange.number(-1e12...1e12)

    package static let storedProperties: [StatePart<TrafikskolaState>] = [
        .settings("settings", \.settings),
        .table(
            "users",
            \.users,
            ranges: [
                "progress.lessonsCompleted": .amount, "progress.totalLessons": .amount, "avatarNames.second": .shown,
                "avatarNames.jpg": .count, "avatarNames.png": .count,
            ]
        )
        .referring(RowReference("avatarFile", to: "avatars")),
        .table("sessions", \.sessions).referring(RowReference("refreshId", to: "refreshTokens")),
        .table("refreshTokens", \.refreshTokens)
            .referring(RowReference("deviceId", to: "devices", id: "{userId}|{deviceId}")),
        .table("accessTokens", \.accessTokens),
        .table("offlineTokens", \.offlineTokens),
        .table("theftMarks", \.theftMarks),
        .table("devices", \.devices),
        .table("codes", \.codes, ranges: ["wrongTries": .amount]),
        .table("quickLogins", \.quickLogins),
        .table(
            "avatars",
            \.avatars,
            rule: RowRule("contentType") {
                // The type becomes a header field.
                AvatarUpload.storedTypes.contains($0.contentType)
                    ? nil : "must be one of \(AvatarUpload.storedTypes.joined(separator: ", "))"
            }
        ),
        .table("pictures", \.pictures),
        .table(
            "translations",
            \.translations,
            rule: RowRule("id") {
                // The id becomes a part of an entity tag.
                $0.id.utf8.count <= 64 ? nil : "must have at most 64 bytes"
            }
        ),
        .table("bookings", \.bookings, ranges: ["duration": .amount])
            .referring(RowReference("sessionId", to: "theorySessions")),
        .table("lessonCategories", \.lessonCategories),
        .table(
            "lessonTypes",
            \.lessonTypes,
            ranges: ["duration": .amount, "price": money, "studentPrice": money]
        )
        .referring(RowReference("categoryId", to: "lessonCategories")),
        .table("theorySessions", \.theorySessions, ranges: ["totalSpots": .amount, "takenSpots": .amount]),
        .table("invoices", \.invoices, ranges: ["items[].quantity": .int32, "items[].unitPrice": money]),
        .table("payments", \.payments),
        .table(
            "readiness",
            \.readiness,
            ranges: [
                "readinessScore": .int32, "categoryScores[].score": money, "categoryScores[].maxScore": money,
            ]
        ),
        .table("feedback", \.feedback, ranges: ["rating": .int32]),
        .table("notifications", \.notifications),
        .table("syncRecords", \.syncRecords, ranges: ["synced": .count, "failed": .count]),
        .table("courses", \.courses, ranges: ["estimatedMinutes": .amount])
            .referring(RowReference("students", to: "users")),
        .table("chapters", \.chapters, ranges: ["order": .int32]),
        .table("lessons", \.lessons, ranges: ["order": .int32, "estimatedMinutes": .amount]),
        .table("quizzes", \.quizzes, ranges: ["timeLimit": .amount, "passingScore": .int32]),
        .table("questions", \.questions)
            .referring(RowReference("owner", to: "quizzes", "practiceCategories")),
        .table("practiceCategories", \.practiceCategories),
        .table(
            "lessonProgress",
            \.lessonProgress,
            ranges: [
                "progress": .percent, "watchPercentage": .number(0...100), "lastPosition": .number(0...1e12),
            ]
        ),
        .table("quizRecords", \.quizRecords, ranges: ["attempts": .count, "bestScore": .percent]),
        .value("rateWindowsFrom", \.rateWindowsFrom),
        .derived("userIDsByEmail"),
        .derived("tokens"),
    ]
}
