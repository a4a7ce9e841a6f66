/// The names of rows whose ids need not be what their members tell: a row keeps the id that it was stored under, though
/// another member is the key of its table by now (own-API contract, section 21).
package struct RowNaming<State: Sendable, Element: Sendable>: Sendable {
    /// The row under an id.
    let under: @Sendable (Element, String) -> Element
    /// The name that its members give a row; nil if they give none.
    let name: @Sendable (Element) -> String?
    /// Finds the id of the row that has a name; nil if there is none.
    let find: @Sendable (State, String) -> String?
    /// Makes the id of a new row of that name.
    let make: @Sendable (State, String) -> String

    package init(
        under: @escaping @Sendable (Element, String) -> Element,
        name: @escaping @Sendable (Element) -> String?,
        find: @escaping @Sendable (State, String) -> String?,
        make: @escaping @Sendable (State, String) -> String
    ) {
        self.under = under
        self.name = name
        self.find = find
        self.make = make
    }
}

extension RowNaming {
    /// The rows of a table under the names that calls give them.
    func named(_ rows: [Element], _ state: State) -> [TableRow] where Element: Row & Codable {
        rows.map { row in
            let name = name(row).flatMap { $0 == row.id || find(state, $0) == row.id ? $0 : nil }
            return TableRow(id: name ?? row.id, content: StateCoding.json(row))
        }
    }
}
