import Backend
import CivilTime
import JSON

extension RequestValue where Output == String {
    /// A UUID, in lower case.
    static var uuid: Self { Self.string().format("uuid", reading: UUIDText.canonical) }

    /// A text that should be a UUID; it is looked up later, whatever its form.
    static var anyID: Self { Self.string().documented(as: .string(format: "uuid")) }

    /// A text that must not be empty and should be a UUID.
    static var filledID: Self { Self.string(.notEmpty).documented(as: .string(format: "uuid", minLength: 1)) }

    /// A text that must not be empty.
    static var filled: Self { .string(.notEmpty) }

    /// The source of an event; an unknown one is refused later, with another status.
    static var source: Self {
        Self.string().documented(as: .string(enumeration: Event.Source.allCases.map(\.rawValue)))
    }
}

extension RequestValue where Output == Timestamp {
    /// An RFC 3339 instant.
    static var time: Self { RequestValue<String>.string().format("date-time", reading: TimeText.read) }
}

extension RequestValue where Output == JSONObject {
    /// The properties of an event: objects of `type` and `value` by name; of two with the same name the last counts.
    static var properties: Self {
        let property = JSONSchema.Object([
            JSONSchema.Property("type", .string()), JSONSchema.Property("value", .any, isRequired: false),
        ])
        return Self(.object(JSONSchema.Object(additionalProperties: .schema(.object(property))))) { json, issues in
            guard case .object(let object) = json else {
                issues.note(.wrongType(.object), json)
                return nil
            }
            var clean: [JSONObject.Member] = []
            var seen: Set<ExactText> = []
            for member in object.members.reversed() where seen.insert(ExactText(member.name)).inserted {
                guard let property = member.value.objectValue, let type = property["type"]?.stringValue else {
                    let words = "must be an object with a text member type"
                    issues.append(FieldIssue(.key(member.name), kind: .rule(words), found: member.value))
                    return nil
                }
                let value: JSON = ["type": .string(type), "value": property["value"] ?? .null]
                clean.append(JSONObject.Member(name: member.name, value: value))
            }
            return JSONObject(clean.reversed())
        }
    }
}
