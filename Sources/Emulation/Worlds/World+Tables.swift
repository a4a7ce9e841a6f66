package import JSON

/// The rows of a world's tables, one by one (console contract, section 5).
extension World {
    package struct TableRow: Sendable {
        package let id: String
        package let content: JSON
    }

    private func box(_ index: Int) -> AnyStateBox { parts[index].box ?? parts[index].api.makeState(core) }

    /// The tables of an API's part, in the order of the world document: names, the members that name a row, and the
    /// schemas of rows.
    package func tables(_ index: Int) -> [(name: String, key: String, schema: @Sendable () -> JSONSchema?)] {
        parts[index].api.stateForm.tables
    }

    /// Returns the rows of a table in its order.
    package func rows(ofTable name: String, _ index: Int) -> [TableRow] {
        parts[index].api.stateForm.rows(box(index), name)
    }

    /// Writes a row, or removes it if there is no content; returns what does not fit, as an import would say it.
    package mutating func edit(
        table name: String,
        _ index: Int,
        id: String,
        _ content: JSON?
    ) -> [(path: [JSONPathElement], reason: String)] {
        switch parts[index].api.stateForm.edit(box(index), name, id, content) {
        case .success(let box):
            put(box, at: index)
            return []
        case .failure(let faults): return faults.items.map { ($0.fault.path, $0.fault.reason) }
        }
    }
}

extension Emulator {
    /// A copy of what is needed to read the tables of a world elsewhere.
    package struct TableCopy {
        package let world: World
        private let origin: [AnyStateBox?]

        fileprivate init(_ hosted: HostedWorld) {
            world = hosted.world.withoutJournal
            origin = hosted.origin
        }

        /// Returns the rows of a table as the world began with them: its making, its fork or its last reset.
        package func originalRows(ofTable name: String, _ index: Int) -> [World.TableRow] {
            let api = world.parts[index].api
            let box = index < origin.count ? origin[index] : nil
            return api.stateForm.rows(box ?? api.makeState(world.core), name)
        }
    }

    package func tables(of hosted: HostedWorld) -> TableCopy { TableCopy(hosted) }
}
