import CivilTime
package import HTTPMessage

/// One request, from its head to the last byte of its answer.
///
/// The one object that knows how far a request has come: the emulator's registry holds it until it has ended, and all else
/// that concerns a request hangs on it. Belongs to the emulator's thread.
package final class Exchange {
    /// The station that an exchange has reached.
    package enum State: Sendable, Equatable {
        /// The head is there; content may be coming.
        case receiving
        /// A worker has something to do before the next stage.
        case awaitingWorker
        /// Its stages are being run.
        case advancing
        /// A gate of that name holds it.
        case held(gate: String)
        /// A real backend has been asked, or is still sending.
        case awaitingUpstream
        /// Its answer waits for the disk.
        case awaitingStore
        /// Its answer is there.
        case delivering
        case ended
    }

    /// The entry that was made for it before it was answered.
    struct OpenEntry {
        var id: String
        var at: Instant
        var wallAt: Instant
    }

    package let context: RequestContext
    package internal(set) var state = State.receiving
    /// The stage that is run next.
    var stage = Stage.selectWorld
    /// The time of the event that is being handled.
    var hostTime: HostTime
    /// The request, with all that is found out about it on its way through the API.
    package internal(set) var call: Call
    package internal(set) var response = Response(status: .unanswered)
    package internal(set) var responder: any Responder
    /// The shape in which the journal may show the exchange; nil where it shows it as it is.
    package internal(set) var disclosure: JournalDisclosure?

    // MARK: World

    /// The world it belongs to; `main` until one has been chosen.
    package internal(set) var hosted: Emulator.HostedWorld
    /// Tells how firmly the world is known.
    enum WorldChoice {
        case none
        /// The head alone chose it, and a credential in the content may lead elsewhere.
        case provisional
        case made
    }
    var worldChoice = WorldChoice.none
    /// Counts the resets of its part of the world when it was last noted there.
    var generation = 0

    // MARK: Faults and gates

    /// What faults and matchers see of it; nil where nothing stands between request and endpoint.
    var subject: MatchSubject?
    /// The faults that act on it, decided once; nil where none can.
    var plan: FaultPlan?
    var decisions: [FaultDecision] = []
    /// The gates passed last, by phase.
    var passedBefore: UInt64 = 0
    var passedAfter: UInt64 = 0
    /// The effect that the release of a gate ordered.
    var ordered: FaultSpec?
    /// When the gate that holds it began to, in real time; nil while none does.
    var heldSince: Instant?
    /// How long gates have held it.
    var held = Interval.zero
    /// A gate has held it.
    var wasHeld = false
    /// Nothing here acts on its answer, which somebody else has given.
    var passesThrough = false
    /// Content still follows an answer that has begun.
    package internal(set) var isOpen = false
    /// The faults that act on that content.
    package internal(set) var flow = ContentFlow()

    /// The finding of a worker on what the endpoint will make of it.
    var foresight: Foresight?

    // MARK: Journal

    /// The number of its entry; nil as long as it has none.
    package internal(set) var journalEntry: UInt64?
    /// The key of its entry.
    var journalKey = ""
    /// The entry as it was begun before the answer.
    var openEntry: OpenEntry?
    /// It has an id, which is in its call.
    var hasID = false
    /// That id is one of our own.
    var isOwnID = true
    /// The id that the endpoint's answer brought in the place of that.
    var ruledID: String?
    /// It has been counted and told of.
    var isAnnounced = false
    /// Somebody else has logged it, or it is not logged.
    var isLogged = false
    /// Its answer need not wait for the disk.
    var skipsStore = false
    /// When the making of its answer began; nil where that is not timed.
    var began: Instant?
    /// Real time that the answer took to be made.
    var handled = Interval.zero
    /// When a real backend began to be asked; nil while none is.
    var awaySince: Instant?

    // MARK: The shell's own

    /// The client has ended its side.
    package var peerHasEnded = false
    /// The exchange with a real backend on its behalf.
    package var upstream: (any UpstreamCall)?
    /// A control call that goes on later.
    package var control: (any WaitingEntry)?
    /// Bytes of a long answer that is on its way.
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
    }

    package var id: UInt64 { context.id }
    package var request: HTTPRequest { call.request }

    /// The index of the API that is called; that of a control call means nothing.
    package var apiIndex: Int { context.apiIndex ?? 0 }

    /// Tells that a world was found for it.
    package var hasWorld: Bool { worldChoice != .none }

    /// The world and the API it belongs to; nil where no world was found.
    package var group: ExchangeGroup? {
        hasWorld ? ExchangeGroup(world: hosted.key, api: apiIndex) : nil
    }

    /// Tells that gates, faults or the network of its world may act on it.
    package var isObstructed: Bool { subject != nil }

    /// Tells that a real backend is to be asked, or being asked, for its answer.
    package var wantsUpstream: Bool { state == .awaitingUpstream && stage == .respond }

    /// Tells that its answer is kept back for a real backend.
    package var isKeptBack: Bool { state == .awaitingUpstream && stage == .upstreamEnd }

    package var isHeld: Bool {
        if case .held = state { return true }
        return false
    }

    /// Tells that its world has been reset or restored since it was noted there; its journal and its rows are others then.
    var isOutdated: Bool { hosted.world.parts[apiIndex].generation != generation }

    /// Tells that nothing stands between the request and its endpoint.
    var hasNoFaults: Bool {
        passesThrough
            || hosted.world.hasNoFaults && openEntry == nil && decisions.isEmpty
                && !Preference.mayBe(in: call.request.head)
    }

    /// The path as the journal shows it.
    var shownPath: String {
        disclosure?.path
            ?? (context.address.isWholeAndPlain ? call.request.head.target.rawPath : context.address.path.text)
    }

    /// The fault that acts on it: the one that decides the answer, else the first.
    package var actingFault: FaultDecision? {
        decisions.first { $0.acted && $0.isMain } ?? decisions.first(where: \.acted)
    }

    /// The value of the answer, which leaves the exchange.
    package func takeResponse() -> Response {
        var taken = Response(status: .unanswered)
        swap(&taken, &response)
        return taken
    }

    /// A gate holds it from now on.
    func stop(at gate: String) {
        heldSince = hostTime.monotonic
        wasHeld = true
        state = .held(gate: gate)
    }

    /// The gate lets it go.
    func leaveGate(at hostTime: HostTime) {
        guard let since = heldSince else { return }
        held = held + (hostTime.monotonic - since)
        heldSince = nil
    }
}

/// The world and the API that an exchange belongs to.
package struct ExchangeGroup: Sendable, Hashable {
    /// Never used again, also when a world of the same name is made later.
    package var world: Int
    package var api: Int

    package init(world: Int, api: Int) {
        self.world = world
        self.api = api
    }
}

/// The shell's exchange with a real backend on behalf of a client's.
package protocol UpstreamCall: AnyObject {
    /// Gates and faults have let the request pass: the backend is to be asked.
    func proceed()
    /// The client has taken a piece; false if no content of the backend's is being passed on.
    func consumed(_ bytes: Int) -> Bool
    /// The client's exchange is over.
    func ended(isCut: Bool)
}

/// The shell's note of a control call that waits for something to happen.
package protocol WaitingEntry: AnyObject {}
