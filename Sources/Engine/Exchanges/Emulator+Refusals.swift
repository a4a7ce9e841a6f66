package import Backend
import CivilTime
import Conditions
package import HTTPMessage
import Worlds

extension Emulator {
    /// Answers a request that HTTP itself refuses, in an API's own form, and enters it in the journal of its world.
    ///
    /// Returns false if no world is addressed, if the path leads to no API, or if the exchange has its response
    /// already.
    package func refuse(
        _ exchange: Exchange,
        _ status: Status,
        _ detail: String,
        isLogged: Bool = true,
        at hostTime: HostTime,
        retryAfter: Int? = nil
    ) -> Bool {
        guard let index = exchange.context.apiIndex, exchange.mayBeRefused else { return false }
        if exchange.worldChoice == .none, world(of: exchange) == nil { return false }
        let api = apis[index]
        let hosted = exchange.hosted
        if !exchange.isReceived { exchange.call.request.body = RequestBody() }
        exchange.call.now = hosted.world.tick(to: hostTime)
        exchange.call.epoch = hosted.world.parts[index].epoch
        identify(exchange)
        if case .endpoint(let place, let parameters) = exchange.context.match {
            exchange.call.route = api.routes[place].template
            exchange.call.parameters = parameters
        }
        exchange.call.user = exchange.call.bearerToken.flatMap { api.user(hosted.world, index, $0) }
        noteStubPath(exchange, MatchSubject(exchange.call, api: apiNames[index], user: exchange.call.user))
        exchange.response = api.refusal(status, detail, exchange.call.now, exchange.call)
        if let retryAfter { exchange.response.fields.set("Retry-After", "\(retryAfter)") }
        exchange.isLogged = !isLogged
        finishAtHead(exchange, at: hostTime)
        return true
    }

    /// Runs the remaining stages of a refusal, which never waits for the disk.
    func finishAtHead(_ exchange: Exchange, at hostTime: HostTime) {
        exchange.skipsStore = true
        exchange.began = nil
        exchange.stage = .requestID
        exchange.responder = endpoints
        advance(exchange, at: hostTime)
    }
}

extension Exchange {
    /// Tells whether it is unanswered and no fault or gate has begun to act on it.
    fileprivate var mayBeRefused: Bool {
        switch state {
        case .receiving: true
        case .awaitingWorker, .advancing, .awaitingUpstream: journalEntry == nil
        case .held, .awaitingStore, .delivering, .ended: false
        }
    }
}
