import CivilTime
import HTTPMessage
import HTTPWire

/// One exchange at a time on a connection: its phase, its response, its waits and its record.
///
/// HTTP/1.1 keeps one channel for all exchanges of the connection; a multiplexed protocol has one for each.
final class Channel {
    enum Phase: Equatable {
        /// Between exchanges, or while a request is coming in.
        case receiving
        /// A head waits until a connection closes.
        case parked
        /// The application is deciding on the head or on the request.
        case responding
        /// The application will complete the exchange.
        case waiting
        /// A timeline is being played, its waits included.
        case playing
        /// Everything is written, but the system has not taken it all; then that outcome follows.
        case flushing(ConnectionMachine.SendOutcome)
        /// Nothing more is sent and the connection is kept.
        case holding
        /// The channel takes no further exchange.
        case ended
    }

    /// The end of the connection that follows the end of a response.
    enum Closing {
        /// The response has not ended.
        case ordered(Interval, Waiting)
        case waiting(Wait)
    }

    /// The memory of a request that is coming in, or that waits for its response.
    struct HeldMemory {
        /// The bytes that count among the incomplete bodies.
        var bytes = 0
        /// The part of those that is a complete body.
        var whole = 0
        /// The order of the channels that hold memory.
        var number: UInt64 = 0
        /// The index in the server's list of those; -1 if there is none.
        var place = -1
        /// Tells that the body has a budget of its own.
        var isApart = false
        /// Tells whether that body was large.
        var wasLarge = false
    }

    let id: ChannelID
    private unowned var owner: Connection?
    var phase = Phase.receiving

    var exchange: ExchangeID?
    var world = 0
    var began = Instant.epoch
    /// The time at which the first byte of the present request was read.
    var firstByte = Instant.epoch
    /// Tells whether an exchange came on the connection before the present one.
    var isOnReused = false
    /// The wait after which the connection closes; set by the present response and begun at its end.
    var closing: Closing?
    var answered: Instant?
    var bytesSent = 0
    /// The time that the present exchange has spent in waits.
    var waited = Interval.zero
    /// The bytes of content of the present exchange in the steps played so far.
    var contentPlayed = 0

    /// The state of the present exchange when the peer ended its direction; nil while it has not, and once it is known
    /// to listen still.
    private var leaving: (at: Instant, waited: Interval, contentPlayed: Int, bytesSent: Int)?

    /// The pace at which the content of the present request is taken in; nil for as fast as it comes.
    var intake: IntakeState?
    var held = HeldMemory()
    /// The index in the server's list of exchanges that take time; -1 if there is none.
    var slowPlace = -1
    /// Marks the exchange to be cancelled when the loop reaches it.
    var isCancelled = false
    /// Tells that the exchange waits for another party, and that the peer's end ends it.
    var endsWithPeer = false
    /// Tells that the client has left the exchange, which ends when the loop reaches it.
    var isLeft = false
    /// The head that waits for a free connection.
    var parkedHead: RequestHead?
    /// The response that the application gave later.
    var completed: PlayableResponse?
    var playback: Playback?
    /// Ends the present wait, of the response or of the intake.
    var waitAlarm: Connection.Alarm?

    init(_ number: ChannelNumber, of connection: ConnectionID) {
        id = ChannelID(connection: connection, number: number)
    }

    var number: ChannelNumber { id.number }

    /// The connection, which outlives its channels; set as soon as both exist.
    var connection: Connection {
        get {
            guard let owner else { preconditionFailure("a channel before its connection") }
            return owner
        }
        set { owner = newValue }
    }

    /// Begins the record of an exchange.
    func begin(_ exchange: ExchangeID, now: Instant, firstByte: Instant?) {
        self.exchange = exchange
        began = now
        self.firstByte = firstByte ?? now
        answered = nil
        bytesSent = 0
        contentPlayed = 0
        waited = .zero
        leaving = nil
    }

    /// Notes that the peer has ended its direction: it may be gone, as the next write shows.
    func noteEnd(at now: Instant) {
        let waiting = playback?.wait.map { max(now - $0.began, .zero) } ?? .zero
        leaving = (now, waited + waiting, contentPlayed, bytesSent)
    }

    /// Tells whether the peer has been sent nothing since it ended its direction, so that no write has shown whether it
    /// still listened.
    var sentNothingSinceEnd: Bool { leaving.map { $0.bytesSent == bytesSent } ?? false }

    /// Notes that the peer took bytes long after the end of its direction: it had only half closed.
    func noteListening() { leaving = nil }

    /// Ends the present exchange and returns its id.
    func endExchange() -> ExchangeID? {
        held.whole = 0
        held.isApart = false
        isCancelled = false
        endsWithPeer = false
        isLeft = false
        intake = nil
        return exchange.take()
    }

    func record(_ outcome: Outcome, now: Instant) -> ExchangeRecord {
        // A connection that turns out to be lost was lost when the peer ended its direction.
        let left = outcome == .interrupted ? leaving : nil
        let ended = left.map { max($0.at, began) } ?? now
        return ExchangeRecord(
            outcome: outcome,
            began: began,
            answered: answered.map { min($0, ended) },
            ended: ended,
            bytesSent: bytesSent,
            waited: left?.waited ?? waited,
            contentPlayed: left?.contentPlayed ?? contentPlayed
        )
    }

    /// Releases everything that only an open channel needs.
    func end() {
        phase = .ended
        playback = nil
        completed = nil
        intake = nil
        closing = nil
        parkedHead = nil
    }
}
