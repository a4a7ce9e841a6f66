import HTTPMessage
package import JSON

/// A media type of a body, with its schema and examples.
package struct OpenAPIContent: Sendable {
    /// An example by its name; nil where it lies elsewhere.
    package struct Example: Sendable {
        package let name: String
        package let value: JSON?
    }

    /// The way in which a member of a form is written.
    package struct Encoding: Sendable {
        package let name: String
        package let contentType: String?
        package let style: OpenAPIParameter.Style
        package let explode: Bool
    }

    /// The media type or the range, as it is written.
    package let name: String
    package let schema: Schema?
    package let example: JSON?
    package let examples: [Example]
    package let encodings: [Encoding]
    /// The place in the document, for findings.
    let place: OpenAPIOperation.OperationPlace

    /// The type and the subtype in lower case, each of which may be `*`.
    package var essence: (type: String, subtype: String) {
        if let type = MediaType(name) { return (type.type, type.subtype) }
        let pieces = name.lowercased().split(separator: "/", maxSplits: 1)
        return (pieces.first.map { String($0) } ?? "*", pieces.count == 2 ? String(pieces[1]) : "*")
    }

    /// The parameters of the media type, which are part of it.
    var parameters: [(name: String, value: String)] { MediaType(name)?.parameters ?? [] }

    /// The example that is sent unless another is asked for.
    var firstExample: JSON? { example ?? examples.lazy.compactMap(\.value).first }

    /// Tells whether it shows nothing but texts: its first example is one, or its schema takes no other values.
    var isOfTexts: Bool {
        if let shown = firstExample { return shown.stringValue != nil }
        guard let schema else { return true }
        return SchemaView(schema.store).types(of: schema.number).isSubset(of: [.string, .null])
    }

    /// Tells whether samples of the content are sent as text.
    var isText: Bool { ContentChoice.isText(name) }

    /// Tells whether the content is JSON: `application/json` and everything that ends in `+json`.
    package var isJSON: Bool {
        let essence = essence
        return essence.subtype == "json" || essence.subtype.hasSuffix("+json")
            || essence.subtype == "*" && (essence.type == "*" || essence.type == "application")
    }
}
