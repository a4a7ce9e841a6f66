package import Backend

extension TrafikskolaAPI {
    /// Reads the seed world (contract, section 10): one file per table.
    package static func readSeed(_ files: SeedFiles) throws(SeedError) -> TrafikskolaState {
        var state = TrafikskolaState()
        var check = SeedCheck(files: files)
        let users = try files.table("users.json", of: User.self)
        let userIDs = Set(users.map(\.id))
        check.unique("users.json", "id", users.map(\.id))
        check.unique("users.json", "email", users.map(\.email))
        for (row, user) in users.enumerated() where user.email != user.email.trimmed.lowercased() {
            check.fault("users.json", row, "email", "must be in lower case, without spaces around it")
        }
        state.users = Table(users)
        let avatars = try files.table("avatars.json", of: Avatar.self, isOptional: true)
        check.known("users.json", "avatarFile", users.map(\.avatarFile), among: Set(avatars.map(\.id)), "avatar")
        state.avatars = Table(avatars)
        state.pictures = Table(try files.table("pictures.json", of: Picture.self, isOptional: true))
        state.translations = Table(try files.table("translations.json", of: Translation.self, isOptional: true))
        let quickLogins = try files.table("quick-logins.json", of: QuickLoginToken.self, isOptional: true)
        check.known("quick-logins.json", "userId", quickLogins.map(\.userId), among: userIDs, "user")
        state.quickLogins = Table(quickLogins)
        try readSchool(files, userIDs, &state, &check)
        try readLearning(files, userIDs, &state, &check)
        try check.finish()
        state.reindex()
        return state
    }

    private static func readSchool(
        _ files: SeedFiles,
        _ userIDs: Set<String>,
        _ state: inout TrafikskolaState,
        _ check: inout SeedCheck
    ) throws(SeedError) {
        let bookings = try files.table("bookings.json", of: Booking.self, isOptional: true)
        check.unique("bookings.json", "id", bookings.map(\.id))
        check.known("bookings.json", "userId", bookings.map(\.userId), among: userIDs, "user")
        state.bookings = Table(bookings)
        let categories = try files.table("lesson-categories.json", of: LessonCategory.self, isOptional: true)
        state.lessonCategories = Table(categories)
        let types = try files.table("lesson-types.json", of: LessonType.self, isOptional: true)
        check.unique("lesson-types.json", "id", types.map(\.id))
        check.known(
            "lesson-types.json",
            "categoryId",
            types.map(\.categoryId),
            among: Set(categories.map(\.id)),
            "category"
        )
        state.lessonTypes = Table(types)
        let sessions = try files.table("theory-sessions.json", of: TheorySession.self, isOptional: true)
        check.unique("theory-sessions.json", "id", sessions.map(\.id))
        check.known(
            "theory-sessions.json",
            "lessonTypeId",
            sessions.map(\.lessonTypeId),
            among: Set(types.map(\.id)),
            "lesson type"
        )
        state.theorySessions = Table(sessions)
        let invoices = try files.table("invoices.json", of: Invoice.self, isOptional: true)
        check.unique("invoices.json", "id", invoices.map(\.id))
        check.known("invoices.json", "userId", invoices.map(\.userId), among: userIDs, "user")
        state.invoices = Table(invoices)
        let readiness = try files.table("readiness.json", of: Readiness.self, isOptional: true)
        check.known("readiness.json", "id", readiness.map(\.id), among: userIDs, "user")
        for (row, value) in readiness.enumerated() where value.categoryScores.contains(where: { $0.maxScore <= 0 }) {
            check.fault("readiness.json", row, "categoryScores", "maxScore must be above 0")
        }
        state.readiness = Table(readiness)
        let feedback = try files.table("feedback.json", of: Feedback.self, isOptional: true)
        check.unique("feedback.json", "id", feedback.map(\.id))
        check.known("feedback.json", "userId", feedback.map(\.userId), among: userIDs, "user")
        state.feedback = Table(feedback)
        let notifications = try files.table("notifications.json", of: Notification.self, isOptional: true)
        check.unique("notifications.json", "id", notifications.map(\.id))
        check.known("notifications.json", "userId", notifications.map(\.userId), among: userIDs, "user")
        state.notifications = Table(notifications)
    }

    private static func readLearning(
        _ files: SeedFiles,
        _ userIDs: Set<String>,
        _ state: inout TrafikskolaState,
        _ check: inout SeedCheck
    ) throws(SeedError) {
        let courses = try files.table("courses.json", of: Course.self, isOptional: true)
        check.unique("courses.json", "id", courses.map(\.id))
        for (row, course) in courses.enumerated() {
            for student in course.students where !userIDs.contains(student) {
                check.fault("courses.json", row, "students", "there is no user \"\(student)\"")
            }
        }
        state.courses = Table(courses)
        let chapters = try files.table("chapters.json", of: Chapter.self, isOptional: true)
        check.unique("chapters.json", "id", chapters.map(\.id))
        check.known("chapters.json", "courseId", chapters.map(\.courseId), among: Set(courses.map(\.id)), "course")
        state.chapters = Table(chapters)
        let chapterIDs = Set(chapters.map(\.id))
        let lessons = try files.table("lessons.json", of: Lesson.self, isOptional: true)
        check.unique("lessons.json", "id", lessons.map(\.id))
        check.known("lessons.json", "chapterId", lessons.map(\.chapterId), among: chapterIDs, "chapter")
        state.lessons = Table(lessons)
        let quizzes = try files.table("quizzes.json", of: Quiz.self, isOptional: true)
        check.unique("quizzes.json", "id", quizzes.map(\.id))
        check.known("quizzes.json", "chapterId", quizzes.map(\.chapterId), among: chapterIDs, "chapter")
        state.quizzes = Table(quizzes)
        let categories = try files.table("practice-categories.json", of: PracticeCategory.self, isOptional: true)
        state.practiceCategories = Table(categories)
        let questions = try files.table("questions.json", of: Question.self, isOptional: true)
        check.unique("questions.json", "id", questions.map(\.id))
        let owners = Set(quizzes.map(\.id) + categories.map(\.id))
        check.known("questions.json", "owner", questions.map(\.owner), among: owners, "quiz or practice category")
        for (row, question) in questions.enumerated() {
            let options = Set(question.options.map(\.id))
            for id in question.correct where !options.contains(id) {
                check.fault("questions.json", row, "correct", "there is no option \"\(id)\"")
            }
        }
        state.questions = Table(questions)
    }
}
