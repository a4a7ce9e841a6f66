package import Backend
import Basics
import CivilTime
import Conditions
import HTTPMessage
import Worlds

/// The answer to a request, made by a worker in a copy of the world, and what its faults read of the answer.
package final class SpeculativeResponse: Sendable {
    /// The source of the answer.
    enum Outcome: Sendable {
        case endpoint(Call, Response)
        case stub(Call, StubAnswer)
        /// The answer is there: a recording has it, or a gate held it.
        case known(Response)

        var response: Response {
            switch self {
            case .endpoint(_, let response), .known(let response): response
            case .stub(_, let answer): answer.response
            }
        }
    }

    private let trial: SpeculativeWork<(made: Outcome, read: HandedOver<AnswerReading>?)>
    private let start: Start

    fileprivate init(_ start: Start, _ world: World, _ task: @escaping @Sendable (inout World) -> Outcome) {
        self.start = start
        trial = SpeculativeWork(world, [start.index]) { [reader = start.reader, head = start.call.request.head] world in
            let outcome = task(&world)
            // As the loop will have it: what was read of another response is not used.
            let isSelected = Exchange.selects(from: outcome.response, for: head)
            return (outcome, reader?.read(isSelected ? outcome.response.selected(for: head) : outcome.response))
        }
    }

    /// The findings about the answer's content; nil where no fault reads it.
    var reading: AnswerReading? { trial.outcome?.read?.value }

    /// Answers the request.
    package func work() { trial.work() }

    /// Returns whether the world is unchanged and the request is about to have the same id.
    ///
    /// `hostTime` is the time when the work began, which is also that of the response: a running clock advances
    /// meanwhile.
    func holds(in world: World, at hostTime: HostTime) -> Bool {
        if case .known? = trial.outcome?.made { return true }
        let (call, index) = (start.call, start.index)
        var world = world
        // The effects that come with the request are noted before it is answered.
        _ = start.ordered.draw(in: &world, world.parts[index].name)
        return trial.isCurrent(in: world) && world.now(hostTime) == call.now
            && (!start.isOwnID || RequestID.own(world.parts[index].lastRequest + 1) == call.requestID)
    }

    /// Returns whether a call would be answered in the same way in a world.
    private func isCurrent(in world: World, for call: Call) -> Bool {
        trial.isCurrent(in: world) && call.now == start.call.now && call.requestID == start.call.requestID
    }

    /// Applies what was done for the stub that takes the call and returns its answer; nil if that would be another now.
    func adopt(into world: inout World, _ call: inout Call, by stub: Stub) -> StubAnswer? {
        guard case .stub(let made, let answer)? = trial.outcome?.made, answer.stub.spec === stub.spec,
            answer.stub.hits == stub.hits, isCurrent(in: world, for: call)
        else { return nil }
        _ = trial.adopt(into: &world)
        call = made
        return answer
    }

    /// Applies what the endpoint did and returns its response; nil if it would have another result now.
    ///
    /// A fault may apply it to a copy of the world first.
    func adopt(into world: inout World, _ call: inout Call) -> Response? {
        // The nearest entry of a recording is known on the loop alone.
        guard case .endpoint(let made, let response)? = trial.outcome?.made, isCurrent(in: world, for: call),
            call.nearestEntry == nil
        else { return nil }
        _ = trial.adopt(into: &world)
        let user = call.user
        call = made
        if call.user == nil { call.user = user }
        return response
    }
}

/// The circumstances of an answer besides the world, before it is made.
private struct Start: Sendable {
    let index: Int
    let call: Call
    /// Tells that the request's id is the next of our own.
    let isOwnID: Bool
    let ordered: OrderedFaults
    /// Reads the answer for the faults that may act on it; nil if none reads it.
    let reader: AnswerReader?
}

extension Emulator {
    /// Returns the part that a request works on.
    package func part(of exchange: Exchange) -> LargePart {
        LargePart(world: exchange.hosted.key, api: exchange.apiIndex)
    }

    /// Prepares the work that a worker can do on a request before it is answered; nil if the request was cut since, or
    /// if its world is gone.
    package func speculativeResponse(of exchange: Exchange, in part: LargePart, at hostTime: HostTime)
        -> SpeculativeResponse?
    {
        if exchange.gateName != nil, !isUnderWay(exchange) { return nil }
        guard let hosted = hosted(key: part.world) else { return nil }
        let (start, world) = start(of: exchange, in: hosted, at: hostTime)
        if let known = knownAnswer(to: exchange, start, world) {
            return SpeculativeResponse(start, world) { _ in .known(known) }
        }
        let (api, index, match) = (apis[part.api], part.api, exchange.context.match)
        return SpeculativeResponse(start, world) { [call = start.call] world in
            var call = call
            if let answer = world.stubbed(&call, api, index, match) { return .stub(call, answer) }
            let response = api.answer(&world, index, &call, match)
            call.noteNearestStub(in: world, api)
            return .endpoint(call, response)
        }
    }

    /// Returns whether faults may read more of the answer to a request than the loop can spare the time for.
    ///
    /// The answer itself takes little to make, or is there.
    package func readsLong(_ exchange: Exchange, at hostTime: HostTime) -> Bool {
        // Most requests have no preferences, and most processes one world without such faults.
        guard hasSeveralWorlds || mayBeRead(exchange, in: mainWorld) || mayBeCoded(exchange, in: mainWorld),
            !exchange.passesThrough, !exchange.responder.isAwaited, let hosted = world(of: exchange),
            mayBeRead(exchange, in: hosted) || mayBeCoded(exchange, in: hosted)
        else { return false }
        if !hosted.isAwake { wake(hosted) }
        let (start, world) = start(of: exchange, in: hosted, at: hostTime)
        guard let reader = start.reader else { return false }
        if exchange.stage == .gateAfter { return reader.takesLong(exchange.response) }
        return reader.takesLong(tried(exchange, start, world).response)
    }

    /// Returns whether a fault may act on a request that reads its answer.
    private func mayBeRead(_ exchange: Exchange, in hosted: HostedWorld) -> Bool {
        // The list is looked at in place: it is empty in nearly every world.
        !hosted.world.faults.faults.isEmpty && mayBeRead(exchange, hosted.world.faults.readsContent)
            || mayBeRead(exchange, false)
    }

    /// Returns whether the content of the response to a request may be coded.
    private func mayBeCoded(_ exchange: Exchange, in hosted: HostedWorld) -> Bool {
        hosted.world.parts[exchange.apiIndex].api.mayCompress && exchange.call.request.head.contains(.acceptEncoding)
    }

    private func mayBeRead(_ exchange: Exchange, _ faultsRead: Bool) -> Bool {
        faultsRead || exchange.hasOrdered || exchange.sentQuery != nil
            || Preference.mayBe(in: exchange.call.request.head)
    }

    private func start(of exchange: Exchange, in hosted: HostedWorld, at hostTime: HostTime) -> (Start, World) {
        var world = hosted.world.withoutJournal
        let now = world.tick(to: hostTime)
        let index = exchange.apiIndex
        var call = exchange.call.renewed(at: now, world.parts[index].epoch)
        call.request.bounds = configuration.bounds
        var isNext = false
        // One that was decided on at its head has its id already.
        if exchange.identification == .pending {
            let given = call.request.head.fields.bytes(.requestID).flatMap(RequestID.sane)
            isNext = given == nil
            call.requestID = given ?? RequestID.own(world.parts[index].lastRequest + 1)
        }
        var ordered = OrderedFaults()
        var reader: AnswerReader?
        let isCoded =
            mayBeCoded(exchange, in: hosted) && compresses(exchange, in: world)
            && CodingName.preferred(by: call.request.head) != nil
        if isCoded || mayBeRead(exchange, world.faults.readsContent) {
            var noted = call
            let subject = subject(of: &noted, exchange, in: world)
            ordered = orderedFaults(exchange, subject)
            let main = ordered.draw(in: &world, apiNames[index])
            let isDecided = exchange.stage == .gateAfter
            reader = AnswerReader(
                ground(of: exchange),
                noted,
                subject,
                main,
                isDecided ? nil : world.faults,
                moment(exchange, noted, isWon: ordered.main != nil),
                isCoded: isCoded
            )
        }
        return (Start(index: index, call: call, isOwnID: isNext, ordered: ordered, reader: reader), world)
    }

    /// Returns the answer that faults are going to read, where no worker makes it: one that a gate has held, or that of a
    /// recording.
    private func knownAnswer(to exchange: Exchange, _ start: Start, _ world: World) -> Response? {
        guard start.reader != nil else { return nil }
        if exchange.stage == .gateAfter { return exchange.response }
        guard exchange.responder.answersAnyPath else { return nil }
        let (response, call) = tried(exchange, start, world)
        return call.source == .recording ? response : nil
    }

    private func tried(_ exchange: Exchange, _ start: Start, _ world: World) -> (response: Response, call: Call) {
        var (world, call) = (world, start.call)
        let response = produce(&call, exchange, in: &world, isTrial: true, isWhole: false)
        return (response, call)
    }

    /// Returns whether a request that is answered as of the start of the work would get that result.
    package func holds(_ speculativeResponse: SpeculativeResponse, in part: LargePart, at hostTime: HostTime) -> Bool {
        hosted(key: part.world).map { speculativeResponse.holds(in: $0.world, at: hostTime) } ?? false
    }
}

extension Call {
    /// Takes the result of a worker out of the call; nil if there is none.
    mutating func takeSpeculativeResponse() -> SpeculativeResponse? {
        guard let taken = speculative else { return nil }
        speculative = nil
        return taken as? SpeculativeResponse
    }
}
