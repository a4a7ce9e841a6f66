import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaState {
    func progress(of lesson: String, _ user: String) -> Int {
        lessonProgress[LessonProgress.key(user, lesson)]?.progress ?? 0
    }

    /// The mean progress of lessons, and a flag that tells whether all are complete.
    func progress(of lessons: [Lesson], _ user: String) -> (percent: Int, isCompleted: Bool) {
        guard !lessons.isEmpty else { return (0, false) }
        let all = lessons.map { progress(of: $0.id, user) }
        return (all.reduce(0) { $0.addingClamped($1) } / all.count, all.allSatisfy { $0 == 100 })
    }

    func sortedChapters(of course: String) -> [Chapter] {
        chapters.rows(in: course).sorted { ($0.order, $0.id) < ($1.order, $1.id) }
    }

    func sortedLessons(of chapter: String) -> [Lesson] {
        lessons.rows(in: chapter).sorted { ($0.order, $0.id) < ($1.order, $1.id) }
    }

    /// The course that contains a chapter, if the user takes it.
    func course(ofChapter chapter: String, for user: String) -> Course? {
        chapters[chapter].flatMap { courses[$0.courseId] }.flatMap { $0.students.contains(user) ? $0 : nil }
    }
}

extension TrafikskolaAPI {
    private static let locale = query("locale", Schemas.text, "sv or en; the texts are the same")
    private static let courseID = Parameter(
        "id",
        in: .path,
        .described(Schemas.filled, example: "course_1"),
        "A course's id"
    )
    private static let lessonID = Parameter(
        "id",
        in: .path,
        .described(Schemas.filled, example: "lesson_1"),
        "A lesson's id"
    )

    /// Endpoints 32 to 35 (contract, section 7.4).
    static let courseEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/lms/courses",
            "The caller's courses",
            provenance: .beyondTheDocument,
            parameters: [locale],
            answers: [data(CourseList.self, "The courses")] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user.id
            let courses = state.courses.rows.filter { $0.students.contains(user) }.map { course in
                let chapters = state.chapters.rows(in: course.id)
                let lessons = chapters.flatMap { state.lessons.rows(in: $0.id) }
                let progress = state.progress(of: lessons, user)
                return CourseResponse(
                    course: course,
                    chapters: chapters.count,
                    lessons: lessons.count,
                    quizzes: chapters.reduce(0) { $0 + state.quizzes.count(in: $1.id) },
                    progress: progress.percent,
                    isCompleted: progress.isCompleted
                )
            }
            return ok(CourseList(courses: courses), call)
        },
        Endpoint(
            .get,
            "/api/mobile/lms/courses/{id}/structure",
            "The chapters of a course",
            provenance: .beyondTheDocument,
            parameters: [courseID, locale],
            answers: [data(CourseStructure.self, "Chapters with lessons and quiz"), missing] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user.id
            guard let course = state.courses[call.parameters.first ?? ""], course.students.contains(user) else {
                throw .notFound
            }
            let chapters = state.sortedChapters(of: course.id).map { chapter in
                let lessons = state.sortedLessons(of: chapter.id)
                let progress = state.progress(of: lessons, user)
                let quiz = state.quizzes.rows(in: chapter.id).first.map { quiz in
                    CourseStructure.QuizRow(
                        quiz: quiz,
                        questionCount: state.questions.count(in: quiz.id),
                        record: state.quizRecords[QuizRecord.key(user, quiz.id)]
                    )
                }
                return CourseStructure.ChapterRow(
                    chapter: chapter,
                    lessons: lessons.map {
                        CourseStructure.LessonRow(lesson: $0, progress: state.progress(of: $0.id, user))
                    },
                    quiz: quiz,
                    progress: progress.percent,
                    isCompleted: progress.isCompleted
                )
            }
            return ok(CourseStructure(course: course, chapters: chapters), call)
        },
        Endpoint(
            .get,
            "/api/mobile/lms/lessons/{id}",
            "A lesson",
            provenance: .beyondTheDocument,
            parameters: [lessonID, locale],
            answers: [data(LessonResponse.self, "The lesson with its neighbours"), missing] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user.id
            let (lesson, course) = try lesson(state, call, user)
            let all = state.sortedChapters(of: course.id).flatMap { state.sortedLessons(of: $0.id) }.map(\.id)
            let place = all.firstIndex(of: lesson.id) ?? 0
            return ok(
                LessonResponse(
                    lesson: lesson,
                    courseId: course.id,
                    progress: state.progress(of: lesson.id, user),
                    next: place + 1 < all.count ? all[place + 1] : nil,
                    previous: place > 0 ? all[place - 1] : nil
                ),
                call
            )
        },
        Endpoint(
            .put,
            "/api/mobile/lms/lessons/{id}/progress",
            "Notes how far a lesson is done",
            provenance: .beyondTheDocument,
            parameters: [lessonID],
            body: .json(ProgressReport.self, example: ["progress": 100]),
            answers: [plainSuccess("Noted; it never goes down"), validationError, missing] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user.id
            let report = try read(ProgressReport.self, call)
            let lesson = try lesson(state, call, user).lesson
            let key = LessonProgress.key(user, lesson.id)
            var row = state.lessonProgress[key] ?? LessonProgress(id: key, progress: 0)
            row.progress = max(row.progress, Int(report.progress))
            row.watchPercentage = report.watchPercentage ?? row.watchPercentage
            row.lastPosition = report.lastPosition ?? row.lastPosition
            state.lessonProgress.insert(row)
            return success()
        },
    ]

    private static func lesson(
        _ state: TrafikskolaState,
        _ call: Call,
        _ user: String
    ) throws(APIError) -> (lesson: Lesson, course: Course) {
        guard let lesson = state.lessons[call.parameters.first ?? ""],
            let course = state.course(ofChapter: lesson.chapterId, for: user)
        else { throw .notFound }
        return (lesson, course)
    }
}
