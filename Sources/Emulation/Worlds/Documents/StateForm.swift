package import JSON

/// The stored form of an API's state, type-erased.
package struct StateForm: Sendable {
    /// The number of problems that are listed, enough to correct a document by.
    static var mostFaults: Int { 100 }

    /// The stored parts in order: their names, and whether each is an array of rows or one value.
    package let parts: [(name: String, isRows: Bool)]
    /// Stored properties that no part names, and parts that name none; a restart would lose these.
    package let gaps: [String]
    /// Numbers of rows without a declared range, as `part.path`; also schemas that can't be derived.
    package let numbersWithoutRange: @Sendable () -> [String]
    /// The numbers in a document's part for which no range is declared.
    package let undeclared: @Sendable (_ part: String, _ json: JSON) -> [String]
    /// Every part with its rows, which can be written elsewhere.
    let dump: @Sendable (AnyStateBox) -> [PartDump]
    /// A table among the parts.
    package struct TableForm: Sendable {
        package let name: String
        /// The member that names a row.
        package let key: String
        /// The rows of other tables that members of a row name.
        package let references: [RowReference]
        /// The schema of a row.
        package let schema: @Sendable () -> JSONSchema?
    }

    /// The tables among the parts.
    package let tables: [TableForm]
    /// Returns the rows of a table in its order.
    let rows: @Sendable (AnyStateBox, _ table: String) -> [World.TableRow]
    /// Makes another state with one row written, or removed if there is no content; or returns the problems.
    let edit: @Sendable (AnyStateBox, _ table: String, _ id: String, JSON?) -> Result<AnyStateBox, StateFaults>
    /// Makes a state from the parts that were found, or returns their problems.
    ///
    /// The last argument is their source.
    let load: @Sendable ([String: [LoadedRow]], WorldCore, StoredSource) -> Result<AnyStateBox, StateFaults>
    /// Makes a state from the one underneath and its changes, not bound to a world; or returns the problems.
    ///
    /// The last argument is their source.
    let amend: @Sendable (AnyStateBox?, [String: StoredLayer.Part], StoredSource) -> Result<AnyStateBox, StateFaults>
    /// Returns a copy of such a state bound to a world.
    let settle: @Sendable (AnyStateBox, WorldCore) -> AnyStateBox
    /// The number of rows of a state.
    let count: @Sendable (AnyStateBox) -> Int
    /// Tells whether a response has to wait for the store; a quick check omits the parts whose changes are counted.
    let hasChanged: @Sendable (_ world: World, _ index: Int, _ isQuick: Bool) -> Bool
    let take: @Sendable (inout World, Int) -> [(part: String, changes: PartChanges)]

    /// Creates the form of an API's state, whose parts are the stored properties of its type.
    ///
    /// `seed` supplies the parts that were not found.
    init<API: EmulatedAPI>(_ api: API.Type, _ tree: SettingTree<API.State>, seed: API.State) {
        let declared = API.storedProperties.map(\.name)
        let stored = Mirror(reflecting: seed).children.compactMap(\.label)
        let gaps =
            stored.filter { !declared.contains($0) } + declared.filter { !stored.contains($0) }
            + declared.indices.filter { declared[..<$0].contains(declared[$0]) }.map { declared[$0] }
        self.init(
            API.storedProperties,
            tree,
            seed: { seed },
            gaps: gaps,
            reindex: { API.reindex(&$0) },
            bind: { API.bind(&$0, core: $1) }
        )
    }

    /// Creates the form of a state of those parts.
    ///
    /// - Parameters:
    ///   - storedProperties: The parts in the order in which they are written.
    ///   - tree: The settings, which are one of the parts.
    ///   - seed: Supplies the parts that were not found.
    ///   - gaps: Stored properties that no part names.
    ///   - dropsUnknownSettings: Tells whether a store may have settings, or values of settings, that are no longer
    ///     declared.
    ///   - reindex: Rebuilds what is derived from the tables.
    ///   - bind: Binds a state to a world.
    package init<State: Sendable>(
        _ storedProperties: [StatePart<State>],
        _ tree: SettingTree<State>,
        seed: @escaping @Sendable () -> State,
        gaps: [String] = [],
        dropsUnknownSettings: Bool = false,
        reindex: @escaping @Sendable (inout State) -> Void,
        bind: @escaping @Sendable (inout State, WorldCore) -> Void
    ) {
        let kept = storedProperties.filter { $0.form != .derived }
        parts = kept.map { ($0.name, $0.form == .rows) }
        self.gaps = gaps
        numbersWithoutRange = {
            kept.flatMap { part -> [String] in
                do throws(SchemaError) {
                    guard let shape = try part.shape() else { return [] }
                    return part.ranges.gaps(in: shape).map { $0.isEmpty ? part.name : "\(part.name).\($0)" }
                } catch {
                    return ["\(part.name): \(error)"]
                }
            }
        }
        undeclared = { name, json in
            // The setting tree checks every switch itself.
            guard let part = kept.first(where: { $0.name == name }), part.form != .settings else { return [] }
            let rows = part.form == .rows ? json.arrayValue ?? [] : [json]
            return rows.flatMap { part.ranges.gaps(in: $0) }.map { $0.isEmpty ? name : "\(name).\($0)" }
        }
        let settingsRow: @Sendable (State) -> StoredRow = { state in
            StoredRow(id: "", place: 0, tree.read(state))
        }
        dump = { box in
            let state = box.typed(State.self).state
            return kept.map { part in
                PartDump(name: part.name, isRows: part.form == .rows, counts: part.ranges.counting) {
                    part.form == .settings ? [settingsRow(state)] : part.rows(state)
                }
            }
        }
        let amend:
            @Sendable (AnyStateBox?, [String: StoredLayer.Part], StoredSource) -> Result<AnyStateBox, StateFaults> = {
                base,
                content,
                source in
                let former = base?.typed(State.self).state
                var state = former ?? seed()
                var faults: [StateFaults.Item] = []
                var refused: Set<String> = []
                for part in kept {
                    var found: [PartFault] = []
                    if let stored = content[part.name] {
                        if part.form == .settings {
                            let isLenient = dropsUnknownSettings && source == .store
                            found = Self.loadSettings(tree, stored.rows, isLenient: isLenient, &state)
                        } else if let amend = part.amend, !stored.isWhole, former != nil {
                            found = amend(stored, &state)
                        } else {
                            found = part.load(stored.rows, source, &state)
                        }
                    } else if part.form == .rows, former == nil {
                        // A table without rows is not stored; a missing value keeps the seed's.
                        found = part.load([], source, &state)
                    }
                    guard !found.isEmpty else { continue }
                    refused.insert(part.name)
                    // The other parts are compared with what there is, which are no rows of the seed.
                    if part.form == .rows { _ = part.load([], source, &state) }
                    faults += found.map { StateFaults.Item(part: part.name, isRows: part.form == .rows, fault: $0) }
                }
                // Only stored parts are compared with each other: in a store of another version a part may be missing.
                for part in kept where content[part.name] != nil && !refused.contains(part.name) {
                    faults += part.check(state).map {
                        StateFaults.Item(part: part.name, isRows: part.form == .rows, fault: $0)
                    }
                }
                guard faults.isEmpty else { return .failure(StateFaults(items: faults)) }
                reindex(&state)
                return .success(StateBox(state))
            }
        let settle: @Sendable (AnyStateBox, WorldCore) -> AnyStateBox = { box, core in
            var state = box.typed(State.self).state
            bind(&state, core)
            return StateBox(state)
        }
        tables = kept.filter { $0.put != nil }.map { part in
            TableForm(name: part.name, key: part.key, references: part.references) {
                (try? (part.rowShape ?? part.shape)()).flatMap { $0.map(part.ranges.dated) }
            }
        }
        rows = { box, table in
            guard let part = kept.first(where: { $0.name == table }) else { return [] }
            let state = box.typed(State.self).state
            return part.namedRows?(state) ?? part.rows(state).map { World.TableRow(id: $0.id, content: $0.content) }
        }
        edit = { box, table, id, content in
            var state = box.typed(State.self).state
            guard let part = kept.first(where: { $0.name == table }) else { return .success(box) }
            var found: [PartFault] = []
            if let content { found = part.put?(content, &state) ?? [] } else { part.remove?(id, &state) }
            // The row also has to fit what other parts count or refer to.
            found += kept.flatMap { $0.check(state) }.map { PartFault(path: [], $0.reason) }
            guard found.isEmpty else {
                return .failure(
                    StateFaults(items: found.map { StateFaults.Item(part: table, isRows: true, fault: $0) })
                )
            }
            reindex(&state)
            return .success(StateBox(state))
        }
        self.amend = amend
        self.settle = settle
        load = { content, core, source in
            let whole = content.mapValues { rows in
                var part = StoredLayer.Part()
                part.isWhole = true
                part.rows = rows
                return part
            }
            return amend(nil, whole, source).map { settle($0, core) }
        }
        count = { box in
            let state = box.typed(State.self).state
            return kept.reduce(0) { $0 + $1.count(state) }
        }
        // Kept apart because every response checks them: copying a part counts a reference to each of its closures.
        let checks = kept.enumerated().compactMap { place, part in
            part.hasChanged.map { (place: place, isCounted: part.isCounted, hasChanged: $0) }
        }
        let uncounted = checks.filter { !$0.isCounted }
        let partCount = kept.count
        hasChanged = { world, index, isQuick in
            guard world.parts[index].marks.count == partCount else { return true }
            guard !isQuick || !uncounted.isEmpty else { return false }
            return world.read(index, State.self) { state in
                for check in isQuick ? uncounted : checks
                where check.hasChanged(state, world.parts[index].marks[check.place]) {
                    return true
                }
                return false
            }
        }
        take = { world, index in
            guard world.parts[index].marks.count == kept.count else {
                return Self.takeWhole(&world, index, kept, settingsRow)
            }
            return world.parts[index].isTouched ? Self.takeChanged(&world, index, kept, settingsRow) : []
        }
    }

    /// Takes all of a state, and begins to track its changes.
    private static func takeWhole<State: Sendable>(
        _ world: inout World,
        _ index: Int,
        _ kept: [StatePart<State>],
        _ settingsRow: (State) -> StoredRow
    ) -> [(part: String, changes: PartChanges)] {
        let changes = world.changeCount(index)
        let (taken, marks) = world.with(index, State.self) { state, _ in
            // Copied before the tables begin to track changes, so that the copy has their present content.
            let whole = state
            let taken = kept.map { part -> (part: String, changes: PartChanges) in
                switch part.form {
                case .settings: return (part.name, .value(settingsRow(whole)))
                case .value: return (part.name, part.take(&state, changes))
                case .rows, .derived:
                    part.track(&state, changes)
                    return (part.name, .whole { part.rows(whole) })
                }
            }
            let marks = kept.map { part -> (any Sendable)? in
                guard part.form == .settings else { return part.mark(state) }
                return TakenSettings(settings: part.mark(state), text: settingsRow(whole).text)
            }
            return (taken, marks)
        }
        world.mark(index, marks)
        return taken
    }

    /// Takes what has changed in a state since the last taking.
    ///
    /// Where no table has changed, the state keeps its box: work on a copy is valid as long as the box is the same.
    private static func takeChanged<State: Sendable>(
        _ world: inout World,
        _ index: Int,
        _ kept: [StatePart<State>],
        _ settingsRow: (State) -> StoredRow
    ) -> [(part: String, changes: PartChanges)] {
        var marks = world.parts[index].marks
        var taken: [(part: String, changes: PartChanges)] = []
        let tables = world.read(index, State.self) { state in
            var tables: [Int] = []
            for place in kept.indices where !kept[place].isAsTaken(state, marks[place]) {
                if kept[place].form == .rows {
                    tables.append(place)
                    continue
                }
                guard kept[place].form == .settings else {
                    for value in kept[place].rows(state) { taken.append((kept[place].name, .value(value))) }
                    marks[place] = kept[place].mark(state)
                    continue
                }
                // By their bytes: texts that are equal as Swift compares them can differ in these.
                let row = settingsRow(state)
                let present = TakenSettings(settings: kept[place].mark(state), text: row.text)
                guard (marks[place] as? TakenSettings)?.text != present.text else { continue }
                taken.append((kept[place].name, .value(row)))
                marks[place] = present
            }
            return tables
        }
        if !tables.isEmpty {
            let changes = world.changeCount(index)
            taken += world.with(index, State.self) { state, _ in
                tables.map { (kept[$0].name, kept[$0].take(&state, changes)) }
            }
        }
        world.mark(index, marks)
        return taken
    }

    private static func loadSettings<State: Sendable>(
        _ tree: SettingTree<State>,
        _ rows: [LoadedRow],
        isLenient: Bool,
        _ state: inout State
    ) -> [PartFault] {
        guard let row = rows.first, rows.count == 1 else { return [PartFault("must be one object")] }
        return tree.write(isLenient ? tree.fitting(row.content) : row.content, to: &state, at: "$").map { item in
            // The tree reports its own paths, which are below the part's.
            PartFault(row: 0, path: item.path.split(separator: ".").dropFirst().map { .key(String($0)) }, item.reason)
        }
    }
}

/// One part with its rows, which can be written elsewhere.
struct PartDump: Sendable {
    var name: String
    /// Tells whether it is an array of rows, not one value.
    var isRows: Bool
    /// The ranges of its numbers that count up.
    var counts: StoredRanges
    var rows: @Sendable () -> [StoredRow]
}

/// The problems of the parts of a state.
struct StateFaults: Error, Sendable {
    struct Item: Sendable {
        var part: String
        var isRows: Bool
        var fault: PartFault
    }

    var items: [Item]
}

/// The settings of an API as they were last taken for the store.
struct TakenSettings: Sendable {
    let settings: any Sendable
    /// Their text in the store.
    let text: [UInt8]
}
