import APIDocs
import Control
import Emulation
import HTTPMessage

/// The hub's index page, which links to everything.
enum IndexPage {
    /// Returns the page, with the addresses of the APIs as whoever asked can use them.
    ///
    /// `showsWorlds` is false when control calls require a token, because the names of worlds are behind it too.
    static func response(_ emulator: Emulator, _ apiOrigins: [String], showsWorlds: Bool) -> Response {
        var content = HubPage.Content()
        content.apis = zip(emulator.apis, apiOrigins).map { api, origin in
            (api.identity.title, api.identity.name, origin, api.routes.count)
        }
        let names = emulator.worldNames
        if showsWorlds { content.worlds = (names.count, Array(names.prefix(50))) }
        content.calls = ControlAPI.document(servers: []).routes.map {
            ($0.method.rawValue, $0.template, $0.summary)
        }
        content.scenarios = emulator.apis.flatMap(\.scenarios).map { ($0.name, $0.title, $0.expect) }
        return HubPage.response(content)
    }
}
