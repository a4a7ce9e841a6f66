import Backend
import CivilTime
import JSON

/// Endpoint 6: absent members stay as they are; an empty text or null clears phone and address.
struct ProfileChange: RequestModel {
    var firstName: String?
    var lastName: String?
    var phone: String?
    var address: String?

    static let shape = RequestSchema<Self>(
        "ProfileChange",
        [
            .optional("firstName", name) { $0.firstName = $1 }.refusingNull,
            .optional("lastName", name) { $0.lastName = $1 }.refusingNull,
            .nullable("phone", phone) { $0.phone = $1 ?? "" },
            .nullable("address", .trimmedString(by: \.trimmed, .atMost(200))) { $0.address = $1 ?? "" },
        ]
    )

    private static let name = RequestValue<String>.trimmedString(by: \.trimmed, .length(1...50))
        .documented(as: .string(minLength: 1, maxLength: 50, pattern: #"\S"#))

    private static let phone = RequestValue<String>.string().map(\.trimmed)
        .documented(as: .string(maxLength: 20))
        .format("phone") { text in
            guard !text.isEmpty else { return true }
            let digits = text.utf8.filter { (0x30...0x39).contains($0) }.count
            let plusIsFirst = !text.dropFirst().contains("+")
            let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || Array(" +-()".utf8).contains($0) }
            return (5...20).contains(text.length) && isPlain && digits >= 5 && plusIsFirst
        }
}

/// Endpoint 21.
struct ReadMarks: RequestModel {
    var notificationIds: [String] = []

    static let shape = RequestSchema<Self>(
        "ReadMarks",
        [.required("notificationIds", .strings) { $0.notificationIds = $1 }]
    )
}

/// Endpoint 23.
struct BookingRequest: RequestModel {
    var lessonTypeId = ""
    var start: Instant?
    var minutes = 0
    var instructorId: String?
    var notes: String?
    private var startText: String?

    init() {}

    static let shape = RequestSchema<Self>(
        "BookingRequest",
        [
            .required("type", .string(.notEmpty, .oneOf(BookingResponse.kinds))) { _, _ in },
            .required("lessonTypeId", .filled) { $0.lessonTypeId = $1 },
            .required("startTime", .filled.documented(as: .string(format: "date-time"))) { $0.startText = $1 },
            .required("duration", .integer(in: 1...1_440)) { $0.minutes = Int($1) },
            .optional("instructorId", .string()) { $0.instructorId = $1 },
            .optional("transmission", .string(.oneOf(["manual", "automatic"]))) { _, _ in },
            .optional("notes", .string()) { $0.notes = $1 },
            // Read last, so that its issues are reported last.
            .rule { booking, issues in
                guard let text = booking.startText else { return }
                booking.start = Instant(iso8601: text)
                if booking.start == nil { issues.note("startTime", .wrongFormat("date-time")) }
            },
        ]
    )
}

/// Endpoint 29.
struct PaymentRequest: RequestModel {
    var method = Payment.PaymentMethod.swish

    static let shape = RequestSchema<Self>(
        "PaymentRequest",
        [
            .required(
                "method",
                RequestValue<String>.string(.notEmpty, .oneOf(Payment.PaymentMethod.allCases.map(\.rawValue)))
                    .map { Payment.PaymentMethod(rawValue: $0) ?? .swish }
            ) { $0.method = $1 }
        ]
    )
}

/// Endpoint 35.
struct ProgressReport: RequestModel {
    var progress = 0.0
    var watchPercentage: Double?
    var lastPosition: Double?

    static let shape = RequestSchema<Self>(
        "ProgressReport",
        [
            .required("progress", .number(in: 0...100)) { $0.progress = $1 },
            .optional("watchPercentage", .number(in: 0...100)) { $0.watchPercentage = $1 },
            .optional("lastPosition", .number(in: 0...1e12)) { $0.lastPosition = $1 },
        ]
    )
}

/// Endpoints 37 and 40: the answers, each question at most once.
struct QuizSubmission: RequestModel {
    struct Answer: RequestModel {
        var question = ""
        var selected: [String] = []

        static let shape = RequestSchema<Self>(
            "QuizAnswer",
            [
                .required("questionId", .string()) { $0.question = $1 },
                .required("selectedOptionIds", .strings) { $0.selected = $1 },
            ]
        )
    }

    var quizId: String?
    var answers: [Answer] = []

    static let shape = RequestSchema<Self>(
        "QuizSubmission",
        [
            .optional("quizId", .string()) { $0.quizId = $1 },
            .optional("timeSpent", .number(in: 0...1e12)) { _, _ in },
            .required("answers", answers) { $0.answers = $1 },
        ]
    )

    private static let answers = RequestValue<[Answer]>.array(
        of: .object(Answer.self).withOneIssue(.rule("must have a questionId and selectedOptionIds")),
        endsAtIssue: true
    ) { $0.question }
}

/// Endpoint 41.
struct SyncRequest: RequestModel {
    struct Operation: RequestModel {
        var entityType = ""

        static let shape = RequestSchema<Self>(
            "SyncOperation",
            [
                .required("operation", .string(.oneOf(["create", "update", "delete"]))) { _, _ in },
                .required("entityType", .string()) { $0.entityType = $1 },
                .optional("entityId", .any) { _, _ in },
                .optional("payload", .any) { _, _ in },
                .optional("timestamp", .any) { _, _ in },
            ]
        )
    }

    var deviceId = ""
    var operations: [Operation] = []

    static let shape = RequestSchema<Self>(
        "SyncRequest",
        [
            .required("deviceId", .filled) { $0.deviceId = $1 },
            .required("operations", operations) { $0.operations = $1 }.deferring { $0.path.count > 1 },
            .optional("lastSyncAt", .moment) { _, _ in },
        ]
    )

    private static let operations = RequestValue<[Operation]>.array(
        of: .object(Operation.self).withOneIssue(.rule("must have an operation and an entityType")),
        endsAtIssue: true
    )
}
