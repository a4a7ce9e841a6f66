/// The names of items of a query that parameters declare.
package struct QueryNames {
    private var names: Set<String> = []
    /// The names of objects that are written as `filter[a]=1`.
    private var deep: [String] = []
    /// Tells whether an object that is spread over the query takes members of any name.
    private var isOpen = false

    package init(_ parameters: [OpenAPIParameter]) {
        for parameter in parameters where parameter.location == .query {
            guard let schema = parameter.schema, !parameter.isJSON else {
                names.insert(parameter.name)
                continue
            }
            if parameter.style == .deepObject {
                deep.append(parameter.name + "[")
            } else {
                names.insert(parameter.name)
            }
            if parameter.style == .form, parameter.explode { addMembers(of: schema) }
        }
    }

    private mutating func addMembers(of schema: Schema) {
        let (coercion, view) = (TextCoercion(schema.store), SchemaView(schema.store))
        for number in [schema.number] + view.branches(of: schema.number) where coercion.form(number) == .object {
            names.formUnion(coercion.memberNames(number))
            isOpen =
                isOpen
                || view.all(number).contains { rules in
                    if case .schema? = rules.additionalProperties { true } else { false }
                }
        }
    }

    package func contains(_ name: String) -> Bool {
        isOpen || names.contains(name) || name.hasSuffix("]") && deep.contains { name.hasPrefix($0) }
    }
}
