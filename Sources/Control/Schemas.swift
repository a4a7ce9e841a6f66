import Emulation
import HTTPMessage
import JSON

/// The schemas of control bodies and responses, for the document.
enum Schemas {
    static let instant = JSONSchema.string(format: "date-time")

    static func object(_ required: [(String, JSONSchema)], optional: [(String, JSONSchema)] = []) -> JSONSchema {
        .object(
            JSONSchema.Object(
                required.map { JSONSchema.Property($0.0, $0.1) }
                    + optional.map { JSONSchema.Property($0.0, $0.1, isRequired: false) }
            )
        )
    }

    /// Returns the schema of a body, which refuses unknown members.
    static func closed(_ required: [(String, JSONSchema)] = [], optional: [(String, JSONSchema)] = []) -> JSONSchema {
        .closed(required, optional: optional)
    }

    static func list(_ item: JSONSchema) -> JSONSchema { object([("items", .array(item))]) }

    static func answer(_ name: String, _ schema: JSONSchema, _ text: String, _ status: Status = .ok)
        -> AnswerDeclaration
    {
        AnswerDeclaration(
            status,
            text,
            .json(name: name, schema: schema, contentType: "application/json; charset=utf-8")
        )
    }

    static let clock = object([
        ("mode", .string(enumeration: ["real", "offset", "frozen"])), ("now", instant), ("rate", .number),
    ])

    static let clockBody = closed(
        [("mode", .string(enumeration: ["real", "offset", "frozen"]))],
        optional: [("now", instant), ("rate", .boundedNumber(minimum: 0.001, maximum: 1_000_000))]
    )

    static let world = object(
        [
            ("name", .string()), ("createdAt", instant), ("clock", clock), ("requests", .integer()),
            ("bytes", .integer()),
        ],
        optional: [("forkedFrom", .string()), ("scenario", .string())]
    )

    static let content = object(
        [("bytes", .integer())],
        optional: [("sha256", .string()), ("text", .string()), ("base64", .string()), ("truncated", .boolean)]
    )

    static let pairs = JSONSchema.array(.array(.string(), minItems: 2, maxItems: 2))

    static let entry = object(
        [
            ("id", .string()), ("seq", .integer()), ("at", instant), ("wallAt", instant), ("world", .string()),
            ("api", .string()), ("route", .nullable(.string())), ("method", .string()), ("path", .string()),
            ("query", .string()), ("headers", pairs), ("body", content), ("status", .integer()),
            ("responseHeaders", pairs), ("responseBody", content),
            (
                "timings",
                object([("receive", .number), ("handle", .number), ("wait", .number), ("send", .number)])
            ),
            ("outcome", .string(enumeration: ["delivered", "interrupted", "cut", "held"])),
        ],
        optional: [
            ("source", .string(enumeration: AnswerSource.allCases.map(\.rawValue))), ("stub", .string()),
            ("violations", .array(object([("path", .string()), ("reason", .string())]))),
            ("user", .string()), ("fault", entryFault), ("scenario", .string()), ("decisions", .array(decision)),
            (
                "differences",
                .array(object([("path", .string()), ("emulated", .any), ("upstream", .any)]))
            ),
            (
                "translated",
                .array(object([("path", .string()), ("emulated", .string()), ("upstream", .string())]))
            ),
        ]
    )
}
