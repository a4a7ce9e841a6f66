package import CivilTime
package import HTTPWire

/// The limits of a server.
package struct ServerLimits: Sendable {
    /// Of each connection's protocol.
    package var wire = WireLimits()
    /// Open connections; the next one is not accepted until one closes (control contract, section 17).
    package var connections = 4_096
    /// Connections beyond those, for what `Application.isUrgent` says is urgent; anything else waits there until one of
    /// the others closes.
    package var reserved = 0
    /// The listener whose connections they are.
    package var reservedListener = 0
    /// Bytes of memory that requests which are coming in, or wait for their answers to be made, may hold together; beyond
    /// that the newest are refused (control contract, section 17).
    package var bodies = 256 * 1024 * 1024
    /// Bytes of a refused request that are still read, so that its client takes the answer.
    package var refusedDrain = 64 * 1024 * 1024
    /// The time that bytes may lie ready while the peer takes none of them.
    package var writeTime = Interval.seconds(60)
    /// Bytes read from one connection before the others have their turn, as long as they are no long content: that is
    /// read in rounds, for a millisecond in each turn over all connections.
    package var readBytesPerTurn = 256 * 1024
    /// Pipelined requests of one connection answered before the others have their turn.
    package var requestsPerTurn = 32
    /// Bytes of one streamed answer written before the others have their turn.
    package var playBytesPerTurn = 256 * 1024
    /// Steps pushed to an open answer that its client has not taken; beyond that the client is cut off.
    package var waitingSteps = 4_096
    /// The time that accepting rests when the system has no descriptor left.
    package var acceptRest = Interval.milliseconds(100)
    /// Threads for slow work.
    package var workers = 2
    /// Jobs that may wait for a worker.
    package var waitingJobs = 256

    package init() {}
}
