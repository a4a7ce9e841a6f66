import HTTPMessage

/// The facts about a request that its head settles: each is found once, when the head has come.
package struct RequestContext: Sendable {
    /// The number of the exchange, which its owner gives; never used again.
    package let id: UInt64
    /// A number of the owner's that leads back to the connection; it means nothing here.
    package let connection: UInt64
    /// The channel on that connection, a number of the owner's as well.
    package let channel: UInt32
    package let address: Address
    /// The index of the API that is called; nil for control calls and the hub's own pages.
    package let apiIndex: Int?
    /// The verdict of the API's routes.
    let match: RouteMatch
    /// The numeric address of the client.
    package let peer: String

    /// The place of the endpoint in the API's table; nil where no route takes the request.
    let endpointIndex: Int?

    /// Tells that an endpoint takes the request.
    var isRouted: Bool { endpointIndex != nil }
}
