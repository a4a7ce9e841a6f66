import HTTPMessage

extension Emulator {
    /// Counts an exchange, and announces it and the faults that acted to the watchers of the world.
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
        note(
            .request,
            in: exchange.hosted,
            .request(
                id: id,
                api: apis[index].identity.name,
                method: exchange.call.method.rawValue,
                path: exchange.shownPath,
                status: status.code,
                user: exchange.shownUser?.label
            )
        )
        for decision in exchange.decisions where decision.acted {
            noteFault(decision, api: index, request: id, in: exchange.hosted)
        }
    }
}
