import CivilTime
import Emulation
import HTTPMessage
import JSON

/// A course in the list (contract, section 7.4).
struct CourseResponse: ResponseModel {
    var course: Course
    var chapters: Int
    var lessons: Int
    var quizzes: Int
    var progress: Int
    var isCompleted: Bool

    static let shape = ResponseSchema<Self>(
        "Course",
        [
            .string("id") { $0.course.id },
            .string("title") { $0.course.title },
            .string("description") { $0.course.description },
            .optionalString("imageUrl") { $0.course.imageUrl },
            .optionalString("category") { $0.course.category },
            .integer("totalChapters") { $0.chapters },
            .integer("totalLessons") { $0.lessons },
            .integer("totalQuizzes") { $0.quizzes },
            .integer("progress") { $0.progress },
            .boolean("isCompleted") { $0.isCompleted },
            .optionalInteger("estimatedMinutes") { $0.course.estimatedMinutes },
            .time("updatedAt") { $0.course.updatedAt },
        ]
    )
}

struct CourseList: ResponseModel {
    var courses: [CourseResponse]

    static let shape = ResponseSchema<Self>("CourseList", [.array("courses") { $0.courses }])
}

struct CourseStructure: ResponseModel {
    struct LessonRow: ResponseModel {
        var lesson: Lesson
        var progress: Int

        static let shape = ResponseSchema<Self>(
            "LessonRow",
            [
                .string("id") { $0.lesson.id },
                .string("title") { $0.lesson.title },
                .integer("order") { $0.lesson.order },
                .string("type", oneOf: Lesson.Kind.allCases.map(\.rawValue)) { $0.lesson.type.rawValue },
                .optionalInteger("estimatedMinutes") { $0.lesson.estimatedMinutes },
                .boolean("isCompleted") { $0.progress == 100 },
                .integer("progress") { $0.progress },
            ]
        )
    }

    struct QuizRow: ResponseModel {
        var quiz: Quiz
        var questionCount: Int
        var record: QuizRecord?

        static let shape = ResponseSchema<Self>(
            "QuizRow",
            [
                .string("id") { $0.quiz.id },
                .string("title") { $0.quiz.title },
                .integer("questionCount") { $0.questionCount },
                .integer("passingScore") { $0.quiz.passingScore },
                .optionalInteger("bestScore") { $0.record?.bestScore },
                .integer("attempts") { $0.record?.attempts ?? 0 },
                .boolean("isCompleted") { $0.record?.isPassed ?? false },
            ]
        )
    }

    struct ChapterRow: ResponseModel {
        var chapter: Chapter
        var lessons: [LessonRow]
        var quiz: QuizRow?
        var progress: Int
        var isCompleted: Bool

        static let shape = ResponseSchema<Self>(
            "Chapter",
            [
                .string("id") { $0.chapter.id },
                .string("title") { $0.chapter.title },
                .optionalString("description") { $0.chapter.description },
                .integer("order") { $0.chapter.order },
                .array("lessons") { $0.lessons },
                .optionalObject("quiz") { $0.quiz },
                .integer("progress") { $0.progress },
                .boolean("isCompleted") { $0.isCompleted },
            ]
        )
    }

    var course: Course
    var chapters: [ChapterRow]

    static let shape = ResponseSchema<Self>(
        "CourseStructure",
        [
            .string("courseId") { $0.course.id },
            .string("title") { $0.course.title },
            .array("chapters") { $0.chapters },
        ]
    )
}

struct LessonResponse: ResponseModel {
    var lesson: Lesson
    var courseId: String
    var progress: Int
    var next: String?
    var previous: String?

    static let shape = ResponseSchema<Self>(
        "Lesson",
        [
            .string("id") { $0.lesson.id },
            .string("title") { $0.lesson.title },
            .string("chapterId") { $0.lesson.chapterId },
            .string("courseId") { $0.courseId },
            .string("type", oneOf: Lesson.Kind.allCases.map(\.rawValue)) { $0.lesson.type.rawValue },
            .string("content") { $0.lesson.content },
            .optionalString("videoUrl") { $0.lesson.videoUrl },
            .optionalCustom("imageUrls", .array(Schemas.text), isPresent: { $0.lesson.imageUrls != nil }) {
                $1.json.write(.array(($0.lesson.imageUrls ?? []).map { .string($0) }))
            },
            .optionalInteger("estimatedMinutes") { $0.lesson.estimatedMinutes },
            .integer("progress") { $0.progress },
            .boolean("isCompleted") { $0.progress == 100 },
            .optionalString("nextLessonId") { $0.next },
            .optionalString("prevLessonId") { $0.previous },
        ]
    )
}

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
    static let courseEndpoints: [Endpoint<TrafikskolaAPI>] = [
        Endpoint(
            .get,
            "/api/mobile/lms/courses",
            "The caller's courses",
            standing: .beyondTheDocument,
            parameters: [locale],
            bodyLimit: jsonLimit,
            answers: [data(CourseList.self, "The courses")] + bearerErrors,
            trait: EndpointMetadata()
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
            standing: .beyondTheDocument,
            parameters: [courseID, locale],
            bodyLimit: jsonLimit,
            answers: [data(CourseStructure.self, "Chapters with lessons and quiz"), missing] + bearerErrors,
            trait: EndpointMetadata()
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
            standing: .beyondTheDocument,
            parameters: [lessonID, locale],
            bodyLimit: jsonLimit,
            answers: [data(LessonResponse.self, "The lesson with its neighbours"), missing] + bearerErrors,
            trait: EndpointMetadata()
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
            standing: .beyondTheDocument,
            parameters: [lessonID],
            body: .json(ProgressReport.self, example: ["progress": 100]),
            bodyLimit: jsonLimit,
            answers: [plainSuccess("Noted; it never goes down"), validationError, missing] + bodyErrors + bearerErrors,
            trait: EndpointMetadata()
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
