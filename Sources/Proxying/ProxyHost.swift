package import Engine
package import HTTPMessage

/// The interface by which a `ProxyController` reaches the part of the running server that plays responses.
package protocol ProxyHost: AnyObject {
    /// Takes over an exchange that the real backend's response has advanced: plays the response, or leaves the exchange
    /// to the gate or the disk that holds it.
    ///
    /// A response that is kept back until the backend has ended is not played.
    func advanced(_ exchange: Exchange)

    /// Logs an event that is no exchange.
    func tell(_ event: String, _ reason: String)
    /// Finds the emulation's response to a request that a real backend has answered, on a worker if that takes long.
    func rehearse(_ request: HTTPRequest, path: Path, of exchange: Exchange, then finish: @escaping (Response?) -> Void)
}
