package import Backend
package import Engine
package import HTTPMessage
import Worlds

extension ControlJob {
    /// A call that works on a large part of a world.
    ///
    /// A worker does the work in a copy, and the result is used if nothing has changed meanwhile (control contract,
    /// section 17).
    package struct PartWork {
        /// The work, begun at one moment.
        package struct Attempt {
            /// Does the work, on any thread.
            package let work: @Sendable () -> Void
            /// Applies the result and returns the response; nil if something has changed meanwhile.
            package let finish: () -> Response?
        }

        /// The part in whose queue it waits.
        package let part: LargePart
        /// Begins an attempt; nil if the world is gone.
        package let begin: (HostTime) -> Attempt?
        /// Does the work on the loop and returns the response.
        package let inPlace: (HostTime) -> Response
    }
}

extension ControlCall {
    /// Runs a task on parts of a world, on a worker if one of them is large, then continues with its outcome.
    ///
    /// `finish` is called once, at the end.
    func working<Outcome: Sendable>(
        on places: [Int],
        of hosted: Emulator.HostedWorld,
        _ task: @escaping (HostTime) -> @Sendable (inout World) -> Outcome,
        then finish: @escaping (Outcome, HostTime) -> Result<Response, Problem>
    ) throws(Problem) -> ControlDecision {
        let emulator = emulator
        func answer(_ outcome: Outcome, _ hostTime: HostTime) -> Result<Response, Problem> {
            emulator.weigh(places, of: hosted)
            emulator.chosen.insert(hosted.key)
            return finish(outcome, hostTime)
        }
        func response(_ result: Result<Response, Problem>) -> Response {
            switch result {
            case .success(let response): response
            case .failure(let fault): fault.response
            }
        }
        guard emulator.isLarge(places, of: hosted),
            let first = places.first(where: { emulator.isLarge([$0], of: hosted) })
        else { return .now(try answer(task(hostTime)(&hosted.world), hostTime).get()) }
        let name = hosted.world.name
        func isThere() -> Bool { emulator.hosted(key: hosted.key) === hosted }
        let work = ControlJob.PartWork(
            part: LargePart(world: hosted.key, api: first),
            begin: { hostTime in
                guard isThere() else { return nil }
                hosted.world.tick(to: hostTime)
                let trial = SpeculativeWork(hosted.world, places, task(hostTime))
                return ControlJob.PartWork.Attempt(work: { trial.work() }) {
                    guard isThere() else { return nil }
                    return trial.take(over: &hosted.world).map { response(answer($0, hostTime)) }
                }
            },
            inPlace: { hostTime in
                guard isThere() else { return Emulator.unknownWorld(name).response }
                hosted.world.tick(to: hostTime)
                return response(answer(task(hostTime)(&hosted.world), hostTime))
            }
        )
        return .job(.partWork(work))
    }
}
