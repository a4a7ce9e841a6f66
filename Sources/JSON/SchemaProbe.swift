/// A decoder that notes the members a type asks for and returns empty values.
final class SchemaProbe: Decoder {
    /// The facts about the type that decoding has shown so far.
    private enum Notes {
        case nothing
        case single(JSONSchema)
        case elements([JSONSchema])
        case properties([JSONSchema.Property])
    }

    let survey: SchemaSurvey
    let path: [JSONPathElement]
    private(set) var readsKeysDynamically = false
    private var notes = Notes.nothing
    private var isNullable = false
    /// Names the type asked about before decoding them: it can do without.
    private var optionalNames: Set<String> = []
    private var nullableNames: Set<String> = []
    /// Containers inside this one whose notes are complete only at the end.
    private var nested: [(name: String?, probe: SchemaProbe)] = []

    init(survey: SchemaSurvey, path: [JSONPathElement]) {
        self.survey = survey
        self.path = path
    }

    var codingPath: [any CodingKey] { path.map(JSONPathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if case .nothing = notes { notes = .properties([]) }
        return KeyedDecodingContainer(SchemaKeyedContainer<Key>(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        if case .nothing = notes { notes = .elements([]) }
        return SchemaUnkeyedContainer(probe: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SchemaSingleValueContainer(probe: self) }

    // MARK: Notes

    func noteSingle(_ schema: JSONSchema) {
        guard case .single(let earlier) = notes else { return notes = .single(schema) }
        notes = .single(earlier.or(schema))
    }

    func noteNullable() { isNullable = true }

    func noteElement(_ schema: JSONSchema) {
        guard case .elements(var elements) = notes else { return notes = .elements([schema]) }
        elements.append(schema)
        notes = .elements(elements)
    }

    func noteProperty(_ name: String, _ schema: JSONSchema, isRequired: Bool) {
        var properties: [JSONSchema.Property] = []
        if case .properties(let earlier) = notes { properties = earlier }
        if let place = properties.firstIndex(where: { $0.name == name }) {
            properties[place].schema = properties[place].schema.or(schema)
        } else {
            properties.append(JSONSchema.Property(name, schema, isRequired: isRequired))
        }
        notes = .properties(properties)
    }

    func noteOptional(_ name: String) { optionalNames.insert(name) }

    func noteNullable(_ name: String) { nullableNames.insert(name) }

    func noteDynamicKeys() { readsKeysDynamically = true }

    /// A probe for a container inside this one.
    func nest(_ name: String?) -> SchemaProbe {
        let probe = SchemaProbe(survey: survey, path: path + [name.map(JSONPathElement.key) ?? .index(0)])
        if let name {
            // Holds the place in the order of properties.
            noteProperty(name, .any, isRequired: true)
        }
        nested.append((name, probe))
        return probe
    }

    /// The schema that follows from the notes; nil when there are none.
    func schema() -> JSONSchema? {
        let schema: JSONSchema
        switch notes {
        case .nothing:
            return nil
        case .single(let single):
            schema = single
        case .elements(var elements):
            elements += nested.filter { $0.name == nil }.compactMap { $0.probe.schema() }
            guard let first = elements.first else { return nil }
            schema = .array(elements.dropFirst().reduce(first) { $0.or($1) })
        case .properties(var properties):
            guard !properties.isEmpty || !readsKeysDynamically else { return nil }
            for place in properties.indices {
                let name = properties[place].name
                for child in nested where child.name == name {
                    guard let inner = child.probe.schema() else { return nil }
                    properties[place].schema = inner
                }
                if optionalNames.contains(name) { properties[place].isRequired = false }
                if nullableNames.contains(name) { properties[place].schema = .nullable(properties[place].schema) }
            }
            schema = .object(JSONSchema.Object(properties, additionalProperties: survey.additionalProperties))
        }
        return isNullable ? .nullable(schema) : schema
    }
}

extension JSONSchema {
    /// Either shape, for a type that tries one after the other.
    fileprivate func or(_ other: JSONSchema) -> JSONSchema {
        if self == other { return self }
        if case .oneOf(let alternatives) = self {
            return alternatives.contains(other) ? self : .oneOf(alternatives + [other])
        }
        return .oneOf([self, other])
    }
}
