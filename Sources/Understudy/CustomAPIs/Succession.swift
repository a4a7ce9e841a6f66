import Backend
import CustomAPIs
import Repeats
import Worlds

/// The state that goes on in a world when the folder of its API was read again (own-API contract, section 21).
struct Succession: Sendable {
    private let former: CustomAPI
    private let next: CustomAPIDefinition
    /// The places of the tables whose rows stay: in the former API, and in the next one.
    private let tables: [(former: Int, next: Int)]

    /// Compares an API with what its folder declares now; nil where either is not declared by a folder.
    ///
    /// Rows are compared one by one, so that this is work for a worker.
    init?(of former: AnyAPI, _ next: AnyAPI) {
        guard let own = former.hooks.owner as? CustomAPI, let definition = next.customAPIDefinition else { return nil }
        (self.former, self.next) = (own, definition)
        tables = definition.tables.enumerated().compactMap { place, table in
            guard let old = own.definition.table(named: table.name), own.definition.tables[old].key == table.key else {
                return nil
            }
            let seeds = (own.definition.seed.tables[old].rows, definition.seed.tables[place].rows)
            guard seeds.0.count == seeds.1.count, zip(seeds.0.rows, seeds.1.rows).allSatisfy({ $0.stored == $1.stored })
            else { return nil }
            return (old, place)
        }
    }

    /// Has the API of a world that was just reset go on where a copy of the world from before was.
    ///
    /// - Returns: The parts that begin anew: `settings`, `sessions` and the names of tables.
    func resume(_ world: inout World, of copy: World, at index: Int) -> [String] {
        guard let old = copy.parts[index].api.hooks.owner as? CustomAPI else { return [] }
        let isOn = (copy.activeScenarios + world.activeScenarios).contains { $0.name.hasPrefix(next.name + "/") }
        let isHere = old === former && !isOn
        let kept = copy.state(index, CustomAPIState.self)
        let tables = isHere ? tables : []
        let (seed, signIn) = (former.definition.seed.settings, former.definition.signIn)
        let keepsSettings =
            isHere && seed == next.seed.settings && former.definition.states == next.states
            && (signIn == nil) == (next.signIn == nil)
        let keepsSessions =
            signIn?.format == next.signIn?.format
            && tables.contains { $0.former == signIn?.users && $0.next == next.signIn?.users }
        let areUploadsThere = former.definition.uploads.map(\.path) == next.uploads.map(\.path)
        if isHere { world.resume(index, of: copy) }
        world.with(index, CustomAPIState.self) { state, _ in
            for place in tables {
                state.tables[place.next] = kept.tables[place.former]
                let definitions = (next.tables[place.next], former.definition.tables[place.former])
                state.tables[place.next].follow(definitions.0, after: definitions.1)
            }
            if keepsSettings { state.settings = kept.settings }
            if keepsSessions { (state.signIn.sessions, state.signIn.codes) = (kept.signIn.sessions, kept.signIn.codes) }
            if isHere, next.idempotency != nil { state.kept = kept.kept }
            if isHere, areUploadsThere { state.uploads = kept.uploads }
        }
        var anew: [String] = []
        if !keepsSettings, kept.settings != old.definition.seed.settings { anew.append("settings") }
        if !keepsSessions, kept.signIn.sessions.count > 0 { anew.append("sessions") }
        let shared = next.tables.indices.filter { old.definition.table(named: next.tables[$0].name) != nil }
        return anew + shared.filter { place in !tables.contains { $0.next == place } }.map { next.tables[$0].name }
    }
}
