package import Backend
package import CivilTime
package import Conditions
package import HTTPMessage
package import Journal
import Worlds

/// One request and its response, from the head to the last byte.
///
/// It alone records the progress of a request. The emulator's registry holds it until it has ended, and everything else
/// that concerns a request is reached through it. It belongs to the emulator's thread.
package final class Exchange {
    /// The state of an exchange.
    package enum State: Sendable, Equatable {
        /// The head is there; content may be coming.
        case receiving
        /// A worker has something to do before the next stage.
        case awaitingWorker
        /// Its stages are running.
        case advancing
        /// The gate of that name holds it.
        case held(gate: String)
        /// A real backend has the request, or is still sending.
        case awaitingUpstream
        /// Its response waits for the disk.
        case awaitingStore
        /// Its response is complete or on its way.
        case delivering
        case ended
    }

    /// The journal entry that was made before the response.
    package struct OpenEntry {
        var id: String
        var at: Instant
        var wallAt: Instant
    }

    package let context: RequestContext
    package internal(set) var state = State.receiving
    /// The stage that runs next.
    var stage = Stage.selectWorld
    /// The time of the event that is being handled.
    var hostTime: HostTime
    /// The request, with everything that the stages have found out about it.
    package var call: Call
    package var response = Response(status: .unanswered)
    package internal(set) var responder: any Responder
    /// The form in which the journal may show the exchange; nil where it shows it unchanged.
    package internal(set) var disclosure: JournalDisclosure?

    /// The query as it was sent, where a delay that it asked for was taken out of the call's; nil for all others.
    var sentQuery: String?

    // MARK: World

    /// The world that it belongs to; `main` until one has been selected.
    package internal(set) var hosted: Emulator.HostedWorld
    /// The certainty of the world.
    enum WorldChoice {
        case none
        /// The head alone selected it; a credential in the content may select another.
        case provisional
        case made
    }
    var worldChoice = WorldChoice.none
    /// The number of resets of its part of the world when it was noted there.
    var generation = 0

    // MARK: Faults and gates

    /// The request as faults and matchers see it; nil where none act on it.
    var subject: MatchSubject?
    /// The faults that act on it, decided once; nil where none can.
    package var plan: FaultPlan? {
        get { planned.first }
        set { planned = newValue.map { [$0] } ?? [] }
    }
    /// The plan in an array of one or none: most exchanges have none, and it would take room and time in each.
    private var planned: [FaultPlan] = []
    package var decisions: [FaultDecision] = []
    /// The fault that is to end its upload before the content is whole.
    var uploadFault: String?
    /// Tells that its route is that of a stub that would have taken it when a gate began to hold it.
    var isRouteForeseen = false
    /// Tells that a fault has made the response, whatever the responder answered.
    var isAnsweredByFault = false
    /// The gates passed last, by phase.
    var passedBefore: UInt64 = 0
    var passedAfter: UInt64 = 0
    /// The effect that came with the release of a gate.
    var ordered: FaultSpec? {
        get { orderedFaults.first }
        set { orderedFaults = newValue.map { [$0] } ?? [] }
    }
    /// The same in an array of one or none, as the plan.
    private var orderedFaults: [FaultSpec] = []
    /// Tells whether there is such an effect.
    var hasOrdered: Bool { !orderedFaults.isEmpty }
    /// The real time at which the present gate began to hold it; nil while none does.
    var heldSince: Instant?
    /// The time for which gates have held it.
    var held = Interval.zero
    /// The gate that has held it, the last of several.
    var gateName: String?
    /// Tells that nothing here acts on its response, which comes from elsewhere.
    var passesThrough = false
    /// Tells that content still follows the response that has begun.
    package internal(set) var isOpen = false
    /// The faults that act on that content.
    package internal(set) var flow = ContentFlow()

    /// Its claim to be the first with its idempotency key; nil where it has none.
    var claim: RepeatClaim?

    /// The endpoint's result as a worker computed it in advance.
    var speculativeResponse: SpeculativeResponse?
    /// The findings of a worker, or of the faults so far, about its answer's content.
    private var answerReading: AnswerReading?

    // MARK: Journal

    /// The number of its entry; nil as long as it has none.
    package internal(set) var journalEntry: UInt64?
    /// The key of its entry.
    package var journalKey = ""
    /// The entry as it was begun before the response.
    package var openEntry: OpenEntry?
    /// The key of the entry whose request it repeats.
    package var replayOf: String?
    /// The origin of the id in its call.
    package enum Identification {
        /// It has no id yet.
        case pending
        /// One of our own, counted by the world.
        case own
        /// The client's.
        case client
    }
    package var identification = Identification.pending
    /// The id in the endpoint's response, which replaces that one.
    package var ruledID: String?
    /// Tells that it has been counted.
    var isAnnounced = false
    /// Tells that its line has been sent to the watchers of the world.
    var isLineNoted = false
    /// The status that the access log shows; nil before the response.
    var loggedStatus: Status?
    /// The length of the content that the access log shows where the journal has no entry.
    var loggedBytes = 0
    /// Tells that the access log is settled: another part wrote its line, or it gets none.
    var isLogged = false
    /// Tells that its response need not wait for the disk.
    var skipsStore = false
    /// The time at which its response began to be made; nil where that is not measured.
    var began: Instant?
    /// The machine's time of the first byte; found with the first entry.
    private(set) var startedAt: Instant?
    /// The real time that its response took to be made.
    var handled = Interval.zero
    /// The time at which a real backend got the request; nil while none has it.
    var awaySince: Instant?
    /// Tells that its whole request was handed over.
    var isReceived = false
    /// Makes the form in which the journal shows the request before a responder is chosen; nil where it is shown unchanged.
    package var discloseAtHead: ((HTTPRequest) -> JournalDisclosure)?

    // MARK: The shell's own

    /// Tells that the client has closed its side.
    package var peerHasEnded = false
    /// The exchange with a real backend on its behalf.
    package var upstream: (any UpstreamCall)?
    /// A control call that is completed later.
    package var control: (any WaitingEntry)?
    /// Bytes of a long response that is on its way.
    package var bytesUnderWay = 0

    init(
        _ head: RequestHead,
        _ context: RequestContext,
        responder: any Responder,
        hosted: Emulator.HostedWorld,
        at hostTime: HostTime
    ) {
        self.context = context
        self.responder = responder
        self.hosted = hosted
        self.hostTime = hostTime
        call = Call(
            request: HTTPRequest(head: head),
            path: context.address.path,
            linkPrefix: context.address.linkPrefix,
            peer: context.peer,
            now: .epoch,
            epoch: Epoch(start: .epoch),
            requestID: ""
        )
        call.connection = context.callConnection
    }

    package var id: UInt64 { context.id }
    package var request: HTTPRequest { call.request }

    /// The index of the API that is called; meaningless for a control call.
    package var apiIndex: Int { context.apiIndex ?? 0 }

    /// Tells whether a world was found for it.
    package var hasWorld: Bool { worldChoice != .none }

    /// The world and the API that it belongs to; nil where no world was found.
    package var group: ExchangeGroup? {
        hasWorld ? ExchangeGroup(world: hosted.key, api: apiIndex) : nil
    }

    /// Tells whether gates, faults or the network of its world may act on it.
    package var isObstructed: Bool { subject != nil }

    /// Tells whether its response is to come, or is coming, from a real backend.
    package var wantsUpstream: Bool { state == .awaitingUpstream && stage == .respond }

    /// Tells whether its response is kept back until a real backend has ended.
    package var isKeptBack: Bool { state == .awaitingUpstream && stage == .upstreamEnd }

    /// The key of its entry in the journal; nil before it has one.
    package var entryKey: String? { journalEntry == nil ? nil : openEntry?.id ?? journalKey }

    package var isHeld: Bool {
        if case .held = state { return true }
        return false
    }

    /// Tells whether its world has been reset or restored since it was noted there; the journal and the rows were
    /// replaced then.
    var isOutdated: Bool { hosted.world.generation(of: apiIndex) != generation }

    /// Tells whether no fault, gate or latency acts on the request.
    var hasNoFaults: Bool {
        passesThrough
            || hosted.hasNoFaults && openEntry == nil && decisions.isEmpty
                && sentQuery == nil && !Preference.mayBe(in: call.request.head)
    }

    /// The path as the journal shows it.
    package var shownPath: String {
        disclosure?.path
            ?? (context.address.isWholeAndPlain ? call.request.head.rawPath : context.address.path.text)
    }

    /// Tells that its id is one of our own, which neither the client nor the endpoint gave.
    var hasOwnID: Bool { identification != .client && ruledID == nil }

    /// The fault that acts on it: the one that decides the response, else the first.
    package var actingFault: FaultDecision? { decisions.acting }

    /// Takes the response out of the exchange.
    package func takeResponse() -> Response {
        var taken = Response(status: .unanswered)
        swap(&taken, &response)
        return taken
    }

    /// The findings about its answer's content; none before a fault asks.
    package var reading: AnswerReading {
        get {
            if let answerReading { return answerReading }
            let made = AnswerReading()
            answerReading = made
            return made
        }
        set { answerReading = newValue }
    }

    /// The findings for a fault, which may ask for another selection than the request did.
    var readingOfFaults: AnswerReading {
        reading.request = call.request.head
        return reading
    }

    /// Tells whether a request gets another response than the whole: a part of it, or the news that there are parts.
    ///
    /// A recording is sent as it is where the request asks for nothing of the sort; a fault that takes another selection
    /// makes it.
    static func selects(from response: Response, for request: RequestHead) -> Bool {
        response.selection == .ranges || response.selection != .none && request.hasConditions
    }

    /// Takes the part of a file or a picture that its request asks for, and keeps the whole for faults that take another.
    func select(from response: inout Response, for request: RequestHead) {
        guard Self.selects(from: response, for: request), let selection = ContentSelection(response, for: request)
        else {
            answerReading?.selection = nil
            return
        }
        reading.selection = selection
        response = selection.response()
    }

    /// The content that its answer was selected from; nil for an answer that was not selected.
    var selection: ContentSelection? { answerReading?.selection }

    /// Returns the plain form of content that was coded here, as the journal shows it; nil for any other.
    func plain(of content: [UInt8]) -> (content: [UInt8], coding: CodingName)? {
        answerReading?.plain(of: content)
    }

    /// The response with its content as it was before it was coded here.
    package var plainResponse: Response {
        guard let plain = plain(of: response.body.content), case .bytes = response.body else { return response }
        var uncoded = response
        uncoded.body = .bytes(plain.content)
        uncoded.fields.remove(.contentEncoding)
        return uncoded
    }

    /// Takes over what a worker has computed in advance.
    func speculate(_ speculative: SpeculativeResponse?) {
        speculativeResponse = speculative
        answerReading = speculative?.reading
    }

    /// Drops what a worker has computed in advance, once nothing can use it any more.
    func dropSpeculation() {
        // The journal shows the content without its coding.
        let codings = answerReading?.onlyCodings()
        speculate(nil)
        answerReading = codings
        call.speculative = nil
    }

    // MARK: Times

    /// Returns the machine's time of the first byte, reckoned from the present.
    package func start() -> Instant {
        if let startedAt { return startedAt }
        let started = hostTime.wall - max(hostTime.monotonic - context.arrival.firstByte, .zero)
        startedAt = started
        return started
    }

    /// Returns the machine's time of the end.
    ///
    /// `ended` is on the loop's clock, which stands still within a turn. `precise` is the present on the same clock, so
    /// that the ends of one turn are in the order in which they happened. The parts of the time that were measured
    /// elsewhere are never longer than the whole.
    func end(at ended: Instant?, precisely precise: Instant?, atLeast least: Interval) -> Instant {
        let loop = ended ?? hostTime.monotonic
        let present = precise.map { max($0, loop) } ?? loop
        return start() + max(present - context.arrival.firstByte, least)
    }

    /// Holds it at a gate from now on.
    func stop(at gate: String) {
        heldSince = hostTime.monotonic
        gateName = gate
        state = .held(gate: gate)
    }

    /// Lets it leave its gate.
    func leaveGate(at hostTime: HostTime) {
        guard let since = heldSince else { return }
        held = held + (hostTime.monotonic - since)
        heldSince = nil
    }
}

/// The world and the API that an exchange belongs to.
package struct ExchangeGroup: Sendable, Hashable {
    /// The world's number, which is never used again, even if a world of the same name is made later.
    package var world: Int
    package var api: Int

    package init(world: Int, api: Int) {
        self.world = world
        self.api = api
    }
}

/// The exchange with a real backend on behalf of a client's exchange.
package protocol UpstreamCall: AnyObject {
    /// Forwards the request, which gates and faults have let pass.
    func proceed()
    /// Notes that the client has taken a piece; false if no content of the backend's is being passed on.
    func consumed(_ bytes: Int) -> Bool
    /// Notes that the client's exchange is over.
    func ended(isCut: Bool)
}

/// A control call that waits for an event.
package protocol WaitingEntry: AnyObject {}
