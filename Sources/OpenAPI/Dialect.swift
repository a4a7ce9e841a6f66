/// The dialect of schemas, which the version of the document decides.
package enum Dialect: Sendable, Hashable {
    /// The schema objects of OpenAPI 3.0.
    case openAPI30
    /// JSON Schema 2020-12, which OpenAPI 3.1 uses.
    case jsonSchema202012
}
