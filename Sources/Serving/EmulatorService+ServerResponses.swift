import Backend
import CivilTime
import Control
import Engine
import HTTPMessage
import JSON
import Transport
import Worlds

/// The responses that no API gives: refusals, the hub's pages, the control API's responses as they leave.
extension EmulatorService {
    static let typeOptions: FieldName = "X-Content-Type-Options"

    /// Completes one of Understudy's own responses: adds the caller's request id, or one that no world counts.
    func own(
        _ response: Response,
        _ head: RequestHead?,
        _ hostTime: HostTime,
        _ address: Address? = nil
    ) -> PlayableResponse {
        var response = response
        if let sent = head?.fields.bytes(.requestID).flatMap(RequestID.sane) {
            response.fields.append(.requestID, sent)
        } else {
            controlCount += 1
            response.fields.append(.requestID, "ctl_\(controlCount)")
        }
        if let address, address.isOurs, !response.fields.contains(Self.typeOptions) {
            response.fields.append(Self.typeOptions, "nosniff")
        }
        return PlayableResponse(response: response, date: date(now(address, hostTime)), world: Self.noGroup)
    }

    /// Refuses the script of a service worker: it would answer in our place on the whole origin, and stay there.
    func refusalOfWorker(_ head: RequestHead, _ address: Address, _ peer: Peer) -> PlayableResponse? {
        guard case .api = address.destination, head.asksForServiceWorker else { return nil }
        let refusal = Problem(
            .crossSite,
            "Service workers are refused: one would act for every page of this origin."
        ).response
        log.note(head, refusal.status, peer.host, hostTime)
        return own(refusal, head, hostTime)
    }

    func malformedPath(_ entryPoint: EntryPoint) -> Response {
        let detail = "The path has a broken percent escape, or does not decode to UTF-8."
        return switch entryPoint {
        case .api(let index): emulator.apis[index].refusal(.badRequest, detail, now(nil, hostTime), nil)
        case .hub: Self.problem(.badRequest, detail)
        }
    }

    func hubAnswer(_ request: HTTPRequest, _ address: Address) -> Response {
        do throws(Problem) {
            try control.safety.checkHost(request.head)
            if !address.namedWorlds.isEmpty { _ = try emulator.chooseWorld(address, credential: nil) }
            if let forwardProxy, address.path.segments == [Self.script] {
                return try pacFile(request.head, forwardProxy)
            }
        } catch {
            return error.response
        }
        let documentation = control.documentationPage(address, emulator)
        guard address.path.segments.isEmpty || documentation != nil else {
            let names = emulator.apis.map { "/\($0.identity.name)" }.joined(separator: ", ")
            return Problem(
                .notFound,
                "The hub serves \(names), /__admin, /docs and the console at /. \"\(address.path.text.cut)\" is none of these."
            ).response
        }
        guard [.get, .head].contains(request.head.method) else {
            return Problem(
                .methodNotAllowed,
                "The hub's pages allow only GET and HEAD.",
                fields: ["Allow": "GET, HEAD"]
            ).response
        }
        return documentation ?? consolePage(request.head)
    }

    /// The response to `OPTIONS *`, which asks about the whole server (RFC 9110 section 9.3.7).
    static let serverOptions = Response(
        status: .noContent,
        fields: [.allow: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"]
    )

    /// A refusal of the HTTP layer outside any API.
    static func problem(_ status: Status, _ detail: String) -> Response {
        switch status {
        case .badRequest: Problem(.badRequest, detail).response
        case .contentTooLarge: Problem(.payloadTooLarge, detail).response
        case .requestTimeout: Problem(.requestTimeout, detail).response
        case .uriTooLong: Problem(.uriTooLong, detail).response
        case .expectationFailed: Problem(.expectationFailed, detail).response
        case .headerFieldsTooLarge: Problem(.headerFieldsTooLarge, detail).response
        case .notImplemented: Problem(.notImplemented, detail).response
        case .serviceUnavailable: Problem(.busy, detail).response
        case .versionNotSupported: Problem(.versionNotSupported, detail).response
        default: Problem.response(status: status, detail: detail)
        }
    }

    /// The time of the world that an address names, or else of `main`.
    func now(_ address: Address?, _ hostTime: HostTime) -> Instant {
        let named = address?.namedWorlds.first.flatMap { emulator[world: $0] }
        return (named ?? emulator[world: WorldName.main])?.world.now(hostTime) ?? hostTime.wall
    }

    /// The `Date` field of an instant, formatted once a second.
    func date(_ now: Instant) -> [UInt8] {
        let second = now.seconds
        if dateCache.second != second { dateCache = (second, Array(now.httpDate.utf8)) }
        return dateCache.text
    }
}
