import Backend
import CivilTime

/// A user's conversation about a skill (contract, section 8.5).
struct Conversation: Row, Codable {
    var id: String
    var userId: String
    var skillId: String
    var isActive: Bool
    /// The number of numbered questions asked: 0 to 5.
    var questions: Int
    /// The number of right answers.
    var correct: Int
    var createdAt: Timestamp

    var group: String { userId }
}

struct ChatMessage: Row, Codable {
    enum Role: String, Codable, CaseIterable, Sendable { case user, assistant }

    var id: String
    var conversationId: String
    var role: Role
    var content: String
    /// 0 for the greeting, 1 to 5 for the questions.
    var questionNumber: Int?
    var createdAt: Timestamp

    var group: String { conversationId }
}

/// The timeline of one reply (contract, section 8.3).
///
/// A pure function of time; the only stored change is a timeout, which the first reader notes.
struct ChatSession: Row, Codable {
    enum Ending: String, Codable, CaseIterable, Sendable {
        case done
        /// Fails when the third piece is due.
        case failed
        /// Fails when the first piece is due.
        case empty
        /// Stays in `running`.
        case stuck
        /// Ends as done and carries an error all the same.
        case doneWithError
    }

    var id: String
    var sentAt: Timestamp
    /// Milliseconds of one step.
    var pace: Int64
    var pieces: [String]
    var ending: Ending
    /// The time at which a reader found the session stuck.
    var timedOutAt: Timestamp?
}

/// The effects of a reply that apply once it is done.
struct PendingReply: Row, Codable {
    struct Result: Codable, Sendable {
        var userId: String
        var aiSkillId: String
        var level: Int
        var confidence: Double
        var modules: [LearningModule]
    }

    /// The session's id.
    var id: String
    var dueAt: Timestamp
    var conversationId: String
    var content: String
    var questionNumber: Int?
    /// The assessment to store; nil if there is none.
    var result: Result?
}
