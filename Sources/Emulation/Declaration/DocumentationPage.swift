import HTTPMessage
import JSON

/// A page for people about the operations of an API: one file that needs nothing from elsewhere.
package enum DocumentationPage {
    /// The whole page.
    ///
    /// - Parameters:
    ///   - title: the API's.
    ///   - version: the API's.
    ///   - description: what the API is for.
    ///   - documentPath: where its OpenAPI document lies.
    ///   - routes: the operations, in the order in which they are shown.
    /// - Returns: the text of the file.
    package static func html(
        title: String,
        version: String,
        description: String,
        documentPath: String,
        routes: [RouteSummary]
    ) -> String {
        let rows = routes.map(section).joined()
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title))</title>
            <style>
            :root { color-scheme: light dark; }
            body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            h2 { font-size: 1rem; margin: 2rem 0 0.25rem; }
            code, pre { font-family: ui-monospace, monospace; }
            pre { overflow-x: auto; padding: 0.5rem; border: 1px solid; }
            table { border-collapse: collapse; width: 100%; }
            td, th { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
            td:first-child { white-space: nowrap; }
            </style>
            </head>
            <body>
            <h1>\(escaped(title)) <small>\(escaped(version))</small></h1>
            <p>\(escaped(description)) The OpenAPI document: <a href="\(escaped(documentPath))">\(escaped(documentPath))</a>.</p>
            \(rows)</body>
            </html>

            """
    }

    private static func section(_ route: RouteSummary) -> String {
        let path = OpenAPI.path(route.template)
        var text = "<h2><code>\(escaped(route.method.rawValue)) \(escaped(path))</code></h2>\n"
        let access =
            switch route.authentication {
            case .none: "no token"
            case .optional: "bearer token if there is one"
            case .bearer: "bearer token"
            }
        text += "<p>\(escaped(route.summary)) (\(route.standing.rawValue); \(access))</p>\n"
        if !route.parameters.isEmpty {
            let rows = route.parameters.map { row("\($0.name) (\($0.place.rawValue))", $0.description) }
            text += "<table>\(rows.joined())</table>\n"
        }
        if case .json(_, let schema, _, let example) = route.body {
            let shown = example ?? schema.sample()
            text += "<pre>\(escaped(String(decoding: shown.serialized(), as: UTF8.self)))</pre>\n"
        }
        text += "<table>\(route.answers.map { row("\($0.status.code)", $0.description) }.joined())</table>\n"
        return text
    }

    private static func row(_ name: String, _ text: String) -> String {
        "<tr><td><code>\(escaped(name))</code></td><td>\(escaped(text))</td></tr>"
    }

    private static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
