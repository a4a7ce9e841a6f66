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
        /// The time at which the peer was last seen to take some, or at which they began to lie.
        var since: Instant
        /// The bytes that had reached the peer then.
        var taken: Int
        var alarm: TimerQueue<Server.Alarm>.Handle
    }

    let id: ConnectionID
    let number: Int32
    let peer: Peer
    private var descriptor: OwnedDescriptor?
    var wire: WireProtocol
    /// The channel of a protocol that has a single one.
    let only: Channel?
    /// The open channels of a multiplexed protocol, in the order they were opened.
    var many: [Channel] = []
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
        only = wire.isMultiplexed ? nil : Channel(.only, of: id)
        only?.connection = self
    }

    var isOpen: Bool { phase != .closed }

    var hasOutput: Bool { outputStart < output.count }

    /// Tells whether bytes of the peer are wanted now.
    var wantsRead: Bool { !sawEnd && wire.looksForInput() && !isPaused }

    /// The socket is read at the pace of the one request that is coming in.
    ///
    /// A multiplexed protocol would pace one channel by its window, never by the socket that all of them share.
    var isPaced: Bool { only?.intake != nil }

    /// The socket is not to be read at present, on purpose.
    var isPaused: Bool { isPaced && only?.intake?.isPaused == true }

    /// Tells whether an exchange is under way.
    var hasExchange: Bool { hasChannel { $0.exchange != nil } }

    /// Closes the socket.
    func close() {
        phase = .closed
        descriptor = nil
        output = []
        outputStart = 0
        forEachChannel { $0.end() }
    }
}
