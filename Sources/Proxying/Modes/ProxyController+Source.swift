import Backend
import CivilTime
package import Engine
import HTTPMessage
import Recording
import Worlds

extension ProxyController {
    /// The source of the answer to a request.
    package enum Source {
        case endpoint
        case replay(ReplayResponder)
        /// A real backend: alone, or in addition to the endpoint.
        case upstream(Active)
        /// Work has to be done on a worker first; afterwards the source is determined again with its result.
        case preparation(ReplayPreparation)
    }

    /// Finds the source of the answer to a request.
    ///
    /// `turn` is the result of earlier work on the request.
    package func source(of exchange: Exchange, _ turn: ReplayTurn? = nil) -> Source {
        let api = exchange.apiIndex
        guard let mode = active[api] else {
            guard let player = player(of: api) else { return .endpoint }
            // Whatever precedes the recordings answers without them.
            let endpoint = exchange.context.endpointIndex
            guard endpoint.map({ emulator.apis[api].hooks.precedesRecordings($0) }) != true else { return .endpoint }
            return replay(player, of: exchange, turn, .emulate) ?? .endpoint
        }
        // Read in place: a copy of the mode costs more than the rest.
        switch mode.value.order.mode {
        case .emulate: return .endpoint
        case .record, .spy, .diff: return .upstream(mode.value)
        case .replay, .recordMissing:
            guard let player = mode.value.player else { return .endpoint }
            let forwards = mode.value.order.mode == .recordMissing || mode.value.order.miss == .forward
            return replay(player, of: exchange, turn, mode.value.order.miss, forwards: forwards)
                ?? .upstream(mode.value)
        }
    }

    /// Finds the answer of a recording; nil where the request is forwarded instead.
    private func replay(
        _ player: ReplayPlayer,
        of exchange: Exchange,
        _ turn: ReplayTurn?,
        _ policy: MissPolicy,
        forwards: Bool = false
    ) -> Source? {
        let api = exchange.apiIndex
        let (request, address) = (exchange.request, exchange.context.address)
        let known = turn.flatMap { $0.player === player ? $0 : nil }
        if known == nil, request.isLongToRead {
            let fingerprinter = player.fingerprinter(request.head, address)
            let reading = ReplayReading.request(
                fingerprinter,
                player.knowingFingerprinter(request.head, address),
                request,
                address.path
            )
            return .preparation(ReplayPreparation(reading: reading, player: player, turn: nil))
        }
        let turn = known ?? Self.turn(request, address, player)
        let state = { [emulator] in emulator.replayState(of: exchange) }
        if forwards, !player.holds(turn, state) { return nil }
        if let reading = player.pending(turn, request, address, state, now: { now(address) }) {
            return .preparation(ReplayPreparation(reading: reading, player: player, turn: turn))
        }
        let emulator = emulator
        return .replay(
            ReplayResponder { call, state, isTrial in
                if turn.isRedirected { return .recorded(call.redirect(toSlash: !call.path.hasTrailingSlash)) }
                switch player.answer(call, turn, &state, isTrial: isTrial) {
                case .response(let response):
                    call.answeredBy = turn.served.map(player.words)
                    return .recorded(response)
                case .miss:
                    return Self.miss(call, policy, turn, emulator.apis[api]).map { .miss($0) }
                        ?? .endpoint { player.nearestEntry(to: turn.live) }
                }
            }
        )
    }

    private static func turn(_ request: HTTPRequest, _ address: Address, _ player: ReplayPlayer) -> ReplayTurn {
        player.turn(player.fingerprint(request, address), of: request.head)
    }

    /// The time of the world that an address selects.
    private func now(_ address: Address) -> Instant {
        emulator.worldReading(address, at: hostTime).now
    }

    private static func miss(_ call: Call, _ policy: MissPolicy, _ turn: ReplayTurn, _ api: AnyAPI) -> Response? {
        switch policy {
        case .emulate: return nil
        case .fail, .forward: return turn.player.miss(call, turn)
        case .status(let code):
            guard code >= 400 else { return Response(status: Status(code)) }
            return api.refusal(Status(code), "No recorded request matches.", nil, call)
        }
    }
}

extension HTTPRequest {
    /// Tells whether its fingerprint takes a worker: its content is long, or its plain content may be.
    fileprivate var isLongToRead: Bool {
        guard !body.bytes.isEmpty else { return false }
        return body.bytes.count > 8 * 1_024
            || coded == nil && !contentCodings.isEmpty
    }
}
