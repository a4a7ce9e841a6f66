import Backend
import CivilTime
import Conditions
import HTTPMessage
package import JSON
package import Journal
import Worlds

extension Emulator {
    /// Notes an event in a world and sends it to the watchers.
    ///
    /// `scope` is the API that it belongs to, where its members don't say so.
    package func note(
        _ kind: WorldEvent.Kind,
        in hosted: HostedWorld,
        _ members: JSONObject = JSONObject(),
        scope: String? = nil
    ) {
        note(kind, in: hosted, .members(members), scope: scope)
    }

    func note(
        _ kind: WorldEvent.Kind,
        in hosted: HostedWorld,
        _ detail: consuming WorldEvent.Detail,
        scope: String? = nil
    ) {
        let event = hosted.events.next(
            kind,
            world: hosted.world.core.name,
            at: hosted.world.core.now,
            detail,
            scope: scope
        )
        hosted.events.keep(consume event)
        if isWatched { onEvent?(hosted) }
    }

    /// The parts of a world that control calls change (console contract, section 3).
    package enum ChangedPart: String, Sendable {
        case faults, latency, settings, snapshots, mode, state, users, requests, stubs
    }

    package enum ChangeAction: String, Sendable { case added, changed, deleted }

    /// Notes that a control call has changed something.
    package func noteChange(
        _ part: ChangedPart,
        _ action: ChangeAction,
        _ name: String? = nil,
        api: String? = nil,
        in hosted: HostedWorld
    ) {
        if part == .state { weigh(hosted) }
        var members: JSONObject = ["part": .string(part.rawValue), "action": .string(action.rawValue)]
        if let name { members.append("name", .string(name)) }
        if let api { members.append("api", .string(api)) }
        note(.change, in: hosted, members)
    }

    /// Tells the watchers of every world that an API has another mode: modes belong to the process.
    package func noteMode(_ mode: String, api: Int) {
        for name in worldNames {
            if let hosted = self[world: name] { noteChange(.mode, .changed, mode, api: apiNames[api], in: hosted) }
        }
    }

    // MARK: Exchanges

    /// Tells of an exchange: once, when it has ended or is known to wait.
    func noteLine(of exchange: Exchange) {
        guard !exchange.isLineNoted, let seq = exchange.journalEntry,
            let line = exchange.hosted.world.journal.line(seq)
        else { return }
        note(line, of: exchange)
    }

    private func note(_ line: consuming JournalLine, of exchange: Exchange) {
        exchange.isLineNoted = true
        note(.request, in: exchange.hosted, .request(line))
    }

    /// Tells of the end of an exchange by its line, or only how it ended if it was known to wait.
    func noteEnd(of exchange: Exchange, _ line: consuming JournalLine) {
        guard exchange.isLineNoted else { return note(line, of: exchange) }
        var members: JSONObject = [
            "entry": .integer(Int64(clamping: line.seq)), "id": .string(line.id), "api": .string(line.api),
            "status": .integer(Int64(line.status)), "outcome": .string(line.outcome.rawValue),
        ]
        if let milliseconds = line.milliseconds { members.append("ms", .double(milliseconds)) }
        members.append("timings", line.timings.json)
        members.append("responseBytes", .integer(Int64(line.responseBytes)))
        if let ended = line.endedAt { members.append("endedAt", .string(ended.iso8601(.microseconds))) }
        // They may have been unknown when the exchange was announced.
        for member in JournalLine.sourceMembers {
            if let value = member.value(line) { members.append(member.name, value) }
        }
        note(.outcome, in: exchange.hosted, members)
    }

    /// Tells of a gate, or of a request that it has held or released.
    package func noteGate(
        _ name: String,
        _ action: String,
        _ request: (key: String, entry: UInt64?)? = nil,
        held: Int? = nil,
        in hosted: HostedWorld,
        scope: String?
    ) {
        var members: JSONObject = ["gate": .string(name), "action": .string(action)]
        if let request {
            members.append("request", .string(request.key))
            if let entry = request.entry { members.append("entry", .integer(Int64(clamping: entry))) }
        }
        let count = held ?? hosted.held.count { $0.state == .held(gate: name) }
        members.append("held", .integer(Int64(count)))
        note(.gate, in: hosted, members, scope: scope)
    }

    /// Tells of the messages that were posted since the last call.
    func noteMessages(in hosted: HostedWorld) {
        guard hosted.world.core.outbox.hasNews else { return }
        for message in hosted.world.withCore({ $0.outbox.takeNews() }) {
            guard case .object(let members) = message.json else { continue }
            note(.outbox, in: hosted, members)
        }
    }

    /// Notes and counts a fault that acted.
    func noteFault(_ decision: FaultDecision, api: Int, request: String, in hosted: HostedWorld) {
        metrics.noteFault(api: api, effect: decision.kind)
        var members: JSONObject = ["api": .string(apis[api].identity.name), "request": .string(request)]
        if let id = decision.id { members.append("fault", .string(id)) }
        if let name = decision.name { members.append("name", .string(name)) }
        members.append("phase", .string(decision.phase.rawValue))
        members.append("effect", decision.effect)
        note(.fault, in: hosted, members)
    }

    /// Notes the creation or removal of a world in its own log and in that of `main`, which has those of all worlds.
    package func noteLife(of hosted: HostedWorld, action: String, from source: String? = nil) {
        var members: JSONObject = ["action": .string(action), "name": .string(hosted.world.name)]
        if let source { members.append("from", .string(source)) }
        note(.world, in: hosted, members)
        if let main = self[world: WorldName.main], main !== hosted { note(.world, in: main, members) }
    }
}
