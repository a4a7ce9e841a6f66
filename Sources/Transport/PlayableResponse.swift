package import CivilTime
package import HTTPMessage
package import HTTPWire

/// A response with everything that the loop needs to play it.
package struct PlayableResponse: Sendable {
    package var response: Response
    /// The value of the `Date` field where the response has none of its own.
    package var date: [UInt8]
    /// The world of the exchange, by which exchanges are grouped for cuts and clock changes.
    ///
    /// The number has no meaning to the loop.
    package var world: Int
    /// Tells that the response does not end with its steps: more come by `Server.push`, until an ending step among
    /// them.
    package var staysOpen: Bool

    package init(response: Response, date: [UInt8], world: Int, staysOpen: Bool = false) {
        self.response = response
        self.date = date
        self.world = world
        self.staysOpen = staysOpen
    }
}

/// The application's decision about a request whose head has come.
package enum AdmissionDecision: Sendable {
    /// Reads the body in that manner, then calls `respond`.
    case read(ConnectionMachine.Admission)
    /// Reads the body slowly, or not to its end. The exchange belongs to that world from here on.
    case pace(ConnectionMachine.Admission, Intake, world: Int)
    /// Responds at once, without waiting for the body.
    case answer(PlayableResponse)
    /// Responds at once, but discards the body, which the client may send in full before it reads the response.
    case refuse(PlayableResponse)
}

/// The application's decision about a whole request.
package enum ResponseDecision: Sendable {
    case now(PlayableResponse)
    /// The application keeps the exchange's id and calls `Server.complete`. The exchange belongs to that world.
    case later(world: Int)
}

/// The end of an exchange.
package enum Outcome: Sendable, Equatable {
    /// Every byte of the response was handed to the system.
    case delivered
    /// The client left first.
    case interrupted
    /// We ended it: an abort or early close in the timeline, a cancelled world, a stop.
    case cut
}

/// The times of the parts of an exchange, on the loop's monotonic clock, and the bytes sent.
package struct ExchangeRecord: Sendable, Equatable {
    package var outcome: Outcome
    /// The time at which the head was complete or refused.
    package var began: Instant
    /// The time at which the response was there and its playing began; nil if that never happened.
    package var answered: Instant?
    package var ended: Instant
    /// The bytes of the response handed to the system.
    package var bytesSent: Int
    /// The share of the time that was spent in waits of the timeline.
    package var waited: Interval
    /// The bytes of content in the steps that were played; 0 for a response that was sent in one piece.
    package var contentPlayed: Int
    /// The part that came of content that was not read to its end; nil where it was.
    package var unread: UnreadContent?
}

/// The reading of a world's clock and its speed.
package struct ClockReading: Sendable, Equatable {
    package var now: Instant
    /// The world seconds in a real second: 1 is real speed, 0 is frozen.
    package var rate: Double

    package init(now: Instant, rate: Double) {
        self.now = now
        self.rate = rate
    }
}
