package import Backend
package import CivilTime
import Conditions
package import HTTPMessage
import Worlds

/// A rate at which content is read.
package struct UploadRate: Sendable {
    package let bytesPerSecond: Int
    /// The clocks that its time passes by.
    package let waiting: Waiting

    /// Returns the slower of two rates.
    fileprivate static func slower(_ one: UploadRate?, _ other: UploadRate) -> UploadRate {
        guard let one, one.bytesPerSecond <= other.bytesPerSecond else { return other }
        return one
    }
}

/// The manner of reading a request's content, where a fault or the network decides it.
package enum UploadIntake: Sendable {
    /// Reads it no faster than at that rate, or to its end alone.
    case slow(UploadRate, group: ExchangeGroup)
    case stop(afterBytes: Int, rate: UploadRate?, group: ExchangeGroup)
    case reset(afterBytes: Int, rate: UploadRate?, group: ExchangeGroup)
    /// Writes no `100 Continue`, or one that is that late by the clocks of `waiting`.
    case withoutContinue(until: Interval?, waiting: Waiting, rate: UploadRate?, group: ExchangeGroup)
    /// Answers before it is read; the response is in the exchange.
    case refuse
}

extension Emulator {
    /// Decides on a request whose head has come; nil if its content is read as usual.
    package func admit(_ exchange: Exchange, at hostTime: HostTime) -> UploadIntake? {
        guard let index = exchange.context.apiIndex, let length = exchange.call.request.head.announcedLength,
            let hosted = worldAtHead(of: exchange), hosted.world.faults.hasUploads || hosted.world.latency.hasUploads
        else { return nil }
        let api = apis[index]
        exchange.hostTime = hostTime
        // The exchange keeps the id and the decisions from here on.
        identify(exchange)
        let mayFault = hosted.world.faults.hasUploads && (exchange.context.isRouted || api.faultsPrecedeRouting)
        guard mayFault || hosted.world.latency.hasUploads else { return nil }
        exchange.call.now = hosted.world.tick(to: hostTime)
        exchange.call.epoch = hosted.world.parts[index].epoch
        if case .endpoint(let place, let parameters) = exchange.context.match {
            exchange.call.route = api.routes[place].template
            exchange.call.parameters = parameters
        }
        exchange.call.user = exchange.call.bearerToken.flatMap { api.user(hosted.world, index, $0) }
        let subject = MatchSubject(exchange.call, api: api.identity.name, user: exchange.call.user)
        // A request that never arrives can't be refused. It is held once it is complete.
        let latency = hosted.world.latency.latency(for: subject)
        if latency?.losesEverything == true { return nil }
        let group = ExchangeGroup(world: hosted.key, api: index)
        var rate = latency.flatMap { latency in
            latency.uploadBytesPerSecond.map { UploadRate(bytesPerSecond: $0, waiting: latency.waiting) }
        }
        guard mayFault else { return rate.map { .slow($0, group: group) } }
        let moment = FaultRegistry.Moment(
            now: exchange.call.now,
            epoch: exchange.call.epoch,
            seed: hosted.world.core.seed,
            isAtHead: true
        )
        let verdicts = hosted.world.faults.decide(
            subject,
            moment,
            canAct: { behavior in
                switch behavior {
                // Content that ends before that many bytes can't be stopped there.
                case .actsOnUpload(.stop(let count)), .actsOnUpload(.reset(let count)):
                    length.map { $0 >= count } ?? true
                default: true
                }
            }
        )
        exchange.decisions = verdicts.map(\.decision)
        let acting = verdicts.filter(\.acts).map(\.fault)
        for spec in acting.map(\.spec) {
            guard case .actsOnUpload(.read(let wanted)) = spec.behavior else { continue }
            rate = .slower(rate, UploadRate(bytesPerSecond: wanted, waiting: spec.waiting))
        }
        for fault in acting {
            guard case .actsOnUpload(let action) = fault.spec.behavior else { continue }
            switch action {
            case .read: continue
            case .reject(let status):
                noteStubPath(exchange, subject)
                if exchange.call.route == nil { exchange.call.isTakenElsewhere = true }
                exchange.response = api.faultAnswer(hosted.world, index, InjectedStatus(status), exchange.call)
                slow(exchange, subject)
                finishAtHead(exchange, at: hostTime)
                return .refuse
            case .stop(let count):
                begin(exchange, subject, under: fault)
                return .stop(afterBytes: count, rate: rate, group: group)
            case .withholdContinue(let pause):
                return .withoutContinue(until: pause, waiting: fault.spec.waiting, rate: rate, group: group)
            case .reset(let count):
                begin(exchange, subject, under: fault)
                return .reset(afterBytes: count, rate: rate, group: group)
            }
        }
        return rate.map { .slow($0, group: group) }
    }

    /// Opens the journal entry of an upload that will most likely never be answered.
    private func begin(_ exchange: Exchange, _ subject: MatchSubject, under fault: Fault) {
        exchange.uploadFault = fault.id
        let isTakenElsewhere = exchange.call.isTakenElsewhere
        if exchange.call.route == nil {
            noteStubPath(exchange, subject)
            exchange.isRouteForeseen = exchange.call.route != nil
            exchange.call.isTakenElsewhere = true
        }
        open(exchange, showsResponse: false)
        announce(exchange, id: exchange.openEntry?.id ?? exchange.journalKey, .unanswered)
        exchange.call.isTakenElsewhere = isTakenElsewhere
    }

    /// Takes back the fault that was to end an upload which is whole: it turned out to be shorter.
    func takeBackUploadFault(of exchange: Exchange) {
        guard let id = exchange.uploadFault.take(), !exchange.isOutdated else { return }
        exchange.hosted.world.faults.takeBack(id)
        exchange.decisions.removeAll { $0.id == id }
    }
}

extension RequestHead {
    /// The announced length of the content: the inner nil stands for chunks, the outer nil for no content.
    package var announcedLength: Int?? {
        if contains(.transferEncoding) { return .some(nil) }
        guard let text = value(of: .contentLength), let length = Int(text), length > 0 else { return nil }
        return .some(length)
    }
}
