import Backend
import CivilTime
import Conditions
import HTTPMessage
package import Journal
package import Worlds

extension Emulator {
    /// Has the exchange's responder answer, unless the winning fault replaces the response.
    func respond(_ exchange: Exchange) -> Progress {
        if exchange.responder.isAwaited, exchange.plan?.wantsAnswer ?? true {
            exchange.passesThrough = exchange.subject == nil
            exchange.state = .awaitingUpstream
            return .wait
        }
        identify(exchange)
        exchange.call.speculative = exchange.speculativeResponse
        if let subject = exchange.subject {
            exchange.response = responseUnderFaults(exchange, subject)
        } else {
            exchange.response = produce(&exchange.call, exchange, in: &exchange.hosted.world)
        }
        return .next
    }

    /// Returns the response of an exchange's responder to a call in a world.
    ///
    /// A trial leaves no trace, and its world is a copy that is thrown away. One that is not `isWhole` is without its coding.
    func produce(
        _ call: inout Call,
        _ exchange: Exchange,
        in world: inout World,
        isTrial: Bool = false,
        isWhole: Bool = true
    ) -> Response {
        // Looked at before, because a function of another module gets a copy of the request.
        if call.request.head.isMethod(.options), !exchange.passesThrough,
            let preflight = world.crossOrigin.preflight(call.request)
        {
            return preflight
        }
        let identity = hasCustomAPIs ? repeatIdentity(of: call, exchange, in: world) : nil
        if let identity, var again = repeated(identity, &call, exchange, in: &world) {
            if isWhole { compress(&again, for: call.request.head, exchange, of: nil, in: world) }
            return again
        }
        var response = exchange.responder.respond(to: &call, of: exchange, in: &world, of: self, isTrial: isTrial)
        // Built-in endpoints send their events as a stream themselves.
        if call.source != .emulated { response.streamEvents() }
        if let identity, !isTrial { keep(response, under: identity, call, exchange, in: &world) }
        // What a stub answers is held against the document with it, and what a backend does when it has ended.
        if hasCustomAPIs, call.isTakenElsewhere, call.source == .recording {
            apis[exchange.apiIndex].hooks.inspect(response, world, exchange.apiIndex, &call)
        }
        exchange.select(from: &response, for: call.request.head)
        if isWhole, world.parts[exchange.apiIndex].api.mayCompress {
            compress(&response, for: call.request.head, exchange, of: exchange.selection, in: world)
        }
        return response
    }

    /// Codes a response as its client prefers, where the setting `compress` of its API is on (wire contract, section 3).
    private func compress(
        _ response: inout Response,
        for head: RequestHead,
        _ exchange: Exchange,
        of selection: ContentSelection?,
        in world: World
    ) {
        guard compresses(exchange, in: world) else { return }
        exchange.reading.compress(&response, of: selection?.whole, for: head)
    }

    /// Codes the response of an exchange that a fault has made: of a selection, or one of its own.
    func compressAnswer(of exchange: Exchange, _ selection: ContentSelection? = nil) {
        let head = exchange.call.request.head
        compress(&exchange.response, for: head, exchange, of: selection, in: exchange.hosted.world)
    }

    /// Tells whether the content of responses is coded: that of a real backend, and of a refusal of ours, is not.
    func compresses(_ exchange: Exchange, in world: World) -> Bool {
        let api = world.parts[exchange.apiIndex].api
        return api.mayCompress && api.compresses(world, exchange.apiIndex) && !exchange.responder.isFinal
            && exchange.responder.upstream == nil
    }

    /// Returns what holds an exchange with a real backend against the document of its API; nil where nothing does.
    package func judge(of exchange: Exchange) -> ExchangeJudge? {
        apis[exchange.apiIndex].hooks.judge(exchange.call, exchange.hosted.world, exchange.apiIndex)
    }

    /// Runs the responder, and keeps the user who was known before where it finds none.
    func runResponder(_ exchange: Exchange) -> Response {
        let user = exchange.call.user
        exchange.call.user = nil
        let response = produce(&exchange.call, exchange, in: &exchange.hosted.world)
        if exchange.call.user == nil { exchange.call.user = user }
        return response
    }

    /// Returns the response that the responder would give, without any change to the world, and the call with what the
    /// responder has noted on it.
    func tried(_ exchange: Exchange, in world: World? = nil) -> (response: Response, call: Call) {
        var copy = world ?? exchange.hosted.world
        var attempt = exchange.call.renewed(at: exchange.call.now, exchange.call.epoch)
        attempt.speculative = exchange.speculativeResponse
        var response = produce(&attempt, exchange, in: &copy, isTrial: true)
        response.dropEffects()
        return (response, attempt)
    }

    /// Runs the responder as a trial, and keeps what that found out about the call.
    func tryInPlace(_ exchange: Exchange, in world: World? = nil) -> Response {
        let attempt = tried(exchange, in: world)
        exchange.call.effects = []
        exchange.call.isTakenElsewhere = attempt.call.isTakenElsewhere
        exchange.call.source = attempt.call.source
        exchange.call.stub = attempt.call.stub
        exchange.call.answeredBy = attempt.call.answeredBy
        exchange.call.nearestStub = attempt.call.nearestStub
        exchange.call.violations = attempt.call.violations
        if attempt.call.stub != nil { exchange.call.route = attempt.call.route }
        return attempt.response
    }

    /// Keeps a response back until the real backend that sends it, or that it is compared with, has ended.
    func awaitUpstreamEnd(_ exchange: Exchange) -> Progress {
        guard exchange.responder.holdsDelivery(of: exchange) else { return .next }
        exchange.state = .awaitingUpstream
        return .wait
    }
}

extension Exchange {
    /// Replaces the endpoint by a responder, before the exchange goes through its stages.
    package func use(_ responder: any Responder, showing disclosure: JournalDisclosure? = nil) {
        self.responder = responder
        self.disclosure = disclosure
        if responder.isFinal { passesThrough = true }
    }
}
