import Backend
import CivilTime
import JSON

struct PersonResponse: ResponseModel {
    var person: Person

    static let shape = ResponseSchema<Self>(
        "Instructor",
        [
            .string("id") { $0.person.id }, .string("name") { $0.person.name },
            .optionalString("phone") { $0.person.phone },
        ]
    )
}

/// A booking (contract, section 7.1).
struct BookingResponse: ResponseModel {
    var booking: Booking
    /// Tells whether the location has its older form (decision 16).
    var hasTextLocation = false

    static let kinds = Booking.Kind.allCases.map(\.rawValue)
    private static let place = Schemas.object([("name", Schemas.text), ("address", Schemas.text)])

    static let shape = ResponseSchema<Self>(
        "Booking",
        [
            .string("id") { $0.booking.id },
            .string("type", oneOf: kinds) { $0.booking.type.rawValue },
            .time("startTime") { $0.booking.startTime },
            .time("endTime") { $0.booking.endTime },
            .integer("duration") { $0.booking.duration },
            .nullableObject("instructor") { $0.booking.instructor.map { PersonResponse(person: $0) } },
            .custom("location", .nullable(place)) { view, writer in
                guard let place = view.booking.location else {
                    writer.json.null()
                    return
                }
                if view.hasTextLocation {
                    writer.json.string("\(place.name), \(place.address)")
                } else {
                    writer.json.write(["name": .string(place.name), "address": .string(place.address)])
                }
            },
            .choice("status") { $0.booking.status },
            .nullableString("vehicle") { $0.booking.vehicle },
            .nullableString("notes") { $0.booking.notes },
            .nullableString("topic") { $0.booking.topic },
        ]
    )
}

struct BookingList: ResponseModel {
    var bookings: [BookingResponse]

    static let shape = ResponseSchema<Self>("BookingList", [.array("bookings") { $0.bookings }])
}

/// The list next to `success`, as in the older backend.
struct BookingsBeside: ResponseModel {
    var bookings: [BookingResponse]

    static let shape = ResponseSchema<Self>(
        "BookingsBeside",
        [.boolean("success") { _ in true }, .array("bookings") { $0.bookings }]
    )
}

struct NewBooking: ResponseModel {
    struct Summary: ResponseModel {
        var booking: Booking

        static let shape = ResponseSchema<Self>(
            "BookingSummary",
            [
                .string("id") { $0.booking.id },
                .string("type", oneOf: BookingResponse.kinds) { $0.booking.type.rawValue },
                .time("startTime") { $0.booking.startTime },
                .time("endTime") { $0.booking.endTime },
                .string("status") { $0.booking.status.rawValue },
                .nullableObject("instructor") { $0.booking.instructor.map { PersonResponse(person: $0) } },
            ]
        )
    }

    var booking: Booking

    static let shape = ResponseSchema<Self>(
        "NewBooking",
        [
            .object("booking") { Summary(booking: $0.booking) },
            .string("message") { _ in "Your lesson is booked" },
        ]
    )
}

struct Cancellation: ResponseModel {
    static let shape = ResponseSchema<Self>(
        "Cancellation",
        [
            .string("message") { _ in "Your booking is cancelled" },
            .integer("refundAmount") { _ in 0 },
            .integer("cancellationFee") { _ in 0 },
        ]
    )
}

struct LessonTypes: ResponseModel {
    struct Item: ResponseModel {
        var type: LessonType

        static let shape = ResponseSchema<Self>(
            "LessonType",
            [
                .string("id") { $0.type.id },
                .string("name") { $0.type.name },
                .string("description") { $0.type.description },
                .integer("duration") { $0.type.duration },
                .number("price") { $0.type.price },
                .optionalNumber("studentPrice") { $0.type.studentPrice },
                .optionalBoolean("quickBuy") { $0.type.quickBuy },
                .optionalString("quickBuyDescription") { $0.type.quickBuyDescription },
            ]
        )
    }

    struct Category: ResponseModel {
        var category: LessonCategory
        var items: [LessonType]

        static let shape = ResponseSchema<Self>(
            "LessonCategory",
            [
                .string("id") { $0.category.id },
                .string("name") { $0.category.name },
                .choice("type") { $0.category.type },
                .array("items") { $0.items.map { Item(type: $0) } },
            ]
        )
    }

    var categories: [Category]

    static let shape = ResponseSchema<Self>("LessonTypes", [.array("categories") { $0.categories }])
}

struct Slots: ResponseModel {
    struct BookableTime: ResponseModel {
        var start: Instant
        var end: Instant
        var instructor: Person
        /// The reason why it can't be booked; nil if it can.
        var reason: String?

        static let shape = ResponseSchema<Self>(
            "Slot",
            [
                .time("startTime") { .at($0.start) },
                .time("endTime") { .at($0.end) },
                .object("instructor") { ProfileResponse.Instructor(person: $0.instructor) },
                .boolean("available") { $0.reason == nil },
                .optionalString("reason") { $0.reason },
            ]
        )
    }

    var date: Instant
    var type: String
    var slots: [BookableTime]

    static let shape = ResponseSchema<Self>(
        "Slots",
        [.day("date") { .at($0.date) }, .string("type") { $0.type }, .array("slots") { $0.slots }]
    )
}

struct TheorySessions: ResponseModel {
    struct View: ResponseModel {
        var session: TheorySession
        var spotsLeft: Int

        static let shape = ResponseSchema<Self>(
            "TheorySession",
            [
                .string("id") { $0.session.id },
                .string("title") { $0.session.title },
                .day("date") { $0.session.startTime },
                .time("startTime") { $0.session.startTime },
                .time("endTime") { $0.session.endTime },
                .integer("spotsLeft") { $0.spotsLeft },
                .integer("totalSpots") { $0.session.totalSpots },
                .optionalObject("instructor") { $0.session.instructor.map { ProfileResponse.Instructor(person: $0) } },
                .optionalString("location") { $0.session.location },
            ]
        )
    }

    var sessions: [View]

    static let shape = ResponseSchema<Self>("TheorySessions", [.array("sessions") { $0.sessions }])
}
