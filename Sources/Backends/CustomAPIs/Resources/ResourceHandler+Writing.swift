import APIFolders
import Backend
import CivilTime
import HTTPMessage
import JSON

/// Writing of rows: everything is checked before anything is changed (own-API contract, section 14).
extension ResourceHandler {
    /// Makes a row.
    func create(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let conditions = try conditions(state, call)
        try RowBody.checkForm(call)
        let body = try RowBody.object(call)
        let former = core.randomness
        let made = try prepare(body, key: nil, conditions, state, &core, call)
        let location =
            call.origin + call.path.withoutSlash + "/" + made.key.text.percentEncodedSegment
            + resource.linkEnding
        let response = try insert(made, .create, at: location, former, &state, &core, call)
        note(row: made.key.text, in: &call)
        return response
    }

    /// Puts other members into a row, or makes it where that is declared.
    func replace(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let conditions = try conditions(state, call)
        let found = found(&state, call, conditions)
        guard found != nil || resource.upserts && !resource.isSingle else { throw CustomAPIFailure(.noRow) }
        try RowBody.checkForm(call)
        try checkConditions(call, on: found)
        let body = try RowBody.object(call)
        guard let row = found else {
            let key = call.parameters[resource.bindings.count]
            let former = core.randomness
            let made = try prepare(body, key: key, conditions, state, &core, call)
            let location = call.origin + call.path.withoutSlash + resource.linkEnding
            let response = try insert(made, .replace, at: location, former, &state, &core, call)
            note(row: made.key.text, in: &call)
            return response
        }
        note(row, in: &call)
        let kept = table.keptMembers
        var next = JSONObject()
        var details = keyDetails(body, row.members)
        for member in row.members.members {
            if kept.contains(member.name) || member.name == table.key {
                next.append(member.name, member.value)
            } else if let value = body[member.name] {
                next.append(member.name, value)
            }
        }
        for member in body.members where row.members[member.name] == nil && !kept.contains(member.name) {
            next.append(member.name, member.value)
        }
        details += bind(&next, conditions)
        next = table.withDefaults(next)
        return try finish(.replace, row, next, details, &state, &core, call)
    }

    /// Changes members of a row.
    func patch(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let conditions = try conditions(state, call)
        let row = try require(found(&state, call, conditions), &call)
        try RowBody.checkForm(call)
        try checkConditions(call, on: row)
        var body = try RowBody.object(call)
        for name in table.keptMembers { body[name] = nil }
        var details = keyDetails(body, row.members)
        body[table.key] = nil
        for condition in conditions {
            guard let sent = body[condition.member], sent.addressText != condition.text else { continue }
            details.append(Self.otherwise(condition))
            body[condition.member] = nil
        }
        let next = MergePatch.merged(row.members, body) { table.schema?.takesNull($0) ?? false }
        return try finish(.patch, row, next, details, &state, &core, call)
    }

    /// Removes a row.
    func delete(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let row = try require(found(&state, call, try conditions(state, call)), &call)
        try checkConditions(call, on: row)
        let response = try answer(.delete, row.members, state, &core, call)
        state.tables[resource.table].remove(row.id, table)
        return response
    }

    // MARK: Checks

    /// Holds the conditions of a request against the row that is there.
    private func checkConditions(_ call: Call, on row: Found?) throws(CustomAPIFailure) {
        let hasMatch = call.fields.contains(.ifMatch)
        if hasMatch || call.fields.contains(.ifNoneMatch) {
            let conditions = ConditionalRequest(call.fields)
            let tag = row.map { representation($0.members).tag }
            guard !conditions.isMatchFailed(current: tag), !conditions.isNoneMatchFailed(current: tag) else {
                throw CustomAPIFailure(.preconditionFailed)
            }
        }
        // A condition that was sent and fails says more than that another one is missing.
        guard hasMatch || row == nil || !resource.requiresIfMatch else { throw CustomAPIFailure(.preconditionRequired) }
    }

    /// Returns what is wrong with a key that a body has: it must be that of the row.
    private func keyDetails(_ body: JSONObject, _ row: JSONObject) -> [CustomAPIFailure.Detail] {
        guard !table.readOnly.contains(table.key), let sent = body[table.key],
            sent.addressText != row[table.key]?.addressText
        else { return [] }
        return [CustomAPIFailure.Detail(path: [.key(table.key)].formattedJSONPath, reason: "is not the key of the row")]
    }

    private static func otherwise(_ condition: Condition) -> CustomAPIFailure.Detail {
        CustomAPIFailure.Detail(
            path: [.key(condition.member)].formattedJSONPath,
            reason: "must be \(condition.value.text)"
        )
    }

    /// Sets the members that the path and the user decide; returns those for which the body says otherwise.
    private func bind(_ members: inout JSONObject, _ conditions: [Condition]) -> [CustomAPIFailure.Detail] {
        var details: [CustomAPIFailure.Detail] = []
        for condition in conditions {
            if let sent = members[condition.member], sent.addressText != condition.text, !condition.isOwner {
                details.append(Self.otherwise(condition))
            }
            members[condition.member] = condition.value
        }
        return details
    }

    /// Holds a whole row against the schema.
    private func check(_ members: JSONObject, _ details: [CustomAPIFailure.Detail]) throws(CustomAPIFailure) {
        var details = details
        for issue in table.schema?.issues(in: .object(members)) ?? [] {
            details.append(CustomAPIFailure.Detail(path: issue.formattedPath, reason: issue.reason))
        }
        guard details.isEmpty else { throw CustomAPIFailure(.validationFailed, details: details) }
    }

    private func checkUnique(_ members: JSONObject, besides id: String?, _ state: CustomAPIState)
        throws(CustomAPIFailure)
    {
        guard let group = state.tables[resource.table].conflict(of: members, besides: id, table) else { return }
        let names = group.joined(separator: " and ")
        throw CustomAPIFailure(
            .conflict,
            "Another row has the same \(names).",
            details: group.map { CustomAPIFailure.Detail(path: [.key($0)].formattedJSONPath, reason: "is taken") }
        )
    }

    // MARK: Changes

    /// Makes a row of a body; returns its key.
    func make(
        _ body: JSONObject,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> String {
        let made = try prepare(body, key: nil, [], state, &core, call)
        state.tables[resource.table].insert(made.members, key: made.key, table)
        return made.key.text
    }

    /// Adds a new row and answers it; where that fails, nothing is changed and no key used up.
    private func insert(
        _ made: (members: JSONObject, key: RowKey),
        _ method: ResourceDefinition.Method,
        at location: String,
        _ former: Randomness,
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> Response {
        let status = method == .create ? nil : ResourceDefinition.Method.create.status
        do throws(CustomAPIFailure) {
            let response = try answer(method, made.members, state, &core, call, location: location, status: status)
            state.tables[resource.table].insert(made.members, key: made.key, table)
            return response
        } catch {
            core.randomness = former
            throw error
        }
    }

    /// Makes the members of a row of a body, with a key of the path if there is one.
    private func prepare(
        _ body: JSONObject,
        key sent: String?,
        _ conditions: [Condition],
        _ state: CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> (members: JSONObject, key: RowKey) {
        var members = body
        for name in table.keptMembers { members[name] = nil }
        var details = bind(&members, conditions)
        guard state.tables[resource.table].count < CustomAPILimits.rows else { throw CustomAPIFailure(.tableFull) }
        var key: RowKey?
        if let sent {
            if let own = members[table.key], own.addressText != sent {
                details.append(
                    CustomAPIFailure.Detail(
                        path: [.key(table.key)].formattedJSONPath,
                        reason: "is not the key in the path"
                    )
                )
            }
            key = RowKey(pathKey(sent))
        } else if let own = members[table.key], !own.isNull {
            key = RowKey(own)
            if key == nil {
                details.append(CustomAPIFailure.Detail(path: [.key(table.key)].formattedJSONPath, reason: RowKey.form))
            }
        } else if table.newKey == .client {
            details.append(CustomAPIFailure.Detail(path: [.key(table.key)].formattedJSONPath, reason: "is required"))
        }
        // A row that is refused must not use up a key, but is checked with one.
        var randomness = core.randomness
        let isMade = key == nil && details.isEmpty
        if isMade { key = try table.makeKey(state.tables[resource.table], &randomness, stream: keyStream) }
        guard let key else { throw CustomAPIFailure(.validationFailed, details: details) }
        if members[table.key] != nil {
            members[table.key] = key.json
        } else {
            members = JSONObject([JSONObject.Member(name: table.key, value: key.json)] + members.members)
        }
        for name in [table.createdAt, table.updatedAt].compactMap({ $0 }) {
            members[name] = table.time.json(call.now)
        }
        members = table.withDefaults(members)
        try check(members, details)
        guard state.tables[resource.table].id(ofKey: key.text, table.key) == nil else {
            throw CustomAPIFailure(.conflict, "The key \(key.text.shortened) is taken.")
        }
        try checkUnique(members, besides: nil, state)
        if isMade { core.randomness = randomness }
        return (members, key)
    }

    /// Returns the key that a part of the path stands for.
    private func pathKey(_ text: String) -> JSON {
        guard table.newKey == .integer, let number = Int64(text), String(number) == text else { return .string(text) }
        return .integer(number)
    }

    /// Writes the changed members of a row, if they are sound.
    private func finish(
        _ method: ResourceDefinition.Method,
        _ row: Found,
        _ next: JSONObject,
        _ details: [CustomAPIFailure.Detail],
        _ state: inout CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call
    ) throws(CustomAPIFailure) -> Response {
        try check(next, details)
        try checkUnique(next, besides: row.id, state)
        // A change that changes nothing keeps the time and the tag.
        guard next != row.members else { return try answer(method, row.members, state, &core, call) }
        var next = next
        if let name = table.updatedAt { next[name] = table.time.json(call.now) }
        let changed = Found(id: row.id, members: next)
        let response = try answer(method, next, state, &core, call, changed: changed)
        state.tables[resource.table].replace(row.id, by: next, table)
        return response
    }
}

extension Path {
    /// The text without a slash at its end.
    var withoutSlash: String { Path(segments: segments).text }
}
