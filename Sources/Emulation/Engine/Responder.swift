package import HTTPMessage

/// A source of answers: an API's endpoints, a recording, a real backend, or a comparison of two of them (control contract,
/// section 13).
///
/// One conformer for each source. Stubs, the operations of an OpenAPI document and whatever else is to answer for an API
/// are further conformers; `Exchange.use` puts one in the endpoint's place.
package protocol Responder: AnyObject {
    /// Its answer has yet to come: the exchange waits for it once gates and faults have let the request pass.
    var isAwaited: Bool { get }
    /// It answers requests that no route of the API takes.
    var answersAnyPath: Bool { get }
    /// Its answer is given as it is: neither gates, faults nor latency act on it.
    var isFinal: Bool { get }
    /// The shape in which the journal may show a request of its; nil: as it is.
    func disclosure(of exchange: Exchange) -> JournalDisclosure?
    /// An answer that is journalled is still kept back.
    func holdsDelivery(of exchange: Exchange) -> Bool
    /// It itself, where it asks a real backend.
    var upstream: UpstreamResponder? { get }
    /// The real backend that it asks has ended.
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
    /// Notes the route and the user of a call that no endpoint looks at.
    mutating func noteRouteAndUser(_ exchange: Exchange, _ world: World, _ api: AnyAPI) {
        if case .endpoint(let place, let parameters) = exchange.context.match {
            route = api.routes[place].template
            self.parameters = parameters
        }
        user = bearerToken.flatMap { api.user(world, exchange.apiIndex, $0) }
    }
}

/// The endpoints of the emulated API.
package final class EndpointResponder: Responder {
    package init() {}

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        let api = emulator.apis[exchange.apiIndex]
        // What a worker has found out takes the endpoint's place, if it is what the endpoint would do now.
        if let foreseen = call.foreseen.take(),
            let response = foreseen.come(true: &world, exchange.apiIndex, &call)
        {
            return response
        }
        return api.answer(&world, exchange.apiIndex, &call, exchange.context.match)
    }
}

/// A recording, and behind it the endpoints for what it does not have.
package final class ReplayResponder: Responder {
    /// The finding of a recording for a request.
    package enum Finding {
        case recorded(Response)
        /// It has no such request; the answer says so.
        case miss(Response)
        /// It has no such request, and the endpoint answers.
        case endpoint
    }

    /// Looks a call up, and keeps what it needs for the next ones in the world's own state.
    package typealias LookUp = (_ call: Call, _ state: inout (any Sendable)?, _ isTrial: Bool) -> Finding

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
        call.noteRouteAndUser(exchange, world, emulator.apis[exchange.apiIndex])
        call.isTakenElsewhere = false
        switch world.withReplayState(exchange.apiIndex, { lookUp(call, &$0, isTrial) }) {
        case .recorded(let response):
            call.foreseen = nil
            call.isTakenElsewhere = true
            return response
        case .miss(let response):
            call.foreseen = nil
            // No endpoint runs where a miss has an answer of its own.
            call.route = nil
            return response
        case .endpoint:
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

/// A real backend that is asked for the answer: modes record, spy and record-missing.
package final class UpstreamResponder: Responder {
    /// The answer as far as it is there, and whether it says that there is none.
    var reply: (response: Response, isMiss: Bool)?
    /// The backend has ended, and what it said is recorded.
    private var hasEnded = false
    private let disclose: () -> JournalDisclosure

    /// `disclose` makes the shape in which the journal shows the request, when it has to be shown.
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
        if !exchange.passesThrough { call.noteRouteAndUser(exchange, world, emulator.apis[exchange.apiIndex]) }
        guard let reply else { return Response(status: .unanswered) }
        call.isTakenElsewhere = !reply.isMiss
        if reply.isMiss { call.route = nil }
        return reply.response
    }
}

/// The endpoints, whose answer is then compared with that of a real backend: mode diff.
package final class ComparisonResponder: Responder {
    /// The comparison is over, or is left out.
    private var isSettled: Bool
    private let disclose: () -> JournalDisclosure

    /// `isCompared` is false where the real backend is not asked.
    package init(isCompared: Bool, disclose: @escaping () -> JournalDisclosure) {
        isSettled = !isCompared
        self.disclose = disclose
    }

    package func disclosure(of exchange: Exchange) -> JournalDisclosure? { disclose() }
    package func upstreamEnded() { isSettled = true }

    /// What a gate held is answered uncompared, and so is what a fault made of the answer.
    package func holdsDelivery(of exchange: Exchange) -> Bool {
        !isSettled && !exchange.wasHeld && exchange.actingFault?.isMain != true
    }

    package func respond(
        to call: inout Call,
        of exchange: Exchange,
        in world: inout World,
        of emulator: Emulator,
        isTrial: Bool
    ) -> Response {
        call.noteRouteAndUser(exchange, world, emulator.apis[exchange.apiIndex])
        return emulator.endpoints.respond(to: &call, of: exchange, in: &world, of: emulator, isTrial: isTrial)
    }
}

/// An answer that was given before the request came into its world, such as a refusal.
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
