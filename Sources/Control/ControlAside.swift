package import Emulation
package import HTTPMessage

/// A call that works on a large part of a world: a worker does the work in a copy, which is taken over if nothing has
/// changed meanwhile (control contract, section 17).
package struct ControlAside {
    /// Work that was begun at one moment.
    package struct Attempt {
        /// Does it, on any thread.
        package let work: @Sendable () -> Void
        /// Takes it over and answers; nil if something has changed meanwhile.
        package let finish: () -> Response?
    }

    /// The part whose line it stands in.
    package let part: LargePart
    /// Begins; nil if the world is gone.
    package let begin: (RealTime) -> Attempt?
    /// Does the work where it is, and answers.
    package let inPlace: (RealTime) -> Response
}

extension ControlCall {
    /// Has parts of a world worked on, elsewhere if one of them is large, then goes on with what came of it.
    ///
    /// `finish` is called once, at the end.
    func working<Outcome: Sendable>(
        on places: [Int],
        of slot: Emulator.Slot,
        _ work: @escaping (RealTime) -> @Sendable (inout World) -> Outcome,
        then finish: @escaping (Outcome, RealTime) -> Result<Response, ControlFault>
    ) throws(ControlFault) -> ControlReply {
        let emulator = emulator
        func answer(_ outcome: Outcome, _ real: RealTime) -> Result<Response, ControlFault> {
            emulator.weigh(places, of: slot)
            emulator.chosen.insert(slot.key)
            return finish(outcome, real)
        }
        func response(_ result: Result<Response, ControlFault>) -> Response {
            switch result {
            case .success(let response): response
            case .failure(let fault): fault.response
            }
        }
        guard emulator.isLarge(places, of: slot), let first = places.first(where: { emulator.isLarge([$0], of: slot) })
        else { return .now(try answer(work(real)(&slot.world), real).get()) }
        let name = slot.world.name
        func isThere() -> Bool { emulator.slot(key: slot.key) === slot }
        return .aside(
            ControlAside(
                part: LargePart(world: slot.key, api: first),
                begin: { real in
                    guard isThere() else { return nil }
                    slot.world.arrive(real)
                    let trial = PartTrial(slot.world, places, work(real))
                    return ControlAside.Attempt(work: { trial.work() }) {
                        guard isThere() else { return nil }
                        return trial.take(over: &slot.world).map { response(answer($0, real)) }
                    }
                },
                inPlace: { real in
                    guard isThere() else { return Emulator.unknownWorld(name).response }
                    slot.world.arrive(real)
                    return response(answer(work(real)(&slot.world), real))
                }
            )
        )
    }
}
