import CivilTime
import Emulation
import HTTPMessage
import JSON

/// The world's clock (control contract, section 5).
enum ClockOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/clock",
            "The world's clock",
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
                schema: Schemas.clockBody,
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
            "Moves the world's clock forward",
            body: .json(
                name: "ClockAdvance",
                schema: Schemas.closed(optional: [("by", .string(format: "duration")), ("seconds", .number)]),
                isRequired: true,
                example: ["by": "P91D"]
            ),
            answers: [
                Schemas.answer(
                    "AdvancedClock",
                    Schemas.object([
                        ("mode", .string()), ("now", Schemas.instant), ("rate", .number), ("fired", .integer()),
                    ]),
                    "The new clock, and how many waits came due"
                )
            ],
            handle: advance
        ),
    ]

    private static func advance(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let text = check.string("by")
        let seconds = check.seconds("seconds")
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
            if seconds != nil { check.fault("seconds", "give either by or seconds, not both") }
        } else if seconds == nil, check.items.isEmpty {
            check.fault("by", "is required: an ISO 8601 duration such as P91D or PT15M, or give seconds")
        }
        try check.finish()
        guard hosted.world.core.now + interval <= WorldClock.latest else {
            throw Problem(
                .invalidBody,
                "The clock can't go beyond the year 9999. Nothing was changed.",
                items: [
                    Problem.Item(path: text == nil ? "$.seconds" : "$.by", reason: "goes beyond the year 9999")
                ]
            )
        }
        hosted.world.withCore { $0.clock.advance(by: interval, at: call.hostTime) }
        let fired = moved(hosted, call)
        noteMove(hosted, call)
        guard case .object(var answer) = json(hosted.world.core.clock, hosted.world.core.now) else {
            return ControlAnswer.nothing
        }
        answer.append("fired", .integer(Int64(fired)))
        return ControlAnswer.json(.object(answer))
    }

    /// Notes the event of a changed clock.
    private static func noteMove(_ hosted: Emulator.HostedWorld, _ call: ControlCall) {
        guard case .object(let clock) = json(hosted.world.core.clock, hosted.world.core.now) else { return }
        call.emulator.note(.clock, in: hosted, clock)
    }

    static func moved(_ hosted: Emulator.HostedWorld, _ call: ControlCall) -> Int {
        let now = hosted.world.tick(to: call.hostTime)
        return call.conductor.clockMoved(world: hosted.key, now: now, speed: hosted.world.core.clock.speed)
    }

    static func json(_ clock: WorldClock, _ now: Instant) -> JSON {
        [
            "mode": .string(clock.mode.rawValue),
            "now": .string(now.iso8601(.milliseconds)),
            "rate": .double(clock.rate),
        ]
    }

    /// Reads `{"mode":…,"now"?:…,"rate"?:…}`.
    static func setting(_ check: inout BodyCheck) -> WorldClock.Setting? {
        let mode = check.requiredString("mode")
        let nowText = check.string("now")
        let rateValue = check.value("rate")
        var now: Instant?
        if let nowText {
            now = Instant(iso8601: nowText)
            if now == nil { check.fault("now", "must be an ISO 8601 instant such as 2025-01-01T12:00:00.000Z") }
        }
        var rate = 1.0
        if let rateValue {
            if let number = rateValue.doubleValue, WorldClock.rates.contains(number) {
                rate = number
            } else {
                check.fault("rate", "must be a number from 0.001 to 1000000")
            }
        }
        guard let mode else { return nil }
        switch mode {
        case "real":
            if nowText != nil { check.fault("now", "a real clock shows the machine's time; use offset or frozen") }
            if rateValue != nil { check.fault("rate", "a real clock runs at rate 1; use offset") }
            return .real
        case "offset":
            if nowText == nil { check.fault("now", "is required with offset") }
            return now.map { .offset($0, rate: rate) }
        case "frozen":
            if rateValue != nil { check.fault("rate", "a frozen clock has no rate") }
            return .frozen(now)
        default:
            let hint = Suggestion.nearest(to: mode, among: ["real", "offset", "frozen"]).map { "; did you mean \($0)?" }
            check.fault("mode", "must be one of real, offset, frozen\(hint ?? "")")
            return nil
        }
    }
}
