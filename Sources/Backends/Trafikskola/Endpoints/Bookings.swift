import Backend
import CivilTime
import HTTPMessage
import JSON

extension TrafikskolaAPI {
    /// The hours at which driving lessons begin, UTC, on weekdays.
    static let slotHours = 8...15
    private static let unavailable = APIError.bookingUnavailable.declared("The slot or seat is not free")

    /// Endpoints 22 to 27 (contract, section 7.1).
    static let bookingEndpoints: [TrafikskolaEndpoint] = [
        Endpoint(
            .get,
            "/api/mobile/bookings",
            "The caller's bookings",
            provenance: .beyondTheDocument,
            parameters: [
                query("startDate", Schemas.day, "The first day, UTC"),
                query("endDate", Schemas.day, "The last day, UTC"),
                query("upcoming", .boolean, "true: only those that have not started"),
                query("type", .string(enumeration: BookingResponse.kinds), "Only that type"),
                query("status", .string(enumeration: Booking.Status.allCases.map(\.rawValue)), "Only that status"),
            ],
            answers: [data(BookingList.self, "By start, cancelled ones included"), validationError] + bearerErrors,
            metadata: EndpointMetadata(),
            handle: listBookings
        ),
        Endpoint(
            .post,
            "/api/mobile/bookings",
            "Books a lesson or a seat",
            provenance: .beyondTheDocument,
            body: .json(
                BookingRequest.self,
                example: [
                    "type": "driving_lesson", "lessonTypeId": "lt_45", "startTime": "2025-01-02T09:00:00Z",
                    "duration": 45,
                ]
            ),
            answers: [
                data(NewBooking.self, "Booked", status: .created), validationError, missing, unavailable,
            ] + bodyErrors + bearerErrors,
            metadata: EndpointMetadata(),
            handle: book
        ),
        Endpoint(
            .get,
            "/api/mobile/bookings/lesson-types",
            "What can be booked",
            provenance: .beyondTheDocument,
            answers: [data(LessonTypes.self, "By category; prices are numbers")] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let categories = state.lessonCategories.rows.map {
                LessonTypes.Category(category: $0, items: state.lessonTypes.rows(in: $0.id))
            }
            return ok(LessonTypes(categories: categories), call)
        },
        Endpoint(
            .get,
            "/api/mobile/bookings/available-slots",
            "The slots of a day for a driving lesson",
            provenance: .beyondTheDocument,
            parameters: [
                query(
                    "type",
                    .described(Schemas.filled, example: "lt_45"),
                    required: true,
                    "A lesson type's id, or driving_lesson"
                ),
                query("date", .described(Schemas.day, example: "2025-01-02"), required: true, "The day, UTC"),
            ],
            answers: [data(Slots.self, "Hourly on weekdays, none at weekends"), validationError, missing]
                + bearerErrors,
            metadata: EndpointMetadata(),
            handle: listSlots
        ),
        Endpoint(
            .get,
            "/api/mobile/bookings/available-sessions",
            "The theory sessions of a lesson type",
            provenance: .beyondTheDocument,
            parameters: [
                query("type", .described(Schemas.filled, example: "lt_theory"), required: true, "A lesson type's id")
            ],
            answers: [data(TheorySessions.self, "Those that have not started"), validationError, missing]
                + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            guard let type = call.query.last("type"), !type.isEmpty else {
                throw .validation("type", "is required")
            }
            guard state.lessonTypes.contains(type) else { throw .notFound }
            let sessions = state.theorySessions.rows(in: type)
                .filter { $0.startTime.resolved(in: call.epoch) > call.now }
                .map { TheorySessions.View(session: $0, spotsLeft: spotsLeft($0, state)) }
            return ok(TheorySessions(sessions: sessions), call)
        },
        Endpoint(
            .delete,
            "/api/mobile/bookings/{id}",
            "Cancels a booking",
            provenance: .beyondTheDocument,
            parameters: [Parameter("id", in: .path, .described(Schemas.filled, example: "bk_2"), "A booking's id")],
            answers: [
                data(Cancellation.self, "Cancelled, now or before"), missing,
                APIError.cancellationNotAllowed.declared("It has started"),
            ] + bearerErrors,
            metadata: EndpointMetadata()
        ) { state, _, call throws(APIError) in
            let user = try signedIn(&state, &call).user
            guard let booking = state.bookings[call.parameters.first ?? ""], booking.userId == user.id else {
                throw .notFound
            }
            if booking.status != .cancelled {
                guard booking.startTime.resolved(in: call.epoch) > call.now else { throw .cancellationNotAllowed }
                state.bookings.update(booking.id) { $0.status = .cancelled }
            }
            return ok(Cancellation(), call)
        },
    ]

    /// Reads a day of the query, `YYYY-MM-DD`.
    static func day(_ name: String, _ call: Call) throws(APIError) -> Instant? {
        guard let text = call.query.last(name), !text.isEmpty else { return nil }
        guard let day = Instant(isoDay: text) else { throw .validation(name, "must be a date, YYYY-MM-DD") }
        return day
    }

    private static func listBookings(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try signedIn(&state, &call).user
        let first = try day("startDate", call)
        let last = try day("endDate", call)
        let query = call.query
        let type = query.last("type").flatMap { $0.isEmpty ? nil : $0 }
        let status = query.last("status").flatMap { $0.isEmpty ? nil : $0 }
        let isUpcoming = query.last("upcoming") == "true"
        let now = call.now
        let epoch = call.epoch
        let rows = state.bookings.rows(in: user.id).map { ($0, $0.startTime.resolved(in: epoch)) }
            .filter { booking, start in
                (first.map { start >= $0 } ?? true) && (last.map { start < $0 + .days(1) } ?? true)
                    && (!isUpcoming || start > now) && (type.map { booking.type.rawValue == $0 } ?? true)
                    && (status.map { booking.status.rawValue == $0 } ?? true)
            }
            .enumerated().sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
        let isText = state.settings.bookingLocation == .string
        let views = rows.map { BookingResponse(booking: $0.element.0, hasTextLocation: isText) }
        return state.settings.bookings == .unwrapped
            ? beside(BookingsBeside(bookings: views), call) : ok(BookingList(bookings: views), call)
    }

    private static func spotsLeft(_ session: TheorySession, _ state: TrafikskolaState) -> Int {
        let booked = state.bookings.rows.count { $0.sessionId == session.id && $0.status != .cancelled }
        return max(0, session.totalSpots.subtractingClamped(session.takenSpots).subtractingClamped(booked))
    }

    /// The driving teacher: the one with that id, or else the school's first.
    private static func instructor(_ id: String?, _ state: TrafikskolaState) -> Person? {
        state.users.rows.first { $0.role == .teacher && (id == nil || $0.id == id) }
            .map { Person(id: $0.id, name: $0.name) }
    }

    private static func isTaken(
        _ start: Instant,
        _ end: Instant,
        _ instructor: String,
        _ state: TrafikskolaState,
        _ epoch: Epoch
    ) -> Bool {
        state.bookings.rows.contains { booking in
            booking.type == .drivingLesson && booking.status != .cancelled && booking.instructor?.id == instructor
                && booking.startTime.resolved(in: epoch) < end && start < booking.endTime.resolved(in: epoch)
        }
    }

    /// Tells whether a driving lesson may begin at an instant.
    private static func isSlot(_ start: Instant) -> Bool {
        let day = start.civilDate.weekday
        guard day != .saturday, day != .sunday else { return false }
        let second = start.secondOfDay
        return start.microseconds.flooredQuotient(1_000_000) * 1_000_000 == start.microseconds
            && second.isMultiple(of: 3_600) && slotHours.contains(second / 3_600)
    }

    private static func listSlots(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        guard let type = call.query.last("type"), !type.isEmpty else { throw .validation("type", "is required") }
        guard let date = try day("date", call) else { throw .validation("date", "is required") }
        guard let lesson = state.lesson(type) else { throw .notFound }
        var slots: [Slots.BookableTime] = []
        for hour in slotHours {
            let start = date + .hours(Int64(hour))
            guard isSlot(start), let person = instructor(nil, state) else { continue }
            let end = start + .minutes(Int64(lesson.duration))
            let reason: String? =
                if start <= call.now {
                    "past"
                } else if isTaken(start, end, person.id, state, call.epoch) {
                    "booked"
                } else {
                    nil
                }
            slots.append(Slots.BookableTime(start: start, end: end, instructor: person, reason: reason))
        }
        return ok(Slots(date: date, type: type, slots: slots), call)
    }

    private static func book(
        _ state: inout TrafikskolaState,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response {
        let user = try signedIn(&state, &call).user
        let (request, found) = BookingRequest.read(try object(call))
        var issues = found
        if let start = request.start, start <= call.now { issues.note("startTime", .rule("must lie in the future")) }
        try issues.check()
        let minutes = request.minutes
        guard let start = request.start, let type = state.lessonTypes[request.lessonTypeId] else { throw .notFound }
        if state.settings.takenSlots > 0 {
            state.settings.takenSlots -= 1
            throw .bookingUnavailable
        }
        var booking = Booking(
            id: "",
            userId: user.id,
            type: .drivingLesson,
            startTime: .at(start),
            endTime: .at(start + .minutes(Int64(minutes))),
            duration: minutes,
            status: .confirmed,
            notes: request.notes
        )
        if state.lessonCategories[type.categoryId]?.type == .session {
            try takeSeat(&booking, type, start, state, call.epoch)
        } else {
            try takeSlot(&booking, request.instructorId, start, state, call.epoch)
        }
        booking.id = TrafikskolaState.newID("bk", &core) { state.bookings.contains($0) }
        state.bookings.insert(booking)
        return ok(NewBooking(booking: booking), call, status: .created)
    }

    private static func takeSeat(
        _ booking: inout Booking,
        _ type: LessonType,
        _ start: Instant,
        _ state: TrafikskolaState,
        _ epoch: Epoch
    ) throws(APIError) {
        let session = state.theorySessions.rows(in: type.id).first { $0.startTime.resolved(in: epoch) == start }
        guard let session, spotsLeft(session, state) > 0,
            !state.bookings.rows(in: booking.userId).contains(where: {
                $0.sessionId == session.id && $0.status != .cancelled
            })
        else { throw .bookingUnavailable }
        booking.type = .theorySession
        booking.endTime = session.endTime
        booking.duration = type.duration
        booking.instructor = session.instructor
        booking.location = session.location.map { Booking.Place(name: $0, address: schoolAddress) }
        booking.topic = session.title
        booking.sessionId = session.id
    }

    private static func takeSlot(
        _ booking: inout Booking,
        _ instructorId: String?,
        _ start: Instant,
        _ state: TrafikskolaState,
        _ epoch: Epoch
    ) throws(APIError) {
        guard let person = instructor(instructorId, state) else { throw .notFound }
        guard isSlot(start), !isTaken(start, booking.endTime.resolved(in: epoch), person.id, state, epoch) else {
            throw .bookingUnavailable
        }
        booking.instructor = person
        booking.location = Booking.Place(name: "Skolans parkering", address: schoolAddress)
    }

    private static let schoolAddress = "Storgatan 10, Stockholm"
}

extension TrafikskolaState {
    /// A driving lesson type, by its id or as `driving_lesson`.
    fileprivate func lesson(_ type: String) -> LessonType? {
        func isDriven(_ row: LessonType) -> Bool { lessonCategories[row.categoryId]?.type == .lesson }
        if type == "driving_lesson" { return lessonTypes.rows.first(where: isDriven) }
        return lessonTypes[type].flatMap { isDriven($0) ? $0 : nil }
    }
}

extension Instant {
    /// The start of a day in the form `YYYY-MM-DD`; nil for any other text.
    init?(isoDay text: String) {
        guard text.utf8.count == 10, let instant = Instant(isoDayOrDateTime: text) else { return nil }
        self = instant
    }
}
