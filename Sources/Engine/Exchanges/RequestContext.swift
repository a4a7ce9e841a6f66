package import Backend
package import CivilTime
import HTTPMessage
package import Handshakes

/// The facts about a request that its head settles, each found once, when the head has come.
///
/// An object, so that it is handed on without a copy of everything in it.
package final class RequestContext: Sendable {
    /// The number of the exchange, given by its owner and never used again.
    package let id: UInt64
    /// The owner's number of the connection, which has no meaning here.
    package let connection: UInt64
    /// The owner's number of the channel on that connection.
    package let channel: UInt32
    /// The way in which it came; nil for HTTP/1.1 without TLS.
    package let transport: TransportFacts?
    package let address: Address
    /// The index of the API that is called; nil for control calls and the hub's own pages.
    package let apiIndex: Int?
    /// The result of matching the API's routes.
    let match: RouteMatch
    /// The numeric address of the client.
    package let peer: String
    /// The place that the request came from, and its beginning.
    package let arrival: Arrival

    /// The index of the endpoint in the API's table; nil where no route takes the request.
    package let endpointIndex: Int?

    init(
        id: UInt64,
        connection: UInt64,
        channel: UInt32,
        transport: TransportFacts?,
        address: Address,
        apiIndex: Int?,
        match: RouteMatch,
        peer: String,
        arrival: Arrival,
        endpointIndex: Int?
    ) {
        self.id = id
        self.connection = connection
        self.channel = channel
        self.transport = transport
        self.address = address
        self.apiIndex = apiIndex
        self.match = match
        self.peer = peer
        self.arrival = arrival
        self.endpointIndex = endpointIndex
    }

    var callConnection: CallConnection {
        CallConnection(isReused: arrival.isOnReused, isMultiplexed: transport?.version == .http2)
    }

    /// Tells whether an endpoint takes the request.
    var isRouted: Bool { endpointIndex != nil }
}

/// The connection that a request came by, and the time of its first byte.
package struct Arrival: Sendable {
    /// Address and port of the client; nil where there is no connection.
    package var peer: String?
    /// The number of the connection, never given again in a process; 0 where there is none.
    package var connection: UInt64
    /// Tells whether another request came on the connection before.
    package var isOnReused: Bool
    /// The monotonic time at which the first byte was read.
    package var firstByte: Instant

    package init(peer: String? = nil, connection: UInt64 = 0, isOnReused: Bool = false, firstByte: Instant) {
        self.peer = peer
        self.connection = connection
        self.isOnReused = isOnReused
        self.firstByte = firstByte
    }
}
