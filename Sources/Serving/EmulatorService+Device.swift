import Backend
import CivilTime
import Console
import Control
import Engine
import HTTPMessage
import Handshakes
import Imaging
import JSON
import Transport
import Worlds

/// The page for devices, and what lies below it (transport contract, section 8).
extension EmulatorService {
    /// The first segment of the page and of what lies below it.
    private static let devicePath = "__device"

    /// Tells whether an address is that of the page or lies below it.
    func isDevice(_ address: Address) -> Bool {
        device != nil && address.destination == .hub && address.path.segments.first == Self.devicePath
    }

    /// Returns the response to a request for the page or below it.
    func deviceAnswer(_ request: HTTPRequest, _ address: Address, on id: ExchangeID) -> Response {
        let head = request.head
        do throws(Problem) {
            try control.safety.checkHost(head, acceptsNumbers: true)
            if !address.namedWorlds.isEmpty { _ = try emulator.chooseWorld(address, credential: nil) }
            switch Array(address.path.segments.dropFirst()) {
            case []:
                try Self.checkReading(head)
                return page(head)
            case ["check"]:
                try Self.checkReading(head)
                return check(head, id)
            case ["qr.png"]:
                try Self.checkReading(head)
                return try picture(head)
            case ["pair"]: return try pair(request)
            default:
                throw Problem(
                    .notFound,
                    "There is no \"\(address.path.text.cut)\" for devices. The page is /__device on the hub."
                )
            }
        } catch {
            return error.response
        }
    }

    private static func checkReading(_ head: RequestHead) throws(Problem) {
        guard [.get, .head].contains(head.method) else {
            throw Problem(.methodNotAllowed, "This page allows only GET and HEAD.", fields: ["Allow": "GET, HEAD"])
        }
    }

    private func page(_ head: RequestHead) -> Response {
        let apis = zip(emulator.apis, origins.apis(for: head)).map { api, origin in
            DevicePage.API(title: api.identity.title, name: api.identity.name, origin: origin)
        }
        var secureOrigin: String?
        if let secure, secure.mode != .off, let authority = head.authority, let host = ControlSafety.host(of: authority)
        {
            secureOrigin = "https://\(host.contains(":") ? "[\(host)]" : host):\(origins.ports[0])"
        }
        return devicePage.response(
            DevicePage.Facts(
                apis: apis,
                fingerprint: secure?.authority?.fingerprint,
                subject: secure?.authority?.subject,
                secureOrigin: secureOrigin,
                isSecure: head.isSecure == true,
                link: device?.link,
                mayPair: pairing != nil
            )
        )
    }

    private func check(_ head: RequestHead, _ id: ExchangeID) -> Response {
        let isTwo = server?.transport(of: id)?.version == .http2
        let document: JSON = [
            "scheme": .string(head.isSecure == true ? "https" : "http"), "protocol": .string(isTwo ? "h2" : "http/1.1"),
            "now": .string(hostTime.wall.iso8601(.milliseconds)),
        ]
        return Self.json(document)
    }

    private func picture(_ head: RequestHead) throws(Problem) -> Response {
        let scheme = head.isSecure == true ? "https" : "http"
        let asked = head.authority.map { "\(scheme)://\($0)/\(Self.devicePath)" }
        guard let code = QRCode(text: device?.page ?? asked ?? "\(origins.hub)/\(Self.devicePath)") else {
            throw Problem(.badRequest, "The address is too long for a QR code.")
        }
        return Response(
            status: .ok,
            fields: [.contentType: "image/png", .cacheControl: "no-store", "X-Content-Type-Options": "nosniff"],
            body: .bytes(code.png(scale: 8, border: 4))
        )
    }

    /// Gives a device its token for the code that was printed.
    private func pair(_ request: HTTPRequest) throws(Problem) -> Response {
        let head = request.head
        guard head.method == .post else {
            throw Problem(.methodNotAllowed, "Pairing allows only POST.", fields: ["Allow": "POST"])
        }
        guard head.isSecure == true else {
            throw Problem(
                .tlsRequired,
                "Tokens are issued over TLS only. Use https once the device trusts the root.",
                fields: ["Upgrade": "TLS/1.2, HTTP/1.1", .connection: "Upgrade"]
            )
        }
        try control.safety.check(head, hubPort: origins.ports.first, as: .root)
        guard var book = pairing else {
            throw Problem(.notFound, "No device can be paired here: the server was started without --pair.")
        }
        guard let media = head.fields[.contentType].flatMap({ MediaType($0) }), media.essence == "application/json"
        else {
            throw Problem(.unsupportedMediaType, "Send Content-Type: application/json.")
        }
        let code = try Self.code(request)
        let token = RandomToken.make()
        defer { pairing = book }
        try book.pair(code, token: token, now: hostTime.monotonic)
        // It is a credential of the emulator, which no real backend may see.
        emulator.issued.note(known: token)
        return Self.json(["token": .string(token), "world": .string(book.world)])
    }

    /// Returns the refusal of a body that no code needs, before any of it is read.
    func refusalOfDevice(_ head: RequestHead) -> Response? {
        guard let announced = head.announcedLength, let length = announced, length > limits.controlBody else {
            return nil
        }
        return Self.tooLarge.response
    }

    private static let tooLarge = Problem(.payloadTooLarge, "The body is too large for a code.")

    private static func code(_ request: HTTPRequest) throws(Problem) -> String {
        guard !request.body.exceedsLimit else { throw tooLarge }
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try request.json(allowsDuplicateNames: false)
        } catch {
            throw Problem(.invalidJSON, "\(error)")
        }
        guard case .object(let object) = json else {
            throw Problem(
                .invalidBody,
                "The body must be a JSON object.",
                items: [Problem.Item(path: "$", reason: "must be an object")]
            )
        }
        var check = BodyCheck(object)
        let code = check.string("code")
        if code == nil, !check.items.contains(where: { $0.path == "$.code" }) { check.fault("code", "is required") }
        try check.finish()
        return code ?? ""
    }

    private static func json(_ document: JSON) -> Response {
        Response(
            status: .ok,
            fields: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: .bytes(document.serialized())
        )
    }
}
