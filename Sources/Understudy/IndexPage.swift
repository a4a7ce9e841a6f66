import Control
import Emulation
import HTTPMessage
import JSON

/// The hub's index page: where everything is.
enum IndexPage {
    /// `showsWorlds` is false where control calls ask for a token: the names of worlds are theirs to tell.
    static func response(_ emulator: Emulator, _ origins: Origins, showsWorlds: Bool) -> Response {
        let rows = emulator.apis.enumerated().map { index, api in
            """
            <tr><td>\(escaped(api.identity.title))</td>\
            <td><code>\(escaped(origins.apis[index]))</code></td>\
            <td><code>/\(escaped(api.identity.name))</code></td><td>\(api.routes.count)</td>\
            <td><a href="/docs/\(escaped(api.identity.name))">Read and try</a> ·
            <a href="/__admin/openapi/\(escaped(api.identity.name)).json">OpenAPI</a></td></tr>
            """
        }
        let worlds = emulator.worldNames.prefix(showsWorlds ? 50 : 0).map { "<li><code>\(escaped($0))</code></li>" }
        let calls = ControlAPI.document(servers: []).routes.map { route in
            "<tr><td><code>\(route.method.rawValue)</code></td><td><code>\(escaped(route.template))</code></td>"
                + "<td>\(escaped(route.summary))</td></tr>"
        }
        let scenarios = emulator.apis.flatMap(\.scenarios).map { scenario in
            "<tr><td><code>\(escaped(scenario.name))</code></td><td>\(escaped(scenario.title))</td>"
                + "<td>\(escaped(scenario.expect))</td></tr>"
        }
        let page = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Understudy</title><style>\(style)</style></head><body>
            <h1>Understudy</h1>
            <p>A stand-in for real mobile backends. Everything here is made up and stays on this machine.</p>
            <h2>APIs</h2>
            <table><tr><th>API</th><th>Own origin</th><th>On this hub</th><th>Endpoints</th><th>Document</th></tr>
            \(rows.joined(separator: "\n"))</table>
            \(showsWorlds ? "<h2>Worlds (\(emulator.worldNames.count))</h2><ul>\(worlds.joined())</ul>" : "")
            <h2>Control calls</h2>
            <p><a href="/docs/control">Read and try</a> · <a href="/__admin/openapi.json">OpenAPI document</a> ·
            <a href="/docs/">all documents</a></p>
            <table>\(calls.joined(separator: "\n"))</table>
            <h2>Scenarios</h2>
            <table><tr><th>Name</th><th>What happens</th><th>What a client should do</th></tr>
            \(scenarios.joined(separator: "\n"))</table>
            </body></html>

            """
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

    private static let style = """
        body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1d2433;background:#fbfbfd}
        h1{font-size:1.8rem;margin-bottom:0}h2{margin-top:2rem;font-size:1.15rem}
        table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #e3e6ee;vertical-align:top}
        code{font:13px ui-monospace,monospace;background:#eef0f6;padding:.1rem .3rem;border-radius:4px}a{color:#2350c0}
        @media(prefers-color-scheme:dark){body{color:#dfe3ee;background:#14171f}code{background:#232838}td,th{border-color:#2b3142}a{color:#8fb0ff}}
        """

    private static func escaped(_ text: String) -> String { DocumentationPage.escaped(text) }
}
