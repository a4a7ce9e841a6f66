import Backend

/// The readiness of a student (contract, section 7.3).
struct ReadinessResponse: ResponseModel {
    struct Category: ResponseModel {
        var category: Readiness.Category

        static let shape = ResponseSchema<Self>(
            "CategoryScore",
            [
                .string("category") { $0.category.category },
                .number("score") { $0.category.score },
                .number("maxScore") { $0.category.maxScore },
            ]
        )
    }

    var readiness: Readiness

    static let shape = ResponseSchema<Self>(
        "Readiness",
        [
            .integer("readinessScore") { $0.readiness.readinessScore },
            .string("readinessLevel") { $0.readiness.readinessLevel },
            .array("categoryScores") { $0.readiness.categoryScores.map { Category(category: $0) } },
            .strings("strengths") { $0.readiness.strengths },
            .strings("weaknesses") { $0.readiness.weaknesses },
            .optionalDay("predictedReadinessDate") { $0.readiness.predictedReadinessDate },
            .strings("personalizedTips") { $0.readiness.personalizedTips },
            .boolean("eligibleForCertificate") { $0.readiness.eligibleForCertificate },
            .optionalString("certificateUrl") { $0.readiness.certificateUrl },
        ]
    )
}

/// The feedback of a teacher (contract, section 7.6).
struct FeedbackResponse: ResponseModel {
    var feedback: Feedback

    static let shape = ResponseSchema<Self>(
        "Feedback",
        [
            .string("id") { $0.feedback.id },
            .string("type", oneOf: ["lesson", "theory", "general", "instructor"]) { $0.feedback.type },
            .string("title") { $0.feedback.title },
            .string("message") { $0.feedback.message },
            .optionalInteger("rating") { $0.feedback.rating },
            .optionalString("sentiment") { $0.feedback.sentiment },
            .optionalObject("instructor") { $0.feedback.instructor.map { ProfileResponse.Instructor(person: $0) } },
            .optionalDay("lessonDate") { $0.feedback.lessonDate },
            .time("createdAt") { $0.feedback.createdAt },
            .optionalTime("readAt") { $0.feedback.readAt },
            .optionalString("from") { $0.feedback.from },
        ]
    )
}

struct FeedbackList: ResponseModel {
    var feedback: [Feedback]

    static let shape = ResponseSchema<Self>(
        "FeedbackList",
        [.array("feedback") { $0.feedback.map { FeedbackResponse(feedback: $0) } }]
    )
}
