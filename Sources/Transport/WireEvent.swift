package import HTTPMessage
package import HTTPWire

/// The next thing to do on a connection, as its protocol says.
package enum WireEvent: Sendable {
    /// A checked head; `admit` or `answerEarly` has to follow before the channel's next event.
    case head(RequestHead, ChannelNumber)
    /// The whole request, body included.
    case request(HTTPRequest, ChannelNumber)
    /// A request that can't be taken; an answer is to be played.
    case refused(WireRefusal, head: RequestHead?, ChannelNumber)
    /// The peer has given up one exchange and keeps the connection (HTTP/2: RST_STREAM).
    case channelCancelled(ChannelNumber)
    /// The connection is over: flush what is still to be written, then close the socket.
    case closeConnection
}
