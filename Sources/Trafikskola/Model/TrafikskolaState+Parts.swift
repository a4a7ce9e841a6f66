package import Emulation

extension TrafikskolaAPI {
    package static let parts: [StatePart<TrafikskolaState>] = [
        .settings("settings"),
        .table("users", \.users),
        .table("sessions", \.sessions),
        .table("refreshTokens", \.refreshTokens),
        .table("accessTokens", \.accessTokens),
        .table("offlineTokens", \.offlineTokens),
        .table("theftMarks", \.theftMarks),
        .table("devices", \.devices),
        .table("codes", \.codes),
        .table("quickLogins", \.quickLogins),
        .table("avatars", \.avatars),
        .table("pictures", \.pictures),
        .table("translations", \.translations),
        .table("bookings", \.bookings),
        .table("lessonCategories", \.lessonCategories),
        .table("lessonTypes", \.lessonTypes),
        .table("theorySessions", \.theorySessions),
        .table("invoices", \.invoices),
        .table("payments", \.payments),
        .table("readiness", \.readiness),
        .table("feedback", \.feedback),
        .table("notifications", \.notifications),
        .table("syncRecords", \.syncRecords),
        .table("courses", \.courses),
        .table("chapters", \.chapters),
        .table("lessons", \.lessons),
        .table("quizzes", \.quizzes),
        .table("questions", \.questions),
        .table("practiceCategories", \.practiceCategories),
        .table("lessonProgress", \.lessonProgress),
        .table("quizRecords", \.quizRecords),
        .value("rateWindowsFrom", \.rateWindowsFrom),
        .derived("userIDsByEmail"),
        .derived("tokens"),
    ]

    package static func reindex(_ state: inout TrafikskolaState) { state.reindex() }
}
