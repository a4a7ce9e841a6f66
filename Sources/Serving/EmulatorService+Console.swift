import APIDocs
import Console
import Control
import Emulation
import HTTPMessage
import JSON

/// The console: its page on the hub, its files on every port (console contract, section 11).
extension EmulatorService {
    /// The folder of the console, below `/__admin`.
    private static let folder = "console"

    /// Tells whether an address is that of the console or of one of its files, which no control call serves.
    static func isConsole(_ address: Address) -> Bool {
        guard case .control = address.destination else { return false }
        return address.path.segments.first == folder
    }

    /// Returns the response to a request below `/__admin/console`.
    func consoleAnswer(_ request: HTTPRequest, _ address: Address, _ entryPoint: EntryPoint) -> Response {
        let head = request.head
        do throws(Problem) {
            try control.safety.checkHost(head)
            if !address.namedWorlds.isEmpty { _ = try emulator.chooseWorld(address, credential: nil) }
            let segments = Array(address.path.segments.dropFirst())
            let isPage = segments.isEmpty && entryPoint == .hub && address.destination == .control(api: nil)
            guard let response = isPage ? consolePage(head) : console.file(head, segments: segments) else {
                throw Problem(
                    .notFound,
                    "The console has no file \"\(address.path.text.cut)\". Its page is at / and /__admin/console on the hub."
                )
            }
            guard [.get, .head].contains(head.method) else {
                throw Problem(
                    .methodNotAllowed,
                    "The files of the console take GET and HEAD.",
                    fields: ["Allow": "GET, HEAD"]
                )
            }
            return response
        } catch {
            return error.response
        }
    }

    /// Returns the console's page, with the addresses of the APIs as whoever asked can use them.
    func consolePage(_ head: RequestHead) -> Response {
        let apis = zip(emulator.apis, origins.apis(for: head)).map { api, origin in
            ConsoleSite.API(
                title: api.identity.title,
                name: api.identity.name,
                origin: origin,
                endpoints: api.routes.count
            )
        }
        return console.page(head, apis: apis)
    }

    /// Confines a page that an API serves below its mount on the hub, where the console is of the same origin.
    ///
    /// The documentation pages of built-in APIs have the console's own policy already.
    func confine(_ response: inout Response, of exchange: Exchange) {
        let address = exchange.context.address
        guard address.isMounted, case .api(let index) = address.destination,
            let type = response.fields.bytes(.contentType).flatMap(MediaType.init(bytes:)), type.isMarkup
        else { return }
        let name: FieldName = "Content-Security-Policy"
        if response.fields[name] == PagePolicy.contentSecurity, emulator.apis[index].isBuiltIn {
            return
        }
        response.fields.remove(name)
        response.fields.append(name, PagePolicy.sandbox)
    }
}

extension MediaType {
    /// Tells whether a browser may run scripts of such content: HTML, XHTML, SVG and any XML.
    fileprivate var isMarkup: Bool {
        ["html", "xhtml", "svg", "xml"].contains(subtype) || subtype.hasSuffix("+xml")
    }
}
