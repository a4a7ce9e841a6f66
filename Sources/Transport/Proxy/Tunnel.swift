import CivilTime
import ForwardProxy
import HTTPWire

/// A tunnel to another host: bytes pass in both directions, and nobody looks at them but at the first, which have to be
/// those of TLS (proxy contract, section 5).
final class Tunnel {
    enum Side: UInt32 {
        case near, far

        var other: Side { self == .near ? .far : .near }
    }

    enum Phase {
        case opening
        /// A proxy was asked for the tunnel.
        case asking
        /// The client's first bytes have not come, or not enough of them.
        case greeting
        case relaying
        /// The client did not speak TLS: what it still sends is dropped.
        case refusing
        case over
    }

    /// The bytes on their way from one side to the other.
    struct Direction {
        var pending: [UInt8] = []
        var start = 0
        /// Tells that the side has ended its direction.
        var sawEnd = false
        /// Tells that the end was passed on.
        var isShut = false

        var waiting: Int { pending.count - start }
    }

    /// The slots of the poller's tokens for the ends of tunnels begin here; those below are listening sockets.
    static let firstSlot: UInt32 = 0x8000_0000
    /// The most bytes on their way in each direction; then reading stops.
    static let window = 256 * 1024

    let number: UInt32
    let destination: ProxyDestination
    let exchange: ExchangeID
    var phase = Phase.opening
    /// The addresses that were not tried.
    var addresses: [SocketAddress] = []
    var failure = UpstreamFailure(.connect, "there is no address")
    /// The request to a proxy, as far as it is still to be sent.
    var request: [UInt8] = []
    var answer: ConnectAnswer
    /// The socket to the other host.
    private var farSocket: OwnedDescriptor?
    private(set) var farNumber: Int32 = -1
    /// The client's connection, once the tunnel is open.
    var near: Connection?
    /// The client's first bytes, until it is known that they are those of TLS.
    var greeting: [UInt8] = []
    var fromNear = Direction()
    var fromFar = Direction()
    var interests: (near: Interest, far: Interest) = ([], [])
    var lastByte: Instant
    var alarm: Server.Timer?

    init(_ number: UInt32, to destination: ProxyDestination, for exchange: ExchangeID, now: Instant) {
        self.number = number
        self.destination = destination
        self.exchange = exchange
        answer = ConnectAnswer(to: Self.authority(destination))
        lastByte = now
    }

    /// The host and port that CONNECT names.
    var authority: String { Self.authority(destination) }

    private static func authority(_ destination: ProxyDestination) -> String {
        let host = destination.host
        return (host.contains(":") ? "[\(host)]" : host) + ":\(destination.port)"
    }

    /// The host that is looked up and connected to, with its port.
    var farHost: String { destination.proxy?.target.hostText ?? destination.host }
    var farPort: UInt16 { destination.proxy.map { UInt16($0.target.port) } ?? destination.port }

    /// Tells whether the client still waits for its tunnel.
    var isBeingOpened: Bool {
        switch phase {
        case .opening, .asking: true
        case .greeting, .relaying, .refusing, .over: false
        }
    }

    func token(_ side: Side) -> UInt64 {
        ConnectionID(slot: Self.firstSlot | number << 1 | side.rawValue, generation: 0).token
    }

    /// Takes a socket over, or closes the one that is there.
    func setFar(_ descriptor: consuming OwnedDescriptor?) {
        farNumber = -1
        if let descriptor {
            farNumber = descriptor.number
            farSocket = consume descriptor
        } else {
            farSocket = nil
        }
    }

    func descriptor(_ side: Side) -> Int32 { side == .near ? near?.number ?? -1 : farNumber }

    /// Tells whether the first bytes can be those of TLS: the record of a handshake with a ClientHello; nil for too few.
    static func greetsInTLS(_ bytes: [UInt8]) -> Bool? {
        for (place, byte) in bytes.prefix(6).enumerated() {
            switch place {
            case 0 where byte != 0x16, 1 where byte != 3, 2 where byte > 4, 5 where byte != 1: return false
            default: break
            }
        }
        return bytes.count < 6 ? nil : true
    }
}
