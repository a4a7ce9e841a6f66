package import Backend
import CivilTime
import Control
import Engine
import JSON
import Journal
import Persistence
package import Worlds

extension EmulatorService {
    /// Loads new seeds and resets `main` to them, with its clock kept; a refused set changes nothing.
    ///
    /// Control contract, section 6.
    package func reload(_ seeds: Result<[AnyAPI], SeedError>, files: Int) {
        guard let main = emulator[world: WorldName.main] else { return }
        let hostTime = hostTime
        let apis: [AnyAPI]
        switch seeds {
        // Custom APIs, which stand behind the built-in ones, have folders of their own.
        case .success(let read): apis = read + emulator.apis.dropFirst(read.count)
        case .failure(let error): return refuse(error.items.map(\.text), "seeds", main, hostTime)
        }
        let known = apis.flatMap { $0.scenarios.map(\.name) }
        let missing = emulator.startScenarios.filter { !known.contains($0) }
        guard missing.isEmpty else {
            return refuse(
                missing.map { "--scenario names \($0), which the new seeds do not have" },
                "seeds",
                main,
                hostTime
            )
        }
        emulator.replaceSeeds(apis)
        emulator.noteGivenSeeds(isKept: storedAnswers != nil)
        _ = ControlAPI.reset(main, keepsClock: true, emulator: emulator, host: self, at: hostTime)
        emulator.note(.reload, in: main, ["files": .integer(Int64(files))])
        storedAnswers?.coordinator.noteChange(of: main.key)
        log.tell("reload", ["\(files) files; the world main begins with them"], hostTime)
    }

    /// Takes a custom API whose folder has changed, and has it begin anew in `main`, with the clock kept, as far as its
    /// state does not go on.
    ///
    /// Own-API contract, section 21.
    ///
    /// - Parameters:
    ///   - api: The API as its folder declares it now.
    ///   - files: The number of files that were read.
    ///   - resume: Has the state go on as it was in a copy of the world, and returns the parts that begin anew.
    /// - Returns: False if the files are refused.
    package func reload(
        api: AnyAPI,
        files: Int,
        resume: (inout World, _ copy: World, _ index: Int) -> [String]
    ) -> Bool {
        let name = api.identity.name
        guard let main = emulator[world: WorldName.main],
            let index = emulator.apis.firstIndex(where: { $0.identity.name == name })
        else { return false }
        let hostTime = hostTime
        let known = api.scenarios.map(\.name)
        let missing = emulator.startScenarios.filter { $0.hasPrefix(name + "/") && !known.contains($0) }
        guard missing.isEmpty else {
            let reasons = missing.map { "--scenario names \($0), which the folder no longer has" }
            refuse(reasons, "files of \(name)", main, hostTime)
            return false
        }
        var apis = emulator.apis
        apis[index] = api
        emulator.replaceSeeds(apis)
        emulator.noteGivenSeeds(isKept: storedAnswers != nil)
        let copy = main.world.withoutJournal
        var anew: [String] = []
        _ = ControlAPI.reset(main, api: index, keepsClock: true, emulator: emulator, host: self, at: hostTime) {
            anew = resume(&main.world, copy, index)
            return "The files of \(name) were read again: \(Self.words(anew))"
        }
        emulator.note(
            .reload,
            in: main,
            [
                "api": .string(name), "files": .integer(Int64(files)), "anew": .array(anew.map { .string($0) }),
            ]
        )
        storedAnswers?.coordinator.noteChange(of: main.key)
        log.tell("reload", ["\(name): \(files) files; in main \(Self.words(anew))"], hostTime)
        return true
    }

    /// The words about the parts of a state that begin anew: `settings`, `sessions` and names of tables.
    private static func words(_ anew: [String]) -> String {
        guard !anew.isEmpty else { return "sessions and rows stay" }
        let parts = anew.prefix { ["settings", "sessions"].contains($0) }
        let tables = anew.dropFirst(parts.count)
        var shown = tables.prefix(5).joined(separator: ", ")
        if tables.count > 5 { shown += " and \(tables.count - 5) more tables" }
        let words = parts + (tables.isEmpty ? [] : ["rows of \(shown)"])
        return words.joined(separator: words.count > 2 ? ", " : " and ") + " begin anew"
    }

    /// Tells that changed files of a custom API are not taken.
    package func refuseReload(of name: String, _ reasons: [String]) {
        guard let main = emulator[world: WorldName.main] else { return }
        refuse(reasons, "files of \(name)", main, hostTime)
    }

    /// Tells of changes that take a restart.
    package func tellOfRestart(_ reasons: [String]) {
        guard let main = emulator[world: WorldName.main] else { return }
        main.world.tick(to: hostTime)
        emulator.note(.reload, in: main, ["restart": .array(reasons.map { .string($0) })])
        log.tell("reload takes a restart", reasons, hostTime)
    }

    private func refuse(
        _ reasons: [String],
        _ what: String,
        _ main: Emulator.HostedWorld,
        _ hostTime: HostTime
    ) {
        main.world.tick(to: hostTime)
        emulator.note(.reload, in: main, ["refused": .array(reasons.map { .string($0) })])
        log.tell("reload refused, the last good \(what) stay", reasons, hostTime)
    }
}
