import CivilTime
import HTTPMessage

/// The answer to a request, made by a worker in a copy of the world.
package final class Foresight: Sendable {
    /// The source of the answer.
    enum Outcome: Sendable {
        case endpoint(Call, Response)
        case stub(Call, StubAnswer)
    }

    private let trial: PartTrial<Outcome>
    private let call: Call
    private let isOwnID: Bool

    init(_ trial: PartTrial<Outcome>, _ call: Call, isOwnID: Bool) {
        self.trial = trial
        self.call = call
        self.isOwnID = isOwnID
    }

    /// Answers the request.
    package func work() { trial.work() }

    /// Returns whether the world is unchanged and the request is about to have the same id.
    ///
    /// `hostTime` is the time when the work began, which is also that of the response: a running clock advances
    /// meanwhile.
    func holds(in world: World, _ index: Int, at hostTime: HostTime) -> Bool {
        trial.isCurrent(in: world) && world.now(hostTime) == call.now
            && (!isOwnID || RequestID.own(world.parts[index].lastRequest + 1) == call.requestID)
    }

    /// Returns whether a call would be answered in the same way in a world.
    private func isCurrent(in world: World, for call: Call) -> Bool {
        trial.isCurrent(in: world) && call.now == self.call.now && call.requestID == self.call.requestID
    }

    /// Applies what was done for the stub that takes the call and returns its answer; nil if that would be another now.
    func come(true world: inout World, _ call: inout Call, by stub: Stub) -> StubAnswer? {
        guard case .stub(let made, let answer)? = trial.outcome, answer.stub.spec === stub.spec,
            answer.stub.hits == stub.hits, isCurrent(in: world, for: call)
        else { return nil }
        _ = trial.adopt(into: &world)
        call = made
        return answer
    }

    /// Applies what the endpoint did and returns its response; nil if it would have another result now.
    ///
    /// A fault may apply it to a copy of the world first.
    func come(true world: inout World, _ call: inout Call) -> Response? {
        // The nearest entry of a recording is known on the loop alone.
        guard case .endpoint(let made, let response)? = trial.outcome, isCurrent(in: world, for: call),
            call.nearestEntry == nil
        else { return nil }
        _ = trial.adopt(into: &world)
        let user = call.user
        call = made
        if call.user == nil { call.user = user }
        return response
    }
}

extension Emulator {
    /// Returns the part that a request works on.
    package func part(of exchange: Exchange) -> LargePart {
        LargePart(world: exchange.hosted.key, api: exchange.apiIndex)
    }

    /// Prepares the work that a worker can do on a request before it is answered; nil if the request was cut since, or
    /// if its world is gone.
    package func foresight(of exchange: Exchange, in part: LargePart, at hostTime: HostTime) -> Foresight? {
        if exchange.gateName != nil, !isUnderWay(exchange) { return nil }
        guard let hosted = hosted(key: part.world) else { return nil }
        var world = hosted.world
        let now = world.tick(to: hostTime)
        let index = part.api
        var call = exchange.call.renewed(at: now, world.parts[index].epoch)
        call.request.bounds = configuration.bounds
        var isNext = false
        // One that was decided on at its head has its id already.
        if exchange.identification == .pending {
            let given = call.request.head.fields.bytes(.requestID).flatMap(RequestID.sane)
            isNext = given == nil
            call.requestID = given ?? RequestID.own(world.parts[index].lastRequest + 1)
        }
        let (api, match) = (apis[index], exchange.context.match)
        let trial = PartTrial(world, [index]) { [call] world in
            var call = call
            if let answer = world.stubbed(&call, api, index, match) { return Foresight.Outcome.stub(call, answer) }
            let response = api.answer(&world, index, &call, match)
            return .endpoint(call, response)
        }
        return Foresight(trial, call, isOwnID: isNext)
    }

    /// Returns whether a request that is answered as of the start of the work would get that result.
    package func holds(_ foresight: Foresight, in part: LargePart, at hostTime: HostTime) -> Bool {
        hosted(key: part.world).map { foresight.holds(in: $0.world, part.api, at: hostTime) } ?? false
    }
}
