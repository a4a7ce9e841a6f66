package import CivilTime

extension ControlJob {
    /// A request of the journal that is sent again, as a client would (console contract, section 9).
    package struct Replay {
        /// The index of the listener that takes it: 0 for the hub's, then those of the APIs.
        package let listener: Int
        /// Tells whether it counts as come over TLS, as the entry's request did.
        package let isSecure: Bool
        /// The key of the entry that is repeated.
        package let original: String
        /// The request as it stands on the wire.
        package let bytes: [UInt8]
        /// The real time for which the call waits.
        package let patience: Interval
        /// Returns the work that makes the response, once the connection of that number has been answered, or time is up.
        package let finish: (_ connection: UInt64) -> Work
    }
}
