import Formats
import JSON

/// The keywords of one schema, read once; schemas in it are numbers in the store.
final class SchemaRules: Sendable {
    /// The rule for members or elements that no other keyword names.
    enum Rest: Sendable {
        case allowed
        case refused
        case schema(Int)
    }

    /// The member that tells which of several schemas is meant.
    struct Discriminator: Sendable {
        let property: String
        /// Values with the schemas that they mean, in order.
        let mapping: [(value: String, schema: Int)]
        /// The values that choose a branch, or a schema that builds on this one.
        let ways: [(value: String, schema: Int)]
        /// Tells whether these build on the schema itself, which has no branches.
        let isInherited: Bool
        /// The schemas that values mean.
        let schemas: Set<Int>
        private let byValue: [ExactName: Int]

        /// `own` is the schema itself, for which values stand that lead nowhere.
        init(_ property: String, _ mapping: [(value: String, schema: Int)], of own: Int, isInherited: Bool) {
            self.property = property
            self.mapping = mapping
            ways = isInherited ? mapping : mapping.filter { $0.schema != own }
            self.isInherited = isInherited
            schemas = Set(mapping.map(\.schema))
            byValue = Dictionary(
                mapping.map { (ExactName(text: $0.value), $0.schema) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// The schema that a value means; nil if it means none.
        ///
        /// A number or a truth value is compared by its text, since names are texts.
        func schema(of value: JSON) -> Int? {
            switch value {
            case .string(let text): byValue[ExactName(text: text)]
            case .integer, .number, .bool: byValue[ExactName(text: value.text)]
            case .null, .array, .object: nil
            }
        }
    }

    let isFalse: Bool
    let types: TypeSet?
    /// 3.0: null fits, whatever else is said.
    let isNullable: Bool
    let reference: Int?
    let constant: JSON?
    let enumeration: [JSON]?
    /// The texts of the values in `enumeration`, for many of them.
    private let enumerated: Set<ExactName>
    let minimum: Decimal?
    let maximum: Decimal?
    let exclusiveMinimum: Decimal?
    let exclusiveMaximum: Decimal?
    let multipleOf: Decimal?
    let minLength: Int?
    let maxLength: Int?
    let pattern: SchemaPattern?
    let format: KnownFormat?
    let prefixItems: [Int]
    let items: Rest?
    let contains: Int?
    let minContains: Int?
    let maxContains: Int?
    let minItems: Int?
    let maxItems: Int?
    let uniqueItems: Bool
    let unevaluatedItems: Rest?
    let properties: [(name: String, schema: Int)]
    /// The places in `properties`, for many of them.
    private let propertyPlaces: [ExactName: Int]
    let patternProperties: [(pattern: SchemaPattern, schema: Int)]
    let additionalProperties: Rest?
    let propertyNames: Int?
    let required: [String]
    let minProperties: Int?
    let maxProperties: Int?
    let dependentRequired: [(name: String, others: [String])]
    let dependentSchemas: [(name: String, schema: Int)]
    let unevaluatedProperties: Rest?
    let allOf: [Int]
    let anyOf: [Int]
    let oneOf: [Int]
    let not: Int?
    let condition: Int?
    let consequence: Int?
    let alternative: Int?
    let discriminator: Discriminator?
    /// The values that discriminators of the schemas on which this one builds give to their members.
    let kinds: [(member: String, values: [String])]
    let isReadOnly: Bool
    let isWriteOnly: Bool
    let defaultValue: Place?
    /// Values that the schema shows, `example` before `examples`.
    let examples: [Place]
    /// The schema's last step of its path, such as the name of a component.
    let name: String

    /// Reads the keywords of a schema; `links` numbers the schemas in it and those that it refers to.
    ///
    /// A keyword of another form than its own is left out; the survey has told it.
    init(_ place: Place, _ dialect: Dialect, _ links: inout SchemaLinks) {
        if case .key(let last)? = place.path.last { name = last } else { name = "" }
        if case .bool(false) = place.value { isFalse = true } else { isFalse = false }
        var object = place.value.objectValue ?? JSONObject()
        reference = object["$ref"]?.stringValue.flatMap { links.number(of: $0, from: place) }
        // In 3.0 nothing beside a reference counts.
        if dialect == .openAPI30, object["$ref"] != nil { object = JSONObject() }
        let keywords = JSONObject(
            object.members.filter { SchemaKeywords.mistake($0.name, $0.value, dialect) == nil }
        )
        let at = Place(source: place.source, path: place.path, value: .object(keywords))
        func count(_ name: String) -> Int? { keywords[name]?.intValue.map { Int(clamping: $0) } }
        func one(_ name: String) -> Int? {
            guard let inner = at.member(name), Self.isSchema(inner.value) else { return nil }
            return links.number(of: inner)
        }
        func rest(_ name: String) -> Rest? {
            guard let inner = at.member(name) else { return nil }
            switch inner.value {
            case .bool(let allowed): return allowed ? .allowed : .refused
            case .object: return .schema(links.number(of: inner))
            default: return nil
            }
        }
        func list(_ name: String) -> [Int] {
            (at.member(name)?.elements ?? []).filter { Self.isSchema($0.value) }.map { links.number(of: $0) }
        }
        func map(_ name: String) -> [(name: String, schema: Int)] {
            (at.member(name)?.members ?? []).filter { Self.isSchema($0.place.value) }
                .map { ($0.name, links.number(of: $0.place)) }
        }
        types = keywords["type"].flatMap { TypeSet($0) }
        isNullable = dialect == .openAPI30 && keywords["nullable"]?.boolValue == true
        constant = dialect == .openAPI30 ? nil : keywords["const"]
        let values = keywords["enum"]?.arrayValue
        enumeration = values
        enumerated = values.map { $0.count > 16 ? Set($0.map { ExactName(text: $0.canonicalText) }) : [] } ?? []
        var lowest = keywords["minimum"].flatMap { Decimal($0) }
        var highest = keywords["maximum"].flatMap { Decimal($0) }
        switch dialect {
        case .openAPI30:
            let isLowestOut = keywords["exclusiveMinimum"]?.boolValue == true
            let isHighestOut = keywords["exclusiveMaximum"]?.boolValue == true
            exclusiveMinimum = isLowestOut ? lowest : nil
            exclusiveMaximum = isHighestOut ? highest : nil
            if isLowestOut { lowest = nil }
            if isHighestOut { highest = nil }
        case .jsonSchema202012:
            exclusiveMinimum = keywords["exclusiveMinimum"].flatMap { Decimal($0) }
            exclusiveMaximum = keywords["exclusiveMaximum"].flatMap { Decimal($0) }
        }
        minimum = lowest
        maximum = highest
        multipleOf = keywords["multipleOf"].flatMap { Decimal($0) }
        minLength = count("minLength")
        maxLength = count("maxLength")
        pattern = keywords["pattern"]?.stringValue.flatMap { links.pattern($0) }
        let encoding = dialect == .openAPI30 ? nil : keywords["contentEncoding"]?.stringValue
        format =
            encoding.flatMap { KnownFormat(contentEncoding: $0) }
            ?? keywords["format"]?.stringValue.flatMap { KnownFormat(format: $0) }
        prefixItems = dialect == .openAPI30 ? [] : list("prefixItems")
        items = rest("items")
        contains = dialect == .openAPI30 ? nil : one("contains")
        minContains = count("minContains")
        maxContains = count("maxContains")
        minItems = count("minItems")
        maxItems = count("maxItems")
        uniqueItems = keywords["uniqueItems"]?.boolValue == true
        unevaluatedItems = dialect == .openAPI30 ? nil : rest("unevaluatedItems")
        let named = map("properties")
        properties = named
        propertyPlaces =
            named.count > 8
            ? Dictionary(named.enumerated().map { (ExactName(text: $1.name), $0) }, uniquingKeysWith: { $1 }) : [:]
        patternProperties = map("patternProperties").compactMap { member in
            links.pattern(member.name).map { ($0, member.schema) }
        }
        additionalProperties = rest("additionalProperties")
        propertyNames = dialect == .openAPI30 ? nil : one("propertyNames")
        required = keywords["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        minProperties = count("minProperties")
        maxProperties = count("maxProperties")
        dependentRequired = (keywords["dependentRequired"]?.objectValue?.members ?? []).map { member in
            (member.name, member.value.arrayValue?.compactMap(\.stringValue) ?? [])
        }
        dependentSchemas = dialect == .openAPI30 ? [] : map("dependentSchemas")
        unevaluatedProperties = dialect == .openAPI30 ? nil : rest("unevaluatedProperties")
        allOf = list("allOf")
        anyOf = list("anyOf")
        oneOf = list("oneOf")
        not = one("not")
        condition = dialect == .openAPI30 ? nil : one("if")
        consequence = dialect == .openAPI30 ? nil : one("then")
        alternative = dialect == .openAPI30 ? nil : one("else")
        isReadOnly = keywords["readOnly"]?.boolValue == true
        isWriteOnly = keywords["writeOnly"]?.boolValue == true
        defaultValue = at.member("default")
        examples = [at.member("example")].compactMap(\.self) + (at.member("examples")?.elements ?? [])
        if let reading = DiscriminatorReading(at) {
            let mapping = links.mapping(of: reading, at: at)
            let own = links.number(of: at)
            discriminator =
                mapping.isEmpty
                ? nil : Discriminator(reading.property, mapping, of: own, isInherited: reading.isInherited)
        } else {
            discriminator = nil
        }
        kinds = keywords["allOf"] == nil && keywords["$ref"] == nil ? [] : links.kinds(of: at)
    }

    /// The number of the schema of a member that has one by its name.
    func property(_ name: String) -> Int? {
        if !propertyPlaces.isEmpty { return propertyPlaces[ExactName(text: name)].map { properties[$0].schema } }
        return properties.last { $0.name.hasSameCodePoints(as: name) }?.schema
    }

    /// Tells whether a value is one of those in `enumeration`.
    func enumerates(_ value: JSON) -> Bool {
        if !enumerated.isEmpty { return enumerated.contains(ExactName(text: value.canonicalText)) }
        return enumeration?.contains { $0.isSame(as: value) } ?? true
    }

    /// The work of reading a schema, in steps of comparisons.
    static func price(of value: JSON) -> Int {
        guard case .object(let object) = value else { return 1 }
        return object.members.reduce(8) { sum, member in
            switch member.value {
            case .array(let elements): sum + 4 * elements.count
            case .object(let object): sum + 8 * object.count
            case .string where member.name == "pattern": sum + 200
            default: sum
            }
        }
    }

    /// Tells whether values do not travel in a direction.
    func isKeptBack(_ direction: Schema.Direction) -> Bool {
        switch direction {
        case .request: isReadOnly
        case .response: isWriteOnly
        case .neither: false
        }
    }

    /// The number of schemas that are combined.
    var combined: Int { allOf.count + anyOf.count + oneOf.count }

    private static func isSchema(_ value: JSON) -> Bool {
        switch value {
        case .object, .bool: true
        default: false
        }
    }
}
