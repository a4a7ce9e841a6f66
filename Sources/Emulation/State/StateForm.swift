import JSON

/// How the state of an API leaves the process and comes back, with its types erased.
package struct StateForm: Sendable {
    /// Enough to mend a document by.
    static var mostFaults: Int { 100 }

    /// The parts that are kept, in order: names and whether each is one value or an array of rows.
    package let parts: [(name: String, isRows: Bool)]
    /// Stored properties that no part names, and parts that name none: what a restart would lose.
    package let gaps: [String]
    /// Every part with its rows, ready to be made elsewhere.
    let dump: @Sendable (World, Int) -> [PartDump]
    /// A state of the parts that were found, or what is wrong with them.
    let load: @Sendable ([String: [LoadedRow]], WorldCore) -> Result<AnyStateBox, StateFaults>
    /// How many rows a state has.
    let count: @Sendable (AnyStateBox) -> Int
    let hasChanged: @Sendable (World, Int) -> Bool
    let take: @Sendable (inout World, Int) -> [(part: String, changes: PartChanges)]

    /// `seed` is what a part has that was not found.
    init<API: EmulatedAPI>(_ api: API.Type, _ tree: SettingTree<API.State>, seed: API.State) {
        let kept = API.parts.filter { $0.form != .derived }
        parts = kept.map { ($0.name, $0.form == .rows) }
        let declared = API.parts.map(\.name)
        let stored = Mirror(reflecting: seed).children.compactMap(\.label)
        gaps =
            stored.filter { !declared.contains($0) } + declared.filter { !stored.contains($0) }
            + declared.indices.filter { declared[..<$0].contains(declared[$0]) }.map { declared[$0] }
        let settingsRow: @Sendable (API.State) -> StoredRow = { state in
            StoredRow(id: "", place: 0) { tree.read(state) }
        }
        dump = { world, index in
            let state = world.state(index, API.State.self)
            return kept.map { part in
                PartDump(name: part.name, isRows: part.form == .rows) {
                    part.form == .settings ? [settingsRow(state)] : part.rows(state)
                }
            }
        }
        load = { content, core in
            var state = seed
            var faults: [StateFaults.Item] = []
            for part in kept {
                // A table without rows leaves no trace; a value that is missing keeps what the seed has.
                guard let rows = content[part.name] ?? (part.form == .rows ? [] : nil) else { continue }
                let found =
                    part.form == .settings ? Self.loadSettings(tree, rows, &state) : part.load(rows, &state)
                faults += found.map { StateFaults.Item(part: part.name, isRows: part.form == .rows, fault: $0) }
            }
            guard faults.isEmpty else { return .failure(StateFaults(items: faults)) }
            API.reindex(&state)
            API.adopt(&state, core: core)
            return .success(StateBox(state))
        }
        count = { box in
            guard let box = box as? StateBox<API.State> else { return 0 }
            return kept.reduce(0) { $0 + $1.count(box.state) }
        }
        hasChanged = { world, index in
            let marks = world.parts[index].marks
            guard marks.count == kept.count else { return true }
            return world.read(index, API.State.self) { state in
                kept.indices.contains { kept[$0].hasChanged(state, marks[$0]) }
            }
        }
        take = { world, index in
            let isTracked = world.parts[index].marks.count == kept.count
            let (taken, marks) = world.with(index, API.State.self) { state, _ in
                // Before the tables are told to note changes, so that the copy holds what they were.
                let whole = state
                let taken = kept.map { part -> (part: String, changes: PartChanges) in
                    if part.form == .settings { return (part.name, .value(settingsRow(whole))) }
                    if isTracked || part.form == .value { return (part.name, part.take(&state)) }
                    part.track(&state)
                    return (part.name, .whole { part.rows(whole) })
                }
                return (taken, kept.map { $0.mark(state) })
            }
            world.mark(index, marks)
            return taken
        }
    }

    private static func loadSettings<State: Sendable>(
        _ tree: SettingTree<State>,
        _ rows: [LoadedRow],
        _ state: inout State
    ) -> [PartFault] {
        guard let row = rows.first, rows.count == 1 else { return [PartFault("must be one object")] }
        return tree.write(row.content, to: &state, at: "$").map { item in
            // The tree writes its own paths; they are below the part's.
            PartFault(row: 0, path: item.path.split(separator: ".").dropFirst().map { .key(String($0)) }, item.reason)
        }
    }
}

/// One part with its rows, ready to be made elsewhere.
struct PartDump: Sendable {
    var name: String
    /// Whether it is an array of rows, not one value.
    var isRows: Bool
    var rows: @Sendable () -> [StoredRow]
}

/// What is wrong with the parts of a state.
struct StateFaults: Error, Sendable {
    struct Item: Sendable {
        var part: String
        var isRows: Bool
        var fault: PartFault
    }

    var items: [Item]
}
