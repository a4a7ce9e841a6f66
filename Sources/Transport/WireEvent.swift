package import HTTPMessage
package import HTTPWire

/// The next event of a connection's protocol.
package enum WireEvent: Sendable {
    /// A checked head; `admit` or `answerEarly` has to follow before the channel's next event.
    case head(RequestHead, ChannelNumber)
    /// The whole request, including its body.
    case request(HTTPRequest, ChannelNumber)
    /// A request that can't be taken; a response is to be played.
    case refused(WireRefusal, head: RequestHead?, ChannelNumber)
    /// The peer has given up one exchange and keeps the connection (HTTP/2: RST_STREAM).
    case channelCancelled(ChannelNumber)
    /// The connection is over: flush all output, then close the socket.
    case closeConnection
}
