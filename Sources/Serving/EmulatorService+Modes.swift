import Backend
import CivilTime
import Control
package import Engine
import HTTPMessage
import Journal
import Proxying
import Recording
import Transport

extension EmulatorService {
    /// Answers a request that has been prepared: by its mode, on a worker if that takes long, or at once.
    ///
    /// Long recorded entries and long bodies go through a worker first, and come back here with what it found in `turn`.
    func answer(
        _ exchange: Exchange,
        _ turn: ReplayTurn? = nil,
        speculative: (speculativeResponse: SpeculativeResponse?, hostTime: HostTime)? = nil
    ) -> ResponseDecision {
        // Without modes a request costs this branch.
        if proxy.hasModes {
            switch proxy.source(of: exchange, turn) {
            case .endpoint: break
            case .replay(let responder): exchange.use(responder)
            case .upstream(let mode): return forward(exchange, mode)
            case .preparation(let preparation):
                let reading = preparation.reading
                return queueRequest(exchange, in: lines?.bodies) {
                    reading.run()
                } then: { service, outcome in
                    service.answer(exchange, preparation.turn(after: outcome))
                }
            }
        }
        if let (speculativeResponse, hostTime) = speculative { return proceed(exchange, speculativeResponse, hostTime) }
        // The emulation may answer a request that the recording does not have.
        let takesLong = takesLong(exchange)
        // No closure is made for nearly every request.
        guard takesLong || mayWait else { return proceed(exchange, nil, hostTime) }
        return speculate(exchange, takesLong: takesLong) { [self] in answer(exchange, turn, speculative: ($0, $1)) }
            ?? proceed(exchange, nil, hostTime)
    }

    /// Forwards a request to the real backend.
    ///
    /// `isReleased` means that a gate has held the request. It is checked once more, because further credentials may
    /// have been issued since.
    func forward(
        _ exchange: Exchange,
        _ mode: ProxyController.Active,
        isReleased: Bool = false,
        screened: CredentialScreen.Outcome? = nil
    ) -> ResponseDecision {
        // The backend gets the content as it came.
        let (request, address) = (exchange.request.asSent, exchange.context.address)
        do throws(Problem) {
            try emulator.checkNamedWorlds(address)
            guard !request.body.exceedsLimit else {
                let detail = "The body has \(request.body.length) bytes or more, which is over the limit."
                return unsent(exchange, mode, Problem(.payloadTooLarge, detail))
            }
            // The check precedes all effects: a refused request has none.
            guard let screen = proxy.screen(exchange, mode) else {
                let detail =
                    "The mode names no upstream, and the request did not come by the forward proxy, whose clients ask for one."
                return unsent(exchange, mode, Problem(.upstreamUnreachable, detail))
            }
            let outcome =
                screened
                ?? screening(request, with: screen) { [weak self] outcome in
                    // A request whose client has left meanwhile is not forwarded.
                    guard let self, server?.isUnderWay(exchange.serverID) == true else { return }
                    let decision = forward(exchange, mode, isReleased: isReleased, screened: outcome)
                    if case .later(Self.noGroup) = decision { return }
                    complete(exchange, decision)
                }
            switch outcome {
            case nil: return .later(world: isReleased ? Self.key(of: exchange) : Self.noGroup)
            case .refused(let place, let shown)?:
                return refuse(place, shown, screen, exchange, isReleased: isReleased)
            case .clean(let wire, let shown)?:
                if mode.order.mode == .diff { return compare(exchange, wire, shown, mode) }
                return send(exchange, wire, shown, mode, isReleased: isReleased)
            }
        } catch {
            return .now(own(error.response, request.head, hostTime))
        }
    }

    /// Answers a request that can't be sent to the real backend by a problem; mode `diff` answers it by the emulation alone.
    private func unsent(_ exchange: Exchange, _ mode: ProxyController.Active, _ problem: Problem) -> ResponseDecision {
        let (request, address) = (exchange.request, exchange.context.address)
        if mode.order.mode == .diff {
            let responder = ComparisonResponder(isCompared: false) {
                JournalDisclosure(of: request, path: address.path, by: mode.redactor)
                    .cleaning(by: mode.redactor, responseTo: address.path)
            }
            exchange.use(responder)
        } else {
            exchange.use(
                FixedResponder(problem.response),
                showing: JournalDisclosure(of: request, path: address.path, by: mode.redactor)
            )
        }
        return proceed(exchange, nil, hostTime)
    }

    /// Forwards the request to the real backend, once gates and faults have let it pass.
    private func send(
        _ exchange: Exchange,
        _ wire: UpstreamRequest,
        _ shown: JournalDisclosure,
        _ mode: ProxyController.Active,
        isReleased: Bool
    ) -> ResponseDecision {
        let responder: UpstreamResponder
        if isReleased, let waiting = exchange.responder.upstream {
            responder = waiting
        } else {
            responder = UpstreamResponder { shown }
            exchange.use(responder)
            exchange.upstream = PendingForward(self, exchange, mode)
            emulator.answer(exchange, at: hostTime)
            guard exchange.wantsUpstream else { return decision(exchange) }
            settleSoon()
        }
        // From here on the exchange belongs to its world, and a reset of the world can cut it.
        emulator.noteAsked(exchange, at: hostTime)
        server?.endWithPeer(exchange.serverID)
        proxy.forward(exchange, responder, as: wire, showing: shown, mode)
        return .later(world: Self.key(of: exchange))
    }

    /// Answers by the emulation, then forwards the same request to the real backend.
    private func compare(
        _ exchange: Exchange,
        _ wire: UpstreamRequest,
        _ shown: JournalDisclosure,
        _ mode: ProxyController.Active
    ) -> ResponseDecision {
        let path = exchange.context.address.path
        let responder = ComparisonResponder(isCompared: true) {
            shown.cleaning(by: mode.redactor, responseTo: path)
        }
        exchange.use(responder)
        func finish(_ speculativeResponse: SpeculativeResponse?, _ hostTime: HostTime) -> ResponseDecision {
            emulator.answer(exchange, speculative: speculativeResponse, at: hostTime)
            guard exchange.isKeptBack else { return decision(exchange) }
            hashLater()
            settleSoon()
            server?.endWithPeer(exchange.serverID)
            proxy.forward(exchange, nil, as: wire, showing: shown, mode)
            return .later(world: Self.key(of: exchange))
        }
        return speculate(exchange, takesLong: takesLong(exchange), then: finish) ?? finish(nil, hostTime)
    }
}

extension EmulatorService: ProxyHost {
    package func advanced(_ exchange: Exchange) {
        let decision = decision(exchange)
        // The real backend's response follows one that is kept back.
        if !exchange.isKeptBack { complete(exchange, decision) }
    }

    package func tell(_ event: String, _ reason: String) { log.tell(event, [reason], hostTime) }
}

/// A request to a real backend that gates or faults may still hold back.
private final class PendingForward: UpstreamCall {
    private weak var service: EmulatorService?
    private unowned let exchange: Exchange
    private let mode: ProxyController.Active

    init(_ service: EmulatorService, _ exchange: Exchange, _ mode: ProxyController.Active) {
        self.service = service
        self.exchange = exchange
        self.mode = mode
    }

    func proceed() {
        guard let service else { return }
        service.complete(exchange, service.forward(exchange, mode, isReleased: true))
    }

    func consumed(_ bytes: Int) -> Bool { false }

    func ended(isCut: Bool) {}
}
