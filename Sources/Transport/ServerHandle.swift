package import CivilTime

/// The calls that another thread may make to a server.
package struct ServerHandle: Sendable {
    let mailbox: Mailbox
    let wakeUp: WakeUp

    /// Runs a call on the loop's thread, soon.
    ///
    /// Calls run in the order in which they were posted. Calls posted after the server has stopped never run.
    package func post(_ call: @escaping @Sendable (Server) -> Void) {
        mailbox.add(call)
        wakeUp.signal()
    }

    /// Stops the server: no new connections are accepted, responses may end within that time, then the rest is cut.
    ///
    /// A second stop cuts at once.
    package func stop(gracefulWithin grace: Interval) {
        post { $0.beginStop(gracefulWithin: grace) }
    }
}
