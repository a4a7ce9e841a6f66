import APIDocs
import Backend
import Console
import Control
import Engine
import HTTPMessage
import JSON
import Worlds

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
            let name = segments.joined(separator: "/")
            // Other spellings of a path are other addresses, of which a browser would load a module again.
            let isExact = head.rawPath.hasSuffix("/\(Self.folder)/\(name)")
            guard let response = isPage ? consolePage(head) : isExact ? console.file(head, named: name) : nil else {
                throw Problem(
                    .notFound,
                    "The console has no file \"\(address.path.text.cut)\". Its page is at / and /__admin/console on the hub."
                )
            }
            guard [.get, .head].contains(head.method) else {
                throw Problem(
                    .methodNotAllowed,
                    "The console's files allow only GET and HEAD.",
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
            exchange.request.head.asksForPage || Self.mayBeActive(response)
        else { return }
        let name: FieldName = "Content-Security-Policy"
        let isOwnPage =
            emulator.apis[index].isBuiltIn && exchange.call.source == .emulated && exchange.actingFault == nil
        if isOwnPage, response.fields[name] == PagePolicy.contentSecurity { return }
        response.fields.remove(name)
        response.fields.append(name, PagePolicy.sandbox)
        response.fields.set(Self.typeOptions, "nosniff")
    }

    /// Tells whether a browser may run scripts of the content: all but the types that are known to have none.
    ///
    /// A browser reads what follows the type, and several types, more kindly than RFC 9110 does.
    private static func mayBeActive(_ response: Response) -> Bool {
        let types = response.fields.values(.contentType).flatMap { $0.split(separator: ",") }
        guard !types.isEmpty else {
            if case .empty = response.body { return false }
            return true
        }
        return types.contains { type in
            let essence = type.drop { $0 == " " || $0 == "\t" }.prefix { $0 != ";" && $0 != " " && $0 != "\t" }
                .lowercased()
            let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2 else { return true }
            switch parts[0] {
            case "audio", "font", "video": return parts[1] == "*"
            case "image": return parts[1].hasPrefix("svg") || parts[1].hasSuffix("+xml") || parts[1] == "*"
            case "application", "text": return !harmless.contains(parts[1]) && !parts[1].hasSuffix("+json")
            default: return true
            }
        }
    }

    /// The subtypes of text and data that no browser shows as a page with scripts.
    private static let harmless: Set<Substring> = [
        "csv", "css", "event-stream", "gzip", "javascript", "json", "markdown", "octet-stream", "plain", "protobuf",
        "vtt", "x-ndjson", "x-www-form-urlencoded", "zip",
    ]
}
