import Backend

/// The onboarding record of an account (contract, section 3).
struct OnboardingRecord: Row, Codable {
    /// A permission with the time of its answer.
    struct Permission: Codable, Sendable, Equatable {
        var status: String?
        var completedAt: Timestamp?
    }

    /// The account's id.
    var id: String
    var completed: Bool
    var welcomeCompletedAt: Timestamp?
    var authCompletedAt: Timestamp?
    var permissionsCompletedAt: Timestamp?
    var notifications = Permission()
    var healthkit = Permission()
    var location = Permission()
    var createdAt: Timestamp
    var updatedAt: Timestamp

    /// Makes a new record, with nothing set.
    init(id: String, at time: Timestamp) {
        self.id = id
        completed = false
        createdAt = time
        updatedAt = time
    }

    /// The values of a permission (section 3), in the order of the error text.
    static let statuses = ["granted", "denied", "skipped", "not_requested"]
}
