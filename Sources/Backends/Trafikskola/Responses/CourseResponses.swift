import Backend
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
                .choice("type") { $0.lesson.type },
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
            .choice("type") { $0.lesson.type },
            .string("content") { $0.lesson.content },
            .optionalString("videoUrl") { $0.lesson.videoUrl },
            .optionalStrings("imageUrls") { $0.lesson.imageUrls },
            .optionalInteger("estimatedMinutes") { $0.lesson.estimatedMinutes },
            .integer("progress") { $0.progress },
            .boolean("isCompleted") { $0.progress == 100 },
            .optionalString("nextLessonId") { $0.next },
            .optionalString("prevLessonId") { $0.previous },
        ]
    )
}
