import HTTPMessage

extension Emulator {
    /// What the journal keeps of an exchange.
    func entry(
        _ visit: Visit,
        _ call: Call,
        _ response: Response,
        _ content: [UInt8],
        _ ruled: String?,
        _ given: String,
        _ id: String,
        _ seq: UInt64,
        _ path: String,
        at hostTime: HostTime
    ) -> JournalEntry {
        let api = apis[visit.api]
        let shown = visit.standIn?.shown
        let clean = shown?.clean?(response, content)
        var entry = JournalEntry(
            givenID: id == given ? nil : given,
            isOwnID: visit.isOwnID && ruled == nil,
            id: id,
            seq: seq,
            at: visit.entry?.at ?? call.now,
            wallAt: visit.entry?.wallAt ?? hostTime.wall,
            world: visit.hosted.world.name,
            api: api.identity.name,
            route: call.route,
            user: call.user,
            method: call.request.head.method,
            path: path,
            query: shown.map(\.query) ?? call.request.head.target.rawQuery,
            headers: api.journalled(shown?.fields ?? call.request.head.fields),
            body: JournalEntry.Body(
                shown?.body ?? call.request.body.bytes,
                length: shown?.length ?? call.request.body.length
            ),
            status: response.status,
            responseHeaders: clean?.fields ?? shown?.sentFields(response.fields) ?? response.fields,
            responseBody: clean?.body ?? JournalEntry.Body(content),
            timings: JournalEntry.Timings()
        )
        if let hidden = shown?.text, let told = response.fields[.requestID], hidden(told) != told {
            _ = entry.responseHeaders.set(.requestID, hidden(told))
        }
        entry.decisions = visit.decisions
        entry.isTakenElsewhere = call.isTakenElsewhere
        // What was found out while a gate held it.
        let opened = visit.entry.flatMap { visit.hosted.world.journal[$0.seq] }
        entry.differences = opened?.differences
        entry.translated = opened?.translated
        if call.request.head.method == .head, case .bytes(let unsent) = response.body {
            entry.announcedLength = unsent.count
        }
        if case .steps = response.body {
            if case .length(let length) = response.framing {
                entry.announcedLength = length
            } else {
                entry.isStreamed = true
            }
        }
        if !visit.hosted.world.activeScenarios.isEmpty {
            let prefix = api.identity.name + "/"
            entry.scenario = visit.hosted.world.activeScenarios.last { $0.name.hasPrefix(prefix) }?.name
        }
        return entry
    }
}
