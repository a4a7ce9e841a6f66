package import CivilTime
package import HTTPWire

/// The limits of a server.
package struct ServerLimits: Sendable {
    /// The limits of each connection's protocol.
    package var wire = WireLimits()
    /// The number of open connections; the next one is not accepted until one closes (control contract, section 17).
    package var connections = 4_096
    /// The connections beyond those for requests that `Application.isUrgent` accepts; other requests wait there until
    /// one of the others closes.
    package var reserved = 0
    /// The listener that has those connections.
    package var reservedListener = 0
    /// The bytes of memory that requests may hold together while they are coming in or wait for their responses; beyond
    /// it the newest are refused (control contract, section 17).
    package var bodies = 256 * 1024 * 1024
    /// The bytes of a refused request that are still read, so that its client takes the response.
    package var refusedDrain = 64 * 1024 * 1024
    /// The time for which bytes may be ready while the peer takes none of them.
    package var writeTime = Interval.seconds(60)
    /// The bytes read from one connection before the others have their turn.
    ///
    /// Long content is read in rounds instead, for a millisecond in each turn over all connections.
    package var readBytesPerTurn = 256 * 1024
    /// The pipelined requests of one connection answered before the others have their turn.
    package var requestsPerTurn = 32
    /// The bytes of one streamed response written before the others have their turn.
    package var playBytesPerTurn = 256 * 1024
    /// The steps pushed to an open response that its client has not taken; beyond it the client is cut off.
    package var waitingSteps = 4_096
    /// The open connections of each peer that is not this machine, and the handshakes that it may begin in a second; nil
    /// where no limit of its own holds (transport contract, section 8).
    package var stranger: StrangerLimits?
    /// The time for which accepting pauses when the system has no descriptor left.
    package var acceptRest = Interval.milliseconds(100)
    /// The threads for slow work.
    package var workers = 2
    /// The jobs that may wait for a worker.
    package var waitingJobs = 256

    /// The tunnels of the forward proxy to other hosts, those included that are being opened.
    package var tunnels = 256
    /// The time for which no byte may pass a tunnel.
    package var tunnelIdle = Interval.seconds(300)

    package init() {}
}
