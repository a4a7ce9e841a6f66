import Basics
import CivilTime
import HTTPMessage

/// The result of an endpoint, computed by a worker in a copy of its state.
///
/// A scan of the rows of a large state takes longer than the event loop can spare (control contract, section 17). The
/// result is used only if everything that it depends on is unchanged: the state, the API's random streams, the clock
/// and the request's id. So only the thread differs.
///
/// The worker alone has the outcome until the work is done. The state in the box is only read. A writer copies it
/// first, because the box has two owners.
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

    /// Runs the endpoint.
    package func work() {
        let box = start.value.copied()
        var core = core
        var call = call
        let response = api.answerAside(box, &core, &call, match)
        outcome.value = Outcome(box: box, core: core, call: call, response: response)
    }

    /// Returns whether the world is unchanged and the request is about to have the same id.
    ///
    /// `hostTime` is the time when the work began, which is also that of the response: a running clock advances
    /// meanwhile.
    func holds(in world: World, _ index: Int, at hostTime: HostTime) -> Bool {
        isOf(world, index) && world.now(hostTime) == call.now
            && (!isOwnID || RequestID.own(world.parts[index].lastRequest + 1) == call.requestID)
    }

    private func isOf(_ world: World, _ index: Int) -> Bool {
        let name = api.identity.name
        return world.parts[index].box === start.value && world.parts[index].epoch.t0 == call.epoch.t0
            && world.core.randomness.lines(of: name) == core.randomness.lines(of: name)
    }

    /// Applies the outcome and returns the response; nil if the endpoint would have another result now.
    ///
    /// A fault may apply it to a copy of the world first.
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

/// One API's part of a world, with a large state.
package struct LargePart: Hashable, Sendable {
    package let world: Int
    package let api: Int

    package init(world: Int, api: Int) {
        self.world = world
        self.api = api
    }
}

extension Emulator {
    /// The number of requests after which a world's states are measured.
    static let requestsToWeigh = 128

    /// Notes which states of a world are large.
    func weigh(_ hosted: HostedWorld) {
        for place in apis.indices { weigh(hosted, place) }
    }

    func weigh(_ hosted: HostedWorld, _ api: Int) {
        if hosted.world.weigh(api, bin) { hasLargeWorlds = true }
    }

    /// Returns the part that a request works on, if its state is large.
    package func largePart(for exchange: Exchange) -> LargePart? {
        guard hasLargeWorlds, let hosted = world(of: exchange),
            hosted.world.parts[exchange.apiIndex].box?.isLarge == true
        else { return nil }
        return LargePart(world: hosted.key, api: exchange.apiIndex)
    }

    /// Tells whether the endpoint of a request takes as long in a large state as in a small one.
    package func worksOnFewRows(_ exchange: Exchange) -> Bool {
        guard case .endpoint(let place, _) = exchange.context.match else { return false }
        let (api, index) = (apis[exchange.apiIndex], exchange.apiIndex)
        return api.worksOnFewRows[place] || api.looksAtFewRows(place, exchange.call, exchange.hosted.world, index)
    }

    /// Returns the part of a request that a gate has released.
    package func part(of exchange: Exchange) -> LargePart {
        LargePart(world: exchange.hosted.key, api: exchange.apiIndex)
    }

    /// Prepares the work that a worker can do on a request before it is answered; nil if the request was cut since, or
    /// if its part is gone.
    package func foresight(of exchange: Exchange, in part: LargePart, at hostTime: HostTime) -> Foresight? {
        if exchange.gateName != nil, !isUnderWay(exchange) { return nil }
        guard let hosted = hosted(key: part.world), let box = hosted.world.parts[part.api].box, box.isLarge else {
            return nil
        }
        var core = hosted.world.core
        core.now = hosted.world.now(hostTime)
        var call = exchange.call.renewed(at: core.now, hosted.world.parts[part.api].epoch)
        call.request.bounds = configuration.bounds
        var isNext = false
        // One that was decided on at its head has its id already.
        if exchange.identification == .pending {
            let given = call.request.head.fields.bytes(.requestID).flatMap(RequestID.sane)
            isNext = given == nil
            call.requestID = given ?? RequestID.own(hosted.world.parts[part.api].lastRequest + 1)
        }
        let api = hosted.world.parts[part.api].api
        // A world that began before the API was read again has the routes of then.
        let match =
            api === apis[part.api]
            ? exchange.context.match : api.match(call.method, exchange.context.address.path)
        return Foresight(api, match, box, core, call, isOwnID: isNext)
    }

    /// Returns whether a request that is answered as of the start of the work would get that result.
    package func holds(_ foresight: Foresight, in part: LargePart, at hostTime: HostTime) -> Bool {
        hosted(key: part.world).map { foresight.holds(in: $0.world, part.api, at: hostTime) } ?? false
    }
}
