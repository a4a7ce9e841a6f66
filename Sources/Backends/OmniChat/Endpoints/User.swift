import Backend
import CivilTime
import HTTPMessage
import JSON

extension OmniChatAPI {
    static let userEndpoints: [OmniChatEndpoint] = [
        Endpoint(
            .get,
            "/api/v1/user/profile",
            "The caller's profile",
            provenance: .planned,
            answers: [.json(ProfileResponse.self, "The profile")] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general, isFuture: true)
        ) { state, _, call throws(APIError) in
            guard var user = state.users[call.user?.id ?? ""] else { throw .unauthorized("User not found") }
            if state.settings.subscription != .stored {
                var shown = user.subscription ?? User.Subscription.sample(at: call.now)
                shown.status = state.settings.subscription.rawValue
                user.subscription = shown
            }
            let plan = user.subscription.flatMap { state.plans[$0.planId] }
            return json(ProfileResponse(user: user, plan: plan), state, call)
        },
        Endpoint(
            .patch,
            "/api/v1/user/profile",
            "Changes the caller's name or image",
            provenance: .beyondTheDocument,
            body: .json(ProfilePatch.self, example: ["name": "New Name"]),
            answers: [
                .json(ProfileChange.self, "The id, the time, and what was sent"),
                APIError.declared(.badRequest, APIError.noFields.message, "Neither name nor imageUrl is usable"),
            ] + bodyErrors + protectedErrors,
            metadata: EndpointMetadata(bucket: .general)
        ) { state, _, call throws(APIError) in
            let patch = try read(ProfilePatch.self, call)
            guard patch.name != nil || patch.imageUrl != nil else { throw .noFields }
            let id = call.user?.id ?? ""
            let now = Timestamp.at(call.now)
            state.users.update(id) { user in
                if let name = patch.name { user.name = name }
                if let imageUrl = patch.imageUrl { user.imageUrl = imageUrl }
                user.updatedAt = now
            }
            return json(ProfileChange(id: id, updatedAt: now, name: patch.name, imageUrl: patch.imageUrl), state, call)
        },
        Endpoint(
            .get,
            "/api/v1/user/usage",
            "What the caller used",
            provenance: .planned,
            parameters: [
                Parameter(
                    "period",
                    in: .query,
                    .string(enumeration: ["7d", "30d", "90d", "all"]),
                    "Counted back from now; 30d if absent or anything else"
                ),
                Parameter("startDate", in: .query, .string(), "ISO date or date-time; only together with endDate"),
                Parameter("endDate", in: .query, .string(), "ISO date or date-time; only together with startDate"),
            ],
            answers: [
                .json(UsageReport.self, "The report"),
                APIError.declared(.badRequest, "Invalid date range", "startDate or endDate can't be read"),
            ] + protectedErrors,
            metadata: EndpointMetadata(bucket: .general, isFuture: true)
        ) { state, _, call throws(APIError) in
            json(usage(try period(call), state, call), state, call)
        },
    ]

    /// An ISO date or date-time; one without a zone is in UTC.
    private static func instant(_ text: String) -> Instant? {
        Instant(isoDayOrDateTime: text) ?? Instant(iso8601: text + "Z")
    }

    /// The requested period (section 8.3).
    private static func period(_ call: Call) throws(APIError) -> UsageReport.Period {
        let query = call.query
        if let start = query.first("startDate"), let end = query.first("endDate"), !start.isEmpty, !end.isEmpty {
            guard let first = instant(start), let last = instant(end) else {
                throw .badRequest("Invalid date range")
            }
            return UsageReport.Period(start: first, end: last)
        }
        let days: Int64
        switch query.first("period") {
        case "7d": days = 7
        case "90d": days = 90
        // 2020-01-01T00:00:00Z
        case "all": return UsageReport.Period(start: Instant(seconds: 1_577_836_800), end: call.now)
        default: days = 30
        }
        return UsageReport.Period(start: call.now - .days(days), end: call.now)
    }

    private static func usage(_ period: UsageReport.Period, _ state: OmniChatState, _ call: Call) -> UsageReport {
        let id = call.user?.id ?? ""
        let epoch = call.epoch
        func isWithin(_ time: Timestamp) -> Bool {
            let instant = time.resolved(in: epoch)
            return period.start <= instant && instant <= period.end
        }
        // Days compare as texts, so a day counts if the period touches it.
        let days = state.usage.rows(in: id)
            .map { (day: $0.day.resolved(in: epoch).flooredToDay, row: $0) }
            .filter { period.start.flooredToDay <= $0.day && $0.day <= period.end.flooredToDay }
            .sorted { $0.day > $1.day }
            .map(\.row)
        let battery = days.reduce(0) { $0.addingClamped($1.batteryUsed) }
        let messages = days.reduce(0) { $0.addingClamped($1.messages) }
        let conversations = state.conversations.rows(in: id)
        let userMessages = conversations.reduce(0) { sum, row in
            sum + state.messages.rows(in: row.id).count { $0.role == .user && isWithin($0.createdAt) }
        }
        var shares: [UsageReport.ModelShare] = []
        for model in days.flatMap(\.models) {
            if let place = shares.firstIndex(where: { $0.model == model.model }) {
                shares[place].messageCount = shares[place].messageCount.addingClamped(model.count)
            } else {
                shares.append(UsageReport.ModelShare(model: model.model, messageCount: model.count, percentage: 0))
            }
        }
        for place in shares.indices where messages > 0 {
            shares[place].percentage = Double(shares[place].messageCount) / Double(messages) * 100
        }
        let bookings = state.transactions.rows(in: id).enumerated()
            .map { (time: $0.element.createdAt.resolved(in: epoch), place: $0.offset, row: $0.element) }
            .sorted { ($0.time, $0.place) > ($1.time, $1.place) }
            .prefix(10)
        return UsageReport(
            period: period,
            summary: UsageReport.Summary(
                totalBatteryUsed: battery,
                totalMessages: messages,
                totalConversations: conversations.count { isWithin($0.createdAt) },
                totalUserMessages: userMessages,
                averageDailyUsage: Double(battery) / Double(max(1, days.count))
            ),
            dailyUsage: days.map { UsageReport.Day(usage: $0) },
            modelBreakdown: shares,
            recentTransactions: bookings.map { UsageReport.Booking(transaction: $0.row) }
        )
    }
}
