import Backend
import JSON

/// A quiz without its correct answers (contract, section 7.4).
struct QuizResponse: ResponseModel {
    struct OptionView: ResponseModel {
        var option: Question.Option

        static let shape = ResponseSchema<Self>(
            "Option",
            [
                .string("id") { $0.option.id }, .string("text") { $0.option.text },
                .optionalString("imageUrl") { $0.option.imageUrl },
            ]
        )
    }

    struct QuestionView: ResponseModel {
        var question: Question

        static let shape = ResponseSchema<Self>(
            "Question",
            [
                .string("id") { $0.question.id },
                .string("text") { $0.question.text },
                .optionalString("imageUrl") { $0.question.imageUrl },
                .choice("type") { $0.question.type },
                .array("options") { $0.question.options.map { OptionView(option: $0) } },
            ]
        )
    }

    var id: String
    var title: String
    var description: String?
    var chapterId: String
    var courseId: String
    var timeLimit: Int?
    var passingScore: Int
    var questions: [Question]

    static let shape = ResponseSchema<Self>(
        "Quiz",
        [
            .string("id") { $0.id },
            .string("title") { $0.title },
            .optionalString("description") { $0.description },
            .string("chapterId") { $0.chapterId },
            .string("courseId") { $0.courseId },
            .optionalInteger("timeLimit") { $0.timeLimit },
            .integer("passingScore") { $0.passingScore },
            .array("questions") { $0.questions.map { QuestionView(question: $0) } },
        ]
    )
}

/// The result of a submission.
struct QuizResult: ResponseModel {
    struct Line: ResponseModel {
        var question: Question
        var selected: [String]

        /// Tells whether exactly the right options were selected.
        var isCorrect: Bool { Set(selected) == Set(question.correct) }

        static let shape = ResponseSchema<Self>(
            "QuizResultLine",
            [
                .string("questionId") { $0.question.id },
                .boolean("correct") { $0.isCorrect },
                .strings("correctOptionIds") { $0.question.correct },
                .strings("selectedOptionIds") { $0.selected },
                .optionalString("explanation") { $0.question.explanation },
            ]
        )
    }

    var quizId: String
    var passingScore: Int
    var lines: [Line]

    var correct: Int { lines.count(where: \.isCorrect) }
    /// The score in per cent, rounded; 0 without questions.
    var score: Int { lines.isEmpty ? 0 : (200 * correct + lines.count) / (2 * lines.count) }
    var isPassed: Bool { score >= passingScore }

    static let shape = ResponseSchema<Self>(
        "QuizResult",
        [
            .string("quizId") { $0.quizId },
            .integer("score") { $0.score },
            .boolean("passed") { $0.isPassed },
            .integer("totalQuestions") { $0.lines.count },
            .integer("correctAnswers") { $0.correct },
            .integer("wrongAnswers") { $0.lines.count - $0.correct },
            .array("results") { $0.lines },
        ]
    )
}

struct PracticeCategories: ResponseModel {
    struct Line: ResponseModel {
        var category: PracticeCategory
        var questionCount: Int

        static let shape = ResponseSchema<Self>(
            "PracticeCategory",
            [
                .string("id") { $0.category.id }, .string("name") { $0.category.name },
                .integer("questionCount") { $0.questionCount },
            ]
        )
    }

    var lines: [Line]

    static let shape = ResponseSchema<Self>(
        "PracticeCategories",
        [
            .array("categories") { $0.lines },
            .integer("totalQuestions") { $0.lines.reduce(0) { $0 + $1.questionCount } },
        ]
    )
}
