import Backend
import Control
import Engine
import HTTPMessage
import HTTPWire
package import Handshakes
import JSON
import Transport

/// Requests and TLS: what the ports refuse without it, and the facts that exchanges keep of it.
extension EmulatorService {
    /// Returns the refusal of a plain request where TLS is required; nil where it is answered.
    ///
    /// It chooses no world and is in no journal (transport contract, section 3).
    func refusalWithoutTLS(_ head: RequestHead?, isSecure: Bool, _ peer: Peer) -> PlayableResponse? {
        guard let secure, secure.mode == .required, !isSecure, head?.proxied == nil, !isOpenWithoutTLS(head, peer)
        else { return nil }
        if let head { log.note(head, .upgradeRequired, peer.host, hostTime) }
        let home = peer.listener == 0 ? origins.hub : origins.apis[peer.listener - 1]
        var address = home
        if let authority = head?.authority, ForwardedOrigin.isAuthority(authority) { address = "https://\(authority)" }
        let path = head.map { $0.rawPath.hasPrefix("/") ? $0.rawPath : "/" } ?? "/"
        var response = Problem(
            .tlsRequired,
            "This port speaks TLS only. Use \(address)\(path.cut)",
            fields: ["Upgrade": "TLS/1.2, HTTP/1.1", .connection: "Upgrade, close"]
        ).response
        response.closesConnection = true
        return own(response, head, hostTime)
    }

    /// Tells whether a request is answered without TLS all the same: a device that does not trust us yet needs the root
    /// and its page.
    private func isOpenWithoutTLS(_ head: RequestHead?, _ peer: Peer) -> Bool {
        guard let head, let address = emulator.address(of: head, entryPoint: entryPoint(peer)) else { return false }
        if case .control = address.destination { return ControlAPI.isOpenWithoutTLS(address.path) }
        return isDevice(address)
    }

    /// Returns the way in which an exchange came; nil for HTTP/1.1 without TLS.
    func transport(of id: ExchangeID, _ head: RequestHead) -> TransportFacts? {
        guard head.isSecure == true || id.channelNumber != ChannelNumber.only.value else { return nil }
        // A request whose target has the scheme https counts as come over TLS.
        return server?.transport(of: id) ?? TransportFacts(scheme: .https, version: .http1)
    }

    /// Logs a handshake that has failed.
    package func note(_ failure: HandshakeFailure) { log.note(failure) }
}
