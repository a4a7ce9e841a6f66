package import JSON

/// A parameter of an operation.
package struct OpenAPIParameter: Sendable {
    /// The part of a request that it lies in.
    package enum Location: String, Sendable {
        case path
        case query
        case header
        case cookie
    }

    /// The way in which arrays and objects become text.
    package enum Style: String, Sendable {
        case simple
        case form
        case spaceDelimited
        case pipeDelimited
        case deepObject
        case matrix
        case label
    }

    package let name: String
    package let location: Location
    package let isRequired: Bool
    package let style: Style
    package let explode: Bool
    /// Takes `?name=` whatever the schema says.
    package let allowsEmptyValue: Bool
    package let schema: Schema?
    /// The value is a JSON text, as `content` says.
    package let isJSON: Bool
    package let summary: String
    package let example: JSON?
}
