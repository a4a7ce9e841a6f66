package import Backend
import CivilTime
import HTTPMessage

/// The stages of a request, in the order in which they run.
///
/// The head has been resolved before (`Emulator.open`): address, route, endpoint limits. A stage that has nothing to do
/// costs one branch. A plain request runs through the same list as one with faults.
package enum Stage: Int, Sendable {
    /// Selects the world by address or credential. (`WorldStage.swift`)
    case selectWorld
    /// Gates of phase *before*. (`GateStage.swift`)
    case gateBefore
    /// The decision on faults. (`FaultStages.swift`)
    case planFaults
    /// The response of the responder: endpoint, replay, real backend or comparison. (`RespondStage.swift`)
    case respond
    /// The effects of the faults on the response. (`FaultStages.swift`)
    case applyFaults
    /// Gates of phase *after*. (`GateStage.swift`)
    case gateAfter
    /// The latency of the world's network. (`LatencyStage.swift`)
    case latency
    /// The id that every response carries. (`RequestID.swift`)
    case requestID
    /// The web pages that may read the response. (`CrossOrigin.swift`)
    case crossOrigin
    /// The entry in the world's journal. (`JournalStage.swift`)
    case journal
    /// Counters and events. (`MetricsStage.swift`)
    case metrics
    /// The line in the access log. (`AccessLogStage.swift`)
    case accessLog
    /// The wait for a real backend that has not ended. (`RespondStage.swift`)
    case upstreamEnd
    /// The wait for the disk. (`PersistenceStage.swift`)
    case persist
    /// The end of the list: the response is there; `Emulator.end` follows with the outcome.
    case deliver
}

/// The result of a stage.
package enum Progress: Equatable {
    case next
    /// Continues with that stage; those between have nothing to do.
    case skip(to: Stage)
    /// Waits for an event, which resumes the exchange.
    case wait
}

extension Emulator {
    /// Runs the stages of an exchange until it has its response or waits for an event.
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

    /// Leaves the exchange with its response, which its owner sends to the client.
    private func deliver(_ exchange: Exchange) -> Progress {
        exchange.state = .delivering
        if exchange.claim != nil { noteDelivery(of: exchange) }
        // The content of the request is no longer needed, and a long response may take a while to leave.
        guard exchange.upstream == nil else { return .wait }
        if exchange.call.request.body.length > 0 {
            exchange.call.request.body = RequestBody()
            if exchange.call.request.coded != nil { exchange.call.request.coded = nil }
        }
        exchange.call.prepared = nil
        return .wait
    }
}
