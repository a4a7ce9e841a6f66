package import Backend
package import Engine
import ForwardProxy
import HTTPMessage
import JSON
import Journal
import Worlds

extension ControlAPI {
    /// Returns a world, or one API in it, to its seed, and returns the number of exchanges that were cut.
    ///
    /// `main` gets its start conditions again; `finish` has another text for the note. Control contract, section 3.
    package static func reset(
        _ hosted: Emulator.HostedWorld,
        api: Int? = nil,
        keepsClock: Bool,
        emulator: Emulator,
        host: any ControlHost,
        at hostTime: HostTime,
        finish: () -> String? = { nil }
    ) -> Int {
        let cancelled = host.cut(world: hosted.key, api: api)
        emulator.forgetHeld(in: hosted, api: api)
        emulator.reset(hosted, only: api, keepClock: keepsClock, at: hostTime)
        if api == nil { host.forwardProxy?.clear(world: hosted.world.name) }
        hosted.world.tick(to: hostTime)
        if hosted.world.name == WorldName.main {
            let clock = hosted.world.core.clock
            emulator.bringStartConditions(to: hosted, api: api)
            // The reset of one API leaves the rows of the others unchanged.
            let part = api.map { emulator.apis[$0].identity.name + "/" } ?? ""
            for name in emulator.startScenarios.filter({ $0.hasPrefix(part) }).compactMap(emulator.scenario(named:)) {
                emulator.activate(name, in: hosted, at: hostTime)
            }
            // A scenario that moves the clock has already moved the kept one.
            if keepsClock { hosted.world.withCore { $0.clock = clock } }
        }
        let now = hosted.world.tick(to: hostTime)
        _ = host.clockMoved(world: hosted.key, now: now, speed: hosted.world.core.clock.speed)
        var event: JSONObject = ["cancelled": .integer(Int64(cancelled))]
        if let api { event.append("api", .string(emulator.apis[api].identity.name)) }
        emulator.note(.reset, in: hosted, event)
        let part = api.map { emulator.apis[$0].identity.title } ?? "The world \(hosted.world.name)"
        emulator.write(.reset, finish() ?? "\(part) was reset", in: hosted, at: hostTime)
        return cancelled
    }
}
