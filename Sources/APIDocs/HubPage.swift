package import HTTPMessage

/// The hub's index page: the APIs, the worlds, the control calls and the scenarios, with links to their documents.
package enum HubPage {
    /// The values that the page shows.
    package struct Content: Sendable {
        package typealias API = (title: String, name: String, origin: String, endpoints: Int)
        package typealias Call = (method: String, template: String, summary: String)
        package typealias Scenario = (name: String, title: String, expect: String)

        package var apis: [API] = []
        /// The number of worlds and the names of the first; nil where control calls need a token, which protects the
        /// names as well.
        package var worlds: (count: Int, names: [String])?
        package var calls: [Call] = []
        package var scenarios: [Scenario] = []

        package init() {}
    }

    private static let template = PageTemplate(PageFiles.hubHTML)
    /// The style without its final line feed.
    private static let style = String(PageFiles.hubCSS.dropLast())

    package static func response(_ content: Content) -> Response {
        let page = template.filled([
            "style": .markup(style),
            "apis": .list(
                content.apis.map {
                    [
                        "title": .text($0.title), "name": .text($0.name), "origin": .text($0.origin),
                        "endpoints": .text("\($0.endpoints)"),
                    ]
                }
            ),
            "worlds": .list(
                content.worlds.map { worlds in
                    [["count": .text("\(worlds.count)"), "names": .list(worlds.names.map { ["name": .text($0)] })]]
                } ?? []
            ),
            "calls": .list(
                content.calls.map {
                    ["method": .text($0.method), "template": .text($0.template), "summary": .text($0.summary)]
                }
            ),
            "scenarios": .list(
                content.scenarios.map {
                    ["name": .text($0.name), "title": .text($0.title), "expect": .text($0.expect)]
                }
            ),
        ])
        return Response(
            status: .ok,
            fields: [
                .contentType: "text/html; charset=utf-8",
                "Content-Security-Policy":
                    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
                "X-Content-Type-Options": "nosniff",
                .cacheControl: "no-store",
            ],
            body: .bytes(Array(page.utf8))
        )
    }
}
