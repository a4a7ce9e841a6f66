import JSON

/// The kind of a part of an OpenAPI document.
enum DocumentPart: Hashable, Sendable {
    case document
    case components
    case paths
    case pathItem
    case operation
    case parameter
    case header
    case requestBody
    case responses
    case response
    case mediaType
    case encoding
    case example
    case schema
    case link
    case callback
    case securityScheme

    /// The form of the value of a member.
    enum Form: Sendable {
        case one(DocumentPart)
        case list(DocumentPart)
        case map(DocumentPart)
    }

    /// The form of a member's value, or nil if it holds no parts: a text, an example, an extension.
    func form(of member: String) -> Form? {
        switch self {
        case .paths: member.utf8.first == UInt8(ascii: "/") ? .one(.pathItem) : nil
        case .callback: member.hasPrefix("x-") ? nil : .one(.pathItem)
        case .responses: member.hasPrefix("x-") ? nil : .one(.response)
        case .schema: Self.schemaMembers[member]
        default: Self.members[self]?[member]
        }
    }

    /// The part may be a reference.
    var isReferable: Bool {
        switch self {
        case .pathItem, .parameter, .header, .requestBody, .response, .example, .schema, .link, .callback,
            .securityScheme:
            true
        default: false
        }
    }

    /// The member of `components` that holds such parts under names.
    var componentsMember: String? {
        switch self {
        case .schema: "schemas"
        case .response: "responses"
        case .parameter: "parameters"
        case .example: "examples"
        case .requestBody: "requestBodies"
        case .header: "headers"
        case .securityScheme: "securitySchemes"
        case .link: "links"
        case .callback: "callbacks"
        case .pathItem: "pathItems"
        default: nil
        }
    }

    /// Tells whether a member is a part by which nothing is answered or checked: one that a note tells of.
    func isUnused(_ member: String) -> Bool {
        switch (self, member) {
        case (.document, "webhooks"), (.operation, "callbacks"), (.response, "links"), (.encoding, "headers"): true
        default: false
        }
    }

    /// The methods that a path item has members for.
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    private static let members: [DocumentPart: [String: Form]] = [
        .document: [
            "paths": .one(.paths), "components": .one(.components), "webhooks": .map(.pathItem),
        ],
        .components: [
            "schemas": .map(.schema), "responses": .map(.response), "parameters": .map(.parameter),
            "examples": .map(.example), "requestBodies": .map(.requestBody), "headers": .map(.header),
            "securitySchemes": .map(.securityScheme), "links": .map(.link), "callbacks": .map(.callback),
            "pathItems": .map(.pathItem),
        ],
        .pathItem: [
            "get": .one(.operation), "put": .one(.operation), "post": .one(.operation), "delete": .one(.operation),
            "options": .one(.operation), "head": .one(.operation), "patch": .one(.operation),
            "trace": .one(.operation), "parameters": .list(.parameter),
        ],
        .operation: [
            "parameters": .list(.parameter), "requestBody": .one(.requestBody), "responses": .one(.responses),
            "callbacks": .map(.callback),
        ],
        .parameter: ["schema": .one(.schema), "content": .map(.mediaType), "examples": .map(.example)],
        .header: ["schema": .one(.schema), "content": .map(.mediaType), "examples": .map(.example)],
        .requestBody: ["content": .map(.mediaType)],
        .response: ["headers": .map(.header), "content": .map(.mediaType), "links": .map(.link)],
        .mediaType: ["schema": .one(.schema), "examples": .map(.example), "encoding": .map(.encoding)],
        .encoding: ["headers": .map(.header)],
    ]

    private static let schemaMembers: [String: Form] = [
        "allOf": .list(.schema), "anyOf": .list(.schema), "oneOf": .list(.schema), "prefixItems": .list(.schema),
        "not": .one(.schema), "if": .one(.schema), "then": .one(.schema), "else": .one(.schema),
        "items": .one(.schema), "contains": .one(.schema), "propertyNames": .one(.schema),
        "additionalProperties": .one(.schema), "unevaluatedItems": .one(.schema),
        "unevaluatedProperties": .one(.schema), "properties": .map(.schema), "patternProperties": .map(.schema),
        "dependentSchemas": .map(.schema), "$defs": .map(.schema), "definitions": .map(.schema),
    ]
}
