import JSON

/// One stored property of an API's state, and how it leaves the process and comes back.
///
/// An API lists every stored property of its state: what a request can change as a table, windows or a value, the
/// switches as settings, and the rest as derived, which `EmulatedAPI.reindex` or `adopt` makes anew.
package struct StatePart<State: Sendable>: Sendable {
    enum Form: Sendable, Equatable { case rows, value, settings, derived }

    /// The name of the stored property.
    package let name: String
    let form: Form
    let rows: @Sendable (State) -> [StoredRow]
    let load: @Sendable ([LoadedRow], inout State) -> [PartFault]
    let track: @Sendable (inout State) -> Void
    /// Whether it has changed in a way that an answer has to wait for; the second is what `mark` made of it before.
    let hasChanged: @Sendable (State, (any Sendable)?) -> Bool
    let mark: @Sendable (State) -> (any Sendable)?
    let take: @Sendable (inout State) -> PartChanges
    /// How many rows it has.
    var count: @Sendable (State) -> Int = { _ in 0 }

    /// A table.
    package static func table<Element: Row & Codable>(
        _ name: String,
        _ path: any WritableKeyPath<State, Table<Element>> & Sendable
    ) -> StatePart {
        StatePart(
            name: name,
            form: .rows,
            rows: { Self.stored($0[keyPath: path].placedRows) },
            load: { rows, state in
                var faults: [PartFault] = []
                if let table = Self.table(of: Element.self, rows, &faults) { state[keyPath: path] = table }
                return faults
            },
            track: { $0[keyPath: path].changes = RowChanges() },
            hasChanged: { state, _ in state[keyPath: path].changes?.isEmpty != true },
            mark: { _ in nil },
            take: { state in
                let changes = state[keyPath: path].takeChanges()
                if changes.isWhole { return .whole { Self.stored(changes.present) } }
                guard !changes.present.isEmpty || !changes.gone.isEmpty else { return .nothing }
                return .some(put: Self.stored(changes.present), gone: changes.gone)
            },
            count: { $0[keyPath: path].count }
        )
    }

    /// Rate-limit windows.
    ///
    /// They are written with what else is written: no answer waits for a counted request.
    package static func windows(
        _ name: String,
        _ path: any WritableKeyPath<State, FixedWindows> & Sendable
    ) -> StatePart {
        StatePart(
            name: name,
            form: .rows,
            rows: { $0[keyPath: path].storedRows },
            load: { rows, state in
                var faults: [PartFault] = []
                let lines = FixedWindows.lines(rows, &faults)
                if faults.isEmpty { state[keyPath: path] = FixedWindows(lines) }
                return faults
            },
            track: { $0[keyPath: path].changes = RowChanges() },
            hasChanged: { _, _ in false },
            mark: { _ in nil },
            take: { $0[keyPath: path].takeChanges() }
        )
    }

    /// A small value, written as a whole when it is another than before.
    package static func value<Value: Codable & Equatable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<State, Value> & Sendable
    ) -> StatePart {
        StatePart(
            name: name,
            form: .value,
            rows: { [StoredRow(id: "", place: 0, $0[keyPath: path])] },
            load: { rows, state in
                guard let row = rows.first, rows.count == 1 else { return [PartFault("must be one value")] }
                do throws(JSONDecodingError) {
                    state[keyPath: path] = try StateCoding.read(Value.self, row.content)
                    return []
                } catch {
                    return error.issues.map { PartFault(row: 0, path: $0.path, $0.reason) }
                }
            },
            track: { _ in },
            hasChanged: { state, mark in (mark as? Value) != state[keyPath: path] },
            mark: { $0[keyPath: path] },
            take: { .value(StoredRow(id: "", place: 0, $0[keyPath: path])) }
        )
    }

    /// The property that holds the switches: `EmulatedAPI.settings` says how they are read and written.
    package static func settings(_ name: String) -> StatePart { marker(name, .settings) }

    /// Switches of which requests change some, as those that count down.
    ///
    /// `counted` is a number that is another after each such change, so that an answer waits for it.
    package static func settings(_ name: String, counted: @escaping @Sendable (State) -> Int) -> StatePart {
        StatePart(
            name: name,
            form: .settings,
            rows: { _ in [] },
            load: { _, _ in [] },
            track: { _ in },
            hasChanged: { state, mark in (mark as? Int) != counted(state) },
            mark: { counted($0) },
            take: { _ in .nothing }
        )
    }

    /// A property that is made anew from the others, or from the world's seed.
    package static func derived(_ name: String) -> StatePart { marker(name, .derived) }

    private static func marker(_ name: String, _ form: Form) -> StatePart {
        StatePart(
            name: name,
            form: form,
            rows: { _ in [] },
            load: { _, _ in [] },
            track: { _ in },
            hasChanged: { _, _ in false },
            mark: { _ in nil },
            take: { _ in .nothing }
        )
    }

    private static func stored<Element: Row & Codable>(_ rows: [(place: Int, row: Element)]) -> [StoredRow] {
        rows.map { StoredRow(id: $0.row.id, place: $0.place, $0.row) }
    }

    /// Reads a table; nil, with the faults, if a row does not fit.
    private static func table<Element: Row & Codable>(
        of type: Element.Type,
        _ rows: [LoadedRow],
        _ faults: inout [PartFault]
    ) -> Table<Element>? {
        var placed: [(place: Int, row: Element)] = []
        placed.reserveCapacity(rows.count)
        var seen: Set<ExactText> = []
        for (number, loaded) in rows.enumerated() where faults.count < StateForm.mostFaults {
            do throws(JSONDecodingError) {
                let row = try StateCoding.read(Element.self, loaded.content)
                if let id = loaded.id, ExactText(id) != ExactText(row.id) {
                    faults.append(PartFault(row: number, "is stored under \"\(id)\" and says it is \"\(row.id)\""))
                }
                if !seen.insert(ExactText(row.id)).inserted {
                    faults.append(
                        PartFault(row: number, path: [.key("id")], "\"\(row.id)\" is taken by an earlier row")
                    )
                }
                placed.append((loaded.place ?? placed.count, row))
            } catch {
                faults += error.issues.map { PartFault(row: number, path: $0.path, $0.reason) }
            }
        }
        guard faults.isEmpty else { return nil }
        guard let table = Table(placed: placed) else {
            faults.append(PartFault("its rows do not stand in an order that they can have"))
            return nil
        }
        return table
    }
}

extension FixedWindows {
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
        return .some(put: put, gone: gone)
    }

    fileprivate static func lines(_ rows: [LoadedRow], _ faults: inout [PartFault]) -> [Line] {
        var lines: [Line] = []
        var seen: Set<ExactText> = []
        var hasFloor = false
        for (number, row) in rows.enumerated() where faults.count < StateForm.mostFaults {
            do throws(JSONDecodingError) {
                let line = try StateCoding.read(Line.self, row.content)
                if let key = line.key, !seen.insert(ExactText(key)).inserted {
                    faults.append(PartFault(row: number, path: [.key("key")], "\"\(key)\" is taken by an earlier row"))
                } else if line.key == nil, hasFloor {
                    faults.append(PartFault(row: number, "only one window can be without a key"))
                }
                // The most a counter reaches in practice, so that counting on can't overflow.
                if !(0...Int(Int32.max)).contains(line.used) {
                    faults.append(PartFault(row: number, path: [.key("used")], "must be from 0 to \(Int32.max)"))
                }
                hasFloor = hasFloor || line.key == nil
                lines.append(line)
            } catch {
                faults += error.issues.map { PartFault(row: number, path: $0.path, $0.reason) }
            }
        }
        return lines
    }
}
