import CivilTime
import HTTPMessage
import Locking

/// What an endpoint makes of a request, found out in a copy of its state.
///
/// A look through the rows of a large state takes longer than the loop has (control contract, section 17), so a worker
/// does it. What comes of it is taken over only if nothing that it depends on has changed meanwhile: the state, the API's
/// chance, the clock and the request's id are what they were. So it changes nothing but the thread.
///
/// The worker alone has the outcome until the work is done. The state in the box is only read, and whoever writes it
/// meanwhile copies it before, since the box is not held by one alone.
package final class Foresight: Sendable {
    private struct Outcome {
        let box: AnyStateBox
        let core: WorldCore
        let call: Call
        let response: Response
    }

    private let api: AnyAPI
    private let match: RouteMatch
    private let start: HandedOver<AnyStateBox>
    private let core: WorldCore
    private let call: Call
    private let isOwnID: Bool
    private let outcome = HandedOver<Outcome?>(nil)

    init(_ api: AnyAPI, _ match: RouteMatch, _ start: AnyStateBox, _ core: WorldCore, _ call: Call, isOwnID: Bool) {
        self.api = api
        self.match = match
        self.start = HandedOver(start)
        self.core = core
        self.call = call
        self.isOwnID = isOwnID
    }

    /// Does the work of the endpoint.
    package func work() {
        let box = start.value.copied()
        var core = core
        var call = call
        let response = api.answerAside(box, &core, &call, match)
        outcome.value = Outcome(box: box, core: core, call: call, response: response)
    }

    /// Whether the world is what it was, and the request is about to have the same id.
    ///
    /// `real`: the time when it began, which is that of the answer: a clock that runs goes on meanwhile.
    func holds(in world: World, _ index: Int, at hostTime: HostTime) -> Bool {
        isOf(world, index) && world.now(hostTime) == call.now
            && (!isOwnID || RequestID.own(world.parts[index].lastRequest + 1) == call.requestID)
    }

    private func isOf(_ world: World, _ index: Int) -> Bool {
        let name = api.identity.name
        return world.parts[index].box === start.value && world.parts[index].epoch.t0 == call.epoch.t0
            && world.core.randomness.lines(of: name) == core.randomness.lines(of: name)
    }

    /// Takes the outcome over; nil if the endpoint would do something else now.
    ///
    /// A fault may try it in a copy of the world before.
    func come(true world: inout World, _ index: Int, _ call: inout Call) -> Response? {
        guard let outcome = outcome.value, isOf(world, index), call.now == self.call.now,
            call.requestID == self.call.requestID
        else {
            return nil
        }
        world.adopt(outcome.box, outcome.core, from: core, at: index)
        call = outcome.call
        return outcome.response
    }
}

/// One API's part of a world whose state is large.
package struct LargePart: Hashable, Sendable {
    package let world: Int
    package let api: Int

    package init(world: Int, api: Int) {
        self.world = world
        self.api = api
    }
}

extension Emulator {
    /// A world's states are weighed after so many requests.
    static let requestsToWeigh = 128

    /// Notes which states of a world are large.
    func weigh(_ hosted: HostedWorld) {
        for place in apis.indices { weigh(hosted, place) }
    }

    func weigh(_ hosted: HostedWorld, _ api: Int) {
        if hosted.world.weigh(api, bin) { hasLargeWorlds = true }
    }

    /// The part that a request works on, if its state is large.
    package func largePart(for exchange: Exchange) -> LargePart? {
        guard hasLargeWorlds, let hosted = world(of: exchange),
            hosted.world.parts[exchange.apiIndex].box?.isLarge == true
        else { return nil }
        return LargePart(world: hosted.key, api: exchange.apiIndex)
    }

    /// Tells that the endpoint of a request takes as long in a large state as in a small one.
    package func worksOnFewRows(_ exchange: Exchange) -> Bool {
        guard case .endpoint(let place, _) = exchange.context.match else { return false }
        return apis[exchange.apiIndex].worksOnFewRows[place]
    }

    /// The part that a request works on which a gate has let go.
    package func part(of exchange: Exchange) -> LargePart {
        LargePart(world: exchange.hosted.key, api: exchange.apiIndex)
    }

    /// Prepares what a worker can find out about a request before it is answered; nil if it was cut since, or if its part is
    /// not there any more.
    package func foresight(of exchange: Exchange, in part: LargePart, at hostTime: HostTime) -> Foresight? {
        if exchange.wasHeld, !isUnderWay(exchange) { return nil }
        guard let hosted = hosted(key: part.world), let box = hosted.world.parts[part.api].box, box.isLarge else {
            return nil
        }
        var core = hosted.world.core
        core.now = hosted.world.now(hostTime)
        var call = exchange.call.renewed(at: core.now, hosted.world.parts[part.api].epoch)
        call.request.bounds = configuration.bounds
        var isNext = false
        // One that was decided on at its head has its id already.
        if !exchange.hasID {
            let given = call.request.head.fields.bytes(.requestID).flatMap(RequestID.sane)
            isNext = given == nil
            call.requestID = given ?? RequestID.own(hosted.world.parts[part.api].lastRequest + 1)
        }
        return Foresight(apis[part.api], exchange.context.match, box, core, call, isOwnID: isNext)
    }

    /// Tells that a request which is answered as of when the work began finds what was foreseen.
    package func holds(_ foresight: Foresight, in part: LargePart, at hostTime: HostTime) -> Bool {
        hosted(key: part.world).map { foresight.holds(in: $0.world, part.api, at: hostTime) } ?? false
    }
}
