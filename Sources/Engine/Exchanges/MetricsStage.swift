import Backend
import Conditions
import HTTPMessage
import Journal
import Worlds

extension Emulator {
    /// Counts an exchange, and tells the watchers of the world of the faults that acted, and of one that has to wait.
    func announce(_ exchange: Exchange) -> Progress {
        if !exchange.isAnnounced {
            announce(exchange, id: exchange.openEntry?.id ?? exchange.journalKey, exchange.response.status)
        }
        return .next
    }

    func announce(_ exchange: Exchange, id: String, _ status: Status) {
        exchange.isAnnounced = true
        let index = exchange.apiIndex
        metrics.noteAnswer(api: index, route: exchange.context.endpointIndex, status: status.code)
        // An endpoint that did not take the request, as that for GET where HEAD is unknown, leaves no route.
        let endpoint = exchange.call.route == nil ? nil : exchange.context.endpointIndex
        // A granted preflight of a browser counts as answered (control contract, section 11).
        let isGranted = exchange.call.request.head.method == .options && (200..<300).contains(status.code)
        let isUnmatched = exchange.call.route == nil && !exchange.call.isTakenElsewhere && !isGranted
        exchange.hosted.world.coverage.note(
            api: index,
            endpoint: endpoint ?? stubPlace(of: exchange),
            status: status.code,
            isUnmatched: isUnmatched
        )
        for scenario in exchange.hosted.world.activeScenarios where scenario.name.hasPrefix(apiNames[index] + "/") {
            exchange.hosted.world.coverage.note(scenario: scenario.name)
        }
        noteMessages(in: exchange.hosted)
        if exchange.takesTime || exchange.isOpen { noteLine(of: exchange) }
        for decision in exchange.decisions where decision.acted {
            noteFault(decision, api: index, request: id, in: exchange.hosted)
        }
    }

    /// Returns the place in coverage of an exchange that a stub of the API's files takes.
    private func stubPlace(of exchange: Exchange) -> Int? {
        guard let path = exchange.call.route else { return nil }
        return apis[exchange.apiIndex].place(ofStub: path, exchange.call.request.head.method)
    }
}

extension Exchange {
    /// Tells whether playing the response takes a while; a plain one is not copied to find out.
    fileprivate var takesTime: Bool {
        if case .steps = response.body { return response.takesTime }
        return !response.prelude.isEmpty && response.takesTime
    }
}
