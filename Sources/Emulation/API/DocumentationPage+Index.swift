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

    /// The list of the pages of all APIs; `prefix` stands before `/docs/NAME` in its links.
    package static func index(_ entries: [Entry], prefix: String) -> Response {
        let cards = entries.map { entry in
            """
            <li><a href="\(escaped(prefix))/docs/\(escaped(entry.name))"><strong dir="auto">\(escaped(entry.title))</strong>
            <span dir="auto">\(escaped(entry.description))</span>
            <span class="count">\(entry.operations) operations</span></a></li>
            """
        }
        let page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>APIs · Understudy</title>
            <style>\(style)</style>
            </head>
            <body>
            <header>
            <div class="name"><h1>APIs</h1></div>
            <p>Every emulated API with its operations, schemas and examples, to read and to try out.</p>
            <p class="links"><a href="\(escaped(prefix))/">Back to the hub</a></p>
            </header>
            <main><ul class="cards">
            \(cards.joined(separator: "\n"))
            </ul></main>
            </body>
            </html>

            """
        return Response(status: .ok, fields: fields(policy: policy(scripts: [])), body: .bytes(Array(page.utf8)))
    }
}
