package import Emulation
import HTTPMessage
import JSON

extension ControlAPI {
    /// Returns a world, or one API in it, to its seed; answers how many answers under way were cut.
    ///
    /// `main` gets what it was started with again. Control contract, section 3.
    package static func reset(
        _ slot: Emulator.Slot,
        api: Int? = nil,
        keepsClock: Bool,
        emulator: Emulator,
        conductor: any Conductor,
        at real: RealTime
    ) -> Int {
        let cancelled = conductor.cut(world: slot.key, api: api)
        emulator.forgetHeld(in: slot, api: api)
        emulator.reset(slot, only: api, keepClock: keepsClock, at: real)
        slot.world.arrive(real)
        if slot.world.name == WorldName.main {
            let clock = slot.world.core.clock
            emulator.bringStartConditions(to: slot, api: api)
            // Of one API's reset, the others' rows stay as they are.
            let part = api.map { emulator.apis[$0].identity.name + "/" } ?? ""
            let names = emulator.startScenarios.filter { $0.hasPrefix(part) }
            for name in names.compactMap({ emulator.scenario(named: $0) }) {
                emulator.activate(name, in: slot, at: real)
            }
            // A scenario that moves the clock has moved the kept one already.
            if keepsClock { slot.world.withCore { $0.clock = clock } }
        }
        let now = slot.world.arrive(real)
        _ = conductor.clockMoved(world: slot.key, now: now, speed: slot.world.core.clock.speed)
        var event: JSONObject = ["cancelled": .integer(Int64(cancelled))]
        if let api { event.append("api", .string(emulator.apis[api].identity.name)) }
        emulator.note(.reset, in: slot, event)
        return cancelled
    }
}
