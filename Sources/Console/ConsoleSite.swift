package import HTTPMessage

/// The web console: its page and its files (console contract, section 11).
///
/// It contains nothing of a world, so that no admin token protects it: the page asks for the token itself.
package struct ConsoleSite: Sendable {
    /// An emulated API, as the page shows it without script.
    package struct API: Sendable {
        package var title: String
        package var name: String
        package var origin: String
        package var endpoints: Int

        package init(title: String, name: String, origin: String, endpoints: Int) {
            self.title = title
            self.name = name
            self.origin = origin
            self.endpoints = endpoints
        }
    }

    /// The files by their path below `/__admin/console/`.
    private let files: [String: ConsoleFile]
    private let page: ConsolePage

    package init() {
        let files = ConsoleFiles.all.map { ConsoleFile(name: $0.name, gzip: $0.gzip) }
        self.files = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
        page = ConsolePage(template: self.files["index.html"]?.text ?? "")
    }

    /// Returns the console's page.
    package func page(_ head: RequestHead, apis: [API]) -> Response { page.response(head, apis: apis) }

    /// Returns the file at a path below `/__admin/console/`; nil if there is none.
    package func file(_ head: RequestHead, named name: String) -> Response? {
        guard name != "index.html", let file = files[name] else { return nil }
        return file.response(head)
    }
}
