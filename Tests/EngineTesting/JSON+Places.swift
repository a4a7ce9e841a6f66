package import JSON

extension JSON {
    /// The names of the members in order.
    package var keys: [String] { objectValue?.members.map(\.name) ?? [] }

    /// The text of a member; the empty text if there is none.
    package func string(_ name: String) -> String { self[name]?.stringValue ?? "" }

    /// The value at a place such as `user.id` or `meals.0.name`; null if there is none.
    package func at(_ path: String) -> JSON {
        path.split(separator: ".").reduce(self) { value, part in
            (Int(part).flatMap { value[$0] } ?? value[String(part)]) ?? .null
        }
    }

    package var count: Int { arrayValue?.count ?? objectValue?.count ?? 0 }
}
