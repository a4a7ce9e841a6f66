import Crypto
package import HTTPMessage
import JSON

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

    /// The whole page; send it with `fields`.
    package static func html(_ subject: Subject) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(escaped(subject.title)) · Understudy</title>
        <style>\(style)</style>
        </head>
        <body data-page="\(escaped(subject.pagePath ?? ""))" data-document="\(escaped(subject.documentPath))" \
        data-mount="\(escaped(subject.mount))" data-tokens="\(subject.makesTokens ? "yes" : "")" \
        data-admin="\(subject.asksAdminToken ? "yes" : "")">
        <a class="skip" href="#operations">Skip to the operations</a>
        <header>
        <div class="name"><h1 dir="auto">\(escaped(subject.title))</h1> <span class="version">\(escaped(subject.version))</span></div>
        <p dir="auto">\(escaped(subject.description))</p>
        <p class="links">OpenAPI document: <a id="document" href="\(escaped(subject.documentPath))">\
        \(escaped(subject.documentPath))</a></p>
        </header>
        <div id="tools"></div>
        <div class="columns">
        <nav id="contents" aria-label="Operations"></nav>
        <main id="operations" tabindex="-1">
        <ul class="plain">
        \(subject.routes.map(line).joined(separator: "\n"))
        </ul>
        </main>
        </div>
        <script>\(script)</script>
        </body>
        </html>

        """
    }

    private static func line(_ route: RouteSummary) -> String {
        let access =
            switch route.authentication {
            case .none: ""
            case .optional: " · bearer token if there is one"
            case .bearer: " · bearer token"
            }
        return "<li><code>\(escaped(route.method.rawValue)) \(escaped(OpenAPI.path(route.template)))</code> "
            + "<span dir=\"auto\">\(escaped(route.summary))</span>\(access)</li>"
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

    static let script = scriptBasics + scriptSchemas + scriptTrying + scriptPage

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
