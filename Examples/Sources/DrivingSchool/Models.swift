/// `{"success": true, "data": …}`.
struct Envelope<Content: Decodable>: Decodable { var data: Content }

struct SignIn: Decodable {
    var accessToken: String
    var refreshToken: String
}

struct Refreshed: Decodable {
    var accessToken: String
    /// Absent from servers that don't rotate.
    var refreshToken: String?
}

/// The student.
public struct Profile: Decodable, Sendable {
    /// The student's number.
    public var id: String
    /// The address to sign in with.
    public var email: String
    /// The given name.
    public var firstName: String
    /// The family name.
    public var lastName: String
}

/// A lesson that is booked.
public struct Booking: Decodable, Sendable {
    /// The booking's number.
    public var id: String
    /// The start of the lesson, in ISO 8601.
    public var startTime: String
    /// `confirmed`, or what has become of it.
    public var status: String
}

struct Bookings: Decodable { var bookings: [Booking] }

struct Booked: Decodable {
    struct Made: Decodable { var id: String }

    var booking: Made
}

struct Order: Encodable, Sendable {
    var type: String
    var lessonTypeId: String
    var startTime: String
    var duration: Int
}

struct Config: Decodable {
    struct Features: Decodable { var bookings: Bool }

    var features: Features
}
