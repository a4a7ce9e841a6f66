package import JSON

/// The rows of other tables that a member of a row names (console contract, section 5).
package struct RowReference: Sendable, Equatable {
    /// The member, which is a text or a list of texts.
    package let member: String
    /// The tables in which the row may be.
    package let tables: [String]
    /// The form of the other row's id, with members of this one in braces: `{userId}/{eventTypeId}`; nil where the
    /// member's text is the id.
    package let id: String?

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - member: The member, which is a text or a list of texts.
    ///   - tables: The tables in which the row may be.
    ///   - id: The form of the other row's id; nil where the member's text is the id.
    package init(_ member: String, to tables: String..., id: String? = nil) {
        self.member = member
        self.tables = tables
        self.id = id
    }

    /// The schema's annotation of the member.
    private var annotation: JSON {
        var object: JSONObject = ["tables": .array(tables.map { .string($0) })]
        if let id { object.append("id", .string(id)) }
        return .object(object)
    }

    /// Returns the schema of a row in which each member that names a row of another table says so.
    ///
    /// A member without a declaration is matched by its name: `userId` and `user_ids` name rows of `users`.
    package static func annotated(
        _ schema: JSON,
        of table: String,
        _ declared: [RowReference],
        among tables: [String]
    ) -> JSON {
        guard var object = schema.objectValue, var properties = object["properties"]?.objectValue else { return schema }
        for property in properties.members {
            let name = property.name
            guard var content = property.value.objectValue, content["x-references"] == nil,
                let reference = declared.first(where: { $0.member == name })
                    ?? owner(of: name, among: tables).map({ RowReference(name, to: $0) }),
                reference.tables != [table]
            else { continue }
            content.append("x-references", reference.annotation)
            properties[name] = .object(content)
        }
        object["properties"] = .object(properties)
        return .object(object)
    }

    /// Returns the table whose rows a member names by its own name: `regionId` those of `regions`.
    static func owner(of member: String, among tables: [String]) -> String? {
        for ending in ["Ids", "_ids", "Id", "_id"] where member.hasSuffix(ending) {
            let stem = plain(member.dropLast(ending.count))
            guard !stem.isEmpty else { return nil }
            var forms = [stem, stem + "s", stem + "es"]
            if stem.hasSuffix("y") { forms.append(stem.dropLast() + "ies") }
            return tables.first { forms.contains(plain($0[...])) }
        }
        return nil
    }

    private static func plain(_ name: Substring) -> String {
        name.filter { $0 != "_" && $0 != "-" }.lowercased()
    }
}
