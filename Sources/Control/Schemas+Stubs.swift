import Conditions
import JSON

/// The schemas of stubs (own-API contract, sections 7 and 8).
extension Schemas {
    private static let texts = JSONSchema.array(.string())
    private static let text = JSONSchema.string()

    private static let event = closed(
        [("data", .any)],
        optional: [("event", text), ("id", text), ("afterMs", .boundedNumber(minimum: 0, maximum: 86_400_000))]
    )

    /// One answer of a stub.
    private static let response = closed(optional: [
        ("status", .integer(minimum: 200, maximum: 599)),
        (
            "headers",
            .oneOf([
                .array(.array(text, minItems: 2, maxItems: 2)),
                .object(JSONSchema.Object(additionalProperties: .schema(.oneOf([text, texts])))),
            ])
        ),
        ("body", .any), ("text", text), ("base64", text), ("file", text), ("events", .array(event)),
        ("delay", DelayDistribution.schema), ("template", .boolean),
    ])

    private static let states = JSONSchema.object(JSONSchema.Object(additionalProperties: .schema(text)))

    private static let members: [(String, JSONSchema)] = [
        ("name", text), ("match", match), ("requires", states), ("when", when), ("response", response),
        ("responses", .array(response, minItems: 1, maxItems: StubSpec.mostResponses)),
        ("after", .string(enumeration: StubSpec.Ending.allCases.map(\.rawValue))), ("sets", states),
        ("open", .boolean), ("enabled", .boolean),
    ]
    private static let position: (String, JSONSchema) = ("position", .integer(minimum: 1))

    /// A stub as it is ordered.
    static let stubOrder = closed(optional: members + [position])

    /// A stub that takes the place of another.
    static let stubReplacement = closed(optional: members)

    /// A change of a stub; null takes an optional member away.
    static let stubChange = closed(
        optional: members.map { ($0.0, .nullable($0.1)) } + [("position", .nullable(position.1))]
    )

    /// A stub as it is listed.
    static let stub = object(
        [
            ("id", text), ("match", match), ("enabled", .boolean), ("hits", .integer(minimum: 0)), ("source", text),
        ],
        optional: members.filter { !["match", "enabled"].contains($0.0) }
    )
}
