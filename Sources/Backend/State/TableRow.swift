package import JSON

/// A row of a table as the world's document has it.
package struct TableRow: Sendable {
    package let id: String
    package let content: JSON

    package init(id: String, content: JSON) {
        self.id = id
        self.content = content
    }
}
