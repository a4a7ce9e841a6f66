import HTTPMessage

/// The facts about a request that its head settles, each found once, when the head has come.
package struct RequestContext: Sendable {
    /// The number of the exchange, given by its owner and never used again.
    package let id: UInt64
    /// The owner's number of the connection, which has no meaning here.
    package let connection: UInt64
    /// The owner's number of the channel on that connection.
    package let channel: UInt32
    package let address: Address
    /// The index of the API that is called; nil for control calls and the hub's own pages.
    package let apiIndex: Int?
    /// The result of matching the API's routes.
    let match: RouteMatch
    /// The numeric address of the client.
    package let peer: String

    /// The index of the endpoint in the API's table; nil where no route takes the request.
    package let endpointIndex: Int?

    /// Tells whether an endpoint takes the request.
    var isRouted: Bool { endpointIndex != nil }
}
