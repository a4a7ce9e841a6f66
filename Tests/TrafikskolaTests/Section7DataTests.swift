import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Section 7: bookings, invoices, Körklar, lessons, notifications, sync.
struct Section7DataTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.anna, life: .days(400))
    }

    private func get(_ path: String) throws -> Played { try harness.get("/api/mobile" + path, token: token) }
    private func post(_ path: String, _ body: JSON) throws -> Played {
        try harness.post("/api/mobile" + path, token: token, json: body)
    }
    private func ids(_ reply: Played, _ path: String) -> [String] {
        (reply.value(at: path)?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    }

    // MARK: Bookings

    @Test func `7.1 bookings come by start, filtered`() throws {
        expectEqual(ids(try get("/bookings"), "data.bookings"), ["bk_4", "bk_1", "bk_2", "bk_3"])
        try expectEqual(
            get("/bookings").keys("data.bookings.1"),
            [
                "id", "type", "startTime", "endTime", "duration", "instructor", "location", "status", "vehicle",
                "notes", "topic",
            ]
        )
        for (query, wanted) in [
            ("startDate=2025-01-02&endDate=2025-01-04", ["bk_2", "bk_3"]), ("endDate=2025-01-01", ["bk_4", "bk_1"]),
            ("upcoming=true", ["bk_1", "bk_2", "bk_3"]), ("type=theory_session", ["bk_3"]),
            ("status=completed", ["bk_4"]),
        ] { expectEqual(ids(try get("/bookings?\(query)"), "data.bookings"), wanted, "\(query)") }
        for query in ["startDate=x", "endDate=2025-02-30", "startDate=2025-01-01T00:00:00Z", "startDate=2025-1-1"] {
            try expectEqual(get("/bookings?\(query)").error, "400 VALIDATION_ERROR", "\(query)")
        }
    }

    @Test func `7.1 lesson types have numbers as prices`() throws {
        let reply = try get("/bookings/lesson-types")
        expectEqual(ids(reply, "data.categories.0.items"), ["lt_45", "lt_90"])
        expectEqual(ids(reply, "data.categories.1.items"), ["lt_theory", "lt_risk1"])
        expectEqual(reply.text(at: "data.categories.1.type"), "session")
        expectEqual(reply.value(at: "data.categories.0.items.0.price")?.doubleValue, 650)
    }

    @Test func `7.1 slots are hourly on weekdays and none at weekends`() throws {
        let today =
            try get("/bookings/available-slots?type=driving_lesson&date=2025-01-01").data["slots"]?.arrayValue ?? []
        expectEqual(today.count, 8)
        expectEqual(today.map { $0["available"] == true }, [false, false, false, false, false, true, true, false])
        #expect(today[0]["reason"] != nil && today[7]["reason"] != nil && today[5]["reason"] == nil)
        expectEqual(today[5]["startTime"], "2025-01-01T13:00:00.000Z")
        let weekend = try get("/bookings/available-slots?type=lt_90&date=2025-01-04")
        expectEqual(weekend.data, ["date": "2025-01-04", "type": "lt_90", "slots": []])
        try expectEqual(get("/bookings/available-slots?type=lt_45").faulty, ["date"])
        try expectEqual(get("/bookings/available-slots?date=2025-01-01").faulty, ["type"])
        try expectEqual(get("/bookings/available-slots?type=lt_45&date=1").error, "400 VALIDATION_ERROR")
        try expectEqual(get("/bookings/available-slots?type=x&date=2025-01-02").error, "404 NOT_FOUND")
    }

    private func booking(_ type: String, _ lesson: String, _ start: String, _ duration: JSON = 45) -> JSON {
        ["type": .string(type), "lessonTypeId": .string(lesson), "startTime": .string(start), "duration": duration]
    }

    @Test func `7.1 a slot is booked, taken, cancelled and free again`() throws {
        let order = booking("driving_lesson", "lt_45", "2025-01-02T09:00:00Z")
        let reply = try post("/bookings", order)
        expectEqual(reply.status, 201)
        expectEqual(reply.keys("data"), ["booking", "message"])
        expectEqual(reply.keys("data.booking"), ["id", "type", "startTime", "endTime", "status", "instructor"])
        expectEqual(reply.text(at: "data.booking.endTime"), "2025-01-02T09:45:00.000Z")
        try expectEqual(post("/bookings", order).error, "409 BOOKING_UNAVAILABLE")
        let other = try harness.mint(Harness.other)
        try expectEqual(
            harness.post("/api/mobile/bookings", token: other, json: order).error,
            "409 BOOKING_UNAVAILABLE"
        )
        let path = "/api/mobile/bookings/" + reply.text(at: "data.booking.id")
        try expectEqual(harness.delete(path, token: other).error, "404 NOT_FOUND")
        for _ in 0..<2 {
            let cancelled = try harness.delete(path, token: token)
            expectEqual(cancelled.keys("data"), ["message", "refundAmount", "cancellationFee"])
            expectEqual(cancelled.data["refundAmount"], 0)
        }
        try expectEqual(get("/bookings?status=cancelled").data["bookings"]?.arrayValue?.count, 1)
        try expectEqual(harness.post("/api/mobile/bookings", token: other, json: order).status, 201)
    }

    @Test func `7.1 a booking that does not fit is refused`() throws {
        for (order, error) in [
            (booking("driving_lesson", "nope", "2025-01-02T09:00:00Z"), "404 NOT_FOUND"),
            (booking("driving_lesson", "lt_45", "yesterday"), "400 VALIDATION_ERROR"),
            (booking("driving_lesson", "lt_45", "2025-01-01T12:00:00Z"), "400 VALIDATION_ERROR"),
            (booking("driving_lesson", "lt_45", "2025-01-02T09:00:00Z", 0), "400 VALIDATION_ERROR"),
            (booking("flying", "lt_45", "2025-01-02T09:00:00Z"), "400 VALIDATION_ERROR"),
            (booking("driving_lesson", "lt_45", "2025-01-04T09:00:00Z"), "409 BOOKING_UNAVAILABLE"),
            (booking("driving_lesson", "lt_45", "2025-01-02T09:30:00Z"), "409 BOOKING_UNAVAILABLE"),
            (booking("driving_lesson", "lt_90", "2025-01-02T09:00:00Z", 90), "409 BOOKING_UNAVAILABLE"),
            ([:], "400 VALIDATION_ERROR"),
        ] { try expectEqual(post("/bookings", order).error, error) }
        try expectEqual(harness.delete("/api/mobile/bookings/bk_4", token: token).error, "409 CANCELLATION_NOT_ALLOWED")
        try expectEqual(harness.delete("/api/mobile/bookings/none", token: token).error, "404 NOT_FOUND")
    }

    @Test func `7.1 a seat is taken and given back`() throws {
        func spots() throws -> JSON? {
            try get("/bookings/available-sessions?type=lt_risk1").value(at: "data.sessions.0.spotsLeft")
        }
        expectEqual(ids(try get("/bookings/available-sessions?type=lt_theory"), "data.sessions").count, 2)
        try expectEqual(spots(), 1)
        let order = booking("theory_session", "lt_risk1", "2025-01-07T09:00:00Z", 210)
        let reply = try post("/bookings", order)
        expectEqual(reply.text(at: "data.booking.type"), "theory_session")
        try expectEqual(spots(), 0)
        let other = try harness.mint(Harness.other)
        try expectEqual(
            harness.post("/api/mobile/bookings", token: other, json: order).error,
            "409 BOOKING_UNAVAILABLE"
        )
        _ = try harness.delete("/api/mobile/bookings/" + reply.text(at: "data.booking.id"), token: token)
        try expectEqual(spots(), 1)
        try expectEqual(get("/bookings/available-sessions").error, "400 VALIDATION_ERROR")
        try expectEqual(get("/bookings/available-sessions?type=x").error, "404 NOT_FOUND")
    }

    // MARK: Invoices

    @Test func `7.2 invoices with their sums`() throws {
        let reply = try get("/invoices")
        expectEqual(ids(reply, "data.invoices"), ["inv_1", "inv_2", "inv_3"])
        expectEqual(
            (reply.value(at: "data.invoices")?.arrayValue ?? []).compactMap { $0["status"]?.stringValue },
            [
                "unpaid", "paid", "overdue",
            ]
        )
        expectEqual(reply.data["summary"], ["totalUnpaid": 2_500, "totalOverdue": 650, "nextDueDate": "2025-01-15"])
        expectEqual(
            reply.keys("data.invoices.0"),
            [
                "id", "invoiceNumber", "date", "dueDate", "amount", "currency", "status", "description", "items",
                "paidAt", "pdfUrl", "paymentMethods",
            ]
        )
        expectEqual(
            reply.value(at: "data.invoices.0.items.0"),
            [
                "description": "Körlektion 45 min", "quantity": 5, "unitPrice": 500, "total": 2_500,
                "amount": 2_500,
            ]
        )
        for (status, wanted) in [("all", 3), ("paid", 1), ("unpaid", 1), ("overdue", 1)] {
            expectEqual(ids(try get("/invoices?status=\(status)"), "data.invoices").count, wanted)
        }
        try expectEqual(get("/invoices?status=cancelled").error, "400 VALIDATION_ERROR")
        try harness.advance(.days(14))
        try expectEqual(get("/invoices").text(at: "data.invoices.0.status"), "unpaid")
        try harness.advance(.hours(12))
        try expectEqual(get("/invoices").text(at: "data.invoices.0.status"), "overdue")
        try expectEqual(get("/invoices").value(at: "data.summary.nextDueDate"), .null)
    }

    @Test func `7.2 a payment completes 6 s after its initiation`() throws {
        let swish = try post("/invoices/inv_1/payment/initiate", ["method": "swish"])
        expectEqual(swish.keys("data"), ["paymentId", "method", "swishUrl", "qrCode", "expiresAt", "status"])
        #expect(swish.text(at: "data.swishUrl").hasPrefix("swish://paymentrequest?token="))
        let code = try harness.get(String(swish.text(at: "data.qrCode").dropFirst(Harness.origin.count)))
        expectEqual(code[.contentType], "image/png")
        let qliro = try post("/invoices/inv_1/payment/initiate", ["method": "qliro"])
        expectEqual(qliro.keys("data"), ["paymentId", "method", "checkoutUrl", "expiresAt", "status"])
        let page = try harness.get(String(qliro.text(at: "data.checkoutUrl").dropFirst(Harness.origin.count)))
        expectEqual(page[.contentType], "image/png")
        let status = "/invoices/inv_1/payment/\(swish.text(at: "data.paymentId"))/status"
        try harness.advance(.milliseconds(5_999))
        try expectEqual(
            get(status).data,
            ["paymentId": .string(swish.text(at: "data.paymentId")), "status": "pending"]
        )
        try harness.advance(.milliseconds(1))
        let done = try get(status)
        expectEqual(done.keys("data"), ["paymentId", "status", "paidAt"])
        expectEqual(done.text(at: "data.status"), "completed")
        try expectEqual(get("/invoices?status=paid").text(at: "data.invoices.0.paidAt"), "2025-01-01T12:00:06.000Z")
        try expectEqual(post("/invoices/inv_1/payment/initiate", ["method": "swish"]).status, 409)
        try expectEqual(post("/invoices/inv_2/payment/initiate", ["method": "swish"]).status, 409)
        try expectEqual(post("/invoices/inv_3/payment/initiate", ["method": "cash"]).error, "400 VALIDATION_ERROR")
        try expectEqual(post("/invoices/none/payment/initiate", ["method": "swish"]).error, "404 NOT_FOUND")
        try expectEqual(
            get("/invoices/inv_3/payment/\(swish.text(at: "data.paymentId"))/status").error,
            "404 NOT_FOUND"
        )
        try expectEqual(get("/invoices/inv_1/payment/none/status").error, "404 NOT_FOUND")
        let other = try harness.mint(Harness.other)
        try expectEqual(harness.get("/api/mobile" + status, token: other).error, "404 NOT_FOUND")
    }

    // MARK: Lessons

    @Test func `7.3 Körklar has its scores`() throws {
        let reply = try get("/korklar")
        expectEqual(reply.data["readinessScore"], 65)
        expectEqual(reply.data["categoryScores"]?.arrayValue?.count, 3)
        expectNil(reply.data["certificateUrl"])
        let other = try harness.get("/api/mobile/korklar", token: try harness.mint(Harness.other))
        expectEqual(other.data["categoryScores"], [])
    }

    @Test func `7.4 a course with its chapters and lessons`() throws {
        let course = try get("/lms/courses").value(at: "data.courses.0")
        expectEqual(course?["totalChapters"], 2)
        expectEqual(course?["totalLessons"], 3)
        expectEqual(course?["totalQuizzes"], 1)
        let structure = try get("/lms/courses/course_1/structure")
        expectEqual(ids(structure, "data.chapters.0.lessons"), ["lesson_1", "lesson_2"])
        expectEqual(
            structure.keys("data.chapters.0.quiz"),
            [
                "id", "title", "questionCount", "passingScore", "attempts", "isCompleted",
            ]
        )
        expectNil(structure.value(at: "data.chapters.1.quiz"))
        let lesson = try get("/lms/lessons/lesson_2")
        expectEqual(lesson.text(at: "data.prevLessonId"), "lesson_1")
        expectEqual(lesson.text(at: "data.nextLessonId"), "lesson_3")
        try expectNil(get("/lms/lessons/lesson_1").data["prevLessonId"])
        let other = try harness.mint(Harness.other)
        for path in ["courses/course_1/structure", "lessons/lesson_1", "quizzes/quiz_1"] {
            try expectEqual(harness.get("/api/mobile/lms/\(path)", token: other).error, "404 NOT_FOUND")
        }
        try expectEqual(harness.get("/api/mobile/lms/courses", token: other).data, ["courses": []])
    }

    @Test func `7.4 progress never goes down, and chapter and course follow`() throws {
        func put(_ lesson: String, _ body: JSON) throws -> Played {
            try harness.put("/api/mobile/lms/lessons/\(lesson)/progress", token: token, json: body)
        }
        try expectEqual(
            put("lesson_1", ["progress": 60, "watchPercentage": 90.5, "lastPosition": 12]).text,
            #"{"success":true}"#
        )
        try expectEqual(put("lesson_1", ["progress": 30]).status, 200)
        try expectEqual(get("/lms/lessons/lesson_1").data["progress"], 60)
        try expectEqual(get("/lms/courses").value(at: "data.courses.0.progress"), 20)
        for lesson in ["lesson_1", "lesson_2"] { try expectEqual(put(lesson, ["progress": 100]).status, 200) }
        let structure = try get("/lms/courses/course_1/structure")
        expectEqual(structure.value(at: "data.chapters.0.progress"), 100)
        expectEqual(structure.value(at: "data.chapters.0.isCompleted"), true)
        expectEqual(structure.value(at: "data.chapters.1.isCompleted"), false)
        try expectEqual(get("/lms/courses").value(at: "data.courses.0.isCompleted"), false)
        for body in [[:], ["progress": 101], ["progress": -1], ["progress": "1"]] as [JSON] {
            try expectEqual(put("lesson_1", body).error, "400 VALIDATION_ERROR")
        }
        try expectEqual(put("none", ["progress": 1]).error, "404 NOT_FOUND")
    }

    private func answer(_ question: String, _ options: [String]) -> JSON {
        ["questionId": .string(question), "selectedOptionIds": .array(options.map { .string($0) })]
    }

    @Test func `7.4 a quiz hides its answers and counts all its questions`() throws {
        let quiz = try get("/lms/quizzes/quiz_1")
        #expect(!quiz.text.contains("correct"))
        expectEqual(quiz.data["questions"]?.arrayValue?.count, 3)
        func submit(_ answers: [JSON], _ id: JSON = "quiz_1") throws -> Played {
            try post("/lms/quizzes/quiz_1/submit", ["quizId": id, "answers": .array(answers), "timeSpent": 9])
        }
        let two = try submit([answer("q_1", ["a"]), answer("q_2", ["c", "a"])])
        expectEqual(
            two.keys("data"),
            [
                "quizId", "score", "passed", "totalQuestions", "correctAnswers", "wrongAnswers", "results",
            ]
        )
        expectEqual(two.data["score"], 67)
        expectEqual(two.data["passed"], false)
        expectEqual(two.value(at: "data.results.2.selectedOptionIds"), [])
        try expectEqual(
            submit([answer("q_1", ["a"]), answer("q_2", ["a"]), answer("q_3", ["a"])]).data["correctAnswers"],
            2
        )
        try expectEqual(
            submit([answer("q_1", ["a"]), answer("q_2", ["a", "c"]), answer("q_3", ["a"])]).data["score"],
            100
        )
        let row = try get("/lms/courses/course_1/structure").value(at: "data.chapters.0.quiz")
        expectEqual(row?["bestScore"], 100)
        expectEqual(row?["attempts"], 3)
        expectEqual(row?["isCompleted"], true)
        try expectEqual(submit([answer("pq_1", ["a"])]).error, "400 VALIDATION_ERROR")
        try expectEqual(submit([], "other").error, "400 VALIDATION_ERROR")
        try expectEqual(post("/lms/quizzes/quiz_1/submit", [:]).faulty, ["answers"])
        try expectEqual(post("/lms/quizzes/none/submit", ["answers": []]).error, "404 NOT_FOUND")
    }

    @Test func `7.4 practice draws distinct questions and counts those sent`() throws {
        let categories = try get("/lms/quizzes/practice/categories")
        expectEqual(categories.data["totalQuestions"], 12)
        expectEqual(categories.data["categories"]?.arrayValue?.count, 3)
        for (query, count) in [
            ("", 10), ("?count=50", 12), ("?count=1", 1), ("?category=cat_signs", 4),
            ("?category=V%C3%A4gm%C3%A4rken", 4),
        ] {
            let drawn = ids(try get("/lms/quizzes/practice\(query)"), "data.questions")
            expectEqual(drawn.count, count, "\(query)")
            expectEqual(Set(drawn).count, count)
        }
        try expectEqual(get("/lms/quizzes/practice").data["passingScore"], 65)
        for query in ["count=0", "count=51", "count=x"] {
            try expectEqual(get("/lms/quizzes/practice?\(query)").error, "400 VALIDATION_ERROR")
        }
        let result = try post(
            "/lms/quizzes/practice/submit",
            [
                "quizId": "practice",
                "answers": [answer("pq_1", ["a"]), answer("pq_5", ["b"]), answer("pq_9", ["a", "b"])], "timeSpent": 1,
            ]
        )
        expectEqual(result.data["totalQuestions"], 3)
        expectEqual(result.data["score"], 67)
        expectEqual(result.data["passed"], true)
        try expectEqual(
            post("/lms/quizzes/practice/submit", ["answers": [answer("q_1", ["a"])]]).error,
            "400 VALIDATION_ERROR"
        )
        try expectEqual(
            post("/lms/quizzes/practice/submit", ["answers": [answer("pq_1", []), answer("pq_1", [])]]).status,
            400
        )
        try expectEqual(post("/lms/quizzes/practice/submit", ["answers": []]).data["score"], 0)
        let again = try Harness()
        let first = try again.get("/api/mobile/lms/quizzes/practice", token: try again.mint(Harness.anna)).text
        let other = try Harness()
        try expectEqual(other.get("/api/mobile/lms/quizzes/practice", token: try other.mint(Harness.anna)).text, first)
    }

    // MARK: Notifications

    @Test func `7.5 notifications come newest first and are marked as read`() throws {
        let reply = try get("/notifications")
        expectEqual(reply.keys("data"), ["notifications", "unreadCount", "hasKick"])
        expectEqual(ids(reply, "data.notifications"), ["ntf_1", "ntf_2"])
        expectEqual(reply.data["unreadCount"], 1)
        expectEqual(
            reply.keys("data.notifications.1"),
            [
                "id", "title", "body", "notificationType", "sentAt", "readAt", "createdAt",
            ]
        )
        expectEqual(reply.text(at: "data.notifications.0.data.bookingId"), "bk_2")
        expectEqual(ids(try get("/notifications?unreadOnly=true"), "data.notifications"), ["ntf_1"])
        #expect(ids(try get("/notifications?since=2025-01-01T10:00:00Z"), "data.notifications").isEmpty)
        expectEqual(ids(try get("/notifications?since=2025-01-01T09:59:59Z"), "data.notifications"), ["ntf_1"])
        expectEqual(ids(try get("/notifications?limit=1"), "data.notifications"), ["ntf_1"])
        for query in ["limit=0", "limit=101", "since=x"] {
            try expectEqual(get("/notifications?\(query)").error, "400 VALIDATION_ERROR")
        }
        let other = try harness.mint(Harness.other)
        try expectEqual(
            harness.post("/api/mobile/notifications", token: other, json: ["notificationIds": ["ntf_1"]]).data,
            [
                "markedAsRead": 0
            ]
        )
        try expectEqual(
            post("/notifications", ["notificationIds": ["ntf_1", "ntf_1", "ntf_2", "x"]]).data,
            [
                "markedAsRead": 1
            ]
        )
        try expectEqual(get("/notifications").data["unreadCount"], 0)
        for body in [[:], ["notificationIds": "ntf_1"], ["notificationIds": [1]]] as [JSON] {
            try expectEqual(post("/notifications", body).error, "400 VALIDATION_ERROR")
        }
    }

    // MARK: Sync

    @Test func `7.6 feedback and sync`() throws {
        expectEqual(ids(try get("/student/feedback"), "data.feedback"), ["fb_2", "fb_1"])
        func operation(_ type: JSON) -> JSON {
            ["operation": "create", "entityType": type, "payload": [:], "timestamp": "2025-01-01T12:00:00Z"]
        }
        let types: [JSON] = ["booking", "feedback", "lesson_progress", "quiz_attempt", "invoice"]
        let reply = try post("/sync", ["deviceId": "d", "operations": .array(types.map(operation))])
        expectEqual(
            reply.data,
            ["processed": 4, "failed": 1, "serverChanges": [], "nextSyncAt": "2025-01-01T12:30:00.000Z"]
        )
        try expectEqual(
            get("/sync/status?deviceId=d").data,
            ["pending": 0, "synced": 4, "failed": 1, "lastSyncAt": "2025-01-01T12:00:00.000Z"]
        )
        try expectEqual(get("/sync/status?deviceId=e").data["lastSyncAt"], .null)
        try expectEqual(get("/sync/status").error, "400 VALIDATION_ERROR")
        for body in [
            [:], ["deviceId": "d"], ["deviceId": "d", "operations": [1]],
            ["deviceId": "d", "operations": [["operation": "x", "entityType": "booking"]]],
        ] as [JSON] { try expectEqual(post("/sync", body).error, "400 VALIDATION_ERROR") }
    }
}
