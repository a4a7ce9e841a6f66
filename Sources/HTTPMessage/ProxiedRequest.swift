/// The facts that the forward proxy knows of a request (proxy contract, sections 4, 5 and 9).
package final class ProxiedRequest: Sendable {
    /// The origin that the client asked: `https://api.example.com`, with the port where it is not the scheme's own.
    package let origin: String
    /// The world that the client's credentials name; nil where they name none.
    package let world: String?

    /// Tells that the host is not mapped, and the request is passed on.
    package let isPassedOn: Bool

    package init(origin: String, world: String?, isPassedOn: Bool = false) {
        self.isPassedOn = isPassedOn
        self.origin = origin
        self.world = world
    }
}
