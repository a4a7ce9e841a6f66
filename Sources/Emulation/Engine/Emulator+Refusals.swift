import CivilTime
package import HTTPMessage

extension Emulator {
    /// Answers, in an API's own form, a request that HTTP itself refuses, and puts it into the journal of its world.
    ///
    /// Nil if no world is meant, if the path leads to no API, or if the exchange has its answer already.
    package func refuse(
        _ head: RequestHead,
        _ status: Status,
        _ detail: String,
        address: Address,
        peer: String,
        exchange: UInt64,
        at hostTime: HostTime,
        retryAfter: Int? = nil
    ) -> Answer? {
        guard case .api(let index) = address.destination else { return nil }
        let api = apis[index]
        var visit: Visit
        if let early = admitted.removeValue(forKey: exchange) {
            visit = early
        } else {
            let request = HTTPRequest(head: head)
            let match = api.match(head.method, address.path)
            guard pending[exchange] == nil,
                let name = try? chooseWorld(
                    address,
                    api: index,
                    credential: worldHint(of: request, api: index, match: match)
                ),
                let hosted = self[world: name]
            else { return nil }
            visit = Visit(request, address, match, api: index, peer: peer, exchange: exchange, hosted: hosted)
        }
        let now = visit.hosted.world.tick(to: hostTime)
        var call = visit.call(at: now)
        if case .endpoint(let place, let parameters) = visit.match {
            call.route = api.routes[place].template
            call.parameters = parameters
        }
        call.user = call.bearerToken.flatMap { api.user(visit.hosted.world, index, $0) }
        var refusal = api.timedRefusal(status, detail, now)
        if let retryAfter { refusal.fields.set("Retry-After", "\(retryAfter)") }
        return conclude(visit, call, refusal, at: hostTime, .zero)
    }
}
