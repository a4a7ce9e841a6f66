extension JSONObject {
    /// The member at the top of a file by which editors find the schema of its form.
    package static let schemaAddress = "$schema"

    /// The object of a file without the address of its schema, which says nothing to its reader.
    package var withoutSchemaAddress: JSONObject {
        self[Self.schemaAddress] == nil ? self : JSONObject(members.filter { $0.name != Self.schemaAddress })
    }
}
