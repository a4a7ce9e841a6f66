import CivilTime
import HTTPMessage
import HTTPWire
import Testing
import Transport

/// The poller that a test runs on; every server test runs on each one that the system has.
enum PollerKind: CaseIterable, Sendable {
    #if canImport(Glibc)
    case epoll
    #endif
    case portable

    func make() throws -> any Poller {
        switch self {
        #if canImport(Glibc)
        case .epoll: try EpollPoller()
        #endif
        case .portable: try PollPoller()
        }
    }
}

/// Clocks that a test moves.
final class ManualTime {
    var monotonic = Instant(seconds: 1_000)
    var wall = Instant(seconds: 1_700_000_000)
    /// The time that passes at each read of the monotonic clock, for work done in slices of time.
    var passing = Interval.zero

    var source: TimeSource {
        TimeSource(
            monotonic: {
                self.monotonic = self.monotonic + self.passing
                return self.monotonic
            },
            wall: { self.wall }
        )
    }

    func advance(_ interval: Interval) {
        monotonic = monotonic + interval
        wall = wall + interval
    }
}

/// An application whose behaviour a test sets, and which records the calls it receives.
final class TestApplication: Application {
    weak var server: Server?
    var bodyLimit = 64 * 1024 * 1024
    var urgent: (RequestHead) -> Bool = { _ in false }
    var onAdmit: ((RequestHead, ExchangeID) -> AdmissionDecision)?
    var onRequest: (HTTPRequest, ExchangeID) -> ResponseDecision = { request, _ in
        .now(.text(request.head.target.rawPath))
    }
    /// The effects that hold back the steps after them.
    var heldEffects: Set<Int> = []
    /// The treatment of requests to the forward proxy.
    var onRoute: (RequestHead) -> ProxyRouting = { .pass($0, listener: 0) }
    var onEffect: (Int, ExchangeID) -> Void = { _, _ in }
    var onFinished: (ExchangeID, ExchangeRecord) -> Void = { _, _ in }
    var clock = ClockReading(now: Instant(seconds: 1_735_732_800), rate: 1)

    private(set) var log: [String] = []
    private(set) var admitted: [ExchangeID] = []
    private(set) var records: [(exchange: ExchangeID, record: ExchangeRecord)] = []
    private(set) var peers: [Peer] = []

    var outcomes: [Outcome] { records.map(\.record.outcome) }

    func note(_ line: String) { log.append(line) }

    func isUrgent(_ head: RequestHead, from peer: Peer) -> Bool { urgent(head) }

    func admit(_ head: RequestHead, on exchange: ExchangeID, from peer: Peer) -> AdmissionDecision {
        admitted.append(exchange)
        peers.append(peer)
        return onAdmit?(head, exchange) ?? .read(.init(bodyLimit: bodyLimit, drainLimit: bodyLimit))
    }

    func route(
        _ head: RequestHead,
        in tunnel: ProxyTunnel?,
        isSecure: Bool,
        from peer: Peer
    ) -> ProxyRouting {
        onRoute(head)
    }

    func respond(to request: HTTPRequest, on exchange: ExchangeID, from peer: Peer) -> ResponseDecision {
        onRequest(request, exchange)
    }

    func refuse(
        _ refusal: WireRefusal,
        head: RequestHead?,
        on exchange: ExchangeID,
        from peer: Peer
    ) -> PlayableResponse {
        note("refused \(refusal.status.code)")
        var answer = PlayableResponse.text("\(refusal.reason)")
        answer.response.status = refusal.status
        return answer
    }

    func perform(effect: Int, of exchange: ExchangeID) -> Bool {
        note("effect \(effect)")
        onEffect(effect, exchange)
        return !heldEffects.contains(effect)
    }

    func peerEnded(_ exchange: ExchangeID) { note("peer ended") }

    func finished(_ exchange: ExchangeID, _ record: ExchangeRecord) {
        note("finished \(record.outcome)")
        records.append((exchange, record))
        onFinished(exchange, record)
    }

    func clock(of world: Int) -> ClockReading { clock }
}

extension PlayableResponse {
    static let testDate = Array("Fri, 20 Nov 2026 12:00:00 GMT".utf8)

    static func text(_ text: String, world: Int = 1) -> PlayableResponse { bytes(Array(text.utf8), world: world) }

    static func bytes(_ bytes: [UInt8], world: Int = 1) -> PlayableResponse {
        PlayableResponse(response: Response(status: .ok, body: .bytes(bytes)), date: testDate, world: world)
    }

    static func steps(_ steps: [Step], world: Int = 1, staysOpen: Bool = false) -> PlayableResponse {
        PlayableResponse(
            response: Response(status: .ok, body: .steps(steps)),
            date: testDate,
            world: world,
            staysOpen: staysOpen
        )
    }
}

extension Step {
    static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
}

/// A server that a test turns by hand, with clients on socket pairs or on loopback.
final class Harness {
    let application = TestApplication()
    let time = ManualTime()
    let server: Server
    /// A flag for TCP: a busy kernel may deliver bytes a moment after they were sent, which a socket pair never does.
    private var usesTCP = false

    init(_ kind: PollerKind, limits: ServerLimits = ServerLimits()) throws {
        server = try Server(application: application, limits: limits, time: time.source, poller: try kind.make())
        application.server = server
    }

    /// Two ends of a socket pair, one of them served.
    func client() throws -> Client {
        let (ours, theirs) = try Socket.openPair().get()
        let taken = server.adopt(OwnedDescriptor(ours), peer: Peer(host: "127.0.0.1", port: 9, listener: 0))
        #expect(taken)
        return Client(OwnedDescriptor(theirs))
    }

    /// A TCP connection to the first listener, which is opened if there is none.
    func liveClient() throws -> Client {
        if server.boundPort(0) == nil { try server.listen(on: [ListenAddress(hosts: ["127.0.0.1"], port: 0)]) }
        usesTCP = true
        return try Client(host: "127.0.0.1", port: #require(server.boundPort(0)))
    }

    /// Turns the server until the condition holds.
    ///
    /// The bound is generous, a minute of waiting: it only ends a test that has failed.
    func turn(until condition: () throws -> Bool, turns: Int = 30_000) rethrows -> Bool {
        for _ in 0..<turns {
            if try condition() { return true }
            server.turn(atMost: .milliseconds(2))
        }
        return try condition()
    }

    /// Turns the server while it has something to do.
    func settle() { for _ in 0..<6 { server.turn(atMost: usesTCP ? .milliseconds(2) : .zero) } }

    func advance(_ interval: Interval) {
        time.advance(interval)
        settle()
    }

    /// Turns the server until the text that the client has received ends with that one.
    func expect(_ client: Client, toEndWith text: String, _ location: SourceLocation = #_sourceLocation) {
        let matched = turn { client.text.hasSuffix(text) }
        #expect(matched, "got \(client.text.suffix(300))", sourceLocation: location)
    }
}
