package import CivilTime

/// A step of a timeline, which a player performs.
///
/// Faults and latency are functions from timeline to timeline.
package enum Step: Sendable, Equatable {
    /// An interim answer (1xx) before the head.
    case interim(Status, Fields)
    /// The status line and the header section.
    case head(ResponseHead)
    /// Content, framed as the head says: with chunked coding each step is one chunk. Empty content writes nothing.
    case bytes([UInt8])
    /// Bytes outside any framing, for deliberately broken answers.
    case raw([UInt8])
    /// Bytes outside any framing that leave the connection as it is, so that the client may take them for the next
    /// answer. Before a head they stand for the whole answer.
    case stray([UInt8])
    /// Bytes in place of a record of TLS, for deliberately broken answers; without TLS as `raw`.
    case belowTLS([UInt8])
    /// Nothing for that long. See `Waiting` for the clocks that can end it.
    case wait(Interval, Waiting)
    /// A change of the world tied to delivery: the application runs the effect of that number of this answer.
    case effect(Int)
    /// Trailer fields, then the end of a chunked content.
    case trailers(Fields)
    /// Once the answer is complete, the connection closes in order after that time, unless a further request has begun by
    /// then. Multiplexed protocols ignore it.
    case closeAfter(Interval, Waiting)
    /// The answer is complete; the connection may carry the next one.
    case end
    /// Ends our direction of the connection and continues reading.
    case halfClose
    /// Closes in the ordinary way.
    case close
    /// Resets the connection (TCP RST).
    case abort
    /// Keeps the connection open and sends nothing more.
    case hold
}

/// Which clock ends a wait (control contract, section 5).
package enum Waiting: Sendable, Equatable {
    /// Real time or an advance of the world's clock, whichever is first.
    case either
    /// Only the world's clock.
    case world
}
