package import Emulation

/// The surroundings of a `ProxyController`: the part of the running server that plays answers.
package protocol ProxyHost: AnyObject {
    /// Takes over an exchange that its real backend has advanced: plays the answer, or leaves the exchange to the gate
    /// or the disk that holds it.
    ///
    /// An exchange that is still kept back stays the backend's.
    func advanced(_ exchange: Exchange)
}
