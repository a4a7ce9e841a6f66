import Backend
import CivilTime

/// A booked lesson or seat (section 7.1).
struct Booking: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable {
        case drivingLesson = "driving_lesson"
        case theorySession = "theory_session"
    }
    enum Status: String, Codable, CaseIterable, Sendable { case confirmed, pending, cancelled, completed }

    struct Place: Codable, Sendable {
        var name: String
        var address: String
    }

    var id: String
    var userId: String
    var type: Kind
    var startTime: Timestamp
    var endTime: Timestamp
    /// The duration in minutes.
    var duration: Int
    var instructor: Person?
    var location: Place?
    var status: Status
    var vehicle: String?
    var notes: String?
    var topic: String?
    /// The theory session that a seat is booked in.
    var sessionId: String?

    var group: String { userId }
}

/// A kind of lesson that can be booked.
struct LessonType: Row, Codable {
    var id: String
    var categoryId: String
    var name: String
    var description: String
    /// The duration in minutes.
    var duration: Int
    var price: Double
    var studentPrice: Double?
    var quickBuy: Bool?
    var quickBuyDescription: String?

    var group: String { categoryId }
}

struct LessonCategory: Row, Codable {
    enum Kind: String, Codable, CaseIterable, Sendable { case lesson, session }

    var id: String
    var name: String
    var type: Kind
}

/// A theory session with seats.
struct TheorySession: Row, Codable {
    var id: String
    var lessonTypeId: String
    var title: String
    var startTime: Timestamp
    var endTime: Timestamp
    var totalSpots: Int
    /// The number of seats taken by people without a user here.
    var takenSpots: Int
    var instructor: Person?
    var location: String?

    var group: String { lessonTypeId }
}

/// An invoice (section 7.2).
struct Invoice: Row, Codable {
    enum Status: String, Codable, CaseIterable, Sendable { case paid, unpaid, cancelled }

    struct Item: Codable, Sendable {
        var description: String
        var quantity: Int
        var unitPrice: Double

        var total: Double { Double(quantity) * unitPrice }
    }

    var id: String
    var userId: String
    var invoiceNumber: String
    var date: Timestamp
    var dueDate: Timestamp
    var status: Status
    var description: String
    var items: [Item]
    var paidAt: Timestamp?
    var pdfUrl: String?

    var group: String { userId }
    var amount: Double { items.reduce(0) { $0 + $1.total } }
}

struct Payment: Row, Codable {
    enum PaymentMethod: String, Codable, CaseIterable, Sendable { case swish, qliro }
    enum Status: String, Codable, CaseIterable, Sendable { case pending, completed, failed, cancelled }

    var id: String
    var invoiceId: String
    var method: PaymentMethod
    /// The token in the Swish link and in its QR code.
    var token: String
    var initiatedAt: Moment
    var status: Status
    var paidAt: Moment?

    var group: String { invoiceId }
}

/// The readiness of a student (section 7.3).
struct Readiness: Row, Codable {
    struct Category: Codable, Sendable {
        var category: String
        var score: Double
        var maxScore: Double
    }

    /// The user's id.
    var id: String
    var readinessScore: Int
    var readinessLevel: String
    var categoryScores: [Category]
    var strengths: [String]
    var weaknesses: [String]
    var predictedReadinessDate: Timestamp?
    var personalizedTips: [String]
    var eligibleForCertificate: Bool
    var certificateUrl: String?

    /// The readiness of a student without any data.
    static func unknown(_ userId: String) -> Readiness {
        Readiness(
            id: userId,
            readinessScore: 0,
            readinessLevel: "not_started",
            categoryScores: [],
            strengths: [],
            weaknesses: [],
            personalizedTips: [],
            eligibleForCertificate: false
        )
    }
}

struct Feedback: Row, Codable {
    var id: String
    var userId: String
    var type: String
    var title: String
    var message: String
    var rating: Int?
    var sentiment: String?
    var instructor: Person?
    var lessonDate: Timestamp?
    var createdAt: Timestamp
    var readAt: Timestamp?
    var from: String?

    var group: String { userId }
}

/// A notification (section 7.5).
struct Notification: Row, Codable {
    struct Datum: Codable, Sendable {
        var name: String
        var value: String
    }

    var id: String
    var userId: String
    var title: String
    var body: String
    var notificationType: String
    var data: [Datum]?
    /// The sessions that a kick is addressed to.
    var sessions: [String]?
    var createdAt: Timestamp
    var readAt: Timestamp?

    var group: String { userId }

    static let kick = "session_kicked"
}

/// The records that a device has sent for synchronisation (endpoints 41 and 44).
struct SyncRecord: Row, Codable {
    var id: String
    var synced: Int
    var failed: Int
    var lastSyncAt: Moment
}
