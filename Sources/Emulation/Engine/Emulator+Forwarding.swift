import CivilTime
package import HTTPMessage

/// A fault that acts on a request, with its chance.
struct ActiveFault {
    var spec: FaultSpec
    var stream: SeededStream
}

/// What acts on a request, decided before it is answered.
struct FaultPlan {
    /// The one that won.
    var main: ActiveFault?
    /// Delays and throttles.
    var shapes: [ActiveFault] = []
    /// What a preference asked for and got.
    var applied: [String] = []
    /// The world's faults are still to be decided on, since one of them has to see the answer first.
    var isUndecided = false
    /// One of them has to see its content, too.
    var looksAtContent = false

    /// Whether an answer is wanted; what takes its place in the phase `before` leaves who would give it alone.
    var wantsAnswer: Bool {
        guard let main, !isUndecided else { return true }
        return main.spec.phase == .after || main.spec.behavior.wantsAnswer
    }

    /// Whether the answer has to be there in full before the first byte of it leaves.
    func wantsWhole(_ head: Response) -> Bool {
        if isUndecided || shapes.contains(where: { $0.spec.behavior.laysOutContent }) {
            return true
        }
        guard let main else { return false }
        if main.spec.behavior.changesEventStreams { return !head.isEventStream }
        return true
    }
}

/// A request whose answer somebody else is asked for.
struct AskedVisit {
    var visit: Visit
    var call: Call
    var subject: MatchSubject
}

/// What faults and the network of a world do to content that arrives piece by piece.
package struct ContentFlow: Sendable {
    struct Pace: Sendable {
        var bytesPerSecond: Int
        var waiting: Waiting
    }

    var paces: [Pace] = []
    var events: EventFlow?

    package init() {}

    /// Whether nothing more of the content leaves.
    package var isOver: Bool { events?.isOver ?? false }

    /// The steps of the next piece.
    package mutating func steps(of bytes: [UInt8]) -> [Step] { paced(events?.steps(of: bytes) ?? [.bytes(bytes)]) }

    /// The steps behind the last piece, which end the answer.
    package func ending(_ steps: [Step]) -> [Step] { paced(events?.ending ?? steps) }

    private func paced(_ steps: [Step]) -> [Step] {
        guard !paces.isEmpty else { return steps }
        var piece = Response(status: .ok, body: .steps(steps))
        for pace in paces { piece = piece.throttled(to: pace.bytesPerSecond, pace.waiting) }
        guard case .steps(let slow) = piece.body else { return steps }
        return slow
    }
}

/// Faults, latency and gates on requests that a real backend answers (control contract, sections 8 to 10 and 13).
///
/// They are decided on when the request comes, so that what takes an answer's place in the phase `before` keeps the request
/// from the backend, and a gate holds it back; what the backend says then goes the way of any other answer.
extension Emulator {
    /// Takes a request as far as it comes before somebody else is asked for its answer.
    ///
    /// Nil when nothing stands on its way. An answer that `isAsked` is none: `answered` has to follow.
    package func ask(
        _ request: HTTPRequest,
        address: Address,
        api index: Int,
        peer: String,
        exchange: UInt64,
        at hostTime: HostTime,
        shown: () -> StandIn.Shown?
    ) -> Answer? {
        let match = apis[index].match(request.head.method, address.path)
        let clue = worldHint(of: request, api: index, match: match)
        guard let name = try? chooseWorld(address, api: index, credential: clue), let hosted = self[world: name] else {
            return nil
        }
        let early = admitted[exchange].flatMap { $0.isOf(hosted) ? $0 : nil }
        if early == nil, hosted.world.hasNoFaults, !Preference.mayBe(in: request.head) { return nil }
        var visit: Visit
        if let early {
            admitted[exchange] = nil
            visit = early
            visit.request = request
        } else {
            visit = Visit(request, address, match, api: index, peer: peer, exchange: exchange, hosted: hosted)
        }
        visit.request.bounds = configuration.bounds
        visit.standIn = StandIn(asking: shown())
        hosted.lastUsed = hostTime.monotonic
        if !hosted.isAwake { wake(hosted) }
        return pass(visit, at: hostTime) { .zero }
    }

    /// Puts a request aside until its answer is there.
    func asked(_ visit: Visit, _ call: Call, _ subject: MatchSubject) -> Answer {
        asking[visit.exchange] = AskedVisit(visit: visit, call: call, subject: subject)
        var answer = Answer(
            response: .silent([.hold]),
            group: ExchangeGroup(world: visit.hosted.key, api: visit.api),
            now: call.now,
            speed: visit.hosted.world.core.clock.speed
        )
        answer.isAsked = true
        return answer
    }

    /// Whether what acts on a request has to have its answer in full; false where nothing acts.
    ///
    /// `head` is the answer without its content.
    package func wantsWholeAnswer(_ exchange: UInt64, _ head: Response) -> Bool {
        guard var asked = asking[exchange] else { return false }
        if asked.visit.order?.isUndecided == true, asked.visit.order?.looksAtContent == false {
            asked.visit.standIn?.inPlace = { _, _ in StandIn.Reply(head) }
            decideNow(&asked.visit, asked.call, asked.subject)
            asking[exchange] = asked
        }
        return asked.visit.order?.wantsWhole(head) == true
            || asked.visit.hosted.world.gates.next(.after, after: asked.visit.passedAfter, for: asked.subject) != nil
    }

    /// Goes on with a request whose answer is there; nil if it was not asked for.
    ///
    /// `isMiss`: it says that there is none. `isOpen`: its content is still to follow, and `flow` says what acts on that.
    package func answered(
        _ exchange: UInt64,
        with response: Response,
        isMiss: Bool = false,
        isOpen: Bool = false,
        shown: StandIn.Shown?,
        at hostTime: HostTime
    ) -> Answer? {
        guard let asked = asking.removeValue(forKey: exchange) else { return nil }
        var visit = asked.visit
        let hosted = visit.hosted
        let now = hosted.world.tick(to: hostTime)
        visit.standIn = StandIn(inPlace: { _, _ in StandIn.Reply(response, isMiss: isMiss) })
        visit.standIn?.shown = shown
        let flow = isOpen ? flow(&visit, asked.subject) : ContentFlow()
        var call = visit.call(at: now)
        call.route = asked.call.route
        call.parameters = asked.call.parameters
        call.user = asked.call.user
        let made = fulfil(&visit, &call, asked.subject)
        var answer = leave(visit, call, made, asked.subject, hostTime) { .zero }
        answer.flow = flow
        return answer
    }

    /// What acts on content that is still to come; that is done with then.
    private func flow(_ visit: inout Visit, _ subject: MatchSubject) -> ContentFlow {
        var flow = ContentFlow()
        for shape in visit.order?.shapes ?? [] {
            guard case .shapesDelivery(.rate(let rate)) = shape.spec.behavior else { continue }
            flow.paces.append(ContentFlow.Pace(bytesPerSecond: rate, waiting: shape.spec.waiting))
        }
        if let latency = visit.hosted.world.latency.latency(for: subject), let rate = latency.bytesPerSecond {
            flow.paces.append(ContentFlow.Pace(bytesPerSecond: rate, waiting: latency.waiting))
        }
        if let main = visit.order?.main, let events = main.flow(streamError: apis[visit.api].streamError) {
            flow.events = events
            visit.order?.main = nil
        }
        return flow
    }

    /// The fault that acts on a request whose answer is asked for, or that acted on one answered since.
    package func fault(on exchange: UInt64) -> FaultDecision? {
        if let asked = asking[exchange] {
            let acting = asked.visit.decisions.filter(\.acted)
            return acting.first(where: \.isMain) ?? acting.first
        }
        guard let entry = pending[exchange], !entry.isOutdated else { return nil }
        return entry.hosted.world.journal[entry.seq]?.fault
    }
}
