package import Backend
import Conditions
package import HTTPMessage
package import Journal
package import Worlds

/// A source of responses: an API's endpoints, a recording, a real backend, or a comparison of two of them (control
/// contract, section 13).
///
/// There is one conformer for each source. `Exchange.use` puts one in the endpoint's place. Stubs come before endpoints
/// and recordings, so that these two ask for one first.
package protocol Responder: AnyObject {
    /// Tells that its response comes later: the exchange waits for it once gates and faults have let the request pass.
    var isAwaited: Bool { get }
    /// Tells that it answers requests that no route of the API takes.
    var answersAnyPath: Bool { get }
    /// Tells that neither gates, faults nor latency act on its response.
    var isFinal: Bool { get }
    /// Returns the form in which the journal may show a request; nil for the request unchanged.
    func disclosure(of exchange: Exchange) -> JournalDisclosure?
    /// Returns whether a response that is journalled is still kept back.
    func holdsDelivery(of exchange: Exchange) -> Bool
    /// The responder itself, if it forwards to a real backend.
    var upstream: UpstreamResponder? { get }
    /// Notes that the real backend has ended.
    func upstreamEnded()
    /// Answers a call.
    ///
    /// `call` and `world` are those of the exchange, or copies in a trial, which leaves no trace.
    func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response
}

extension Responder {
    package var isAwaited: Bool { false }
    package var answersAnyPath: Bool { false }
    package var isFinal: Bool { false }
    package func disclosure(of exchange: Exchange) -> JournalDisclosure? { nil }
    package func holdsDelivery(of exchange: Exchange) -> Bool { false }
    package func upstreamEnded() {}
    package var upstream: UpstreamResponder? { nil }
}

extension Call {
    /// Notes the route and the user of a call that no endpoint handles.
    mutating func noteRouteAndUser(_ exchange: Exchange, _ world: World, _ emulator: Emulator) {
        let api = emulator.apis[exchange.apiIndex]
        if case .endpoint(let place, let parameters) = exchange.context.match {
            route = emulator.servedEndpoints(of: exchange.apiIndex).table.routes[place].template
            self.parameters = parameters
        }
        user = bearerToken.flatMap { credential in
            // A part without a state is made anew for each look at it.
            guard world.isUntouched(exchange.apiIndex) else { return api.user(world, exchange.apiIndex, credential) }
            return emulator.seedUsers.user(of: credential, in: world, of: exchange.hosted.key, exchange.apiIndex, api)
        }
    }
}

/// The stubs of the world, and behind them the endpoints of the emulated API.
package final class EndpointResponder: Responder {
    package init() {}

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        if let response = emulator.stubbed(&call, exchange, in: &world) { return response }
        let api = emulator.apis[exchange.apiIndex]
        if emulator.hasCustomAPIs, call.request.coded != nil,
            let refusal = refusalForStubs(call, exchange, in: world, api)
        {
            call.isTakenElsewhere = true
            return refusal
        }
        let isEmulated = api.isBuiltIn && exchange.context.isRouted
        if isEmulated { call.source = .emulated }
        // A worker's result replaces the endpoint's run if the endpoint would still give it.
        if let speculative = call.takeSpeculativeResponse(), let response = speculative.adopt(into: &world, &call) {
            if isEmulated { call.source = .emulated }
            return response
        }
        let endpoints = emulator.servedEndpoints(of: exchange.apiIndex)
        let response = api.answer(&world, exchange.apiIndex, &call, exchange.context.match, by: endpoints)
        // What a worker has answered has noted it there.
        if !isTrial { call.noteNearestStub(in: world, api) }
        return response
    }
}

extension EndpointResponder {
    /// Returns the refusal of content in a coding that can't be taken off, where there are stubs for the path and nothing
    /// else: none of them could see the content.
    private func refusalForStubs(_ call: Call, _ exchange: Exchange, in world: World, _ api: AnyAPI) -> Response? {
        guard !exchange.context.isRouted, !api.isBuiltIn, world.has(call.path, api) else { return nil }
        return api.refusalOfContent(call)
    }
}

/// A recording behind the stubs of the world, with the endpoints behind it for requests that it does not have.
package final class ReplayResponder: Responder {
    /// The result of looking a request up in a recording.
    package enum Finding {
        case recorded(Response)
        /// No such request; the response says so.
        case miss(Response)
        /// No such request; the endpoint answers, and a request that it does not know gets the nearest entry.
        case endpoint(nearest: () -> NearRoute?)
    }

    /// Looks a call up, and keeps the progress of the replay in the world's own state.
    ///
    /// The call is `inout`, though it is only looked at, because a copy costs as much as the look.
    package typealias LookUp = (_ call: inout Call, _ state: inout (any Sendable)?, _ isTrial: Bool) -> Finding

    private let lookUp: LookUp

    package init(_ lookUp: @escaping LookUp) { self.lookUp = lookUp }

    package var answersAnyPath: Bool { true }

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        if let response = emulator.stubbed(&call, exchange, in: &world) { return response }
        call.noteRouteAndUser(exchange, world, emulator)
        if call.request.body.exceedsLimit {
            call.isTakenElsewhere = true
            return emulator.apis[exchange.apiIndex].refusalOfLongContent(call)
        }
        call.isTakenElsewhere = false
        let violations = call.violations
        let refusal = emulator.apis[exchange.apiIndex].hooks.admitRecording(&world, exchange.apiIndex, &call)
        // A request that is refused takes no entry.
        let looksOnly = isTrial || refusal != nil
        switch world.withReplayState(exchange.apiIndex, { lookUp(&call, &$0, looksOnly) }) {
        case .recorded(let response):
            call.speculative = nil
            call.isTakenElsewhere = true
            call.source = .recording
            if !isTrial { call.noteNearestStub(in: world, emulator.apis[exchange.apiIndex]) }
            return refusal ?? response
        case .miss(let response):
            call.speculative = nil
            // No endpoint runs where a miss has a response of its own.
            call.route = nil
            call.violations = violations
            return response
        case .endpoint(let nearest):
            // The endpoint holds the request against its operation itself.
            call.violations = violations
            if case .unknownPath = exchange.context.match, hasText(emulator.apis[exchange.apiIndex]) {
                call.nearestEntry = nearest()
            }
            return emulator.endpoints.respond(
                to: &call,
                of: exchange,
                in: &world,
                of: emulator,
                isTrial: isTrial
            )
        }
    }
}

extension ReplayResponder {
    /// Tells whether an API names what is nearest to a request that it does not know.
    private func hasText(_ api: AnyAPI) -> Bool { !api.isBuiltIn }
}

/// A real backend that a request is forwarded to, in the modes record, spy and record-missing.
package final class UpstreamResponder: Responder {
    /// The response as far as it has come, and whether it stands for a missing one.
    var reply: (response: Response, isMiss: Bool)?
    /// Tells that the backend has ended and its response is recorded.
    private var hasEnded = false
    private let disclose: () -> JournalDisclosure

    /// Creates a responder.
    ///
    /// `disclose` makes the form in which the journal shows the request, when that is needed.
    package init(disclose: @escaping () -> JournalDisclosure) { self.disclose = disclose }

    package func disclosure(of exchange: Exchange) -> JournalDisclosure? { disclose() }
    package func upstreamEnded() { hasEnded = true }
    package var upstream: UpstreamResponder? { self }

    package var isAwaited: Bool { reply == nil }
    package var answersAnyPath: Bool { true }
    package func holdsDelivery(of exchange: Exchange) -> Bool { reply != nil && !hasEnded && !exchange.isOpen }

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        if !exchange.passesThrough { call.noteRouteAndUser(exchange, world, emulator) }
        guard let reply else { return Response(status: .unanswered) }
        if !reply.isMiss { call.answeredBy = "real backend" }
        // A request that its backend should have answered is not one that nothing takes.
        call.isTakenElsewhere = true
        call.source = reply.isMiss ? nil : .upstream
        if reply.isMiss { call.route = nil }
        return reply.response
    }
}

/// The endpoints, whose response is then compared with that of a real backend, in the mode diff.
package final class ComparisonResponder: Responder {
    /// Tells that the comparison is over or is left out.
    private var isSettled: Bool
    private let disclose: () -> JournalDisclosure

    /// Creates a responder.
    ///
    /// `isCompared` is false where the request is not forwarded.
    package init(isCompared: Bool, disclose: @escaping () -> JournalDisclosure) {
        isSettled = !isCompared
        self.disclose = disclose
    }

    package func disclosure(of exchange: Exchange) -> JournalDisclosure? { disclose() }
    package func upstreamEnded() { isSettled = true }

    /// Returns true while the comparison runs.
    ///
    /// A response that a gate held or that a fault made is not compared.
    package func holdsDelivery(of exchange: Exchange) -> Bool {
        !isSettled && exchange.gateName == nil && exchange.actingFault?.isMain != true
    }

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        call.noteRouteAndUser(exchange, world, emulator)
        return emulator.endpoints.respond(to: &call, of: exchange, in: &world, of: emulator, isTrial: isTrial)
    }
}

/// A response that was made before the request came into its world, such as a refusal.
package final class FixedResponder: Responder {
    private let response: Response

    package init(_ response: Response) { self.response = response }

    package var isFinal: Bool { true }

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        call.isTakenElsewhere = true
        return response
    }
}

/// Returns the entries of a recording nearest to a request, nearest first, up to a number; callable on any thread.
package typealias NearestRecorded = @Sendable (_ request: JournalEntry, _ count: Int) -> [NearRoute]
