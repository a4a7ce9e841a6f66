package import Emulation

/// The interface by which a `ProxyController` reaches the part of the running server that plays responses.
package protocol ProxyHost: AnyObject {
    /// Takes over an exchange that the real backend's response has advanced: plays the response, or leaves the exchange
    /// to the gate or the disk that holds it.
    ///
    /// A response that is kept back until the backend has ended is not played.
    func advanced(_ exchange: Exchange)

    /// Logs an event that is no exchange.
    func tell(_ event: String, _ reason: String)
}
