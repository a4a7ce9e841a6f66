package import JSON
import RegularExpressions

/// The schema of a `match` object, beside the reader in `Matcher`.
extension Matcher {
    package static let schema = JSONSchema.closed(optional: [
        ("api", .string()), ("method", .string()), ("path", .oneOf([.string(), .closed([("regex", expression)])])),
        ("query", conditions), ("headers", conditions), ("user", .string()), ("body", .any),
        (
            "bodyText",
            .oneOf([
                .closed([("equals", .string())]), .closed([("contains", .string())]), .closed([("regex", expression)]),
            ])
        ),
        ("connection", .words(ConnectionUse.self)),
    ])

    /// A regular expression, which has to fit the whole value.
    private static let expression = JSONSchema.string(maxLength: RegularExpression.longestSource)

    /// The conditions on values by their names.
    private static let conditions = JSONSchema.object(
        JSONSchema.Object(
            additionalProperties: .schema(
                .oneOf([
                    .string(), .number, .boolean, .closed([("contains", .string())]), .closed([("regex", expression)]),
                    .closed([("absent", .boolean)]),
                ])
            )
        )
    )

    /// The member `match` of a body.
    package static let property = JSONSchema.Property("match", schema, isRequired: false)
}
