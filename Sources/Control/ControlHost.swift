package import Backend
import Basics
package import CivilTime
package import Engine
package import ForwardProxy
package import HTTPMessage
import JSON
import Journal
package import Recording
import Worlds

/// The interface by which control calls reach the running server.
///
/// A test can implement it without a socket.
package protocol ControlHost: AnyObject {
    /// Cuts the exchanges in progress of a world, or of one API in it, and returns their number.
    func cut(world: Int, api: Int?) -> Int
    /// Notes that a world's clock was set or moved: ends the waits that came due and returns their number.
    func clockMoved(world: Int, now: Instant, speed: Double) -> Int
    /// Returns the exchanges of a world whose responses wait, with the readings of the world's clock that end the waits.
    func waits(world: Int) -> [(exchange: UInt64, at: Instant)]
    /// Keeps the response to the present call open and sends it the world's events from now on, as server-sent events;
    /// those of one API if one is named. The response has the events up to a number.
    func watch(world: Int, api: Int?, after seen: UInt64)
    /// Returns the mode of each API, which decides the source of its responses.
    func modes(of apis: [Int]) -> [ModeOrder]
    /// Sets the mode of an API.
    func setMode(_ order: ModeOrder) throws(Problem) -> ModeChange
    /// The number of open connections.
    var openConnections: Int { get }
    /// The TLS of the ports; nil where none speaks it.
    var tls: (any TLSHost)? { get }
    /// The paired devices; nil where none can be paired.
    var pairing: DevicePairing? { get }
    /// The forward proxy; nil without `--proxy`.
    var forwardProxy: ForwardProxyState? { get }
    /// Returns the search for similar requests in the recording that answers for an API; nil if none does.
    func nearestRecorded(api: Int) -> NearestRecorded?
    /// Continues requests that gates have released.
    func resumed(_ exchanges: [Exchange])
    /// Continues requests that gates have released and that work on large parts of their worlds.
    func answerAside(_ exchanges: [Exchange])
}

/// The addresses at which the running emulator is reached.
package struct Origins: Sendable {
    /// `http://127.0.0.1:4680`.
    package var hub: String
    /// The addresses of the APIs, in their order.
    package var apis: [String]
    /// The ports of our own listeners: that of the hub, then those of the APIs in their order.
    package var ports: [Int]

    package init(hub: String, apis: [String], ports: [Int]) {
        self.hub = hub
        self.apis = apis
        self.ports = ports
    }

    /// Returns the addresses with the scheme by which a request came.
    package func asReached(by head: RequestHead) -> Origins {
        guard let isSecure = head.isSecure else { return self }
        func reached(_ url: String) -> String {
            guard let end = url.firstRange(of: "://")?.upperBound else { return url }
            return (isSecure ? "https://" : "http://") + url[end...]
        }
        return Origins(hub: reached(hub), apis: apis.map(reached), ports: ports)
    }

    /// Returns the addresses of the APIs as whoever sent a request can use them (transport contract, section 1).
    ///
    /// They have the scheme and the host of the request, which has passed the safety rules, and the APIs' own ports. A
    /// host that chooses a world keeps its label, unless the addresses name a world themselves.
    package func apis(for head: RequestHead, namingWorld: Bool = false) -> [String] {
        guard let base = Self.base(for: head, namingWorld: namingWorld) else { return asReached(by: head).apis }
        return zip(apis, ports.dropFirst()).map { _, port in "\(base):\(port)" }
    }

    /// Returns the address of the hub as whoever sent a request can use it.
    package func hub(for head: RequestHead) -> String {
        guard let base = Self.base(for: head), let port = ports.first else { return asReached(by: head).hub }
        return "\(base):\(port)"
    }

    /// Returns scheme and host of a request; nil if it names none.
    private static func base(for head: RequestHead, namingWorld: Bool = false) -> String? {
        guard let authority = head.authority, var host = ControlSafety.host(of: authority), !host.isEmpty else {
            return nil
        }
        if namingWorld, Address.worldLabel(ofHost: host) != nil { host = "localhost" }
        return (head.isSecure == true ? "https" : "http") + "://" + (host.contains(":") ? "[\(host)]" : host)
    }
}

extension ControlHost {
    package var forwardProxy: ForwardProxyState? { nil }
    /// A host without modes emulates.
    package func modes(of apis: [Int]) -> [ModeOrder] { apis.map { ModeOrder(api: $0, mode: .emulate) } }

    /// A host without modes refuses all others.
    package func setMode(_ order: ModeOrder) throws(Problem) -> ModeChange {
        guard order.mode == .emulate else {
            throw Problem(.notImplemented, "This server can't record or replay.")
        }
        return .done(["api": "", "mode": "emulate"])
    }
}
