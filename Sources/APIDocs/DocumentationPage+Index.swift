package import HTTPMessage

extension DocumentationPage {
    /// One API in the list of pages.
    package struct Entry: Sendable {
        package var name: String
        package var title: String
        package var description: String
        package var operations: Int

        package init(name: String, title: String, description: String, operations: Int) {
            self.name = name
            self.title = title
            self.description = description
            self.operations = operations
        }
    }

    private static let indexTemplate = PageTemplate(PageFiles.indexHTML)

    /// Returns the list of the pages of all APIs; `prefix` precedes `/docs/NAME` in its links.
    package static func index(_ entries: [Entry], prefix: String) -> Response {
        let page = indexTemplate.filled([
            "prefix": .text(prefix),
            "entries": .list(
                entries.map {
                    [
                        "name": .text($0.name), "title": .text($0.title), "description": .text($0.description),
                        "operations": .text("\($0.operations)"),
                    ]
                }
            ),
        ])
        return Response(status: .ok, fields: fields, body: .bytes(Array(page.utf8)))
    }
}
