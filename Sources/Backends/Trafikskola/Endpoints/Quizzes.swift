import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    private static let practice = "practice"
    private static let practiceScore = 65
    private static let quizID = Parameter("id", in: .path, .described(Schemas.filled, example: "quiz_1"), "A quiz's id")
    private static func submission(quiz: String, question: String) -> BodyDeclaration {
        .json(
            QuizSubmission.self,
            example: [
                "quizId": .string(quiz),
                "answers": [["questionId": .string(question), "selectedOptionIds": ["a"]]], "timeSpent": 60,
            ]
        )
    }
    private static let submissionErrors = [validationError] + bodyErrors + bearerErrors

    /// Endpoints 36 and 37 (contract, section 7.4).
    static let quizEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/lms/quizzes/{id}",
            "A chapter's quiz",
            provenance: .beyondTheDocument,
            parameters: [quizID],
            answers: [data(QuizResponse.self, "The questions without their answers"), missing] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let (quiz, course) = try quiz(&state, &call)
            return ok(
                QuizResponse(
                    id: quiz.id,
                    title: quiz.title,
                    description: quiz.description,
                    chapterId: quiz.chapterId,
                    courseId: course.id,
                    timeLimit: quiz.timeLimit,
                    passingScore: quiz.passingScore,
                    questions: state.questions.rows(in: quiz.id)
                ),
                call
            )
        },
        Endpoint(
            .post,
            "/api/mobile/lms/quizzes/{id}/submit",
            "Marks a chapter's quiz",
            provenance: .beyondTheDocument,
            parameters: [quizID],
            body: submission(quiz: "quiz_1", question: "q_1"),
            answers: [data(QuizResult.self, "Over all questions of the quiz"), missing] + submissionErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let answers = try answers(call, quizId: call.parameters.first ?? "")
            let (quiz, _) = try quiz(&state, &call)
            let questions = state.questions.rows(in: quiz.id)
            let ids = Set(questions.map(\.id))
            for answer in answers where !ids.contains(answer.question) {
                throw .validation("answers", "there is no question \(answer.question)")
            }
            let lines = questions.map { question in
                QuizResult.Line(
                    question: question,
                    selected: answers.first { $0.question == question.id }?.selected ?? []
                )
            }
            let result = QuizResult(quizId: quiz.id, passingScore: quiz.passingScore, lines: lines)
            let key = QuizRecord.key(call.user?.id ?? "", quiz.id)
            var record = state.quizRecords[key] ?? QuizRecord(id: key, attempts: 0, bestScore: 0, isPassed: false)
            record.attempts = record.attempts.addingClamped(1)
            record.bestScore = max(record.bestScore, result.score)
            record.isPassed = record.isPassed || result.isPassed
            state.quizRecords.insert(record)
            return ok(result, call)
        },
    ]

    /// Endpoints 38 to 40 (contract, section 7.4).
    static let practiceEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/lms/quizzes/practice/categories",
            "What can be practised",
            provenance: .beyondTheDocument,
            answers: [data(PracticeCategories.self, "The categories")] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let lines = state.practiceCategories.rows.map {
                PracticeCategories.Line(category: $0, questionCount: state.questions.count(in: $0.id))
            }
            return ok(PracticeCategories(lines: lines), call)
        },
        Endpoint(
            .get,
            "/api/mobile/lms/quizzes/practice",
            "Practice questions in a drawn order",
            provenance: .beyondTheDocument,
            parameters: [
                query("count", .integer(minimum: 1, maximum: 50), "10 if absent"),
                query("category", Schemas.text, "A category's id or name"),
            ],
            answers: [data(QuizResponse.self, "A quiz of that many questions"), validationError, missing]
                + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, core, call throws(APIError) in
            let count = try number("count", call.query, from: 1, through: 50, default: 10)
            var questions = practiceQuestions(state)
            if let wanted = call.query.last("category"), !wanted.isEmpty {
                let category = state.practiceCategories.rows.first {
                    $0.id == wanted || $0.name.lowercased() == wanted.lowercased()
                }
                guard let category else { throw .notFound }
                questions = state.questions.rows(in: category.id)
            }
            var stream = core.randomness.stream("trafikskola.practice")
            for place in questions.indices.dropLast() {
                questions.swapAt(place, place + stream.below(questions.count - place))
            }
            return ok(
                QuizResponse(
                    id: practice,
                    title: "Övningsprov",
                    chapterId: practice,
                    courseId: practice,
                    passingScore: practiceScore,
                    questions: Array(questions.prefix(count))
                ),
                call
            )
        },
        Endpoint(
            .post,
            "/api/mobile/lms/quizzes/practice/submit",
            "Marks practice questions",
            provenance: .beyondTheDocument,
            body: submission(quiz: practice, question: "pq_1"),
            answers: [data(QuizResult.self, "Over the questions that were answered")] + submissionErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let categories = Set(state.practiceCategories.rows.map(\.id))
            var lines: [QuizResult.Line] = []
            for answer in try answers(call, quizId: practice) {
                guard let question = state.questions[answer.question], categories.contains(question.owner) else {
                    throw .validation("answers", "there is no question \(answer.question)")
                }
                lines.append(QuizResult.Line(question: question, selected: answer.selected))
            }
            return ok(QuizResult(quizId: practice, passingScore: practiceScore, lines: lines), call)
        },
    ]

    private static func practiceQuestions(_ state: TrafikskolaState) -> [Question] {
        state.practiceCategories.rows.flatMap { state.questions.rows(in: $0.id) }
    }

    private static func quiz(
        _ state: inout TrafikskolaState,
        _ call: inout Call
    ) throws(APIError) -> (quiz: Quiz, course: Course) {
        let user = try signedIn(&state, &call).user.id
        guard let quiz = state.quizzes[call.parameters.first ?? ""],
            let course = state.course(ofChapter: quiz.chapterId, for: user)
        else { throw .notFound }
        return (quiz, course)
    }

    /// The answers of a submission.
    private static func answers(_ call: Call, quizId: String) throws(APIError) -> [QuizSubmission.Answer] {
        var (submission, issues) = QuizSubmission.read(try object(call))
        // Reported before issues in the other members.
        if let named = submission.quizId, named != quizId {
            issues.insert(FieldIssue("quizId", kind: .rule("must be \(quizId)")), at: 0)
        }
        try issues.check()
        return submission.answers
    }
}
