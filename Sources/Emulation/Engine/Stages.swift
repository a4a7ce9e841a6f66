import CivilTime
import HTTPMessage

/// The stages of a request, in the order in which it goes through them.
///
/// The head has been resolved before (`Emulator.open`): address, route, endpoint limits. A stage that has nothing to do
/// costs one branch; the plain request takes the same list as the faulted one.
enum Stage: Int, Sendable {
    /// The world that address or credential choose. (`WorldStage.swift`)
    case selectWorld
    /// Gates of phase *before*. (`GateStage.swift`)
    case gateBefore
    /// Which faults act. (`FaultStages.swift`)
    case planFaults
    /// The answer of whoever answers: endpoint, replay, real backend, comparison. (`RespondStage.swift`)
    case respond
    /// The faults act on that. (`FaultStages.swift`)
    case applyFaults
    /// Gates of phase *after*. (`GateStage.swift`)
    case gateAfter
    /// The network of the world. (`LatencyStage.swift`)
    case latency
    /// The id that every answer carries. (`RequestID.swift`)
    case requestID
    /// Web pages that may read the answer. (`CrossOrigin.swift`)
    case crossOrigin
    /// The entry in the world's journal. (`JournalStage.swift`)
    case journal
    /// Counters and events. (`MetricsStage.swift`)
    case metrics
    /// The line in the access log. (`AccessLogStage.swift`)
    case accessLog
    /// A real backend that has not ended. (`RespondStage.swift`)
    case upstreamEnd
    /// Nothing leaves before what it tells of is on disk. (`PersistenceStage.swift`)
    case persist
    /// The answer is there; `Emulator.end` follows with what became of it.
    case deliver
}

/// The way out of a stage.
enum Progress: Equatable {
    case next
    /// To that stage; those between have nothing to do.
    case skip(to: Stage)
    /// The exchange waits; an event takes it on.
    case wait
}

extension Emulator {
    /// Runs the stages of an exchange until it has its answer or waits for something.
    package func advance(_ exchange: Exchange, at hostTime: HostTime) {
        exchange.hostTime = hostTime
        exchange.state = .advancing
        while true {
            switch run(exchange.stage, exchange) {
            case .next: exchange.stage = Stage(rawValue: exchange.stage.rawValue + 1) ?? .deliver
            case .skip(let stage): exchange.stage = stage
            case .wait: return
            }
        }
    }

    private func run(_ stage: Stage, _ exchange: Exchange) -> Progress {
        switch stage {
        case .selectWorld: selectWorld(exchange)
        case .gateBefore: holdBefore(exchange)
        case .planFaults: planFaults(exchange)
        case .respond: respond(exchange)
        case .applyFaults: applyFaults(exchange)
        case .gateAfter: holdAfter(exchange)
        case .latency: applyLatency(exchange)
        case .requestID: stampRequestID(exchange)
        case .crossOrigin: openToPages(exchange)
        case .journal: record(exchange)
        case .metrics: announce(exchange)
        case .accessLog: log(exchange)
        case .upstreamEnd: awaitUpstreamEnd(exchange)
        case .persist: persist(exchange)
        case .deliver: deliver(exchange)
        }
    }

    /// Leaves the exchange with its answer, which its owner hands to the client.
    private func deliver(_ exchange: Exchange) -> Progress {
        exchange.state = .delivering
        // The content of a request has been used; that of a long answer may take a while to leave.
        guard exchange.upstream == nil else { return .wait }
        if exchange.call.request.body.length > 0 { exchange.call.request.body = RequestBody() }
        exchange.call.prepared = nil
        exchange.foresight = nil
        return .wait
    }
}
