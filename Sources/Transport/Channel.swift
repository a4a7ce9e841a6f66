import CivilTime
import HTTPMessage
import HTTPWire

/// One exchange at a time on a connection: its phase, its answer, its waits and what is recorded of it.
///
/// HTTP/1.1 keeps one channel for all exchanges of the connection; a multiplexed protocol has one for each.
final class Channel {
    enum Phase: Equatable {
        /// Between exchanges, or a request is coming in.
        case receiving
        /// A head waits until a connection closes.
        case parked
        /// The application is being asked.
        case responding
        /// The application will complete the exchange.
        case waiting
        /// A timeline is being played (its waits included).
        case playing
        /// Everything is written but not taken by the system yet; then that outcome follows.
        case flushing(ConnectionMachine.SendOutcome)
        /// Nothing more is sent and the connection is kept.
        case holding
        /// The channel takes no further exchange.
        case ended
    }

    /// The memory of a request that is coming in, or waits for its answer to be made.
    struct HeldMemory {
        /// Bytes that count among the bodies in the making.
        var bytes = 0
        /// Bytes of that which are a body that has come whole.
        var whole = 0
        /// Counts the channels that began to hold memory.
        var number: UInt64 = 0
        /// The place in the server's list of those; -1 if there is none.
        var place = -1
        /// The body has a budget of its own.
        var isApart = false
        /// Tells that what it held apart was much.
        var wasLarge = false
    }

    let id: ChannelID
    private unowned var owner: Connection?
    var phase = Phase.receiving

    var exchange: ExchangeID?
    var world = 0
    var began = Instant.epoch
    var answered: Instant?
    var bytesSent = 0
    /// Time the present exchange spent in waits.
    var waited = Interval.zero
    /// Bytes of content of the present exchange in the steps played so far.
    var contentPlayed = 0

    /// The pace at which the content of the present request is taken in; nil for as fast as it comes.
    var intake: IntakeState?
    var held = HeldMemory()
    /// The place in the server's list of exchanges that take time; -1 if there is none.
    var slowPlace = -1
    /// The exchange is to be cancelled as soon as the loop comes to it.
    var isCancelled = false
    /// The exchange waits for somebody else, and the peer's end ends it.
    var endsWithPeer = false
    /// The client has left the exchange, which is to end as soon as the loop comes to it.
    var isLeft = false
    /// The head that waits for room.
    var parkedHead: RequestHead?
    /// The answer the application gave later.
    var completed: PlayableResponse?
    var playback: Playback?
    /// Ends the wait under way, of the answer or of the intake.
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
    func begin(_ exchange: ExchangeID, now: Instant) {
        self.exchange = exchange
        began = now
        answered = nil
        bytesSent = 0
        contentPlayed = 0
        waited = .zero
    }

    /// Ends the exchange under way and returns its name.
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
        ExchangeRecord(
            outcome: outcome,
            began: began,
            answered: answered,
            ended: now,
            bytesSent: bytesSent,
            waited: waited,
            contentPlayed: contentPlayed
        )
    }

    /// Lets go of what only an open channel needs.
    func end() {
        phase = .ended
        playback = nil
        completed = nil
        intake = nil
        parkedHead = nil
    }
}
