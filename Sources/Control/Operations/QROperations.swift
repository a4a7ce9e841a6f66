import APIDocs
import Backend
import Basics
import Crypto
import Engine
import HTTPMessage
import Imaging
import JSON
import Worlds

/// QR codes that an app can scan (control contract, section 12; the Trafikskola contract, section 8.4).
enum QROperations {
    /// The allowed sizes in pixels on each side.
    private static let sizes = 64...2_048
    private static let usualSize = 512
    /// The width of the light margin around the code in modules (ISO 18004).
    private static let quietZone = 4

    private static let order: [Parameter] = [
        Parameter("type", in: .query, .string(), "school_config (if absent), session_login or quick_login"),
        Parameter("user", in: .query, .string(), "An e-mail or an id; the first student if absent"),
        Parameter("domain", in: .query, .string(), "host[:port], or here for the request's own host"),
        Parameter("typo", in: .query, .string(enumeration: ["0", "1"]), "1 for the misspelt domain"),
        Parameter("size", in: .query, .integer(minimum: 64, maximum: 2_048), "Size in pixels; 512 if absent"),
    ]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/qr",
            "Returns a page with every QR code, to scan from the screen",
            reads: .seed,
            answers: [
                AnswerDeclaration(
                    .ok,
                    "The page; each request issues new tokens",
                    .text(contentType: "text/html; charset=utf-8")
                )
            ],
            act: page
        ),
        ControlOperation(
            .get,
            "/qr.png",
            "Returns a QR code as PNG; login codes issue a token",
            reads: .seed,
            parameters: order,
            answers: [AnswerDeclaration(.ok, "A PNG", .bytes(["image/png"]))]
        ) { call throws(Problem) in
            let size = try size(call)
            try checkLength(call)
            let payload = try minted(call, call.query)
            return ControlJob.Work(isShort: false, mustRun: true) { _ throws(Problem) in
                Response(
                    status: .ok,
                    fields: [.contentType: "image/png", .cacheControl: "no-store"],
                    body: .bytes(try picture(of: payload, size: size))
                )
            }.reply
        },
        ControlOperation(
            .get,
            "/qr.json",
            "Returns the payload of a QR code; login codes issue a token",
            reads: .seed,
            parameters: order,
            answers: [Schemas.answer("QRPayload", Schemas.object([("type", .string())]), "The payload itself")]
        ) { call throws(Problem) in
            _ = try size(call)
            var response = ControlAnswer.json(try minted(call, call.query))
            response.fields.append(.cacheControl, "no-store")
            return response
        },
    ]

    private static func size(_ call: ControlCall) throws(Problem) -> Int {
        let size = try call.number("size", default: usualSize)
        guard sizes.contains(size) else {
            throw Problem(
                .invalidParameter,
                "The query parameter size must be from \(sizes.lowerBound) to \(sizes.upperBound).",
                items: [
                    Problem.Item(
                        path: "?size",
                        reason: "must be from \(sizes.lowerBound) to \(sizes.upperBound)"
                    )
                ]
            )
        }
        return size
    }

    /// Returns the payload of a code in the called world, and tells the world's listeners of the token that it holds.
    private static func minted(_ call: ControlCall, _ query: QueryItems) throws(Problem) -> JSON {
        let hosted = try call.world()
        let (payload, api) = try payload(call, query, in: &hosted.world)
        if let user = payload.mintedFor { call.emulator.noteChange(.users, .changed, user, api: api, in: hosted) }
        return payload.json
    }

    /// Returns the payload of the called API, or on the hub of the first one that has such codes, and that API's name.
    private static func payload(
        _ call: ControlCall,
        _ query: QueryItems,
        in world: inout World
    ) throws(Problem) -> (QRPayload, api: String) {
        for place in call.api.map({ [$0] }) ?? Array(call.emulator.apis.indices) {
            let order = QROrder(
                query: query,
                authority: call.request.head.authority ?? "127.0.0.1",
                epoch: world.parts[place].epoch
            )
            if let payload = try call.emulator.apis[place].qrPayload(&world, place, order).get() {
                return (payload, call.emulator.apis[place].identity.name)
            }
        }
        throw Problem(.notFound, "This API has no QR codes; trafikskola has.")
    }

    /// Refuses a payload that no code can hold before its token is minted, since a refused call changes nothing.
    private static func checkLength(_ call: ControlCall) throws(Problem) {
        let head = call.request.head
        // The rest of a payload takes a fraction of a code.
        guard (head.target.rawQuery?.utf8.count ?? 0) + (head.authority?.utf8.count ?? 0) > 1_000 else { return }
        var world = try call.world().world
        _ = try code(of: try payload(call, call.query, in: &world).0.json)
    }

    private static func page(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        var codes: [(title: String, payload: JSON)] = []
        for place in call.api.map({ [$0] }) ?? Array(call.emulator.apis.indices) {
            for offer in call.emulator.apis[place].qrOffers(hosted.world, place) {
                codes.append((offer.title, try minted(call, QueryItems(offer.query))))
            }
        }
        guard !codes.isEmpty else { throw Problem(.notFound, "This API has no QR codes; trafikskola has.") }
        return ControlJob.Work(isShort: false, mustRun: true) { [codes] _ throws(Problem) in try page(codes) }.reply
    }

    private static func page(_ codes: [(title: String, payload: JSON)]) throws(Problem) -> Response {
        var cards = ""
        for (title, payload) in codes {
            let picture = Base64.encode(try picture(of: payload, size: 320))
            cards +=
                "<figure><figcaption>\(title.escapedForHTML)</figcaption>"
                + "<img width=\"320\" height=\"320\" alt=\"QR code\" src=\"data:image/png;base64,\(picture)\">"
                + "<pre>\(payload.text.escapedForHTML)</pre><a href=\"?\">new token</a></figure>\n"
        }
        let text =
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>QR codes</title><style>"
            + "body{font-family:sans-serif}figure{display:inline-block;width:340px;vertical-align:top}"
            + "pre{white-space:pre-wrap;overflow-wrap:anywhere}</style></head><body><h1>QR codes</h1>\n\(cards)</body></html>\n"
        var response = PlainPage(html: text, images: "data:").response
        response.fields.set(.cacheControl, "no-store")
        return response
    }

    /// Returns the code in the middle of a square, with all modules of one whole size.
    private static func picture(of payload: JSON, size: Int) throws(Problem) -> [UInt8] {
        try code(of: payload).png(side: size, border: quietZone)
    }

    private static func code(of payload: JSON) throws(Problem) -> QRCode {
        guard let code = QRCode(text: payload.text) else {
            throw Problem(.invalidParameter, "The payload is too long for a QR code.")
        }
        return code
    }
}
