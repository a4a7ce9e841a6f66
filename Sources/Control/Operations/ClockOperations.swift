import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// The world's clock (control contract, section 5).
enum ClockOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/clock",
            "Returns the world's clock",
            answers: [Schemas.answer("Clock", Schemas.clock, "The clock")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            return ControlAnswer.json(json(hosted.world.core.clock, hosted.world.core.now))
        },
        ControlOperation(
            .put,
            "/clock",
            "Sets the world's clock",
            body: .json(
                name: "ClockSetting",
                schema: settingSchema,
                isRequired: true,
                example: ["mode": "frozen", "now": "2025-01-01T12:00:00.000Z"]
            ),
            answers: [Schemas.answer("Clock", Schemas.clock, "The new clock")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            var check = BodyCheck(try call.object())
            let setting = setting(&check)
            try check.finish()
            if let setting { hosted.world.withCore { $0.clock.set(setting, at: call.hostTime) } }
            _ = moved(hosted, call)
            noteMove(hosted, call)
            return ControlAnswer.json(json(hosted.world.core.clock, hosted.world.core.now))
        },
        ControlOperation(
            .post,
            "/clock/advance",
            "Advances the world's clock",
            parameters: [
                Parameter(
                    "dryRun",
                    in: .query,
                    .string(enumeration: DryRun.allCases.map(\.rawValue)),
                    "With true, nothing changes; the response lists the timed events that would fire"
                )
            ],
            body: .json(
                name: "ClockAdvance",
                schema: .closed(by.property, seconds.property, to.property),
                isRequired: true,
                example: ["by": "P91D"]
            ),
            answers: [
                Schemas.answer(
                    "AdvancedClock",
                    Schemas.object(
                        [
                            ("mode", .string()), ("now", Schemas.instant), ("rate", .number), ("fired", .integer()),
                        ],
                        optional: [("passed", .array(UpcomingItem.schema))]
                    ),
                    "The new clock, and the number of timers that fired"
                )
            ],
            act: advance
        ),
        ControlOperation(
            .get,
            "/clock/upcoming",
            "Lists upcoming timed events, soonest first",
            parameters: [
                Parameter("until", in: .query, Schemas.instant, "Only events up to and including this instant"),
                Parameter(
                    "kind",
                    in: .query,
                    .string(enumeration: UpcomingItem.Kind.allCases.map(\.rawValue)),
                    "Only events of this kind"
                ),
                Parameter("user", in: .query, .string(), "Only events of this user, by e-mail or id"),
            ],
            isList: true,
            page: (usualItems, mostItems),
            answers: [Schemas.answer("Upcoming", Schemas.list(UpcomingItem.schema), "The events")],
            act: upcoming
        ),
    ]

    private static let by = BodyMember("by", RequestValue.string().documented(as: .string(format: "duration")))
    private static let seconds = BodyMember("seconds", RequestValue.seconds.documented(as: .number))
    private static let to = BodyMember("to", RequestValue.string().documented(as: Schemas.instant))

    private enum DryRun: String, CaseIterable { case yes = "true", no = "false" }

    /// The number of items of a page at most, and without a limit.
    private static let mostItems = 1_000
    private static let usualItems = 100

    private static func upcoming(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        var list = UpcomingList(call, hosted)
        list.kind = try call.choice("kind", UpcomingItem.Kind.self)
        list.user = call.query.last("user")
        let until = try call.query.last("until").map { (text) throws(Problem) in try instant(text) }
        let page = ListPage(
            offset: try call.number("offset", default: 0),
            limit: try call.number("limit", default: usualItems, in: 1...mostItems)
        )
        return ControlJob.Work(isShort: false) { [list] _ in
            // Instants are shown in milliseconds, and one that is shown as the last is included.
            page.response(list.items(until: (until ?? WorldClock.latest) + .microseconds(999)), \.json)
        }.reply
    }

    private static func instant(_ text: String) throws(Problem) -> Instant {
        if let instant = Instant(iso8601: text) { return instant }
        throw Problem(
            .invalidParameter,
            "The query parameter until must be an instant such as 2025-01-01T12:00:00Z, found \"\(text.cut)\".",
            items: [Problem.Item(path: "?until", reason: "must be an ISO 8601 instant")]
        )
    }

    /// Tells what an advance would bring, without making it.
    private static func forecast(
        _ interval: Interval,
        _ call: ControlCall,
        _ hosted: Emulator.HostedWorld
    ) -> ControlDecision {
        var clock = hosted.world.core.clock
        clock.advance(by: interval, at: call.hostTime)
        let end = clock.now(call.hostTime)
        let list = UpcomingList(call, hosted)
        return ControlJob.Work(isShort: false) { [clock] _ in
            guard case .object(var answer) = json(clock, end) else { return ControlAnswer.nothing }
            answer.append("fired", .integer(Int64(list.fired(until: end))))
            answer.append("passed", .array(list.items(until: end).prefix(mostItems).map(\.json)))
            return ControlAnswer.json(.object(answer))
        }.reply
    }

    private static func advance(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let isForecast = try call.choice("dryRun", DryRun.self) == .yes
        var check = BodyCheck(try call.object())
        let text = check.read(by)
        let seconds = check.read(seconds)
        let target = check.read(to)
        let given = ["by", "seconds", "to"].filter { check.value($0) != nil }
        var interval = seconds ?? .zero
        if let text {
            do throws(DurationError) {
                // Years and months count from the world's present day.
                let now = hosted.world.core.now
                interval = try now + CalendarDuration(iso8601: text) - now
                if interval < .zero { check.fault("by", "must not be negative; PUT /__admin/clock can go back") }
            } catch {
                check.fault("by", "\(error)")
            }
        } else if let target {
            if let instant = Instant(iso8601: target) {
                interval = instant - hosted.world.core.now
                if interval < .zero { check.fault("to", "must not be before now; PUT /__admin/clock can go back") }
            } else {
                check.fault("to", "must be an ISO 8601 instant such as 2025-01-01T12:00:00Z")
            }
        } else if seconds == nil, check.items.isEmpty {
            check.fault("by", "is required: an ISO 8601 duration such as P91D or PT15M, or give seconds, or to")
        }
        if given.count > 1 { check.fault(given[1], "give one of by, seconds and to, not several") }
        try check.finish()
        guard hosted.world.core.now + interval <= WorldClock.latest else {
            throw Problem(
                .invalidBody,
                "The clock can't go beyond the year 9999. Nothing was changed.",
                items: [
                    Problem.Item(path: "$.\(given.first ?? "by")", reason: "goes beyond the year 9999")
                ]
            )
        }
        if isForecast { return forecast(interval, call, hosted) }
        hosted.world.withCore { $0.clock.advance(by: interval, at: call.hostTime) }
        let fired = moved(hosted, call)
        noteMove(hosted, call)
        guard case .object(var answer) = json(hosted.world.core.clock, hosted.world.core.now) else {
            return .now(ControlAnswer.nothing)
        }
        answer.append("fired", .integer(Int64(fired)))
        return .now(ControlAnswer.json(.object(answer)))
    }

    /// Notes the event of a changed clock.
    static func noteMove(_ hosted: Emulator.HostedWorld, _ call: ControlCall) {
        guard case .object(let clock) = json(hosted.world.core.clock, hosted.world.core.now) else { return }
        call.emulator.note(.clock, in: hosted, clock)
        let present = hosted.world.core.clock
        let text = "The clock was moved to \(hosted.world.core.now.iso8601(.milliseconds)), \(present.mode.rawValue)"
        call.emulator.write(.clock, text, in: hosted, at: call.hostTime)
    }

    static func moved(_ hosted: Emulator.HostedWorld, _ call: ControlCall) -> Int {
        let now = hosted.world.tick(to: call.hostTime)
        return call.host.clockMoved(world: hosted.key, now: now, speed: hosted.world.core.clock.speed)
    }

    static func json(_ clock: WorldClock, _ now: Instant) -> JSON {
        [
            "mode": .string(clock.mode.rawValue),
            "now": .string(now.iso8601(.milliseconds)),
            "rate": .double(clock.rate),
        ]
    }

    private static let modes = WorldClock.Mode.allCases.map(\.rawValue)
    private static let mode = BodyMember(
        "mode",
        RequestValue.nonEmpty.documented(as: .string(enumeration: modes))
            .map(orIssue: .notAllowed(modes)) { WorldClock.Mode(rawValue: $0) }
    ).required()
    private static let now = BodyMember(
        "now",
        RequestValue.string().documented(as: Schemas.instant)
            .map(orIssue: .rule("must be an ISO 8601 instant such as 2025-01-01T12:00:00.000Z")) {
                Instant(iso8601: $0)
            }
    )
    private static let rate = BodyMember("rate", .number(in: WorldClock.rates))

    /// The schema of a clock's setting.
    static let settingSchema = JSONSchema.closed(mode.property, now.property, rate.property)

    /// Reads `{"mode":…,"now"?:…,"rate"?:…}`.
    static func setting(_ check: inout BodyCheck) -> WorldClock.Setting? {
        let mode = check.read(mode)
        let (hasNow, hasRate) = (check.value("now") != nil, check.value("rate") != nil)
        let now = check.read(now)
        let rate = check.read(rate) ?? 1
        switch mode {
        case .real:
            if hasNow { check.fault("now", "a real clock shows the machine's time; use offset or frozen") }
            if hasRate { check.fault("rate", "a real clock runs at rate 1; use offset") }
            return .real
        case .offset:
            if !hasNow { check.fault("now", "is required with offset") }
            return now.map { .offset($0, rate: rate) }
        case .frozen:
            if hasRate { check.fault("rate", "a frozen clock has no rate") }
            return .frozen(now)
        case nil: return nil
        }
    }
}
