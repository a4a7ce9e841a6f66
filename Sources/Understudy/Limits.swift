import Backend
import CivilTime
package import HTTPMessage
import HTTPWire
import Serving
package import Transport

/// The limits of control contract, section 17 that belong to the whole server, by name.
package struct Limits: Sendable {
    package var server = Self.server
    /// Bytes of a body; an endpoint's own limit counts where it is smaller.
    package var body = 20 * 1024 * 1024
    /// Bytes of the body of a control call, a world to be imported aside.
    package var controlBody = 2 * 1024 * 1024
    /// Bytes of a world to be imported.
    package var state = 256 * 1024 * 1024
    /// Depth and values of JSON bodies and parts of multipart bodies; unset ones keep the APIs' own limits.
    package var bounds = BodyBounds()
    /// Messages in the outbox of each world; the oldest are removed first.
    package var outbox = Outbox.usualCapacity
    package var worlds = 10_000
    /// In each world.
    package var faults = 1_000
    /// In each world.
    package var gates = 1_000
    /// Concurrent exchanges with the real backend of each API; each has a thread.
    package var upstreamExchanges = 128
    /// Control calls that wait for something to happen.
    package var waiting = 1_000
    /// In each line for a worker.
    package var jobs = 256
    /// Seconds that a handshake of TLS has from its first byte on.
    package var handshakeSeconds = 10
    /// Of each peer that is not this machine, with `--lan`.
    package var stranger = StrangerLimits()

    package init() {}

    /// The limits that the service keeps itself.
    var serving: ServingLimits {
        ServingLimits(body: body, controlBody: controlBody, state: state, waitingCalls: waiting, jobs: jobs)
    }

    /// The server's limits, with some connections of the hub reserved for control calls; `Limits.server.connections`
    /// are shared by everybody.
    private static var server: ServerLimits {
        var limits = ServerLimits()
        limits.reserved = 16
        return limits
    }

    /// The largest depth of JSON, which is walked recursively on a limited stack.
    private static let deepest = 512

    /// The largest number of threads.
    private static let mostThreads = 4_096

    /// Every name with the unit of its number.
    package static let names: [(name: String, counts: String)] = [
        ("request-line", "bytes"), ("header-section", "bytes"), ("header-fields", "fields"), ("body", "bytes"),
        ("bodies", "bytes of all incoming bodies"), ("control-body", "bytes"), ("state", "bytes of a world"),
        ("json-depth", "levels in a body"), ("json-values", "values in a body"), ("multipart-parts", "parts"),
        ("connections", "connections"), ("head-seconds", "seconds"), ("body-seconds", "seconds between bytes"),
        ("idle-seconds", "seconds"), ("write-seconds", "seconds in which a client reads nothing"), ("worlds", "worlds"),
        ("faults", "faults in a world"),
        ("gates", "gates in a world"), ("outbox", "messages in a world"),
        ("upstream-exchanges", "exchanges of an API with its backend"), ("waiting", "waiting control calls"),
        ("jobs", "requests waiting for a worker"), ("tls-handshake-seconds", "seconds"),
        ("lan-connections", "connections per remote machine, with --lan"),
        ("lan-handshakes", "TLS handshakes per second and remote machine, with --lan"),
        ("tunnels", "tunnels of --proxy to hosts that are not mapped"),
        ("tunnel-idle-seconds", "seconds in which no byte passes a tunnel"),
    ]

    /// Every name with its current number, in the same order.
    package var all: [(name: String, number: Int)] { Self.names.map { ($0.name, number(of: $0.name)) } }

    private func number(of name: String) -> Int {
        func seconds(_ time: Interval) -> Int { Int(time.microseconds / 1_000_000) }
        return switch name {
        case "request-line": server.wire.requestLine
        case "header-section": server.wire.headerSection
        case "header-fields": server.wire.headerFields
        case "body": body
        case "bodies": server.bodies
        case "control-body": controlBody
        case "state": state
        case "json-depth": bounds.depth()
        case "json-values": bounds.values
        case "multipart-parts": bounds.parts()
        case "connections": server.connections
        case "head-seconds": seconds(server.wire.headTime)
        case "body-seconds": seconds(server.wire.bodyTime)
        case "write-seconds": seconds(server.writeTime)
        case "idle-seconds": seconds(server.wire.idleTime)
        case "worlds": worlds
        case "faults": faults
        case "outbox": outbox
        case "gates": gates
        case "upstream-exchanges": upstreamExchanges
        case "waiting": waiting
        case "jobs": jobs
        case "tls-handshake-seconds": handshakeSeconds
        case "lan-connections": stranger.connections
        case "lan-handshakes": stranger.handshakes
        case "tunnels": server.tunnels
        case "tunnel-idle-seconds": seconds(server.tunnelIdle)
        default: preconditionFailure("no limit is named \(name)")
        }
    }

    /// Sets a limit; returns false if no limit has that name or the number is out of range.
    package mutating func set(_ name: String, to number: Int) -> Bool {
        guard number > 0, number <= 1_000_000_000 else { return false }
        switch name {
        case "request-line": server.wire.requestLine = number
        case "header-section": server.wire.headerSection = number
        case "header-fields": server.wire.headerFields = number
        case "body": body = number
        case "bodies": server.bodies = number
        case "control-body": controlBody = number
        case "state": state = number
        case "json-depth":
            guard number <= Self.deepest else { return false }
            bounds.jsonDepth = number
        case "json-values": bounds.jsonValues = number
        case "multipart-parts": bounds.multipartParts = number
        case "connections": server.connections = number
        case "head-seconds": server.wire.headTime = .seconds(Int64(number))
        case "body-seconds": server.wire.bodyTime = .seconds(Int64(number))
        case "write-seconds": server.writeTime = .seconds(Int64(number))
        case "idle-seconds": server.wire.idleTime = .seconds(Int64(number))
        case "worlds": worlds = number
        case "faults": faults = number
        case "outbox": outbox = number
        case "gates": gates = number
        case "upstream-exchanges":
            guard number <= Self.mostThreads else { return false }
            upstreamExchanges = number
        case "waiting": waiting = number
        case "jobs": jobs = number
        case "tls-handshake-seconds": handshakeSeconds = number
        case "lan-connections": stranger.connections = number
        case "lan-handshakes": stranger.handshakes = number
        case "tunnels": server.tunnels = number
        case "tunnel-idle-seconds": server.tunnelIdle = .seconds(Int64(number))
        default: return false
        }
        return true
    }
}
