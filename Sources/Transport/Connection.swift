import CivilTime
import HTTPMessage
import HTTPWire
import Handshakes

/// One open connection: its socket, its bytes, its protocol and its channels.
final class Connection {
    enum Phase: Equatable {
        case open
        /// Our direction has ended, and the rest of the peer's is discarded.
        case lingering
        /// It is one end of a tunnel to another host.
        case tunnelled
        case closed
    }

    /// A timer in the server's queue that wakes this connection or one of its channels.
    struct Alarm {
        var handle: TimerQueue<Server.Alarm>.Handle
        var deadline: Instant
    }

    /// A stall: the peer takes none of the bytes that are ready.
    struct Stall {
        /// The time at which the peer was last seen to take some, or at which the bytes became ready.
        var since: Instant
        /// The number of bytes that had reached the peer then.
        var taken: Int
        var alarm: TimerQueue<Server.Alarm>.Handle
    }

    /// The layer between the socket and the protocol.
    enum Security {
        case plain
        /// The first byte decides.
        case undecided
        case tls(TLSEngine)
        /// A connection of our own that stands for one with TLS.
        case standsForTLS
    }

    let id: ConnectionID
    let number: Int32
    var peer: Peer
    private var descriptor: OwnedDescriptor?
    var wire: WireProtocol
    var security: Security
    /// The facts that all requests of a connection of HTTP/1.1 share, once they were asked for.
    private var transportFacts: TransportFacts?
    /// The channel of a protocol that has a single one.
    let only: Channel?
    /// The open channels of a multiplexed protocol, in the order in which they were opened.
    var many: [Channel] = []
    var phase = Phase.open
    var interest = Interest.read
    /// Tells that the peer has ended its direction.
    var sawEnd = false
    /// The time at which the first byte of the next request was read; nil before it.
    var firstByte: Instant?
    /// Tells that an exchange has begun on it.
    var isUsed = false
    /// Tells that it is in the server's list of connections to resume.
    var isQueued = false
    /// Tells that it has long content to be read and is in the server's round of those.
    var isInRound = false

    /// The bytes that the system has not taken yet, from `outputStart` on.
    ///
    /// It is usually empty, without storage.
    var output: [UInt8] = []
    var outputStart = 0
    /// The bytes handed to the system since the connection began.
    var written = 0
    /// The time of the first bytes that the system took after the peer had ended its direction.
    var wroteAfterEnd: Instant?
    var stall: Stall?

    /// Wakes the protocol for its deadline, perhaps too early.
    var deadlineAlarm: Alarm?
    /// The state of a connection to the forward proxy; nil for others.
    var proxied: ProxyConnection?
    /// The tunnel that it is an end of.
    var tunnel: Tunnel?
    /// Tells that it was accepted beyond the limit, for urgent requests alone.
    var isReserve = false

    init(
        id: ConnectionID,
        descriptor: consuming OwnedDescriptor,
        peer: Peer,
        wire: WireProtocol,
        security: Security = .plain
    ) {
        self.id = id
        self.number = descriptor.number
        self.peer = peer
        self.descriptor = consume descriptor
        self.wire = wire
        self.security = security
        only = wire.isMultiplexed ? nil : Channel(.only, of: id)
        only?.connection = self
    }

    var isOpen: Bool { phase != .closed }

    /// Passes bytes of the peer to the protocol.
    func received(_ bytes: ArraySlice<UInt8>, now: Instant) {
        if firstByte == nil { firstByte = now }
        wire.received(bytes, now: now)
    }

    /// Notes that a request is whole; bytes behind it belong to the next.
    func endRequest(now: Instant) { firstByte = wire.bufferedBytes() > 0 ? now : nil }

    var hasOutput: Bool { outputStart < output.count }

    /// Tells whether bytes of the peer are wanted now.
    var wantsRead: Bool { !sawEnd && wire.looksForInput() && !isPaused && tls?.wantsRead ?? true }

    /// The TLS of the connection; nil without.
    var tls: TLSEngine? {
        guard case .tls(let engine) = security else { return nil }
        return engine
    }

    /// Tells whether its requests count as come over TLS.
    var isSecure: Bool {
        switch security {
        case .tls, .standsForTLS: true
        case .plain, .undecided: false
        }
    }

    /// Returns the way of an exchange on a channel; nil for HTTP/1.1 without TLS.
    func transport(on channel: ChannelNumber) -> TransportFacts? {
        guard only != nil else {
            let scheme: TransportFacts.Scheme = isSecure ? .https : .http
            return TransportFacts(scheme: scheme, version: .http2, stream: channel.value, tls: tls?.facts)
        }
        guard isSecure else { return nil }
        if let known = transportFacts { return known }
        let made = TransportFacts(scheme: .https, version: .http1, tls: tls?.facts)
        transportFacts = made
        return made
    }

    /// Tells whether the socket is read at the pace of the one request that is coming in.
    ///
    /// A multiplexed protocol would pace one channel by its window, never by the socket that all of them share.
    var isPaced: Bool { only?.intake != nil }

    /// Tells whether the socket is deliberately not read at present.
    var isPaused: Bool { isPaced && only?.intake?.isPaused == true }

    /// Tells whether the client is kept waiting for `100 Continue`.
    var delaysContinue: Bool { only?.intake?.continueWait != nil }

    /// Tells whether an exchange is in progress.
    var hasExchange: Bool { hasChannel { $0.exchange != nil } }

    /// Closes the socket.
    func close() {
        phase = .closed
        security = .plain
        descriptor = nil
        output = []
        outputStart = 0
        forEachChannel { $0.end() }
    }
}
