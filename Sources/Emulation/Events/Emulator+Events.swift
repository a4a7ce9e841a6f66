import HTTPMessage
package import JSON

extension Emulator {
    /// Notes an event in a world and sends it to the watchers.
    package func note(_ kind: WorldEvent.Kind, in hosted: HostedWorld, _ members: JSONObject = JSONObject()) {
        note(kind, in: hosted, .members(members))
    }

    func note(_ kind: WorldEvent.Kind, in hosted: HostedWorld, _ detail: WorldEvent.Detail) {
        let event = hosted.events.next(kind, world: hosted.world.name, at: hosted.world.core.now, detail)
        if isWatched { onEvent?(hosted.key, event) }
        hosted.events.keep(event)
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
