package import Basics
package import JSON

/// The stored form of an API's state, type-erased.
///
/// A class, since a copy would count a reference for each of its closures, and each response asks whether something has
/// changed.
package final class StateForm: Sendable {
    /// The number of problems that are listed, enough to correct a document by.
    package static var mostFaults: Int { 100 }

    /// The stored parts in order: their names, and whether each is an array of rows or one value.
    package let parts: [(name: String, isRows: Bool)]
    /// Stored properties that no part names, and parts that name none; a restart would lose these.
    package let gaps: @Sendable () -> [String]
    /// Numbers of rows without a declared range, as `part.path`; also schemas that can't be derived.
    package let numbersWithoutRange: @Sendable () -> [String]
    /// The numbers in a document's part for which no range is declared.
    package let undeclared: @Sendable (_ part: String, _ json: JSON) -> [String]
    /// Every part with its rows, which can be written elsewhere.
    package let dump: @Sendable (AnyStateBox) -> [PartDump]
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
    package let rows: @Sendable (AnyStateBox, _ table: String) -> [TableRow]
    /// Makes another state with one row written, or removed if there is no content; or returns the problems.
    package let edit: @Sendable (AnyStateBox, _ table: String, _ id: String, JSON?) -> Result<AnyStateBox, StateFaults>
    /// Makes a state from the parts that were found, or returns their problems.
    ///
    /// The last argument is their source.
    package let load: @Sendable ([String: [LoadedRow]], WorldCore, StoredSource) -> Result<AnyStateBox, StateFaults>
    /// Makes a state from the one underneath and its changes, not bound to a world; or returns the problems.
    ///
    /// The last argument is their source.
    package let amend:
        @Sendable (AnyStateBox?, [String: StoredLayer.Part], StoredSource) -> Result<AnyStateBox, StateFaults>
    /// Returns a copy of such a state bound to a world.
    package let settle: @Sendable (AnyStateBox, WorldCore) -> AnyStateBox
    /// The number of rows of a state.
    package let count: @Sendable (AnyStateBox) -> Int
    /// Tells whether a response has to wait for the store; a quick check omits the parts whose changes are counted.
    ///
    /// The marks are those of the last taking.
    package let hasChanged: @Sendable (AnyStateBox, _ marks: [(any Sendable)?], _ isQuick: Bool) -> Bool
    /// Takes all of a state, and begins to track its changes.
    package let takeWhole: @Sendable (AnyStateBox, ChangeCount) -> Taken
    /// Takes what has changed in a state beside its tables, and names the tables that have.
    package let takeValues: @Sendable (AnyStateBox, _ marks: [(any Sendable)?]) -> Taken
    /// Takes the changes of tables that `takeValues` named.
    package let takeTables:
        @Sendable (AnyStateBox, _ tables: [Int], ChangeCount) -> [(part: String, changes: PartChanges)]

    /// The parts of a state that were taken for the store.
    package struct Taken {
        package var changes: [(part: String, changes: PartChanges)] = []
        /// The state as it is then taken, by its parts.
        package var marks: [(any Sendable)?]
        /// The tables whose changes are still to be taken.
        package var tables: [Int] = []
    }

    /// Creates the form of an API's state.
    ///
    /// - Parameters:
    ///   - api: Declares the parts in the order in which they are written.
    ///   - tree: The settings, which are one of the parts.
    ///   - seed: Supplies the parts that were not found.
    package init<State>(_ api: APIDefinition<State>, _ tree: SettingTree<State>, seed: @escaping @Sendable () -> State)
    {
        let storedProperties = api.storedProperties()
        let (bind, reindex, dropsUnknownSettings) = (api.bind, api.reindex, api.dropsUnknownSettings)
        gaps = {
            let declared = storedProperties.map(\.name)
            let stored = Mirror(reflecting: seed()).children.compactMap(\.label)
            return stored.filter { !declared.contains($0) } + declared.filter { !stored.contains($0) }
                + declared.indices.filter { declared[..<$0].contains(declared[$0]) }.map { declared[$0] }
        }
        let kept = storedProperties.filter { $0.form != .derived }
        parts = kept.map { ($0.name, $0.form == .rows) }
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
            bind?(&state, core)
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
            return part.namedRows?(state) ?? part.rows(state).map { TableRow(id: $0.id, content: $0.content) }
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
        hasChanged = { box, marks, isQuick in
            guard marks.count == partCount else { return true }
            guard !isQuick || !uncounted.isEmpty else { return false }
            return (isQuick ? uncounted : checks).contains { check in
                check.hasChanged(box.typed(State.self).state, marks[check.place])
            }
        }
        takeWhole = { Self.takeWhole(&$0.typed(State.self).state, kept, $1, settingsRow) }
        takeValues = { Self.takeValues($0.typed(State.self).state, kept, $1, settingsRow) }
        takeTables = { box, tables, changes in
            tables.map { (kept[$0].name, kept[$0].take(&box.typed(State.self).state, changes)) }
        }
    }

    private static func takeWhole<State: Sendable>(
        _ state: inout State,
        _ kept: [StatePart<State>],
        _ changes: ChangeCount,
        _ settingsRow: (State) -> StoredRow
    ) -> Taken {
        // Copied before the tables begin to track changes, so that the copy has their present content.
        let whole = state
        var taken = Taken(marks: [])
        for part in kept {
            switch part.form {
            case .settings: taken.changes.append((part.name, .value(settingsRow(whole))))
            case .value: taken.changes.append((part.name, part.take(&state, changes)))
            case .rows, .derived:
                part.track(&state, changes)
                taken.changes.append((part.name, .whole { part.rows(whole) }))
            }
        }
        taken.marks = kept.map { part in
            guard part.form == .settings else { return part.mark(state) }
            return StoredSettings(settings: part.mark(state), text: settingsRow(whole).text)
        }
        return taken
    }

    /// Takes the values that have changed.
    ///
    /// Where no table has changed, the state keeps its box: work on a copy is valid as long as the box is the same.
    private static func takeValues<State: Sendable>(
        _ state: State,
        _ kept: [StatePart<State>],
        _ marks: [(any Sendable)?],
        _ settingsRow: (State) -> StoredRow
    ) -> Taken {
        var taken = Taken(marks: marks)
        for (place, part) in kept.enumerated() where !part.isAsTaken(state, marks[place]) {
            switch part.form {
            case .rows: taken.tables.append(place)
            case .settings:
                // By their bytes: texts that are equal as Swift compares them can differ in these.
                let row = settingsRow(state)
                let present = StoredSettings(settings: part.mark(state), text: row.text)
                guard (marks[place] as? StoredSettings)?.text != present.text else { continue }
                taken.changes.append((part.name, .value(row)))
                taken.marks[place] = present
            case .value, .derived:
                for value in part.rows(state) { taken.changes.append((part.name, .value(value))) }
                taken.marks[place] = part.mark(state)
            }
        }
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
package struct PartDump: Sendable {
    package var name: String
    /// Tells whether it is an array of rows, not one value.
    package var isRows: Bool
    /// The ranges of its numbers that count up.
    package var counts: StoredRanges
    package var rows: @Sendable () -> [StoredRow]
}

/// The problems of the parts of a state.
package struct StateFaults: Error, Sendable {
    package struct Item: Sendable {
        package var part: String
        package var isRows: Bool
        package var fault: PartFault
    }

    package var items: [Item]
}

/// The settings of an API as they were last taken for the store.
struct StoredSettings: Sendable {
    let settings: any Sendable
    /// Their text in the store.
    let text: [UInt8]
}
