import Control
import Emulation
import HTTPMessage
import JSON
import Recording
import Transport

extension EmulatorService {
    /// What another than the emulation answers; nil where the emulation does.
    ///
    /// Long recorded entries and long bodies go through a worker first, and come back here with what it found.
    func byMode(
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer,
        _ turn: ReplayTurn? = nil,
        foreseen: (foresight: Foresight?, hostTime: HostTime)? = nil
    ) -> ResponseDecision? {
        switch desk.way(of: request, address, api: index, turn) {
        case .emulate: return nil
        case .forward(let mode): return forward(request, address, index, exchange, peer, hostTime, mode)
        case .standIn(let standIn):
            if let (foresight, hostTime) = foreseen {
                return dispose(request, address, index, exchange, peer, hostTime, standIn: standIn, foreseen: foresight)
            }
            // What the recording does not have the emulation may answer.
            return aside(request, address, index, exchange, peer) { [self] foresight, hostTime in
                byMode(request, address, index, exchange, peer, turn, foreseen: (foresight, hostTime))
                    ?? dispose(request, address, index, exchange, peer, hostTime, foreseen: foresight)
            } ?? dispose(request, address, index, exchange, peer, hostTime, standIn: standIn)
        case .reading(let reading, let player, let turn):
            let isTaken = lines?.bodies.add(exchange) { _ in
                reading.run()
            } then: { [weak self] outcome in
                guard let self else { return }
                var turn = turn
                switch outcome {
                case .fingerprint(let live): turn = ReplayTurn(live, player)
                case .answer(let made?, let place, let now):
                    player.keep(made.entry, place)
                    turn?.ready = (place, now, made.response)
                // It can't be read any more, which the answer will say.
                case .answer(nil, let place, _): turn?.unreadable = place
                }
                let disposition =
                    byMode(request, address, index, exchange, peer, turn)
                    ?? dispose(request, address, index, exchange, peer, hostTime)
                complete(exchange, disposition)
            } refuse: { [weak self] in
                guard let self else { return }
                complete(exchange, busy(request, address, exchange, peer))
            }
            guard isTaken == true else { return busy(request, address, exchange, peer) }
            return .later(world: Self.noGroup)
        }
    }

    /// Has the real backend answer a request.
    ///
    /// `asked`: what stood on its way has let it pass, in a world of that key.
    func forward(
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer,
        _ hostTime: HostTime,
        _ mode: ProxyController.Active,
        asked: Int? = nil,
        screened: CredentialScreen.Outcome? = nil,
        foreseen: Foresight?? = nil
    ) -> ResponseDecision {
        do throws(Problem) {
            _ = try desk.emulator.chooseWorld(address, credential: nil)
            guard !request.body.exceedsLimit else {
                // That is an exchange of its world like every other, and `diff` answers as the emulation does.
                guard mode.order.mode != .diff else {
                    let shown = desk.shownEmulated(request, address, mode.redactor)
                    return dispose(request, address, index, exchange, peer, hostTime, standIn: StandIn(showing: shown))
                }
                let fault = Problem(
                    .payloadTooLarge,
                    "The body has \(request.body.length) bytes or more, which is over the limit."
                )
                let shown = desk.shown(request, address, mode.redactor)
                let refusal = StandIn(whole: fault.response, shown: shown)
                return dispose(request, address, index, exchange, peer, hostTime, standIn: refusal)
            }
            // Before anything acts on it: what is refused has no effects.
            guard let screen = desk.screen(address, mode) else {
                throw Problem(.upstreamUnreachable, "The mode names no upstream.")
            }
            let outcome =
                screened
                ?? screening(request, with: screen) { [weak self] outcome in
                    // Nobody is asked for one that has left meanwhile.
                    guard let self, server?.isUnderWay(exchange) == true else { return }
                    let disposition = forward(
                        request,
                        address,
                        index,
                        exchange,
                        peer,
                        self.hostTime,
                        mode,
                        asked: asked,
                        screened: outcome
                    )
                    switch disposition {
                    case .now(let answer): server?.complete(exchange, with: answer)
                    case .later(let world): if world != Self.noGroup { server?.assign(exchange, to: world) }
                    }
                }
            let wire: UpstreamRequest
            switch outcome {
            case nil: return .later(world: asked ?? Self.noGroup)
            case .clean(let made)?: wire = made
            case .refused(let place)?:
                return refuse(place, screen, request, address, index, exchange, peer, mode, asked: asked)
            }
            var emulated: (answer: PlayableResponse, response: Response)?
            if mode.order.mode == .diff {
                guard let foreseen else {
                    return aside(request, address, index, exchange, peer) { [self] foresight, hostTime in
                        forward(
                            request,
                            address,
                            index,
                            exchange,
                            peer,
                            hostTime,
                            mode,
                            asked: asked,
                            screened: outcome,
                            foreseen: .some(foresight)
                        )
                    }
                        ?? forward(
                            request,
                            address,
                            index,
                            exchange,
                            peer,
                            hostTime,
                            mode,
                            asked: asked,
                            screened: outcome,
                            foreseen: .some(nil)
                        )
                }
                // What a gate holds is answered when it is let go, uncompared.
                let shown = desk.shownEmulated(request, address, mode.redactor)
                let standIn = StandIn(showing: shown)
                let disposition = answer(
                    request,
                    address,
                    index,
                    exchange,
                    peer,
                    hostTime,
                    standIn: standIn,
                    foreseen: foreseen
                )
                guard case .now(let answer) = disposition else { return disposition }
                // Nor is what a fault made of it.
                guard emulator.fault(on: exchange.serial)?.isMain != true else { return kept(answer, exchange, index) }
                emulated = (answer, answer.response)
            }
            var asked = asked
            if asked == nil, mode.order.mode != .diff {
                switch beforeAsking(request, address, index, exchange, peer, hostTime, mode) {
                case .passes: break
                case .asked(let world): asked = world
                case .answered(let disposition): return disposition
                }
            }
            // It belongs to its world from here on, which a reset can cut it by.
            let away = emulated == nil ? sendAway(request, address, index, exchange, peer, hostTime, mode) : nil
            let world = emulated?.answer.world ?? away ?? asked ?? Self.noGroup
            server?.endWithPeer(exchange)
            try desk.forward(
                request,
                as: wire,
                address,
                api: index,
                exchange,
                peer,
                mode,
                emulated: emulated,
                isAsked: asked != nil
            )
            return .later(world: world)
        } catch {
            return .now(own(error.response, request.head, hostTime))
        }
    }

    /// Notes that an exchange waits for a real backend; answers the key of what it belongs to.
    private func sendAway(
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer,
        _ hostTime: HostTime,
        _ mode: ProxyController.Active
    ) -> Int? {
        let redactor = mode.redactor
        let group = emulator.sendAway(
            request,
            address: address,
            api: index,
            peer: peer.host,
            exchange: exchange.serial,
            at: hostTime,
            shown: { [desk] in desk.shown(request, address, redactor) }
        )
        return group.map { Self.key($0) }
    }

    /// What becomes of a request before the real backend is asked.
    private enum Passage {
        /// Nothing acts on it.
        case passes
        /// What acts on it wants the backend's answer.
        case asked(world: Int)
        case answered(ResponseDecision)
    }

    private func beforeAsking(
        _ request: HTTPRequest,
        _ address: Address,
        _ index: Int,
        _ exchange: ExchangeID,
        _ peer: Peer,
        _ hostTime: HostTime,
        _ mode: ProxyController.Active
    ) -> Passage {
        let answer = emulator.ask(
            request,
            address: address,
            api: index,
            peer: peer.host,
            exchange: exchange.serial,
            at: hostTime,
            shown: { desk.shown(request, address, mode.redactor) }
        )
        guard let answer else { return .passes }
        settleSoon()
        guard !answer.isAsked else { return .asked(world: answer.group.map { Self.key($0) } ?? Self.noGroup) }
        if answer.isHeld, let group = answer.group {
            hold(exchange)
            toForward[exchange.serial] = Forwarding(
                request: request,
                address: address,
                api: index,
                peer: peer,
                mode: mode
            )
            return .answered(.later(world: Self.key(group)))
        }
        log.note(request.head, answer.response.status, peer, hostTime, path: mode.redactor.path(address.path.text))
        return .answered(kept(played(answer), exchange, index))
    }

    /// The answer itself, or with `--state` that it waits for the disk.
    private func kept(_ answer: PlayableResponse, _ exchange: ExchangeID, _ index: Int) -> ResponseDecision {
        guard let keeper, answer.world != Self.noGroup,
            keeper.takes(answer, to: exchange, world: answer.world >> 8, api: index)
        else { return .now(answer) }
        return .later(world: answer.world)
    }

    /// A request to a real backend that a gate holds.
    struct Forwarding {
        var request: HTTPRequest
        var address: Address
        var api: Int
        var peer: Peer
        var mode: ProxyController.Active
    }

    /// Goes on with a request that a gate has let go.
    func goOn(_ exchange: ExchangeID, world: Int) {
        guard let waiting = toForward.removeValue(forKey: exchange.serial) else { return }
        let disposition = forward(
            waiting.request,
            waiting.address,
            waiting.api,
            exchange,
            waiting.peer,
            hostTime,
            waiting.mode,
            asked: world
        )
        if case .now(let answer) = disposition { server?.complete(exchange, with: answer) }
    }

    /// The answer of a real backend as the faults, the latency and the gates of its world let it pass, journalled and logged.
    ///
    /// Nil when a gate holds it.
    func passedOn(
        _ response: Response,
        isMiss: Bool,
        isOpen: Bool,
        _ shown: StandIn.Shown?,
        _ entry: ProxyExchange,
        _ exchange: ExchangeID
    ) -> PlayableResponse? {
        guard
            let answer = emulator.answered(
                exchange.serial,
                with: response,
                isMiss: isMiss,
                isOpen: isOpen,
                shown: shown,
                at: hostTime
            )
        else { return own(response, entry.request.head, hostTime) }
        hashLater()
        settleSoon()
        entry.flow = answer.flow
        if answer.isHeld {
            hold(exchange)
            return nil
        }
        log.note(entry.request.head, answer.response.status, entry.peer, hostTime, path: shown?.path)
        return played(answer)
    }

    /// Hands out an answer of the emulation that waited for the real backend; with `--state` also for the disk.
    func release(_ answer: PlayableResponse, to exchange: ExchangeID, api index: Int) {
        server?.endWithPeer(exchange, false)
        if let keeper, answer.world != Self.noGroup,
            keeper.takes(answer, to: exchange, world: answer.world >> 8, api: index)
        {
            return
        }
        server?.complete(exchange, with: answer)
    }

    /// The answer of another than the emulation, journalled and logged.
    func standInAnswer(_ standIn: StandIn, _ entry: ProxyExchange, _ exchange: ExchangeID) -> PlayableResponse {
        let disposition = answer(
            entry.request,
            entry.address,
            entry.api,
            exchange,
            entry.peer,
            hostTime,
            standIn: standIn
        )
        // Nothing holds an answer that was made elsewhere.
        guard case .now(let answer) = disposition else {
            return own(standIn.whole ?? Response(status: .internalServerError), entry.request.head, hostTime)
        }
        return answer
    }

    /// Reads a recording on a worker, then begins the mode and answers the call that asked for it.
    func changeMode(
        _ prepare: @escaping @Sendable () -> Result<ModePreparation, RecordingError>,
        _ origin: CallOrigin
    ) -> ResponseDecision {
        let (head, exchange, address) = (origin.head, origin.exchange, origin.address)
        let finish: (Result<ModePreparation, RecordingError>) -> PlayableResponse = { [self] result in
            let response: Response
            do throws(Problem) {
                switch result {
                case .success(let made):
                    try desk.begin(made)
                    let name = desk.emulator.apis[made.order.api].identity.name
                    response = Response(
                        status: .ok,
                        fields: [.contentType: "application/json; charset=utf-8"],
                        body: .bytes(made.order.json(name: name).serialized())
                    )
                case .failure(let fault): throw ProxyController.fault("recording", "can't be used: \(fault.text)")
                }
            } catch {
                return own(error.response, head, hostTime, address)
            }
            return own(response, head, hostTime, address)
        }
        let isTaken =
            lines?.imports.add(exchange) { _ in
                prepare()
            } then: { [weak self] result in
                self?.server?.complete(exchange, with: finish(result))
            } refuse: { [weak self] in
                guard let self else { return }
                server?.complete(exchange, with: busy(origin))
            } ?? false
        guard isTaken else { return .now(busy(origin)) }
        return .later(world: Self.noGroup)
    }
}
