import Backend
import JSON

/// Contract, section 10.7.
struct NewPropertyDefinition: RequestModel {
    var id: String?
    var key = ""
    var label = ""
    var kind = PropertyDefinition.Kind.text
    var change = PropertyDefinitionChange()

    static let shape = RequestSchema<Self>(
        "NewPropertyDefinition",
        [
            .optional("id", .uuid) { $0.id = $1 },
            // Required but unused, because the path takes precedence over the body.
            .required("event_type_id", .filledID) { _, _ in },
            .required("key", .filled) { $0.key = $1 },
            .required("label", .filled) { $0.label = $1 },
            .required("property_type", PropertyDefinitionChange.kind(.notEmpty)) { $0.kind = $1 },
        ] + PropertyDefinitionChange.others.map { $0.within(\.change) }
    )
}

/// A change of a definition; absent and null members keep their values, and so do an empty key and label.
struct PropertyDefinitionChange: RequestModel {
    var key = ""
    var label = ""
    var kind: PropertyDefinition.Kind?
    var options: [String]?
    var defaultValue: JSON?
    var displayOrder: Int?

    static let shape = RequestSchema<Self>(
        "PropertyDefinitionChange",
        [
            .optional("key", .string()) { $0.key = $1 },
            .optional("label", .string()) { $0.label = $1 },
            .optional("property_type", kind()) { $0.kind = $1 },
        ] + others
    )

    fileprivate static let others: [RequestSchema<Self>.Member] = [
        .optional("options", .strings) { $0.options = $1 },
        .optional("default_value", .any) { $0.defaultValue = $1 },
        // The range of the database column.
        .optional("display_order", .integer(in: Int64(Int32.min)...Int64(Int32.max))) { $0.displayOrder = Int($1) },
    ]

    fileprivate static func kind(_ rule: TextRule? = nil) -> RequestValue<PropertyDefinition.Kind> {
        let allowed = TextRule.oneOf(PropertyDefinition.Kind.allCases.map(\.rawValue))
        let text: RequestValue<String> = if let rule { .string(rule, allowed) } else { .string(allowed) }
        return text.map { PropertyDefinition.Kind(rawValue: $0) ?? .text }
    }
}
