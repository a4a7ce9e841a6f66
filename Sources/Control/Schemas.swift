package import Backend
import Conditions
package import HTTPMessage
package import JSON

/// The schemas of control bodies and responses, for the document.
package enum Schemas {
    static let instant = JSONSchema.string(format: "date-time")

    package static func object(
        _ required: [(String, JSONSchema)],
        optional: [(String, JSONSchema)] = []
    ) -> JSONSchema {
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

    package static func list(_ item: JSONSchema) -> JSONSchema { object([("items", .array(item))]) }

    package static func answer(
        _ name: String,
        _ schema: JSONSchema,
        _ text: String,
        _ status: Status = .ok
    ) -> AnswerDeclaration {
        AnswerDeclaration(
            status,
            text,
            .json(name: name, schema: schema, contentType: "application/json; charset=utf-8")
        )
    }

    static let clock = object([
        ("mode", .string(enumeration: ["real", "offset", "frozen"])), ("now", instant), ("rate", .number),
    ])

    static let world = object(
        [
            ("name", .string()), ("createdAt", instant), ("clock", clock), ("requests", .integer()),
            ("bytes", .integer()),
        ],
        optional: [("forkedFrom", .string()), ("scenario", .string()), ("scenarios", .array(.string()))]
    )

    static let content = object(
        [("bytes", .integer())],
        optional: [
            ("declared", .integer(minimum: 0)), ("sha256", .string()), ("text", .string()), ("base64", .string()),
            ("truncated", .boolean), ("coding", .string()), ("codedBytes", .integer(minimum: 0)),
        ]
    )

    static let pairs = JSONSchema.array(.array(.string(), minItems: 2, maxItems: 2))

    /// An entry of the journal, whole.
    static let entry = EntryView.whole.schema

    /// An entry in a list, whose members depend on the view and on the selection of fields.
    static let listedEntry: JSONSchema = {
        var members: [(String, JSONSchema)] = []
        // The line has the id of the fault alone, and the number of violations.
        let short: [String: JSONSchema] = ["fault": .string(), "violations": .integer(minimum: 0)]
        for member in EntryView.whole.members + EntryView.line.members
        where !["id", "seq"].contains(member.name) && !members.contains(where: { $0.0 == member.name }) {
            let schema = short[member.name].map { JSONSchema.oneOf([member.schema, $0]) } ?? member.schema
            members.append((member.name, schema))
        }
        return object([("id", .string()), ("seq", .integer())], optional: members)
    }()

    static let journal = object([
        ("from", .nullable(.integer(minimum: 1))), ("to", .nullable(.integer(minimum: 1))),
        ("entries", .integer(minimum: 0)), ("bytes", .integer(minimum: 0)), ("limitBytes", .integer(minimum: 0)),
        ("dropped", .integer(minimum: 0)),
    ])
}
