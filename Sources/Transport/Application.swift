package import HTTPMessage
package import HTTPWire

/// The service behind a server.
///
/// Called on the loop's thread only; every call has to return soon.
///
/// Any of the server's methods may be called from inside any of these: what they cause happens after the call.
package protocol Application: AnyObject {
    /// Tells whether a request is taken also when the connections are used up.
    func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool

    /// A head has come: say how much of the body to keep, or answer at once without reading it.
    func admit(_ head: RequestHead, on exchange: ExchangeID, from peer: Peer) -> AdmissionDecision

    /// A whole request has come.
    func respond(to request: HTTPRequest, on exchange: ExchangeID, from peer: Peer) -> ResponseDecision

    /// A request can't be taken. `head` is there when it was understood before the fault. The connection closes after
    /// the answer.
    func refuse(_ refusal: WireRefusal, head: RequestHead?, on exchange: ExchangeID, from peer: Peer)
        -> PlayableResponse

    /// An effect step was reached: everything before it was handed to the system.
    ///
    /// False holds what comes after it back until `Server.release`.
    func perform(effect: Int, of exchange: ExchangeID) -> Bool

    /// The peer has ended its direction before the first byte of its answer: it is gone, or has only half closed and
    /// still listens.
    func peerEnded(_ exchange: ExchangeID)

    /// An exchange is over; called once for each one that was announced by `admit` or `refuse`.
    func finished(_ exchange: ExchangeID, _ record: ExchangeRecord)

    /// Everything there was to do in this turn is done.
    func turnEnded()

    /// The clock of a world, asked when a wait begins.
    func clock(of world: Int) -> ClockReading
}

extension Application {
    package func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool { false }

    package func peerEnded(_ exchange: ExchangeID) {}

    package func turnEnded() {}
}
