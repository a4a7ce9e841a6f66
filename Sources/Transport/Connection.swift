import CivilTime
import HTTPMessage
import HTTPWire

/// One open connection: its socket, its bytes, its protocol and its channels.
final class Connection {
    enum Phase: Equatable {
        case open
        /// Our direction has ended; the rest of the peer's is thrown away.
        case lingering
        case closed
    }

    /// A timer in the server's queue that wakes this connection or one of its channels.
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
    var wire: WireProtocol
    var channels = ChannelTable()
    var phase = Phase.open
    var interest = Interest.read
    /// The peer has ended its direction.
    var sawEnd = false
    /// Waits in the server's list of connections to resume.
    var isQueued = false
    /// Has long content to be read and stands in the server's round of those.
    var isInRound = false

    /// Bytes the system has not taken yet, from `outputStart` on.
    ///
    /// Empty, without storage, most of the time.
    var output: [UInt8] = []
    var outputStart = 0
    /// Bytes handed to the system since the connection began.
    var written = 0
    var stall: Stall?

    /// Wakes the protocol for its deadline, perhaps too early.
    var deadlineAlarm: Alarm?
    /// It was taken beyond the limit, for urgent requests alone.
    var isReserve = false

    init(id: ConnectionID, descriptor: consuming OwnedDescriptor, peer: Peer, wire: WireProtocol) {
        self.id = id
        self.number = descriptor.number
        self.peer = peer
        self.descriptor = consume descriptor
        self.wire = wire
        if !self.wire.isMultiplexed { channels.openOnly(of: self) }
    }

    var isOpen: Bool { phase != .closed }

    var hasOutput: Bool { outputStart < output.count }

    /// Whether bytes of the peer are wanted now.
    var wantsRead: Bool { !sawEnd && wire.looksForInput() && !(pacing?.isPaused ?? false) }

    /// The pace at which the socket is read, where its bytes are the content of one request.
    ///
    /// A multiplexed protocol would pace one channel by its window, never by the socket that all of them share.
    var pacing: IntakeState? { channels.only?.intake }

    /// Whether an exchange is under way.
    var hasExchange: Bool { channels.contains { $0.exchange != nil } }

    /// Closes the socket.
    func close() {
        phase = .closed
        descriptor = nil
        output = []
        outputStart = 0
        channels.forEach { $0.end() }
    }
}
