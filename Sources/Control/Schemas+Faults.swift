import Conditions
import JSON
import RegularExpressions

/// The schemas of faults, latency and gates (control contract, sections 8 to 10).
extension Schemas {
    static let match = closed(optional: [
        ("api", .string()), ("method", .string()), ("path", .oneOf([.string(), closed([("regex", expression)])])),
        ("query", conditions), ("headers", conditions), ("user", .string()), ("body", .any),
        (
            "bodyText",
            .oneOf([
                closed([("equals", .string())]), closed([("contains", .string())]), closed([("regex", expression)]),
            ])
        ),
    ])

    /// A regular expression, which has to fit the whole value.
    private static let expression = JSONSchema.string(maxLength: RegularExpression.longestSource)

    /// The conditions on values by their names.
    private static let conditions = JSONSchema.object(
        JSONSchema.Object(
            additionalProperties: .schema(
                .oneOf([
                    .string(), .number, .boolean, closed([("contains", .string())]), closed([("regex", expression)]),
                    closed([("absent", .boolean)]),
                ])
            )
        )
    )

    static let when = closed(optional: [
        ("skip", .integer(minimum: 0)), ("times", .integer(minimum: 1)), ("every", .integer(minimum: 1)),
        ("probability", .boundedNumber(minimum: 0, maximum: 1)), ("from", .string()), ("until", .string()),
    ])

    static let phase = JSONSchema.string(enumeration: FaultSpec.Phase.allCases.map(\.rawValue))
    private static let clockName = JSONSchema.string(enumeration: ["real", "world"])
    private static let rate = JSONSchema.integer(minimum: 1)

    /// A fault as it is ordered.
    static let faultOrder = closed(
        [("effect", FaultEffects.schema)],
        optional: [
            ("name", .string()), ("match", match), ("when", when), ("phase", phase), ("on", clockName),
            ("enabled", .boolean),
        ]
    )

    /// A change of a fault; null takes an optional member away.
    static let faultChange = closed(optional: [
        ("enabled", .nullable(.boolean)), ("position", .nullable(.integer(minimum: 1))), ("name", .nullable(.string())),
        ("match", .nullable(match)), ("when", .nullable(when)), ("phase", .nullable(phase)),
        ("effect", FaultEffects.schema), ("on", .nullable(clockName)),
    ])

    /// A fault as it is listed.
    static let fault = object(
        [
            ("id", .string()), ("match", match), ("phase", phase), ("effect", FaultEffects.schema),
            ("hits", .integer()),
            ("enabled", .boolean), ("source", .string()),
        ],
        optional: [
            ("name", .string()), ("when", when), ("on", clockName), ("warnings", MatchWarnings.schema),
        ]
    )

    static let latency = latency(adding: [])

    /// The latency as a change of it is answered.
    static let latencyAnswer = latency(adding: [("warnings", MatchWarnings.schema)])

    private static func latency(adding more: [(String, JSONSchema)]) -> JSONSchema {
        .oneOf([
            closed(
                [
                    (
                        "profile",
                        .string(enumeration: LatencyProfile.all.map(\.name) + [LatencyProfile.none])
                    )
                ],
                optional: [("match", match), ("on", clockName)] + more
            ),
            closed(
                [("delay", DelayDistribution.schema)],
                optional: [("bytesPerSecond", rate), ("match", match), ("on", clockName)] + more
            ),
            closed([("bytesPerSecond", rate)], optional: [("match", match), ("on", clockName)] + more),
        ])
    }

    static let gate = object(
        [("name", .string()), ("held", .array(.string())), ("passed", .integer())],
        optional: [
            ("match", match), ("phase", phase), ("enabled", .boolean), ("warnings", MatchWarnings.schema),
        ]
    )

    /// A fault in a journal entry.
    static let entryFault = object(
        [("phase", phase), ("effect", FaultEffects.schema)],
        optional: [("id", .string()), ("name", .string())]
    )

    /// The decision on a fault that a request matched.
    static let decision = object(
        [("phase", phase), ("effect", FaultEffects.schema), ("acted", .boolean)],
        optional: [("id", .string()), ("name", .string()), ("reason", .string())]
    )
}
