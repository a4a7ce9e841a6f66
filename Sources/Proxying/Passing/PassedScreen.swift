import Backend
import Basics
import Engine
package import HTTPMessage
import Recording
package import Transport

/// Makes the request that the forward proxy passes on, and keeps the emulator's own credentials out of it (proxy contract,
/// section 5).
///
/// Nothing is added.
package struct PassedScreen: Sendable {
    let check: OutgoingCheck
    let origin: UpstreamOrigin

    private static let dropped: Set<String> = ["transfer-encoding", "trailer", "expect", "content-length", "host"]

    /// Returns the request as it is sent, or the place of a credential in it.
    package func run(_ request: HTTPRequest) -> Result<UpstreamRequest, OutgoingCheck.Place> {
        var fields = Fields()
        let hop = ConnectionField(request.head.fields)
        fields.append(.host, origin.authority)
        for line in 0..<request.head.fields.count {
            let name = String(decoding: request.head.fields.nameBytes(at: line), as: UTF8.self)
            let value = request.head.fields.valueBytes(at: line)
            let lower = name.lowercased()
            guard lower != "connection", !Self.dropped.contains(lower),
                !hop.isOfOneHop(lower, String(decoding: value, as: UTF8.self)), let field = FieldName(name)
            else { continue }
            fields.append(field, value)
        }
        let hasContent = request.head.contains(.contentLength) || request.head.contains("Transfer-Encoding")
        if hasContent { fields.append(.contentLength, "\(request.body.bytes.count)") }
        let target = request.head.target
        var wire = UpstreamRequest(
            method: request.head.method.rawValue,
            target: target.rawPath + (target.rawQuery.map { "?" + $0 } ?? ""),
            fields: fields,
            body: request.body.bytes
        )
        wire.fields = check.withoutOwnAuthorization(wire.fields)
        return check.place(in: wire).map { .failure($0) } ?? .success(wire)
    }
}

extension OutgoingCheck.Place: Error {}

extension ProxyController {
    /// The screen of requests to a host that is not mapped.
    package func passedScreen(_ origin: UpstreamOrigin) -> PassedScreen {
        // The secrets of the seeds never leave.
        noteSeeds()
        return PassedScreen(check: OutgoingCheck(emulator.issued), origin: origin)
    }

    /// Sends a request to a host that is not mapped; the response goes to the client as it comes.
    package func send(_ wire: UpstreamRequest, to origin: UpstreamOrigin, rule: AddressRule, _ exchange: PassedExchange)
    {
        guard let server else { return }
        let handle = server.handle
        let onLoop = HandedOver(exchange)
        exchange.upstream = passing.start(wire, to: origin, api: -1, rule: rule) { event, _ in
            handle.post { _ in onLoop.value.received(event) }
        }
    }
}
