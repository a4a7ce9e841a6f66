import Crypto
package import Emulation
package import HTTPMessage

/// A page for people about the operations of an API: one file that needs nothing from elsewhere.
///
/// It lists the operations by itself. Its script reads the OpenAPI document that it names and makes of the list what can
/// be searched, unfolded and tried out. Whatever comes from a document or an answer is put in as text, never as markup; a
/// strict Content-Security-Policy and Trusted Types hold that against mistakes (control contract, section 18).
package enum DocumentationPage {
    /// What the page is for, and where its parts lie below the place that the browser reached it under.
    package struct Subject: Sendable {
        package var title: String
        package var version: String
        package var description: String
        /// The page's own path, without the prefix of a world or a mount; nil when it lies beside the document.
        package var pagePath: String?
        /// The path of the OpenAPI document, without that prefix.
        package var documentPath: String
        /// What stands between that prefix and the API's own paths: empty, or `/omnichat` for a page of the hub.
        package var mount: String
        /// Whether `POST /__admin/tokens` makes tokens for it.
        package var makesTokens: Bool
        /// Whether control calls ask for the admin token.
        package var asksAdminToken: Bool
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

    /// A page that lies beside its document, as `/api/mobile/docs` beside `/api/mobile/openapi.json`.
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

    /// The whole page; send it with `fields`.
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
            "style": .markup(style),
            "script": .markup(script),
        ])
    }

    private static func operation(_ route: RouteSummary) -> [String: PageTemplate.Value] {
        let access =
            switch route.authentication {
            case .none: ""
            case .optional: " · bearer token if there is one"
            case .bearer: " · bearer token"
            }
        return [
            "method": .text(route.method.rawValue), "path": .text(OpenAPI.path(route.template)),
            "summary": .text(route.summary), "access": .text(access),
        ]
    }

    /// The fields to send the page with.
    package static let fields = fields(policy: policy(scripts: [script]))

    static func fields(policy: String) -> Fields {
        [
            .contentType: "text/html; charset=utf-8",
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            .cacheControl: "no-store",
        ]
    }

    /// The answer with the page.
    package static func response(_ subject: Subject) -> Response {
        Response(status: .ok, fields: fields, body: .bytes(Array(html(subject).utf8)))
    }

    /// Nothing but these inline scripts, the common style, requests to the same origin, and pictures out of answers.
    static func policy(scripts: [String]) -> String {
        let hashes = scripts.map { "'sha256-\(Base64.encode(SHA256.digest(Array($0.utf8))))'" }
        let styles = "'sha256-\(Base64.encode(SHA256.digest(Array(style.utf8))))'"
        return "default-src 'none'; script-src \(hashes.isEmpty ? "'none'" : hashes.joined(separator: " ")); "
            + "style-src \(styles); connect-src 'self'; img-src blob:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    }

    /// The style of all pages; its sides are logical ones, so that it mirrors for scripts written from the right.
    static let style = "\n" + PageFiles.styleCSS

    /// The script of a page: nodes and JSON with colours, schemas in words, requests that are tried out, and the page itself.
    static let script = [PageFiles.basicsJS, PageFiles.schemasJS, PageFiles.tryingJS, PageFiles.pageJS]
        .joined(separator: "\n")

    /// Text as HTML, in content and in quoted attributes.
    package static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
