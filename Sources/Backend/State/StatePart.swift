import Basics
import CivilTime
package import JSON

/// Reads a row of a table from its stored form.
package typealias RowReader<Element> = @Sendable (JSON) throws(JSONDecodingError) -> Element

/// One stored property of an API's state, with its stored form.
///
/// An API lists every stored property of its state. What a request can change is a table, windows or a value, the
/// switches are settings, and everything else is derived: `APIDefinition.reindex` or `bind` makes it anew.
package struct StatePart<State: Sendable>: Sendable {
    enum Form: Sendable, Equatable { case rows, value, settings, derived }

    /// The name of the stored property.
    package let name: String
    let form: Form
    let rows: @Sendable (State) -> [StoredRow]
    /// Reads the part; the second argument is its source.
    let load: @Sendable ([LoadedRow], StoredSource, inout State) -> [PartFault]
    /// Returns the conflicts with other parts, once all are read.
    let check: @Sendable (State) -> [PartFault]
    /// The ranges of its numbers.
    let ranges: StoredRanges
    /// The schema of a row, which shows numbers without a range; nil if the part has no such schema.
    let shape: @Sendable () throws(SchemaError) -> JSONSchema?
    /// Begins to track changes, each of which is counted.
    let track: @Sendable (inout State, ChangeCount) -> Void
    /// Tells whether it has a change that a response has to wait for; the second argument is the earlier result of
    /// `mark`.
    ///
    /// Nil if no response ever waits for it.
    let hasChanged: (@Sendable (State, (any Sendable)?) -> Bool)?
    let mark: @Sendable (State) -> (any Sendable)?
    let take: @Sendable (inout State, ChangeCount) -> PartChanges
    /// Tells that every change is counted, so that an unchanged count means no change.
    var isCounted = false
    /// Changes some rows; nil where `load` can do it.
    var amend: (@Sendable (StoredLayer.Part, inout State) -> [PartFault])?
    /// Returns further problems of a row of the seed, whose rows may have less than those of a document.
    var inspect: @Sendable (JSON) -> [PartFault] = { _ in [] }
    /// Tells whether `take` would return nothing; the second argument is the earlier result of `mark`.
    var isAsTaken: @Sendable (State, (any Sendable)?) -> Bool = { _, _ in false }
    /// The number of its rows.
    var count: @Sendable (State) -> Int = { _ in 0 }
    /// The schema of one row, where `shape` is that of the whole part.
    var rowShape: (@Sendable () throws(SchemaError) -> JSONSchema?)?
    /// The member that names a row of a table.
    var key = "id"
    /// The rows of other tables that members of a row name.
    private(set) var references: [RowReference] = []
    /// The rows of a table under the names that calls give them; nil where these are those of the store.
    var namedRows: (@Sendable (State) -> [TableRow])?
    /// Writes one row of a table; nil for other parts.
    var put: (@Sendable (JSON, inout State) -> [PartFault])?
    /// Removes one row of a table; nil for other parts.
    var remove: (@Sendable (String, inout State) -> Void)?

    /// Declares which rows of other tables members name, where their own names do not tell it: `userId` those of
    /// `users`.
    package func referring(_ references: RowReference...) -> StatePart {
        var part = self
        part.references = references
        return part
    }

    /// Returns the part with rows whose id is that member's value as text.
    package func keyed(by member: String) -> StatePart {
        var part = self
        part.key = member
        return part
    }

    /// Returns the part with rows that calls name by a member of theirs, since their ids are made of several.
    ///
    /// A name that an earlier row has, which only another owner's can, is that row's; the later one goes by its id.
    package func named<Element: Row & Codable>(
        by member: String,
        _ name: any KeyPath<Element, String> & Sendable,
        in path: any KeyPath<State, Table<Element>> & Sendable
    ) -> StatePart {
        let id: @Sendable (String, State) -> String = { wanted, state in
            state[keyPath: path].rows.first { $0[keyPath: name] == wanted }?.id ?? wanted
        }
        var part = self
        part.key = member
        part.namedRows = { state in
            var taken: Set<String> = []
            return state[keyPath: path].rows.map { row in
                let isFirst = taken.insert(row[keyPath: name]).inserted
                return TableRow(id: isFirst ? row[keyPath: name] : row.id, content: StateCoding.json(row))
            }
        }
        part.put = { [put] json, state in
            // A row that gets another owner is the same one still, unless that owner has one of the name.
            var moved: String?
            if let row = try? StateCoding.read(Element.self, json), state[keyPath: path][row.id] == nil {
                moved = id(row[keyPath: name], state)
            }
            let faults = put?(json, &state) ?? []
            if faults.isEmpty, let moved { remove?(moved, &state) }
            return faults
        }
        part.remove = { [remove] wanted, state in remove?(id(wanted, state), &state) }
        return part
    }

    /// Creates the part of a table, with the ranges of the numbers in its rows.
    ///
    /// - Parameters:
    ///   - name: The name of the stored property.
    ///   - path: The key path of the property.
    ///   - ranges: The range of every number in a row.
    ///   - most: The most rows that a document or a call gives it; a store may have more.
    ///   - rule: A further check of a row.
    ///   - naming: The names of rows that keep the ids that they were stored under; without it another id is damage.
    ///   - read: Reads a row; by itself the row's type does.
    /// - Returns: The part.
    package static func table<Element: Row & Codable>(
        _ name: String,
        _ path: any WritableKeyPath<State, Table<Element>> & Sendable,
        ranges: StoredRanges = .none,
        most: Int = .max,
        rule: RowRule<Element>? = nil,
        naming: RowNaming<State, Element>? = nil,
        read: @escaping RowReader<Element> = { json throws(JSONDecodingError) in
            try StateCoding.read(Element.self, json)
        }
    ) -> StatePart {
        var namedRows: (@Sendable (State) -> [TableRow])?
        if let naming { namedRows = { naming.named($0[keyPath: path].rows, $0) } }
        return StatePart(
            name: name,
            form: .rows,
            rows: { $0[keyPath: path].storedRows },
            load: { rows, source, state in
                guard rows.count <= most || source == .store else {
                    return [PartFault(path: [.index(most)], "a table has at most \(most) rows")]
                }
                var faults: [PartFault] = []
                if let table = Self.table(of: read, rows, (ranges, source), rule, naming?.under, &faults) {
                    state[keyPath: path] = table
                }
                return faults
            },
            check: { _ in [] },
            ranges: ranges,
            shape: { () throws(SchemaError) in try JSONSchema.derived(from: Element.self) },
            track: { $0[keyPath: path].changes = RowChanges(counting: $1) },
            hasChanged: { state, _ in !state[keyPath: path].isUntouched },
            mark: { _ in nil },
            take: { PartChanges($0[keyPath: path].takeNoted(counting: $1)) },
            isCounted: true,
            amend: { part, state in
                var faults: [PartFault] = []
                _ = Self.amend(&state[keyPath: path], part, ranges, read, rule, naming?.under, &faults)
                return faults
            },
            inspect: { row in
                var faults = ranges.faults(in: row, from: .document).map { PartFault(path: $0.path, $0.reason) }
                if let rule, let element = try? read(row), let fault = rule.fault(element) { faults.append(fault) }
                return faults
            },
            isAsTaken: { state, _ in state[keyPath: path].isUntouched },
            count: { $0[keyPath: path].count },
            namedRows: namedRows,
            put: { json, state in
                let outOfRange = ranges.faults(in: json, from: .document).map { PartFault(path: $0.path, $0.reason) }
                var faults = outOfRange
                var row: Element?
                do throws(JSONDecodingError) {
                    row = try read(json)
                    if let rule, let fault = row.flatMap(rule.fault) { faults.append(fault) }
                } catch {
                    let refused = RefusedRow<Element>(json, error.issues, ranges, rule: rule)
                    (row, faults) = (refused.whole, refused.faults())
                }
                guard var row, outOfRange.isEmpty else { return faults }
                if let naming, let name = naming.name(row) {
                    row = naming.under(row, naming.find(state, name) ?? naming.make(state, name))
                }
                if state[keyPath: path].count >= most, state[keyPath: path][row.id] == nil {
                    faults.append(PartFault(path: [], "the table is full: it has at most \(most) rows"))
                }
                // Even if something else is wrong with it, since other parts are compared with the row.
                state[keyPath: path].insert(row)
                return faults
            },
            remove: { id, state in
                state[keyPath: path].remove(naming?.find(state, id) ?? id)
            }
        )
    }

    /// Creates the part of rate-limit windows.
    ///
    /// They are written along with other changes: no response waits for a counted request.
    package static func windows(
        _ name: String,
        _ path: any WritableKeyPath<State, FixedWindows> & Sendable
    ) -> StatePart {
        StatePart(
            name: name,
            form: .rows,
            rows: { $0[keyPath: path].storedRows },
            load: { rows, _, state in
                var faults: [PartFault] = []
                let lines = FixedWindows.lines(rows, &faults)
                if faults.isEmpty { state[keyPath: path] = FixedWindows(lines) }
                return faults
            },
            check: { _ in [] },
            ranges: ["used": .amount, "end": .date],
            shape: { () throws(SchemaError) in try JSONSchema.derived(from: FixedWindows.Line.self) },
            track: { state, _ in state[keyPath: path].changes = RowChanges() },
            hasChanged: nil,
            mark: { _ in nil },
            take: { state, _ in state[keyPath: path].takeChanges() },
            amend: { part, state in
                var faults: [PartFault] = []
                let lines = FixedWindows.lines(part.rows, &faults)
                if faults.isEmpty { state[keyPath: path].amend(lines, gone: part.gone) }
                return faults
            },
            isAsTaken: { state, _ in state[keyPath: path].changes?.isEmpty == true },
            key: "key",
            namedRows: { $0[keyPath: path].namedRows },
            put: { json, state in
                var faults: [PartFault] = []
                let lines = FixedWindows.lines([LoadedRow(content: json)], &faults)
                if faults.isEmpty, let line = lines.first { state[keyPath: path].put(line) }
                return faults.map { PartFault(path: $0.path, $0.reason) }
            },
            remove: { id, state in state[keyPath: path].remove(named: id) }
        )
    }

    /// Creates the part of a short list of values that a member names, written as a whole when it has changed.
    ///
    /// - Parameters:
    ///   - name: The name of the stored property.
    ///   - path: The key path of the property.
    ///   - key: The member that names a value.
    ///   - keyPath: The key path of that member.
    ///   - ranges: The range of every number in the list.
    ///   - check: Returns the conflicts with other parts, once all are read.
    /// - Returns: The part.
    package static func list<Element: Codable & Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<State, [Element]> & Sendable,
        key: String,
        _ keyPath: any KeyPath<Element, String> & Sendable,
        ranges: StoredRanges = .none,
        check: @escaping @Sendable (State) -> [PartFault] = { _ in [] }
    ) -> StatePart {
        var part = value(name, path, ranges: ranges, check: check)
        part.key = key
        part.namedRows = { state in
            state[keyPath: path].map {
                TableRow(id: $0[keyPath: keyPath], content: StateCoding.json($0))
            }
        }
        let ofElement = ranges.ofElements
        part.rowShape = { () throws(SchemaError) in try JSONSchema.derived(from: Element.self) }
        part.put = { json, state in
            do throws(JSONDecodingError) {
                let element = try StateCoding.read(Element.self, json)
                let faults = ofElement.faults(in: json, from: .document).map { PartFault(path: $0.path, $0.reason) }
                guard faults.isEmpty else { return faults }
                let id = ExactText(element[keyPath: keyPath])
                if let place = state[keyPath: path].firstIndex(where: { ExactText($0[keyPath: keyPath]) == id }) {
                    state[keyPath: path][place] = element
                } else {
                    state[keyPath: path].append(element)
                }
                return []
            } catch {
                return RefusedRow<Element>(json, error.issues, ofElement).faults()
            }
        }
        part.remove = { id, state in
            state[keyPath: path].removeAll { ExactText($0[keyPath: keyPath]) == ExactText(id) }
        }
        return part
    }

    /// Creates the part of the last number that was issued: from 0 to 2^53, and at least the largest that is present.
    ///
    /// - Parameters:
    ///   - name: The name of the stored property.
    ///   - path: The key path of the property.
    ///   - least: The largest number in the other parts.
    /// - Returns: The part.
    package static func counter<Value: FixedWidthInteger & Codable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<State, Value> & Sendable,
        least: @escaping @Sendable (State) -> Value
    ) -> StatePart {
        value(name, path, ranges: ["": .count]) { state in
            let least = least(state)
            return state[keyPath: path] < least
                ? [PartFault(row: 0, "must be at least \(least), the largest number in use")] : []
        }
    }

    /// Creates the part of a small value, written as a whole when it has changed.
    ///
    /// - Parameters:
    ///   - name: The name of the stored property.
    ///   - path: The key path of the property.
    ///   - ranges: The range of every number in it.
    ///   - check: Returns the conflicts with other parts, once all are read.
    /// - Returns: The part.
    package static func value<Value: Codable & Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<State, Value> & Sendable,
        ranges: StoredRanges = .none,
        check: @escaping @Sendable (State) -> [PartFault] = { _ in [] }
    ) -> StatePart {
        StatePart(
            name: name,
            form: .value,
            rows: { [StoredRow(id: "", place: 0, $0[keyPath: path])] },
            load: { rows, source, state in
                guard let row = rows.first, rows.count == 1 else { return [PartFault("must be one value")] }
                do throws(JSONDecodingError) {
                    state[keyPath: path] = try StateCoding.read(Value.self, row.content)
                    return ranges.faults(in: row.content, from: source).map {
                        PartFault(row: 0, path: $0.path, $0.reason)
                    }
                } catch {
                    return RefusedRow<Value>(row.content, error.issues, ranges, from: source).faults(row: 0)
                }
            },
            check: check,
            ranges: ranges,
            shape: { () throws(SchemaError) in try JSONSchema.derived(from: Value.self) },
            track: { _, _ in },
            hasChanged: { state, mark in (mark as? Value) != state[keyPath: path] },
            mark: { $0[keyPath: path] },
            take: { state, _ in .value(StoredRow(id: "", place: 0, state[keyPath: path])) },
            isAsTaken: { state, mark in (mark as? Value) == state[keyPath: path] }
        )
    }

    /// Creates the part of the switches; `APIDefinition.settings` declares how they are read and written.
    ///
    /// - Parameters:
    ///   - name: The name of the stored property.
    ///   - path: The key path of the property.
    ///   - counted: Returns a number that changes with each change by a request, such as that of a switch that counts
    ///     down, so that a response waits for it.
    /// - Returns: The part.
    package static func settings<Settings: Equatable & Sendable>(
        _ name: String,
        _ path: any KeyPath<State, Settings> & Sendable,
        counted: (@Sendable (Settings) -> Int)? = nil
    ) -> StatePart {
        var hasChanged: (@Sendable (State, (any Sendable)?) -> Bool)?
        if let counted {
            hasChanged = { state, mark in
                ((mark as? StoredSettings)?.settings as? Settings).map(counted) != counted(state[keyPath: path])
            }
        }
        return StatePart(
            name: name,
            form: .settings,
            rows: { _ in [] },
            load: { _, _, _ in [] },
            check: { _ in [] },
            ranges: .none,
            shape: { nil },
            track: { _, _ in },
            hasChanged: hasChanged,
            mark: { $0[keyPath: path] },
            take: { _, _ in .nothing }
        )
    }

    /// Creates the part of a property that is derived from the others, or from the world's seed.
    package static func derived(_ name: String) -> StatePart {
        StatePart(
            name: name,
            form: .derived,
            rows: { _ in [] },
            load: { _, _, _ in [] },
            check: { _ in [] },
            ranges: .none,
            shape: { nil },
            track: { _, _ in },
            hasChanged: nil,
            mark: { _ in nil },
            take: { _, _ in .nothing },
            isAsTaken: { _, _ in true }
        )
    }

    /// Changes some rows of a table; returns false and adds the problems if they do not fit.
    package static func amend<Element: Row & Codable>(
        _ table: inout Table<Element>,
        _ part: StoredLayer.Part,
        _ ranges: StoredRanges,
        _ read: RowReader<Element>,
        _ rule: RowRule<Element>?,
        _ under: ((Element, String) -> Element)?,
        _ faults: inout [PartFault]
    ) -> Bool {
        if part.isWhole { table = Table() }
        guard !part.rows.isEmpty || !part.gone.isEmpty else { return true }
        // Read as a table of their own, since their places are far apart.
        var rows = part.rows
        for place in rows.indices { rows[place].place = nil }
        guard let changed = Self.table(of: read, rows, (ranges, .store), rule, under, &faults) else { return false }
        let placed = zip(part.rows, changed.rows).map { (place: $0.place ?? 0, row: $1) }
        guard table.amend(placed, gone: part.gone) else {
            faults.append(PartFault("its rows are not in a valid order"))
            return false
        }
        return true
    }

    /// Reads a table; returns nil and adds the problems if a row does not fit.
    private static func table<Element: Row & Codable>(
        of read: RowReader<Element>,
        _ rows: [LoadedRow],
        _ ranges: (declared: StoredRanges, source: StoredSource),
        _ rule: RowRule<Element>?,
        _ under: ((Element, String) -> Element)?,
        _ faults: inout [PartFault]
    ) -> Table<Element>? {
        var placed: [(place: Int, row: Element)] = []
        placed.reserveCapacity(rows.count)
        var seen: Set<ExactText> = []
        for (number, loaded) in rows.enumerated() where faults.count < StateForm.mostFaults {
            do throws(JSONDecodingError) {
                var row = try read(loaded.content)
                // A key that another row has by now was none when the row was written.
                if let under, loaded.id != nil || row.id.isEmpty || seen.contains(ExactText(row.id)) {
                    row = under(row, loaded.id ?? Self.freeID(of: number, besides: seen))
                } else if let id = loaded.id, ExactText(id) != ExactText(row.id) {
                    let reason = "is stored under \"\(id.cut)\" and says it is \"\(row.id.cut)\""
                    faults.append(PartFault(row: number, reason))
                }
                if !seen.insert(ExactText(row.id)).inserted { faults.append(.taken(row.id, row: number)) }
                faults += ranges.declared.faults(in: loaded.content, from: ranges.source).map {
                    PartFault(row: number, path: $0.path, $0.reason)
                }
                if var fault = rule?.fault(row) {
                    fault.row = number
                    faults.append(fault)
                }
                placed.append((loaded.place ?? placed.count, row))
            } catch {
                let (declared, source) = ranges
                let refused = RefusedRow<Element>(loaded.content, error.issues, declared, from: source, rule: rule)
                faults += refused.faults(row: number)
                if let id = refused.id, !seen.insert(ExactText(id)).inserted { faults.append(.taken(id, row: number)) }
            }
        }
        guard faults.isEmpty else { return nil }
        guard let table = Table(placed: placed) else {
            faults.append(PartFault("its rows are not in a valid order"))
            return nil
        }
        return table
    }

    /// The id of a row that comes without one.
    private static func freeID(of number: Int, besides seen: Set<ExactText>) -> String {
        var id = "row-\(number + 1)"
        while seen.contains(ExactText(id)) { id += "'" }
        return id
    }
}

extension FixedWindows {
    /// The name of the window without a key, which holds for every key.
    private static let floorName = "*"

    fileprivate var namedRows: [TableRow] {
        lines.map { TableRow(id: $0.key ?? Self.floorName, content: StateCoding.json($0)) }
    }

    fileprivate mutating func remove(named name: String) { remove(name == Self.floorName ? nil : name) }

    private static func id(_ line: Line) -> String { line.key.map { "k\($0)" } ?? "floor" }

    fileprivate var storedRows: [StoredRow] {
        lines.enumerated().map { StoredRow(id: Self.id($0.element), place: $0.offset, $0.element) }
    }

    fileprivate mutating func takeChanges() -> PartChanges {
        guard let noted = changes, !noted.isWhole else {
            changes = RowChanges()
            let copy = self
            return .whole { copy.storedRows }
        }
        guard !noted.isEmpty else { return .nothing }
        changes = RowChanges()
        var put: [StoredRow] = []
        var gone: [String] = []
        var seen: Set<ExactText> = []
        for key in noted.ids where seen.insert(ExactText(key)).inserted {
            if let line = line(key) {
                put.append(StoredRow(id: Self.id(line), place: 0, line))
            } else {
                gone.append("k\(key)")
            }
        }
        return .some { [put, gone] in (put, gone) }
    }

    fileprivate static func lines(_ rows: [LoadedRow], _ faults: inout [PartFault]) -> [Line] {
        var lines: [Line] = []
        var seen: Set<ExactText> = []
        var hasFloor = false
        let ranges: StoredRanges = ["used": .whole(0...Int64(mostUsed)), "end": .date]
        for (number, row) in rows.enumerated() where faults.count < StateForm.mostFaults {
            var read: Line?
            do throws(JSONDecodingError) {
                let line = try StateCoding.read(Line.self, row.content)
                if !(0...mostUsed).contains(line.used) {
                    faults.append(PartFault(row: number, path: [.key("used")], "must be from 0 to \(mostUsed)"))
                }
                read = line
            } catch {
                let refused = RefusedRow<Line>(row.content, error.issues, ranges)
                faults += refused.faults(row: number)
                read = refused.whole
            }
            guard let line = read else { continue }
            if let key = line.key, !seen.insert(ExactText(key)).inserted {
                faults.append(.taken(key, at: "key", row: number))
            } else if line.key == nil, hasFloor {
                faults.append(PartFault(row: number, "only one window can be without a key"))
            }
            hasFloor = hasFloor || line.key == nil
            lines.append(line)
        }
        return lines
    }
}
