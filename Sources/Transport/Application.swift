package import HTTPMessage
package import HTTPWire

/// The service behind a server.
///
/// It is called on the loop's thread only, and every call has to return soon.
///
/// Any of the server's methods may be called from inside any of these; their effects happen after the call.
package protocol Application: AnyObject {
    /// Returns whether a request is taken even when the connections are used up.
    func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool

    /// Decides on a head: how much of the body to keep, or an immediate response without reading it.
    func admit(_ head: RequestHead, on exchange: ExchangeID, from peer: Peer) -> AdmissionDecision

    /// Decides on a request to the forward proxy.
    ///
    /// `tunnel` is the one of CONNECT that the request came through, and `isSecure` tells whether it came over TLS.
    func route(_ head: RequestHead, in tunnel: ProxyTunnel?, isSecure: Bool, from peer: Peer) -> ProxyRouting

    /// Responds to a whole request.
    func respond(to request: consuming HTTPRequest, on exchange: ExchangeID, from peer: Peer) -> ResponseDecision

    /// Responds to a request that can't be taken. `head` is nil if the mistake was found before the head was
    /// understood. The connection closes after the response.
    func refuse(_ refusal: WireRefusal, head: RequestHead?, on exchange: ExchangeID, from peer: Peer)
        -> PlayableResponse

    /// Performs an effect step, once everything before it was handed to the system.
    ///
    /// Returning false holds back everything after it until `Server.release`.
    func perform(effect: Int, of exchange: ExchangeID) -> Bool

    /// Notes that the peer has ended its direction before the first byte of its response: it is gone, or has only half
    /// closed and still listens.
    func peerEnded(_ exchange: ExchangeID)

    /// Notes the end of an exchange; called once for each one that was announced by `admit` or `refuse`.
    func finished(_ exchange: ExchangeID, _ record: ExchangeRecord)

    /// Called when all work of this turn is done.
    func turnEnded()

    /// Notes that the server is stopping: responses that would never end by themselves are to end now.
    func stopping()

    /// Returns the reading of a world's clock, needed when a wait begins.
    func clock(of world: Int) -> ClockReading
}

extension Application {
    package func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool { false }

    /// Every request is one to the first port.
    package func route(
        _ head: RequestHead,
        in tunnel: ProxyTunnel?,
        isSecure: Bool,
        from peer: Peer
    ) -> ProxyRouting {
        .pass(head, listener: 0)
    }

    package func peerEnded(_ exchange: ExchangeID) {}

    package func turnEnded() {}

    package func stopping() {}
}
