package import Backend
package import HTTPMessage

/// A documentation page of an API's operations; its script and style are files of the console.
///
/// The list of operations works without a script. The script reads the OpenAPI document that the page names and makes
/// the list searchable, with details and forms to try calls out. Text from a document or a response is inserted as
/// text, never as markup. A strict Content-Security-Policy and Trusted Types guard against mistakes in that (control
/// contract, section 18).
package enum DocumentationPage {
    /// The subject of a page, with its paths below the address by which the browser reached it.
    package struct Subject: Sendable {
        package var title: String
        package var version: String
        package var description: String
        /// The page's own path, without the prefix of a world or a mount; nil when it is beside the document.
        package var pagePath: String?
        /// The path of the OpenAPI document, without that prefix.
        package var documentPath: String
        /// The path between that prefix and the API's own paths: empty, or `/omnichat` for a page of the hub.
        package var mount: String
        /// Tells whether `POST /__admin/tokens` makes tokens for it.
        package var makesTokens: Bool
        /// Tells whether control calls need the admin token.
        package var asksAdminToken: Bool
        /// The prefix of the hub's own paths, for a link to the console; nil for a page that may be on an API's port.
        package var hubPrefix: String?
        /// The operations, in the order in which they are shown.
        package var routes: [RouteSummary]

        package init(
            title: String,
            version: String,
            description: String,
            pagePath: String? = nil,
            documentPath: String,
            mount: String = "",
            makesTokens: Bool = true,
            asksAdminToken: Bool = false,
            routes: [RouteSummary]
        ) {
            self.title = title
            self.version = version
            self.description = description
            self.pagePath = pagePath
            self.documentPath = documentPath
            self.mount = mount
            self.makesTokens = makesTokens
            self.asksAdminToken = asksAdminToken
            self.routes = routes
        }
    }

    /// Returns a page beside its document, as `/api/mobile/docs` is beside `/api/mobile/openapi.json`.
    ///
    /// Send it with `fields`.
    package static func html(
        title: String,
        version: String,
        description: String,
        documentPath: String,
        routes: [RouteSummary]
    ) -> String {
        html(
            Subject(
                title: title,
                version: version,
                description: description,
                documentPath: documentPath,
                routes: routes
            )
        )
    }

    private static let template = PageTemplate(PageFiles.pageHTML)

    /// Returns the whole page; send it with `fields`.
    package static func html(_ subject: Subject) -> String {
        template.filled([
            "title": .text(subject.title),
            "version": .text(subject.version),
            "description": .text(subject.description),
            "page": .text(subject.pagePath ?? ""),
            "document": .text(subject.documentPath),
            "mount": .text(subject.mount),
            "tokens": .text(subject.makesTokens ? "yes" : ""),
            "admin": .text(subject.asksAdminToken ? "yes" : ""),
            "operations": .list(subject.routes.map(operation)),
            "console": .list(subject.hubPrefix.map { [["prefix": .text($0)]] } ?? []),
        ])
    }

    private static func operation(_ route: RouteSummary) -> [String: PageTemplate.Value] {
        let access =
            switch route.authentication {
            case .none: ""
            case .optional: " · optional bearer token"
            case .bearer: " · bearer token"
            }
        return [
            "method": .text(route.method.rawValue), "path": .text(OpenAPIDescription.path(route.template)),
            "summary": .text(route.summary), "access": .text(access),
        ]
    }

    /// The header fields of the page.
    package static let fields: Fields = {
        var fields = PagePolicy.fields
        fields.append(.cacheControl, "no-store")
        return fields
    }()

    /// Returns the response with the page.
    package static func response(_ subject: Subject) -> Response {
        Response(status: .ok, fields: fields, body: .bytes(Array(html(subject).utf8)))
    }
}
