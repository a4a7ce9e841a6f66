import CivilTime
package import HTTPMessage

/// How the content of a request is to be read, where a fault has a say.
package enum UploadIntake: Sendable {
    /// No faster than that, or to its end alone.
    case slow(bytesPerSecond: Int, group: ExchangeGroup)
    case stop(afterBytes: Int, bytesPerSecond: Int?, group: ExchangeGroup)
    case reset(afterBytes: Int, bytesPerSecond: Int?, group: ExchangeGroup)
    /// Answered before it is read.
    case refuse(Answer)
}

extension Emulator {
    /// Decides on a request whose head has come; nil if its content is read as always.
    ///
    /// `exchange` and `peer` are those that `answer` will name.
    package func admit(
        _ head: RequestHead,
        address: Address,
        peer: String,
        exchange: UInt64,
        at hostTime: HostTime
    ) -> UploadIntake? {
        guard case .api(let index) = address.destination, let length = head.announcedLength else {
            return nil
        }
        let request = HTTPRequest(head: head)
        let match = apis[index].match(head.method, address.path)
        guard
            let name = try? chooseWorld(
                address,
                api: index,
                credential: worldHint(of: request, api: index, match: match)
            ),
            let hosted = self[world: name], hosted.world.faults.hasUploads
        else { return nil }
        let api = apis[index]
        var visit = Visit(request, address, match, api: index, peer: peer, exchange: exchange, hosted: hosted)
        guard visit.isRouted || api.faultsPrecedeRouting else {
            // No fault has a say, but the request has its id already.
            admitted[exchange] = visit
            return nil
        }
        let now = hosted.world.tick(to: hostTime)
        var call = visit.call(at: now)
        if case .endpoint(let place, let parameters) = match {
            call.route = api.routes[place].template
            call.parameters = parameters
        }
        call.user = call.bearerToken.flatMap { api.user(hosted.world, index, $0) }
        let subject = MatchSubject(call, api: api.identity.name, user: call.user)
        if hosted.world.latency.latency(for: subject)?.losesEverything == true {
            // What never arrives can't be refused; it is held when it is here.
            admitted[exchange] = visit
            return nil
        }
        let moment = FaultRegistry.Moment(now: now, epoch: call.epoch, seed: hosted.world.core.seed, isAtHead: true)
        let verdicts = hosted.world.faults.decide(
            subject,
            moment,
            canAct: { behavior in
                switch behavior {
                // Content that ends before that many bytes can't be stopped there.
                case .actsOnUpload(.stop(let count)), .actsOnUpload(.reset(let count)):
                    length.map { $0 > count } ?? true
                default: true
                }
            }
        )
        visit.decisions = verdicts.map(\.decision)
        let acting = verdicts.filter(\.acts).map(\.fault.spec.behavior)
        var rate: Int?
        for case .actsOnUpload(.read(let wanted)) in acting { rate = min(rate ?? wanted, wanted) }
        let group = ExchangeGroup(world: hosted.key, api: index)
        for case .actsOnUpload(let action) in acting {
            switch action {
            case .read: continue
            case .reject(let status):
                if call.route == nil { call.isTakenElsewhere = true }
                let refusal = api.faultAnswer(hosted.world, index, InjectedStatus(status), call)
                let response = slowed(refusal, subject, &visit, call)
                return .refuse(conclude(visit, call, response, at: hostTime, .zero))
            case .stop(let count):
                begin(&visit, call, hostTime)
                admitted[exchange] = visit
                return .stop(afterBytes: count, bytesPerSecond: rate, group: group)
            case .reset(let count):
                begin(&visit, call, hostTime)
                admitted[exchange] = visit
                return .reset(afterBytes: count, bytesPerSecond: rate, group: group)
            }
        }
        // The request has its id and its decisions already; both go with it.
        admitted[exchange] = visit
        return rate.map { .slow(bytesPerSecond: $0, group: group) }
    }

    /// Makes the entry of an upload that will most likely never be answered.
    private func begin(_ visit: inout Visit, _ call: Call, _ hostTime: HostTime) {
        var call = call
        if call.route == nil { call.isTakenElsewhere = true }
        let entry = open(visit, call, hostTime)
        visit.entry = entry
        visit.isAnnounced = true
        announce(visit, call, id: entry.id, path: visit.standIn?.shown?.path ?? visit.address.path.text, .unanswered)
    }

}

extension RequestHead {
    /// How long the content is said to be: nil inside for chunks, nil outside for none.
    package var announcedLength: Int?? {
        if fields.contains(.transferEncoding) { return .some(nil) }
        guard let text = fields[.contentLength], let length = Int(text), length > 0 else { return nil }
        return .some(length)
    }
}
