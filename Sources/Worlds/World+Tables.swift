package import Backend
package import JSON

/// The rows of a world's tables, one by one (console contract, section 5).
extension World {
    /// Returns the state of a part as its first use would find it.
    ///
    /// A row that is written before that use must not be changed by it (console contract, section 5).
    private func box(_ index: Int) -> AnyStateBox { begun(parts[index].box?.copied(), index) }

    /// Returns a state, or the seed's, with the values that it derives from the world's start.
    package func begun(_ copy: AnyStateBox?, _ index: Int) -> AnyStateBox {
        let box = copy ?? parts[index].api.makeState(core, parts[index].epoch)
        parts[index].api.begin(box, parts[index].epoch)
        return box
    }

    /// The tables of an API's part, in the order of the world document.
    package func tables(_ index: Int) -> [StateForm.TableForm] {
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
