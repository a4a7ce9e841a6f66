import Backend

/// A course and its students (section 7.4).
struct Course: Row, Codable {
    var id: String
    var title: String
    var description: String
    var imageUrl: String?
    var category: String?
    var estimatedMinutes: Int?
    var updatedAt: Timestamp
    var students: [String]
}

struct Chapter: Row, Codable {
    var id: String
    var courseId: String
    var title: String
    var description: String?
    var order: Int

    var group: String { courseId }
}

struct Lesson: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable { case text, video, interactive }

    var id: String
    var chapterId: String
    var title: String
    var order: Int
    var type: Kind
    var content: String
    var videoUrl: String?
    var imageUrls: [String]?
    var estimatedMinutes: Int?

    var group: String { chapterId }
}

struct Quiz: Row, Codable {
    var id: String
    var chapterId: String
    var title: String
    var description: String?
    /// The time limit in seconds.
    var timeLimit: Int?
    var passingScore: Int

    var group: String { chapterId }
}

/// A question of a quiz, or of the practice bank.
struct Question: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case single, multiple
        case trueFalse = "true-false"
    }

    struct Option: Codable, Sendable {
        var id: String
        var text: String
        var imageUrl: String?
    }

    var id: String
    /// The quiz, or the category of a practice question.
    var owner: String
    var text: String
    var imageUrl: String?
    var type: Kind
    var options: [Option]
    var correct: [String]
    var explanation: String?

    var group: String { owner }
}

struct PracticeCategory: Row, Codable {
    var id: String
    var name: String
}

struct LessonProgress: Row, Codable {
    var id: String
    /// The progress in per cent, 0 to 100.
    var progress: Int
    var watchPercentage: Double?
    var lastPosition: Double?

    static func key(_ userId: String, _ lessonId: String) -> String { "\(userId)|\(lessonId)" }
}

struct QuizRecord: Row, Codable {
    var id: String
    var attempts: Int
    var bestScore: Int
    var isPassed: Bool

    static func key(_ userId: String, _ quizId: String) -> String { "\(userId)|\(quizId)" }
}
