package import CivilTime
package import HTTPMessage
package import HTTPWire

/// The server's side of a protocol that has many channels on one connection, such as HTTP/2.
///
/// The machine does no I/O: bytes and time go in, events come out, and steps of a response become bytes. It belongs to
/// one connection and to the loop's thread.
package protocol MultiplexedMachine: AnyObject {
    /// Tells whether the loop should read from the socket.
    var wantsRead: Bool { get }

    /// The time at which `deadlineReached` is due.
    var deadline: Instant? { get }

    /// Takes bytes of the peer.
    func received(_ bytes: ArraySlice<UInt8>, now: Instant)

    /// Notes that the peer has ended its direction of the connection.
    func peerClosed(now: Instant)

    /// Notes that a timer may have run out.
    func deadlineReached(now: Instant)

    /// Returns the next event; nil when there is none before more input, a deadline or the end of a response.
    func nextEvent(now: Instant) -> WireEvent?

    /// Begins to end the connection: it takes no new channels (HTTP/2: GOAWAY), and ends when the last one is over.
    func beginDrain()

    /// Takes the request of a channel on these terms.
    func admit(
        _ admission: ConnectionMachine.Admission,
        on channel: ChannelNumber,
        now: Instant,
        into output: inout [UInt8]
    )

    /// Begins the response of a channel before its content has been read; up to `drain` bytes of the rest are
    /// discarded.
    func answerEarly(on channel: ChannelNumber, drain: Int?)

    /// Writes a response, or its head where its body is made of steps.
    func send(
        _ response: Response,
        on channel: ChannelNumber,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> ConnectionMachine.SendOutcome

    /// Writes one step of a response.
    func send(
        _ step: Step,
        on channel: ChannelNumber,
        now: Instant,
        date: [UInt8],
        into output: inout [UInt8]
    ) -> ConnectionMachine.SendOutcome

    /// Ends a channel at once and writes the frame that tells the peer (HTTP/2: RST_STREAM).
    func resetChannel(_ channel: ChannelNumber, into output: inout [UInt8])

    /// Returns what has come of the content of a request that was not handed over, whose exchange ends; nil without one.
    func unreadContent(of channel: ChannelNumber) -> UnreadContent?

    /// Returns the bytes of memory held for the request that is coming in on a channel.
    func heldMemory(of channel: ChannelNumber) -> Int

    /// Gives up the request that is coming in on a channel, because there is no memory for it.
    ///
    /// - Returns: The head, and whether a response is to be played; false where no request is coming in.
    func giveUpRequest(on channel: ChannelNumber, drain: Int) -> (head: RequestHead?, isRefusable: Bool)

    /// Tells whether `giveUpRequest` would succeed.
    func mayGiveUpRequest(on channel: ChannelNumber) -> Bool
}
