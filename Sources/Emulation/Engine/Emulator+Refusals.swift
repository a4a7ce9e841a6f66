import CivilTime
package import HTTPMessage

extension Emulator {
    /// Answers, in an API's own form, a request that HTTP itself refuses, and puts it into the journal of its world.
    ///
    /// False if no world is meant, if the path leads to no API, or if the exchange has its answer already.
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
        exchange.call.request.body = RequestBody()
        exchange.call.now = hosted.world.tick(to: hostTime)
        exchange.call.epoch = hosted.world.parts[index].epoch
        identify(exchange)
        if case .endpoint(let place, let parameters) = exchange.context.match {
            exchange.call.route = api.routes[place].template
            exchange.call.parameters = parameters
        }
        exchange.call.user = exchange.call.bearerToken.flatMap { api.user(hosted.world, index, $0) }
        exchange.response = api.timedRefusal(status, detail, exchange.call.now)
        if let retryAfter { exchange.response.fields.set("Retry-After", "\(retryAfter)") }
        exchange.isLogged = !isLogged
        finishAtHead(exchange, at: hostTime)
        return true
    }

    /// Takes a refusal through the stages behind the answer; the loop waits for none of its kind.
    func finishAtHead(_ exchange: Exchange, at hostTime: HostTime) {
        exchange.skipsStore = true
        exchange.began = nil
        exchange.stage = .requestID
        exchange.responder = endpoints
        advance(exchange, at: hostTime)
    }
}

extension Exchange {
    /// Tells that it has not been answered, and nothing that acts on it has begun.
    fileprivate var mayBeRefused: Bool {
        switch state {
        case .receiving: true
        case .awaitingWorker, .advancing, .awaitingUpstream: journalEntry == nil
        case .held, .awaitingStore, .delivering, .ended: false
        }
    }
}
