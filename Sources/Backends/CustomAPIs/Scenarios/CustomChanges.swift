import APIFolders
import Backend
import CivilTime
import JSON

/// A change that a scenario makes when it is switched on (own-API contract, section 10).
struct CustomChange: Sendable {
    enum Kind: Sendable {
        /// A merge patch of rows.
        case set(JSONObject)
        case delete
        case insert(JSONObject)
        case tokens(TokenEnding.Manner, TokenEnding.Scope, user: String?)
    }

    let kind: Kind
    /// The place of the table; nil for a change of tokens.
    let table: Int?
    /// The part that a row has to have; nil for every row.
    let condition: JSONObject?
}

/// The changes of a scenario, with what they need of the API.
struct CustomChanges: Sendable {
    let changes: [CustomChange]
    let tables: [TableDefinition]
    let signIn: SignIn?
    /// The name of the stream that keys are drawn from.
    let keyStream: String

    /// Makes the changes, and returns the rows that they changed, as `table/id`.
    func apply(to state: inout CustomAPIState, _ core: inout WorldCore, _ epoch: Epoch) -> [String] {
        var changed: [String] = []
        for change in changes {
            switch change.kind {
            case .tokens(let manner, let scope, let user): end(manner, scope, user, &state, core)
            case .insert(let members):
                guard let place = change.table else { continue }
                if let id = insert(members, place, &state, &core, epoch) {
                    changed.append("\(tables[place].name)/\(id)")
                }
            case .delete:
                guard let place = change.table else { continue }
                for id in rows(change, place, state, epoch) {
                    state.tables[place].remove(id, tables[place])
                    changed.append("\(tables[place].name)/\(id)")
                }
            case .set(let members):
                guard let place = change.table else { continue }
                for id in rows(change, place, state, epoch) where set(members, id, place, &state, core, epoch) {
                    changed.append("\(tables[place].name)/\(id)")
                }
            }
        }
        return changed
    }

    /// Returns the keys of the rows that a change is about, in the order of the table.
    private func rows(_ change: CustomChange, _ place: Int, _ state: CustomAPIState, _ epoch: Epoch) -> [String] {
        let rows = state.tables[place].rows
        guard let condition = change.condition else { return rows.rows.map(\.id) }
        let resolved = StoredText.members(condition, in: epoch, tables[place].time)
        let pattern = JSONPattern(.object(resolved))
        return rows.rows.filter { row in
            JSONSubject(.object(row.members(in: epoch, tables[place]))).holds(pattern)
        }
        .map(\.id)
    }

    private func set(
        _ patch: JSONObject,
        _ id: String,
        _ place: Int,
        _ state: inout CustomAPIState,
        _ core: WorldCore,
        _ epoch: Epoch
    ) -> Bool {
        guard let row = state.tables[place].rows[id] else { return false }
        let table = tables[place]
        let former = row.members(in: epoch, table)
        let members = StoredText.members(patch, in: epoch, table.time)
        var next = MergePatch.merged(former, members) { table.schema?.takesNull($0) ?? false }
        // Two rows with a unique value would be a state that no request can bring about.
        guard next != former, state.tables[place].conflict(of: next, besides: id, table) == nil else { return false }
        if let name = table.updatedAt, patch[name] == nil { next[name] = table.time.json(core.now) }
        state.tables[place].replace(id, by: next, table)
        return true
    }

    private func insert(
        _ members: JSONObject,
        _ place: Int,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ epoch: Epoch
    ) -> String? {
        let table = tables[place]
        var members = StoredText.members(members, in: epoch, table.time)
        guard state.tables[place].count < CustomAPILimits.rows else { return nil }
        var key = members[table.key].flatMap { RowKey($0) }
        if key == nil {
            key = try? table.makeKey(state.tables[place], &core.randomness, stream: keyStream)
            if let key {
                members = JSONObject([JSONObject.Member(name: table.key, value: key.json)] + members.members)
            }
        }
        guard let key else { return nil }
        for name in [table.createdAt, table.updatedAt].compactMap({ $0 }) where members[name] == nil {
            members[name] = table.time.json(core.now)
        }
        let present = state.tables[place].id(ofKey: key.text, table.key)
        guard state.tables[place].conflict(of: members, besides: present, table) == nil else { return nil }
        if let present {
            state.tables[place].replace(present, by: members, table)
        } else {
            state.tables[place].insert(members, key: key, table)
        }
        return key.text
    }

    private func end(
        _ manner: TokenEnding.Manner,
        _ scope: TokenEnding.Scope,
        _ user: String?,
        _ state: inout CustomAPIState,
        _ core: WorldCore
    ) {
        guard let signIn else { return }
        guard let user else { return signIn.end(scope, of: nil, manner, at: core.now, &state) }
        guard let id = signIn.user(user, state) else { return }
        signIn.end(scope, of: id, manner, at: core.now, &state)
    }
}
