package import CivilTime
package import HTTPMessage
package import HTTPWire

/// A response with what the loop needs to play it.
package struct PlayableResponse: Sendable {
    package var response: Response
    /// The value of the `Date` field where the response has none of its own.
    package var date: [UInt8]
    /// Groups exchanges by world, for cuts and clock changes.
    ///
    /// The number means nothing to the loop.
    package var world: Int
    /// The answer does not end with its steps: more come by `Server.push`, until an ending step among them.
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
    /// Read the body that way, then ask `respond`.
    case read(ConnectionMachine.Admission)
    /// Read the body slowly, or not to its end. The exchange counts to that world from here on.
    case pace(ConnectionMachine.Admission, Intake, world: Int)
    /// Answer at once; the body is not waited for.
    case answer(PlayableResponse)
    /// The same, and its client may send all of the body before it looks for the answer: that is thrown away.
    case refuse(PlayableResponse)
}

/// The application's decision about a whole request.
package enum ResponseDecision: Sendable {
    case now(PlayableResponse)
    /// The application keeps the exchange's id and calls `Server.complete`. The exchange counts to that world.
    case later(world: Int)
}

/// The end of an exchange.
package enum Outcome: Sendable, Equatable {
    /// Every byte of the answer was handed to the system.
    case delivered
    /// The client went away first.
    case interrupted
    /// We ended it: an abort or early close in the timeline, a cancelled world, a stop.
    case cut
}

/// The times of the parts of an exchange, on the loop's monotonic clock, and the bytes sent.
package struct ExchangeRecord: Sendable, Equatable {
    package var outcome: Outcome
    /// The head was complete (or refused).
    package var began: Instant
    /// The answer was there and its playing began; nil if it never came to that.
    package var answered: Instant?
    package var ended: Instant
    /// Bytes of the answer handed to the system.
    package var bytesSent: Int
    /// The share of the time that was spent in waits of the timeline.
    package var waited: Interval
    /// Bytes of content in the steps that were played; 0 for an answer that went out in one piece.
    package var contentPlayed: Int
}

/// The reading of a world's clock and its speed.
package struct ClockReading: Sendable, Equatable {
    package var now: Instant
    /// World seconds in a real second: 1 is real speed, 0 is frozen.
    package var rate: Double

    package init(now: Instant, rate: Double) {
        self.now = now
        self.rate = rate
    }
}
