import Backend
import Conditions
import JSON

/// The schemas of stubs (own-API contract, sections 7 and 8).
extension Schemas {
    private static let texts = JSONSchema.array(.string())
    private static let text = JSONSchema.string()

    private static let retry = ("retry", JSONSchema.integer(minimum: 0, maximum: 86_400_000))
    private static let comment = ("comment", text)
    private static let rest = [("id", text), ("afterMs", .boundedNumber(minimum: 0, maximum: 86_400_000))]

    /// An event, or a reconnection time or a comment alone.
    private static let event = JSONSchema.oneOf([
        closed([("data", .any)], optional: [("event", text), retry, comment] + rest),
        closed([retry], optional: [comment] + rest), closed([comment], optional: rest),
    ])

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
        ("lineEnd", .string(enumeration: StubResponse.lineEnds)), ("bom", .boolean), ("resume", .boolean),
        ("delay", DelayDistribution.schema), ("template", .boolean),
    ])

    private static let states = JSONSchema.object(JSONSchema.Object(additionalProperties: .schema(text)))

    private static let members: [JSONSchema.Property] = [
        optional("name", text), Matcher.property, optional("requires", states), FaultSpec.Member.when,
        optional("response", response),
        optional("responses", .array(response, minItems: 1, maxItems: StubSpec.mostResponses)),
        optional("after", .string(enumeration: StubSpec.Ending.allCases.map(\.rawValue))), optional("sets", states),
        optional("open", .boolean), FaultSpec.Member.enabled.property,
    ]

    private static func optional(_ name: String, _ schema: JSONSchema) -> JSONSchema.Property {
        JSONSchema.Property(name, schema, isRequired: false)
    }

    /// A stub as it is ordered.
    static let stubOrder = JSONSchema.closed(members + [position.property])

    /// A stub that takes the place of another.
    static let stubReplacement = JSONSchema.closed(members)

    /// A change of a stub; null takes an optional member away.
    static let stubChange = JSONSchema.closed(members.map(change) + [position.change])

    /// A stub as it is listed.
    static let stub = object(
        [
            ("id", text), ("match", Matcher.schema), ("enabled", .boolean), ("hits", .integer(minimum: 0)),
            ("source", text),
        ],
        optional: members.filter { !["match", "enabled"].contains($0.name) }.map { ($0.name, $0.schema) }
    )
}
