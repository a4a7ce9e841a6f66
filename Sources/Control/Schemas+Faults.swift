import Emulation
import JSON

/// The shapes of faults, latency and gates (control contract, sections 8 to 10).
extension Schemas {
    static let match = closed(optional: [
        ("api", .string()), ("method", .string()), ("path", .string()),
        ("query", .object(JSONSchema.Object())), ("headers", .object(JSONSchema.Object())), ("user", .string()),
        ("body", .any),
    ])

    static let when = closed(optional: [
        ("skip", .integer(minimum: 0)), ("times", .integer(minimum: 1)), ("every", .integer(minimum: 1)),
        ("probability", .boundedNumber(minimum: 0, maximum: 1)), ("from", .string()), ("until", .string()),
    ])

    static let phase = JSONSchema.string(enumeration: FaultSpec.Phase.allCases.map(\.rawValue))
    private static let clockName = JSONSchema.string(enumeration: ["real", "world"])
    private static let milliseconds = JSONSchema.integer(minimum: 0, maximum: 86_400_000)
    private static let count = JSONSchema.integer(minimum: 0)
    private static let rate = JSONSchema.integer(minimum: 1)
    private static let number = JSONSchema.boundedNumber(minimum: 0, maximum: DelayDistribution.longest)

    static let delay = JSONSchema.oneOf([
        closed([("ms", number)], optional: [("max", number)]),
        closed([("uniform", .array(number, minItems: 2, maxItems: 2))], optional: [("max", number)]),
        closed([("lognormal", closed([("median", number), ("p95", number)]))], optional: [("max", number)]),
        closed([("exponential", closed([("mean", number)]))], optional: [("max", number)]),
    ])

    private static let drift = JSONSchema.oneOf([
        closed([("remove", .string())]), closed([("set", .string()), ("to", .any)]), closed([("null", .string())]),
        closed([("add", closed([("path", .string()), ("value", .any)]))]),
        closed([
            ("retype", .string()), ("as", .string(enumeration: Drift.Kind.allCases.map(\.rawValue))),
        ]),
        closed([("auto", .string(enumeration: Drift.Automatic.allCases.map(\.rawValue)))]),
    ])

    private static let stream = JSONSchema.oneOf([
        closed([("cutAfterEvents", count)]), closed([("errorAfterEvents", count)]),
        closed([("gapMs", milliseconds)], optional: [("afterEvents", count)]), closed([("duplicate", rate)]),
        closed([("splitUtf8", .boolean)]),
    ])

    private static let upload = JSONSchema.oneOf([
        closed([("readBytesPerSecond", rate)]), closed([("stopAfterBytes", count)]),
        closed([("rejectEarly", .integer(minimum: 400, maximum: 599))]), closed([("resetAfterBytes", count)]),
    ])

    static let effect = JSONSchema.oneOf([
        closed(
            [("status", .integer(minimum: 200, maximum: 599))],
            optional: [("retryAfter", count), ("code", .string()), ("message", .string())]
        ),
        closed([("delay", delay)]), closed([("throttle", closed([("bytesPerSecond", rate)]))]),
        closed([("dribble", closed([("chunks", .integer(minimum: 1, maximum: 10_000)), ("overMs", milliseconds)]))]),
        closed([("connection", .string(enumeration: ["reset", "truncate"]))], optional: [("afterBytes", count)]),
        closed([("connection", .string(enumeration: ["stall"]))], optional: [("forMs", milliseconds)]),
        closed([("connection", .string(enumeration: ["empty", "garbage", "malformed-chunk"]))]),
        closed([("body", .string(enumeration: FaultEffect.Body.allCases.map(\.rawValue)))]),
        closed([("drift", drift)]), closed([("stream", stream)]), closed([("upload", upload)]),
        closed([("tokens", .string(enumeration: ["expire", "revoke"]))]),
    ])

    /// A fault as it is ordered.
    static let faultOrder = closed(
        [("effect", effect)],
        optional: [
            ("name", .string()), ("match", match), ("when", when), ("phase", phase), ("on", clockName),
        ]
    )

    /// A fault as it is listed.
    static let fault = object(
        [("id", .string()), ("match", match), ("phase", phase), ("effect", effect), ("hits", .integer())],
        optional: [("name", .string()), ("when", when), ("on", clockName)]
    )

    static let latency = JSONSchema.oneOf([
        closed(
            [
                (
                    "profile",
                    .string(enumeration: LatencyProfile.all.map(\.name) + [LatencyProfile.none])
                )
            ],
            optional: [("match", match), ("on", clockName)]
        ),
        closed([("delay", delay)], optional: [("bytesPerSecond", rate), ("match", match), ("on", clockName)]),
        closed([("bytesPerSecond", rate)], optional: [("match", match), ("on", clockName)]),
    ])

    static let gate = object(
        [("name", .string()), ("held", .array(.string())), ("passed", .integer())],
        optional: [("match", match), ("phase", phase)]
    )

    /// A fault in a journal entry.
    static let entryFault = object(
        [("phase", phase), ("effect", effect)],
        optional: [("id", .string()), ("name", .string())]
    )

    /// What became of a fault that a request matched.
    static let decision = object(
        [("phase", phase), ("effect", effect), ("acted", .boolean)],
        optional: [("id", .string()), ("name", .string()), ("reason", .string())]
    )
}
