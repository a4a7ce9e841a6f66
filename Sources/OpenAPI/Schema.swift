package import JSON

/// A schema of a document, or one of its own: JSON Schema 2020-12, or the schema objects of OpenAPI 3.0.
package struct Schema: Sendable {
    let store: SchemaStore
    let number: Int

    init(_ store: SchemaStore, _ number: Int) {
        self.store = store
        self.number = number
    }

    /// Reads a schema of JSON Schema 2020-12 that lies in no document.
    package init(_ json: JSON) {
        store = SchemaStore(SourceSet())
        number = store.add(json, dialect: .jsonSchema202012, fallback: nil)
    }

    /// The direction in which a value travels.
    ///
    /// In a request members that are read only may be missing, in a response those that are written only.
    package enum Direction: Sendable {
        case request
        case response
        case neither
    }

    /// Returns everything in a value that does not fit, up to a limit, in the order of the value.
    ///
    /// The work is bounded: what takes more is one issue that says so.
    package func validate(_ value: JSON, direction: Direction = .neither, limit: Int = 100) -> [JSONIssue] {
        validate(value, direction: direction, limit: limit, nil)
    }

    /// Returns everything in a value that does not fit, or what was found until the allowance was used up.
    func validate(_ value: JSON, direction: Direction, limit: Int, _ allowance: WorkAllowance?) -> [JSONIssue] {
        var validation = SchemaValidation(
            store,
            direction: direction,
            limit: limit,
            ceiling: allowance?.left ?? .max
        )
        let issues = validation.run(value, number)
        allowance?.take(validation.steps + validation.outlay, isStopped: validation.isStopped)
        return issues
    }

    /// Tells whether a value fits.
    package func fits(_ value: JSON, direction: Direction = .neither) -> Bool {
        validate(value, direction: direction, limit: 1).isEmpty
    }

    /// The schema as it is written, references and all.
    package var json: JSON { store.place(of: number).value }
}
