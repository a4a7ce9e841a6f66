import CivilTime
import HTTPMessage
import HTTPWire

/// One open connection: its socket, its protocol, and the exchange under way.
final class Connection {
    enum Phase: Equatable {
        /// Nothing to play: between requests, or in the middle of one that is coming in.
        case receiving
        /// The application is being asked.
        case asking
        /// The application will complete the exchange.
        case awaiting
        /// A timeline is being played (waits included).
        case playing
        /// All is written but not all taken by the system; then that outcome follows.
        case flushing(ConnectionMachine.SendOutcome)
        /// A head has come that has to wait until a connection closes.
        case parked
        /// Nothing more is sent and the connection is kept.
        case holding
        /// Our direction has ended; the rest of theirs is thrown away.
        case lingering
        case closed
    }

    /// A timer in the server's queue that wakes this connection.
    struct Alarm {
        var handle: TimerQueue<Server.Alarm>.Handle
        var deadline: Instant
    }

    /// Bytes lie ready that the peer does not take.
    struct Stall {
        /// When the peer was last seen to take some, or when they began to lie.
        var since: Instant
        /// What had reached the peer then.
        var taken: Int
        var alarm: TimerQueue<Server.Alarm>.Handle
    }

    let id: ConnectionID
    let number: Int32
    let peer: Peer
    private var descriptor: OwnedDescriptor?
    var machine: ConnectionMachine
    var phase = Phase.receiving
    var interest = Interest.read
    /// The peer has ended its direction.
    var sawEnd = false
    /// Waits in the server's list of connections to go on with.
    var isQueued = false

    /// Has long content to be read and stands in the server's round of those.
    var isInRound = false

    /// Bytes the system has not taken yet, from `outputStart` on.
    ///
    /// Empty, without storage, most of the time.
    var output: [UInt8] = []
    var outputStart = 0

    var exchange: ExchangeID?
    var began = Instant.epoch
    var answered: Instant?
    var bytesSent = 0
    /// Time the present exchange spent in waits.
    var waited = Interval.zero
    /// Bytes of content of the present exchange in the steps played so far.
    var contentPlayed = 0
    var world = 0
    /// How the content of the present request is taken in, if not as fast as it comes.
    var intake: IntakeState?
    /// Bytes of memory that count among the bodies in the making, and how much of that is a body that has come whole.
    var held = 0
    var heldWhole = 0
    /// Counts the connections that began to hold memory.
    var holdNumber: UInt64 = 0
    /// Where it stands in the server's list of those; -1 if it doesn't.
    var holdPlace = -1
    /// Whether what it holds has a budget of its own, and whether that was much.
    var isApart = false
    var wasLarge = false
    /// Where it stands in the server's list of exchanges that take time; -1 if it doesn't.
    var slowPlace = -1
    /// The exchange is to be cut as soon as the loop comes to it.
    var isCut = false
    /// The exchange waits for somebody else, and the peer's end ends it.
    var endsWithPeer = false
    /// Its client has left the exchange, which is to end as soon as the loop comes to it.
    var isLeft = false
    /// The answer the application gave later.
    var completed: Answer?
    var playback: Playback?

    /// Wakes the protocol for its deadline, perhaps too early.
    var deadlineAlarm: Alarm?
    /// Bytes handed to the system since the connection began.
    private(set) var written = 0
    var stall: Stall?
    /// It was taken beyond the limit, for urgent requests alone.
    var isReserve = false
    /// The head that waits for room.
    var parkedHead: RequestHead?
    /// Ends the wait under way, of the answer or of the intake.
    var waitAlarm: Alarm?

    init(id: ConnectionID, descriptor: consuming OwnedDescriptor, peer: Peer, machine: ConnectionMachine) {
        self.id = id
        self.number = descriptor.number
        self.peer = peer
        self.descriptor = consume descriptor
        self.machine = machine
    }

    var isOpen: Bool { phase != .closed }

    var hasOutput: Bool { outputStart < output.count }

    /// Whether bytes of the peer are wanted now.
    var wantsRead: Bool { !sawEnd && machine.looksForInput() && !(intake?.isPaused ?? false) }

    /// Counts what the system has taken.
    func note(written count: Int) {
        bytesSent += count
        written += count
    }

    /// Closes the socket.
    func close() {
        phase = .closed
        descriptor = nil
        output = []
        outputStart = 0
        playback = nil
        completed = nil
        intake = nil
        parkedHead = nil
    }
}
