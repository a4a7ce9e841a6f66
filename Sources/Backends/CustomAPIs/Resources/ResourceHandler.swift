import Backend
import HTTPMessage
import JSON
import Templates

/// The endpoints of a resource (own-API contract, sections 12 to 14).
final class ResourceHandler: Sendable {
    let resource: ResourceDefinition
    let table: TableDefinition
    /// The key members of the tables that parameters lead to, by the place of the table.
    private let parentKeys: [Int: String]
    /// The table of those who sign in, and the member that names one.
    private let users: (place: Int, key: String)?
    private let userTable: TableDefinition
    /// The place of the row's key among the parameters.
    private let keyParameter: Int
    private let scope: CustomTemplateValues.Scope
    /// The name of the stream that keys are drawn from.
    let keyStream: String

    init(_ resource: ResourceDefinition, in definition: CustomAPIDefinition) {
        self.resource = resource
        table = definition.tables[resource.table]
        var keys: [Int: String] = [:]
        for place in resource.bindings.compactMap(\.parent) { keys[place] = definition.tables[place].key }
        parentKeys = keys
        users = definition.users.map { ($0, definition.tables[$0].key) }
        userTable = definition.tables[definition.users ?? resource.table]
        keyParameter = resource.bindings.count
        scope = CustomTemplateValues.Scope(definition)
        keyStream = "\(definition.name).key"
    }

    /// A row that a request leads to.
    struct Found {
        var id: String
        var members: JSONObject
    }

    // MARK: Conditions

    /// A member that all rows of a request have with a value.
    struct Condition {
        var member: String
        /// The value as an address has it.
        var text: String
        /// The value as new rows get it.
        var value: JSON
        /// Tells whether it is the user's id and not a part of the path.
        var isOwner: Bool
    }

    /// Returns the conditions of a request; throws if a row that the path names is missing.
    func conditions(_ state: CustomAPIState, _ call: Call) throws(CustomAPIFailure) -> [Condition] {
        var conditions: [Condition] = []
        for binding in resource.bindings {
            let text = call.parameters[binding.parameter]
            var value: JSON?
            if let parent = binding.parent {
                value = Self.key(text, parent, parentKeys[parent], state)
                guard value != nil else { throw CustomAPIFailure(.noRow) }
            }
            conditions.append(
                Condition(
                    member: binding.member,
                    text: text,
                    value: value ?? typed(text, as: binding.member),
                    isOwner: false
                )
            )
        }
        guard let owner = resource.owner else { return conditions }
        guard let user = call.user else { throw CustomAPIFailure(.unauthorized) }
        let value = users.flatMap { state.tables[$0.place].rows[user.id]?.stored[$0.key] }
        conditions.append(
            Condition(
                member: owner,
                text: value?.addressText ?? user.id,
                value: value ?? typed(user.id, as: owner),
                isOwner: true
            )
        )
        return conditions
    }

    /// Returns the key of a row as it is in the table; nil if there is no such row.
    private static func key(_ text: String, _ place: Int, _ member: String?, _ state: CustomAPIState) -> JSON? {
        guard let member else { return nil }
        guard let id = state.tables[place].id(ofKey: text, member) else { return nil }
        return state.tables[place].rows.read(id: id) { $0.stored[member] } ?? nil
    }

    /// Returns a part of the path as a value of a member: a number where the member has only numbers.
    private func typed(_ text: String, as member: String) -> JSON {
        guard table.member(member)?.types == .number, let number = Int64(text), String(number) == text else {
            return .string(text)
        }
        return .integer(number)
    }

    private static func fits(_ members: JSONObject, _ conditions: [Condition]) -> Bool {
        conditions.allSatisfy { members[$0.member]?.addressText == $0.text }
    }

    // MARK: Rows

    /// Returns the row that a request leads to and that it may see; nil if there is none.
    func found(_ state: inout CustomAPIState, _ call: Call, _ conditions: [Condition]) -> Found? {
        let place = resource.table
        guard !resource.isSingle else {
            guard let row = firstRow(&state, call, conditions) else { return nil }
            return Found(id: row.id, members: row.members(in: call.epoch, table))
        }
        guard let id = state.tables[place].id(ofKey: call.parameters[keyParameter], table.key),
            let row = state.tables[place].rows[id]
        else { return nil }
        let members = row.members(in: call.epoch, table)
        return Self.fits(members, conditions) ? Found(id: id, members: members) : nil
    }

    private func firstRow(_ state: inout CustomAPIState, _ call: Call, _ conditions: [Condition]) -> CustomRow? {
        let filters = conditions.map { ListFilter(exactly: MemberPath(name: $0.member), $0.text) }
        let places = ListRows(filters: filters).select(&state.tables[resource.table], table, call.epoch, upTo: 1)
        return places.first.flatMap { state.tables[resource.table].rows[place: Int($0)] }
    }

    func require(_ found: Found?, _ call: inout Call) throws(CustomAPIFailure) -> Found {
        guard let found else { throw CustomAPIFailure(.noRow) }
        note(found, in: &call)
        return found
    }

    /// Notes the row that answers a request, for the journal.
    func note(_ row: Found, in call: inout Call) { note(row: row.members[table.key]?.addressText ?? row.id, in: &call) }

    func note(row key: String, in call: inout Call) { call.answeredBy = "row \(key.cut) of \(table.name)" }

    // MARK: Answers

    /// Returns the tag of a row, and its content.
    func representation(_ members: JSONObject) -> (tag: EntityTag, content: [UInt8]) {
        let content = JSON.object(table.visible(members)).serialized()
        return (RowTag.tag(content), content)
    }

    /// Returns the content of a template of the resource, or throws if it would be too large.
    ///
    /// What it shows may be as long as a table, and counts from its second time on. `changed` is a row that is about to
    /// be written.
    func filled(
        _ template: Template,
        showing shown: JSON,
        _ locals: [(name: String, value: JSON?)],
        _ state: CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call,
        changed: Found? = nil
    ) throws(CustomAPIFailure) -> [UInt8] {
        let user = call.user.flatMap { user in
            users.flatMap { place, _ -> JSON? in
                if let changed, place == resource.table, changed.id == user.id {
                    return .object(table.visible(changed.members))
                }
                return state.user(user.id, place, userTable, call.epoch)
            }
        }
        var values = CustomTemplateValues(scope, call, state, core, user: user, locals: locals)
        var budget = TemplateBudget(showing: shown)
        let json = template.filled(from: &values, &budget) ?? .null
        guard !budget.isSpent else { throw CustomAPIFailure(.answerTooLarge) }
        let content = json.serialized()
        let surplus = content.count - Template.largestContent
        guard surplus <= 0 || surplus <= shown.serialized().count else { throw CustomAPIFailure(.answerTooLarge) }
        values.keep(in: &core)
        return content
    }

    /// Returns the answer that shows a row, which may be about to be written, or throws if it would be too large.
    func answer(
        _ method: ResourceDefinition.Method,
        _ members: JSONObject,
        _ state: CustomAPIState,
        _ core: inout WorldCore,
        _ call: Call,
        location: String? = nil,
        status other: Status? = nil,
        changed: Found? = nil
    ) throws(CustomAPIFailure) -> Response {
        let status = other ?? resource.status(method)
        var (tag, content) = representation(members)
        if let item = resource.item, !status.forbidsBody {
            let row = JSON.object(table.visible(members))
            content = try filled(item, showing: row, [("row", row)], state, &core, call, changed: changed)
        }
        var fields = Fields()
        if let location { fields.append(.location, location) }
        if method != .delete { fields.append(.eTag, tag.text) }
        guard !status.forbidsBody else { return Response(status: status, fields: fields) }
        fields.append(.contentType, "application/json")
        return Response(status: status, fields: fields, body: .bytes(content))
    }

    /// Answers a row, or that it is unchanged.
    func get(_ state: inout CustomAPIState, _ core: inout WorldCore, _ call: inout Call) throws(CustomAPIFailure)
        -> Response
    {
        let row = try require(found(&state, call, try conditions(state, call)), &call)
        if call.fields.contains(.ifNoneMatch) {
            let tag = representation(row.members).tag
            if ConditionalRequest(call.fields).isNoneMatchFailed(current: tag) {
                return Response(status: .notModified, fields: [.eTag: tag.text])
            }
        }
        return try answer(.get, row.members, state, &core, call)
    }
}
