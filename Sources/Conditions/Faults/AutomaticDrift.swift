import JSON

/// The changes that a backend could make to a response, classified by its schema.
///
/// Compatible: a new member, an optional member left out, null where null is allowed. Breaking: a required member left
/// out, null where it is not allowed, another type, a new value of a closed list.
enum AutomaticDrift {
    struct Change {
        enum Kind {
            case remove, null, add
            case retype(DriftChange.Kind)
            case unknownValue
        }

        var path: DriftPath
        var kind: Kind

        func made(in json: JSON) -> JSON {
            switch kind {
            case .remove: path.change(json) { _ in nil }
            case .null: path.change(json) { $0 == nil ? nil : .null }
            case .add: path.change(json) { _ in ["addedBy": "a later version"] }
            case .retype(let kind): path.change(json) { $0.map { DriftChange.retyped($0, as: kind) } }
            case .unknownValue: path.change(json) { $0 == nil ? nil : .string(AutomaticDrift.unknownValue) }
            }
        }
    }

    static let unknownValue = "understudy_new_value"
    static let addedName = "understudyAddedMember"
    /// The number of changes to choose from; a large response repeats the same few members.
    private static let most = 2_000
    private static let deepest = 32

    /// Returns every change of that kind that this response allows, in the order of the response.
    ///
    /// Without a schema each member counts as required and of its present type.
    static func changes(of json: JSON, schema: JSONSchema?, _ wanted: DriftChange.Automatic) -> [Change] {
        var found: [Change] = []
        collect(json, schema ?? .any, [], wanted, &found)
        return found
    }

    private static func collect(
        _ json: JSON,
        _ schema: JSONSchema,
        _ way: [DriftPath.Segment],
        _ wanted: DriftChange.Automatic,
        _ found: inout [Change]
    ) {
        guard found.count < most, way.count < deepest else { return }
        switch json {
        case .object(let object):
            let shape = shape(schema)
            if wanted == .additive, shape?.additionalProperties != .closed {
                found.append(Change(path: DriftPath(way + [.name(addedName)]), kind: .add))
            }
            for member in object.members {
                let property = shape?.properties.first { $0.name == member.name }
                let inner = property?.schema ?? .any
                let path = way + [.name(member.name)]
                note(member.value, inner, isRequired: property?.isRequired ?? (shape == nil), path, wanted, &found)
                collect(member.value, inner, path, wanted, &found)
            }
        case .array(let elements):
            // All elements drift alike, so the first stands for all.
            if let first = elements.first { collect(first, element(schema), way + [.all], wanted, &found) }
        default: break
        }
    }

    private static func note(
        _ value: JSON,
        _ schema: JSONSchema,
        isRequired: Bool,
        _ way: [DriftPath.Segment],
        _ wanted: DriftChange.Automatic,
        _ found: inout [Change]
    ) {
        let path = DriftPath(way)
        let (plain, isNullable) = stripped(schema)
        if (wanted == .additive) == !isRequired { found.append(Change(path: path, kind: .remove)) }
        if !value.isNull, (wanted == .additive) == isNullable { found.append(Change(path: path, kind: .null)) }
        guard wanted == .breaking, !value.isNull else { return }
        found.append(Change(path: path, kind: .retype(value.stringValue == nil ? .string : .number)))
        if case .string(_, .some, _, _, _) = plain { found.append(Change(path: path, kind: .unknownValue)) }
    }

    /// Returns the schema without its wrappers, and whether null is allowed.
    private static func stripped(_ schema: JSONSchema) -> (JSONSchema, Bool) {
        switch schema {
        case .nullable(let inner): (stripped(inner).0, true)
        case .described(let inner, _, _): stripped(inner)
        case .null: (schema, true)
        case .oneOf(let alternatives): (schema, alternatives.contains { stripped($0).1 })
        default: (schema, false)
        }
    }

    private static func shape(_ schema: JSONSchema) -> JSONSchema.Object? {
        switch stripped(schema).0 {
        case .object(let object): object
        case .oneOf(let alternatives): alternatives.lazy.compactMap { shape($0) }.first
        default: nil
        }
    }

    private static func element(_ schema: JSONSchema) -> JSONSchema {
        switch stripped(schema).0 {
        case .array(let inner, _, _): inner
        case .oneOf(let alternatives):
            alternatives.lazy.compactMap { if case .array(let inner, _, _) = stripped($0).0 { inner } else { nil } }
                .first ?? .any
        default: .any
        }
    }
}
