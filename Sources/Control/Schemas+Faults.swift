import Backend
import Conditions
import JSON

/// The schemas of faults, latency and gates (control contract, sections 8 to 10).
extension Schemas {
    private static let phase = FaultSpec.Member.phase.property.schema

    /// A fault as it is ordered.
    static let faultOrder = JSONSchema.closed(
        FaultSpec.Member.effect,
        FaultSpec.Member.name.property,
        Matcher.property,
        FaultSpec.Member.when,
        FaultSpec.Member.phase.property,
        FaultSpec.Member.waiting.property,
        FaultSpec.Member.enabled.property
    )

    /// A change of a fault; null takes an optional member away.
    static let faultChange = JSONSchema.closed(
        FaultSpec.Member.enabled.change,
        position.change,
        FaultSpec.Member.name.change,
        change(Matcher.property),
        change(FaultSpec.Member.when),
        FaultSpec.Member.phase.change,
        JSONSchema.Property("effect", FaultEffects.schema, isRequired: false),
        FaultSpec.Member.waiting.change
    )

    /// A place in a list, from 1.
    static let position = BodyMember("position", .count(from: 1))

    /// A member in a body that changes something: null takes it away.
    static func change(_ member: JSONSchema.Property) -> JSONSchema.Property {
        JSONSchema.Property(member.name, .nullable(member.schema), isRequired: false)
    }

    /// A fault as it is listed.
    static let fault = object(
        [
            ("id", .string()), ("match", Matcher.schema), ("phase", phase), ("effect", FaultEffects.schema),
            ("hits", .integer()),
            ("enabled", .boolean), ("source", .string()),
        ],
        optional: [
            ("name", .string()), ("when", FaultSpec.When.schema), ("on", FaultSpec.Member.waiting.property.schema),
            ("warnings", MatchWarnings.schema),
        ]
    )

    static let gate = object(
        [("name", .string()), ("held", .array(.string())), ("passed", .integer())],
        optional: [
            ("match", Matcher.schema), ("phase", phase), ("enabled", .boolean), ("warnings", MatchWarnings.schema),
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
