import ConductKit
import JSON

/// Routes of Trendy.
enum TrendyRoutes {
    static let onboarding = "/api/v1/users/onboarding"
    static let read = "GET \(onboarding)"
    static let change = "PATCH \(onboarding)"
    static let erase = "DELETE \(onboarding)"
    static let creating: Set<String> = [
        "POST /api/v1/events", "POST /api/v1/events/batch", "POST /api/v1/event-types",
        "POST /api/v1/event-types/{id}/properties", "POST /api/v1/geofences",
    ]
    static let dates = [
        "welcome_completed_at", "auth_completed_at", "permissions_completed_at",
        "notifications_completed_at", "healthkit_completed_at", "location_completed_at",
    ]
    static let permissions = ["notifications_status", "healthkit_status", "location_status"]
}

/// `trendy/bounded-status-read`.
struct TrendyBoundedStatusRead: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/bounded-status-read",
        "Launch blocked by the server",
        .warning,
        situation: "a GET of the onboarding record",
        breach: """
            a GET of the onboarding record open for more than `maxMs` of machine time; or again, pause below \
            `minPauseMs`, after one that the client interrupted
            """,
        settings: [(.maxMs, 3_500), (.minPauseMs, 3_000)],
        exercisedBy: ["trendy/backend-stall", #"{"connection":"stall"} on the record"#],
        what: "The app waited too long for the onboarding record, or read it again right after giving up.",
        why: "The user looks at an empty screen until the server answers.",
        expected: "Give the read three seconds, then continue with the stored record.",
        swift: "request.timeoutInterval = 3",
        script: "fetch(url, { signal: AbortSignal.timeout(3000) })"
    )

    private var interrupted: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isOf("trendy", TrendyRoutes.read) else { return }
        context.situation(x)
        let limits = context.limits(x)
        let age = x.row.end - x.row.begin
        if let row = interrupted.removeValue(forKey: x.row.client), x.row.begin >= context[row].end,
            Fairness.pause(context[row], x.row) < limits.milliseconds(.minPauseMs)
        {
            context.breach(
                [row, x.index],
                "\(context.id(row)) was abandoned; \(x.row.id) came \(Words.duration(Fairness.pause(context[row], x.row))) later."
            )
        } else if age > limits.milliseconds(.maxMs) {
            context.breach([x.index], "\(x.row.id) was open for \(Words.duration(age)).")
        }
        if x.row.outcome == .interrupted { interrupted[x.row.client] = x.index }
    }
}

/// `trendy/sends-only-changes`.
struct TrendySendsOnlyChanges: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/sends-only-changes",
        "PATCH without a change",
        .warning,
        situation: "a PATCH of the onboarding record",
        breach:
            "a PATCH with `{}`; or the same PATCH after a delivered 200 of it with no other write of that account between",
        exercisedBy: ["any step of the onboarding"],
        what: "A PATCH changed nothing: it was empty, or the same as the one before.",
        why: "Each of them costs battery and database work for nothing.",
        expected: "Send only what differs from the last response, and nothing if nothing does.",
        swift: "let changes = draft.differences(from: stored); guard !changes.isEmpty else { return }",
        script: "const changes = diff(stored, draft); if (Object.keys(changes).length === 0) return"
    )

    /// The last delivered write of each account.
    private var last: [Int32: (row: Int32, request: Int32)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trendy", !x.isGet, x.role == .ordinary, x.operation != nil else { return }
        let account = x.row.user >= 0 ? x.row.user : -2 - x.row.client
        if x.isOf("trendy", TrendyRoutes.change) {
            context.situation(x)
            if x.requestJSON?.objectValue?.isEmpty == true {
                context.breach([x.index], "\(x.row.id) was a PATCH with `{}`.")
            } else if let former = last[account], former.request == x.row.request,
                context.knows(context[former.row], x.row)
            {
                context.breach(
                    [former.row, x.index],
                    "\(x.row.id) was the same PATCH as \(context.id(former.row)), which was answered 200."
                )
            }
        }
        if x.row.isSuccess {
            last[account] = (x.index, x.row.request)
        } else if x.row.hasUnknownEnd {
            last[account] = nil
        }
    }
}

/// `trendy/pushes-until-they-arrive`.
struct TrendyPushesUntilTheyArrive: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/pushes-until-they-arrive",
        "Lost change",
        .warning,
        situation: "a failed PATCH of the onboarding record",
        breach:
            "a member of a failed PATCH that is in no later PATCH, although a later PATCH of the session was answered 200",
        exercisedBy: ["trendy/push-lost", #"{"status":500} on the PATCH"#],
        what: "A failed change was not sent again although a later change was.",
        why: "What the user did is missing on the next device.",
        expected: "Keep failed changes, and send them with the next one.",
        swift: "pending.merge(changes) { $1 }; if try await push(pending) { pending = [:] }",
        script: "pending = { ...pending, ...changes }; if (await push(pending)) pending = {}"
    )

    private struct Lost {
        var row: Int32
        var members: Set<String>
    }

    /// A breach that was reported, and the members that no PATCH has had since.
    private struct ReportedBreach {
        var proof: [Int32]
        var members: Set<String>
    }

    private var lost: [Int32: Lost] = [:]
    private var told: [Int32: [ReportedBreach]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trendy", x.session >= 0 else { return }
        if x.isOf("trendy", TrendyRoutes.erase), x.row.isSuccess { lost[x.session] = nil }
        guard x.isOf("trendy", TrendyRoutes.change) else { return }
        guard x.exchange.body.isWhole else {
            // Content that nobody knows may have had all of them.
            for item in told.removeValue(forKey: x.session) ?? [] { context.withdraw(item.proof) }
            lost[x.session] = nil
            return
        }
        guard let members = x.requestJSON?.objectValue?.members.map(\.name) else { return }
        if var list = told[x.session] {
            for place in list.indices { list[place].members.subtract(members) }
            // What comes later after all was not lost.
            for item in list where item.members.isEmpty { context.withdraw(item.proof) }
            told[x.session] = list.filter { !$0.members.isEmpty }
        }
        if var open = lost[x.session] {
            // What was sent again is not lost, however soon that was.
            open.members.subtract(members)
            lost[x.session] = open.members.isEmpty ? nil : open
            if x.row.isSuccess, context.sawEnd(context[open.row], x.row), let name = open.members.min() {
                lost[x.session] = nil
                told[x.session, default: []].append(ReportedBreach(proof: [open.row, x.index], members: open.members))
                context.breach(
                    [open.row, x.index],
                    "\(context.id(open.row)) failed with `\(ShownText.clean(name))`; \(x.row.id) was answered 200 without it."
                )
            }
        }
        guard x.row.isFailed || x.row.outcome == .interrupted else { return }
        context.situation(x)
        if var open = lost[x.session] {
            open.members.formUnion(members)
            lost[x.session] = open
        } else {
            lost[x.session] = Lost(row: x.index, members: Set(members))
        }
    }
}

/// `trendy/completes-once`.
struct TrendyCompletesOnce: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/completes-once",
        "Onboarding completed twice",
        .warning,
        situation: "a delivered 200 to `completed: true`",
        breach:
            "`completed: true` after a delivered 200 of it; or `completed: false` after that, without a DELETE between",
        exercisedBy: ["the end of the onboarding"],
        what: "The onboarding was completed twice, or its completion was undone.",
        why: "The user has to go through the onboarding again.",
        expected: "Send `completed: true` once, and `false` only after a DELETE.",
        swift: "if !stored.completed { changes.completed = true }",
        script: "if (!stored.completed) changes.completed = true"
    )

    private var completed: [Int32: (row: Int32, isReported: Bool)] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trendy" else { return }
        let account = x.row.user >= 0 ? x.row.user : -2 - x.row.client
        if x.isOf("trendy", TrendyRoutes.erase) {
            if x.row.isSuccess || x.row.hasUnknownEnd { completed[account] = nil }
            return
        }
        guard x.isOf("trendy", TrendyRoutes.change), let value = x.requestJSON?["completed"]?.boolValue else { return }
        if let first = completed[account], context.knows(context[first.row], x.row), !first.isReported {
            completed[account] = (first.row, true)
            context.breach(
                [first.row, x.index],
                "\(context.id(first.row)) completed the onboarding; \(x.row.id) sent `completed: \(value)`."
            )
        }
        guard value, x.row.isSuccess else { return }
        context.situation(x)
        if completed[account] == nil { completed[account] = (x.index, false) }
    }
}

/// `trendy/known-permissions`.
struct TrendyKnownPermissions: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/known-permissions",
        "Unknown permission value",
        .error,
        situation: "a PATCH of the onboarding record with a permission",
        breach: "a permission value other than the four allowed",
        exercisedBy: ["the permissions step"],
        what: "A permission had a value other than the four allowed.",
        why: "The server rejects the change, and the step is lost.",
        expected: "Send `granted`, `denied`, `skipped` or `not_requested`.",
        swift: "enum Permission: String, Codable { case granted, denied, skipped, notRequested = \"not_requested\" }",
        script: "const permissions = [\"granted\", \"denied\", \"skipped\", \"not_requested\"]"
    )
    static let routes: Set<String> = [TrendyRoutes.change]
    static let known: Set<String> = ["granted", "denied", "skipped", "not_requested"]

    static func fault(_ x: JudgedExchange) -> String? {
        for name in TrendyRoutes.permissions {
            guard let value = x.requestJSON?[name], !value.isNull else { continue }
            if value.stringValue.map({ !known.contains($0) }) ?? true {
                return "had a value of `\(name)` other than the four allowed"
            }
        }
        return nil
    }
}

/// `trendy/dates-in-utc`.
struct TrendyDatesInUTC: AnsweredRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/dates-in-utc",
        "Date not in UTC",
        .warning,
        situation: "a PATCH of the onboarding record, or an event",
        breach: "a date in an onboarding PATCH or an event with an offset other than `Z`",
        exercisedBy: ["any event"],
        what: "A date was sent with an offset instead of in UTC.",
        why: "Days are counted incorrectly where the offset is dropped.",
        expected: "Write dates in UTC with `Z`.",
        swift: "date.formatted(.iso8601)",
        script: "date.toISOString()"
    )
    static let routes: Set<String> = [
        TrendyRoutes.change, "POST /api/v1/events", "POST /api/v1/events/batch", "PUT /api/v1/events/{id}",
    ]

    static func fault(_ x: JudgedExchange) -> String? {
        guard let json = x.requestJSON else { return nil }
        var objects = [json]
        if let events = json["events"]?.arrayValue { objects = events }
        for object in objects {
            for name in TrendyRoutes.dates + ["timestamp", "end_date"] {
                guard let text = object[name]?.stringValue, isDateWithOffset(text) else { continue }
                return "had `\(name)` with an offset other than `Z`"
            }
        }
        return nil
    }

    /// Tells whether a text is a date and time with a numeric offset.
    private static func isDateWithOffset(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":") else { return false }
        let sign = bytes[bytes.count - 6]
        return bytes[bytes.count - 3] == UInt8(ascii: ":") && (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"))
    }
}

/// `trendy/reads-status-once`.
struct TrendyReadsStatusOnce: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/reads-status-once",
        "Onboarding record read repeatedly",
        .warning,
        situation: "a delivered GET of the onboarding record",
        breach:
            "`times` delivered GETs of the onboarding record by one session within `withinSeconds`, no write between",
        settings: [(.times, 3), (.withinSeconds, 60)],
        exercisedBy: ["a sign-in"],
        what: "The onboarding record was read again and again although nothing was written in between.",
        why: "Each screen waits for what the app has already read.",
        expected: "Read the record once after the sign-in, and keep it.",
        swift: "let status = try await store.status ?? load()",
        script: "const status = (store.status ??= await load())"
    )

    private var reads: [Int32: [Int32]] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trendy", x.session >= 0 else { return }
        if !x.isGet {
            reads[x.session] = nil
            return
        }
        guard x.isOf("trendy", TrendyRoutes.read), x.row.isSuccess else { return }
        context.situation(x)
        let limits = context.limits(x)
        var rows = (reads[x.session] ?? []).filter {
            Fairness.interval(context[$0], x.row) <= limits.seconds(.withinSeconds)
        }
        rows.append(x.index)
        if rows.count == limits[.times] {
            context.breach(
                rows,
                "\(x.row.id) read the record for the \(rows.count)rd time, and nothing was written in between."
            )
        }
        reads[x.session] = rows
    }
}

/// `trendy/reads-before-writing`.
struct TrendyReadsBeforeWriting: APIRule {
    static let declaration = RuleDeclaration(
        apiRule: "trendy/reads-before-writing",
        "Record written before it was read",
        .warning,
        situation: "a sign-in as another user at the same address and `User-Agent`",
        breach:
            "after a sign-in as another user at the same address and `User-Agent`: a PATCH before a GET of the record",
        exercisedBy: ["trendy/user-switch"],
        what: "After a change of user the record was written before it was read.",
        why: "The previous user's state overwrites the new user's.",
        expected: "Read the new user's record before writing anything.",
        swift: "let record = try await load(); apply(draft, to: record)",
        script: "const record = await load(); apply(draft, record)"
    )

    private var users: [Int32: Int32] = [:]
    private var unread: [Int32: Int32] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.api == "trendy" else { return }
        if x.role == .signIn || x.role == .signUp, x.row.isSuccess, x.session >= 0, x.row.user >= 0 {
            if let former = users[x.row.place], former != x.row.user {
                context.situation(x)
                unread[x.session] = x.index
            }
            users[x.row.place] = x.row.user
            return
        }
        guard x.session >= 0, let row = unread[x.session] else { return }
        if x.isOf("trendy", TrendyRoutes.read), x.row.isSuccess {
            unread[x.session] = nil
        } else if x.isOf("trendy", TrendyRoutes.change) {
            unread[x.session] = nil
            context.breach(
                [row, x.index],
                "\(context.id(row)) signed in as another user; \(x.row.id) wrote before the record was read."
            )
        }
    }
}
