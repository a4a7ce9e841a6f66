import CivilTime
import HTTPMessage

/// A request on its way through a world: what is kept of it while a gate holds it or its content is still coming.
struct Visit {
    /// The entry that was made for it before it was answered.
    struct Entry {
        var seq: UInt64
        var id: String
        var at: Instant
        var wallAt: Instant
    }

    let hosted: Emulator.HostedWorld
    let api: Int
    let exchange: UInt64
    var request: HTTPRequest
    let address: Address
    let match: RouteMatch
    let peer: String
    /// The caller's id, or one of the world's counter for the API.
    let requestID: String
    let isOwnID: Bool
    var prepared: (any Sendable)?
    /// What has been found out elsewhere about what is held against it.
    var forecast: MatchForecast?
    /// What the endpoint will make of it, found out elsewhere.
    var foreseen: Foresight?
    /// What answers in the endpoint's place.
    var standIn: StandIn?
    var decisions: [FaultDecision] = []
    /// The gates passed last, by phase.
    var passedBefore: UInt64 = 0
    var passedAfter: UInt64 = 0
    /// What the release of a gate ordered.
    var ordered: FaultSpec?
    /// What acts on it, where that was decided before somebody else is asked for the answer.
    var order: FaultPlan?
    /// The delays and throttles that act on it, once that is decided.
    var shapes: [ActiveFault] = []
    /// What a preference asked for and got.
    var applied: [String] = []
    /// The answer, once the endpoint has run.
    var answered: (call: Call, response: Response)?
    var entry: Entry?
    /// It has been counted and told of.
    var isAnnounced = false
    /// When the gate that holds it began to, in real time; nil while none does.
    var heldSince: Instant?
    /// How long gates have held it.
    var held = Interval.zero

    init(
        _ request: HTTPRequest,
        _ address: Address,
        _ match: RouteMatch,
        api: Int,
        peer: String,
        exchange: UInt64,
        hosted: Emulator.HostedWorld
    ) {
        self.request = request
        self.address = address
        self.match = match
        self.api = api
        self.peer = peer
        self.exchange = exchange
        self.hosted = hosted
        let sent = request.head.fields.bytes(.requestID).flatMap(RequestID.sane)
        isOwnID = sent == nil
        requestID = sent ?? RequestID.own(hosted.world.countRequest(api))
    }

    /// Whether what its head began goes on in that world.
    ///
    /// A credential in the content can lead to another world than the head did, where the faults of the first have
    /// no say.
    func isOf(_ found: Emulator.HostedWorld) -> Bool { hosted === found || entry != nil }

    /// Whether nothing stands between the request and its endpoint.
    var hasNoFaults: Bool {
        hosted.world.hasNoFaults && entry == nil && decisions.isEmpty && !Preference.mayBe(in: request.head)
    }

    /// A gate holds it from now on.
    mutating func stop(at hostTime: HostTime) { heldSince = hostTime.monotonic }

    /// The gate lets it go.
    mutating func goOn(at hostTime: HostTime) {
        guard let since = heldSince else { return }
        held = held + (hostTime.monotonic - since)
        heldSince = nil
    }

    /// Whether a route takes it.
    var isRouted: Bool {
        if case .endpoint = match { return true }
        return false
    }

    /// The call of a visit that goes nowhere after it: the request moves into it, since a copy is nine references.
    mutating func lastCall(at now: Instant) -> Call {
        var moved = HTTPRequest(head: RequestHead(method: .get, target: RequestTarget(rawPath: "")))
        swap(&moved, &request)
        return call(with: moved, at: now)
    }

    /// The call as it stands at that moment of the world.
    func call(at now: Instant) -> Call { call(with: request, at: now) }

    private func call(with request: consuming HTTPRequest, at now: Instant) -> Call {
        var call = Call(
            request: request,
            path: address.path,
            linkPrefix: address.linkPrefix,
            peer: peer,
            now: now,
            epoch: hosted.world.parts[api].epoch,
            requestID: requestID
        )
        call.prepared = prepared
        call.forecast = forecast
        call.foreseen = foreseen
        return call
    }
}

/// A request that a gate holds.
struct HeldExchange {
    /// The gate's name.
    var gate: String
    var visit: Visit
}
