import CivilTime
import Control
package import Emulation
import JSON
import Persistence

extension EmulatorService {
    /// Loads new seeds and resets `main` to them, with its clock kept; a refused set changes nothing.
    ///
    /// Control contract, section 6.
    package func reload(_ seeds: Result<[AnyAPI], SeedError>, files: Int) {
        guard let main = emulator[world: WorldName.main] else { return }
        let hostTime = hostTime
        let apis: [AnyAPI]
        switch seeds {
        case .success(let read): apis = read
        case .failure(let error): return refuse(error.items.map(\.text), main, hostTime)
        }
        let known = apis.flatMap { $0.scenarios.map(\.name) }
        let missing = emulator.startScenarios.filter { !known.contains($0) }
        guard missing.isEmpty else {
            return refuse(missing.map { "--scenario names \($0), which the new seeds have not" }, main, hostTime)
        }
        emulator.replaceSeeds(apis)
        emulator.noteGivenSeeds(isKept: storedAnswers != nil)
        _ = ControlAPI.reset(main, keepsClock: true, emulator: emulator, host: self, at: hostTime)
        emulator.note(.reload, in: main, ["files": .integer(Int64(files))])
        storedAnswers?.coordinator.noteChange(of: main.key)
        log.tell("reload", ["\(files) files; the world main begins with them"], hostTime)
    }

    private func refuse(_ reasons: [String], _ main: Emulator.HostedWorld, _ hostTime: HostTime) {
        main.world.tick(to: hostTime)
        emulator.note(.reload, in: main, ["refused": .array(reasons.map { .string($0) })])
        log.tell("reload refused, the last good seeds stay", reasons, hostTime)
    }
}
