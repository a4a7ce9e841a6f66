import Backend
import Basics
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// The tables of a world and their rows (console contract, section 5).
enum TableOperations {
    private static let api = Parameter("name", in: .path, .string(), "The API")
    private static let table = Parameter("table", in: .path, .string(), "The table")
    private static let id = Parameter("id", in: .path, .string(), "The row's id, percent-encoded")
    private static let anyRow = JSONSchema.object(JSONSchema.Object())
    private static let row = Schemas.object([("id", .string()), ("row", anyRow)])
    private static let listed = Schemas.object(
        [("id", .string()), ("row", anyRow)],
        optional: [("change", .string(enumeration: ["added", "changed", "deleted"])), ("old", anyRow)]
    )

    /// The rows of a page at most, and without a limit.
    private static let mostRows = 1_000
    private static let usualRows = 100

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/state/{name}",
            "Lists the tables of an API in the world",
            reads: .seed,
            parameters: [api],
            answers: [
                Schemas.answer(
                    "Tables",
                    Schemas.object([
                        ("api", .string()), ("epoch", Schemas.instant),
                        (
                            "items",
                            .array(
                                Schemas.object([
                                    ("name", .string()), ("rows", .integer(minimum: 0)), ("key", .string()),
                                    ("schema", anyRow),
                                ])
                            )
                        ),
                    ]),
                    "The tables in the order of the world document; epoch is T0"
                )
            ],
            act: tables
        ),
        ControlOperation(
            .get,
            "/state/{name}/{table}",
            "Lists the rows of a table in its order",
            reads: .seed,
            parameters: [
                api, table, JournalSelection.textParameter("Only rows with this text in their JSON"),
                Parameter(
                    "changed",
                    in: .query,
                    .string(enumeration: Flag.allCases.map(\.rawValue)),
                    "With true, only rows that differ from the world's initial data"
                ),
            ],
            isList: true,
            page: (usualRows, mostRows),
            answers: [Schemas.answer("Rows", Schemas.list(listed), "The rows")],
            act: rows
        ),
        ControlOperation(
            .get,
            "/state/{name}/{table}/{id}",
            "Returns a row",
            reads: .seed,
            parameters: [api, table, id],
            answers: [Schemas.answer("Row", row, "The row")]
        ) { call throws(Problem) in
            let hosted = try call.world()
            let place = try place(call, hosted)
            let rows = hosted.world.rows(ofTable: place.table, place.api)
            guard let row = rows.first(where: { $0.id == call.parameters[2] }) else { throw unknownRow(call, rows) }
            return ControlAnswer.json(["id": .string(row.id), "row": row.content])
        },
        ControlOperation(
            .put,
            "/state/{name}/{table}/{id}",
            "Replaces a row, or creates it",
            reads: [.scenarios, .seed],
            parameters: [api, table, id],
            body: .json(name: "RowContent", schema: anyRow, isRequired: true, example: nil),
            answers: [Schemas.answer("Row", row, "The written row")],
            act: write
        ),
        ControlOperation(
            .delete,
            "/state/{name}/{table}/{id}",
            "Deletes a row that no other row needs",
            reads: .seed,
            parameters: [api, table, id],
            answers: [AnswerDeclaration(.noContent, "Deleted", .none)],
            act: delete
        ),
    ]

    private enum Flag: String, CaseIterable { case yes = "true", no = "false" }

    private struct Place: Sendable {
        let api: Int
        let name: String
        let table: String
    }

    // MARK: Finding

    private static func index(_ call: ControlCall) throws(Problem) -> Int {
        let name = call.parameters[0]
        let known = call.emulator.apis.enumerated().filter { call.api == nil || call.api == $0.offset }
        if let found = known.first(where: { $0.element.identity.name == name }) { return found.offset }
        let names = known.map(\.element.identity.name)
        throw Problem(.notFound, "There is no API \"\(name.cut)\" here." + Suggestion.question(to: name, among: names))
    }

    private static func place(_ call: ControlCall, _ hosted: Emulator.HostedWorld) throws(Problem) -> Place {
        let index = try index(call)
        let name = call.parameters[1]
        let names = hosted.world.tables(index).map(\.name)
        guard names.contains(name) else {
            let hint = Suggestion.question(to: name, among: names)
            throw Problem(.notFound, "\(call.parameters[0].cut) has no table \"\(name.cut)\".\(hint)")
        }
        return Place(api: index, name: call.emulator.apis[index].identity.name, table: name)
    }

    private static func unknownRow(_ call: ControlCall, _ rows: [TableRow]) -> Problem {
        let near = Suggestion.nearest(to: call.parameters[2], among: rows.map(\.id))
        return Problem(
            .notFound,
            "The table \(call.parameters[1].cut) has no row \"\(call.parameters[2].cut)\"." + Suggestion.question(near)
        )
    }

    // MARK: Reading

    private static func tables(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let index = try index(call)
        let copy = HandedOver(call.emulator.tables(of: hosted))
        return ControlJob.Work(isShort: false) { _ in
            let world = copy.value.world
            let api = world.parts[index].api
            let tables = world.tables(index)
            let names = tables.map(\.name)
            let items: [JSON] = tables.map { table in
                let schema =
                    api.hooks.schemaOfTable(table.name, world, index) ?? table.schema()?.json() ?? ["type": "object"]
                return [
                    "name": .string(table.name),
                    "rows": .integer(Int64(world.rows(ofTable: table.name, index).count)),
                    "key": .string(table.key),
                    "schema": RowReference.annotated(schema, of: table.name, table.references, among: names),
                ]
            }
            return ControlAnswer.json([
                "api": .string(api.identity.name),
                "epoch": .string(world.parts[index].epoch.t0.iso8601(.milliseconds)), "items": .array(items),
            ])
        }.reply
    }

    private struct Item: Sendable {
        let row: TableRow
        var change: String?
        /// The changed row as it was before.
        var old: JSON?

        var json: JSON {
            var object: JSONObject = ["id": .string(row.id), "row": row.content]
            if let change { object.append("change", .string(change)) }
            if let old { object.append("old", old) }
            return .object(object)
        }
    }

    private static func rows(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let place = try place(call, hosted)
        let text = try JournalSelection.text(call.query.last("q"))
        let isChanged = try call.choice("changed", Flag.self) == .yes
        let page = ListPage(
            offset: try call.number("offset", default: 0),
            limit: try call.number("limit", default: usualRows, in: 1...mostRows)
        )
        let copy = HandedOver(call.emulator.tables(of: hosted))
        return ControlJob.Work(isShort: false) { _ in
            var items = copy.value.world.rows(ofTable: place.table, place.api).map { Item(row: $0) }
            if isChanged {
                items = changes(items, from: copy.value.originalRows(ofTable: place.table, place.api))
            }
            if let text { items.removeAll { !text.isIn($0.row.content.serialized()) } }
            return page.response(items, \.json)
        }.reply
    }

    /// Returns the rows that differ from those of before, and those that are gone.
    private static func changes(_ items: [Item], from former: [TableRow]) -> [Item] {
        var before: [String: JSON] = [:]
        for row in former { before[row.id] = row.content }
        var changed: [Item] = []
        var present: Set<String> = []
        for item in items {
            present.insert(item.row.id)
            guard let content = before[item.row.id] else {
                changed.append(Item(row: item.row, change: "added"))
                continue
            }
            guard content != item.row.content else { continue }
            changed.append(Item(row: item.row, change: "changed", old: content))
        }
        for row in former where !present.contains(row.id) { changed.append(Item(row: row, change: "deleted")) }
        return changed
    }

    // MARK: Writing

    private enum Outcome: Sendable {
        case written(isNew: Bool, row: TableRow)
        case refused([Problem.Item])
        case needed([String])
        case unknown([TableRow])
    }

    private static func checkWritable(_ place: Place, _ call: ControlCall) throws(Problem) {
        guard call.emulator.apis[place.api].hooks.readOnlyTables.contains(place.table) else { return }
        throw Problem(.conflict, "The table \(place.table) of \(place.name) is read only. Nothing was changed.")
    }

    private static func write(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let place = try place(call, hosted)
        try checkWritable(place, call)
        let id = call.parameters[2]
        let content = JSON.object(try call.object())
        return try call.working(on: [place.api], of: hosted) { _ in
            { world in write(content, id, place, &world) }
        } then: { outcome, _ in
            finish(outcome, id, place, hosted, call)
        }
    }

    private static func write(_ content: JSON, _ id: String, _ place: Place, _ world: inout World) -> Outcome {
        let api = world.parts[place.api].api
        let key = world.tables(place.api).first { $0.name == place.table }?.key ?? "id"
        var items: [Problem.Item] = []
        let named = content[key].map { $0.stringValue ?? $0.text }
        if let named, named != id {
            items.append(Problem.Item(path: "$.\(key)", reason: "must be \"\(id.cut)\", as in the path"))
        }
        for issue in api.hooks.issuesInRow(content, place.table, world, place.api) {
            items.append(Problem.Item(path: issue.path.formattedJSONPath, reason: issue.reason))
        }
        let isNew = !world.rows(ofTable: place.table, place.api).contains { $0.id == id }
        var copy = world
        let known = Set(items.map(\.path))
        for fault in copy.edit(table: place.table, place.api, id: id, content) {
            let item = Problem.Item(path: fault.path.formattedJSONPath, reason: fault.reason)
            if !known.contains(item.path) { items.append(item) }
        }
        guard items.isEmpty else { return .refused(Array(items.prefix(Problem.mostItems))) }
        let rows = copy.rows(ofTable: place.table, place.api)
        guard let row = rows.first(where: { $0.id == id }) else {
            return .refused([Problem.Item(path: "$.\(key)", reason: "must be \"\(id.cut)\", as in the path")])
        }
        world = copy
        return .written(isNew: isNew, row: row)
    }

    private static func delete(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        let place = try place(call, hosted)
        try checkWritable(place, call)
        let id = call.parameters[2]
        return try call.working(on: [place.api], of: hosted) { _ in
            { world in delete(id, place, &world) }
        } then: { outcome, _ in
            finish(outcome, id, place, hosted, call)
        }
    }

    private static func delete(_ id: String, _ place: Place, _ world: inout World) -> Outcome {
        let rows = world.rows(ofTable: place.table, place.api)
        guard let row = rows.first(where: { $0.id == id }) else { return .unknown(rows) }
        let needing = needing(id, place, world)
        guard needing.isEmpty else { return .needed(needing) }
        var copy = world
        let faults = copy.edit(table: place.table, place.api, id: id, nil)
        guard faults.isEmpty else { return .needed(faults.map(\.reason)) }
        world = copy
        return .written(isNew: false, row: row)
    }

    /// The rows that are named in a refusal.
    private static let mostNamed = 100

    /// Returns the rows that refer to a row, as `table/id`: by a member such as `userId` for the table `users`.
    private static func needing(_ id: String, _ place: Place, _ world: World) -> [String] {
        // An id that is long and no mere number is unique among all tables.
        let isTelling = id.utf8.count >= 8 && !id.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let table = place.table.lowercased()
        var found: [String] = []
        for other in world.tables(place.api) where other.name != place.table && !other.name.hasPrefix("_") {
            for row in world.rows(ofTable: other.name, place.api) {
                let refers = refers(row.content) { name in
                    isTelling || !name.isEmpty && table.contains(name)
                } to: {
                    $0 == id
                }
                if refers { found.append("\(other.name)/\(row.id)") }
                guard found.count < mostNamed else { return found }
            }
        }
        return found
    }

    /// Tells whether a value names a row anywhere in it: by a member such as `userId` or `user_id`, or in a list such as
    /// `skillIds`.
    private static func refers(
        _ value: JSON,
        _ isMeant: (String) -> Bool,
        to isID: (String) -> Bool
    ) -> Bool {
        switch value {
        case .object(let object):
            return object.members.contains { member in
                for suffix in ["Ids", "_ids", "Id", "_id"] where member.name.hasSuffix(suffix) {
                    guard isMeant(member.name.dropLast(suffix.count).lowercased()) else { break }
                    let texts = (member.value.arrayValue ?? [member.value]).compactMap(\.stringValue)
                    if texts.contains(where: isID) { return true }
                }
                return refers(member.value, isMeant, to: isID)
            }
        case .array(let elements): return elements.contains { refers($0, isMeant, to: isID) }
        default: return false
        }
    }

    private static func finish(
        _ outcome: Outcome,
        _ id: String,
        _ place: Place,
        _ hosted: Emulator.HostedWorld,
        _ call: ControlCall
    ) -> Result<Response, Problem> {
        switch outcome {
        case .refused(let items):
            let first = items.first.map { "\($0.path) \($0.reason)" } ?? "Invalid row"
            return .failure(Problem(.invalidBody, "\(first). Nothing was changed.", items: items))
        case .needed(let rows):
            let list = rows.joined(separator: ", ")
            return .failure(
                Problem(.conflict, "\(place.table)/\(id.cut) is needed by \(list). Nothing was changed.")
            )
        case .unknown(let rows): return .failure(unknownRow(call, rows))
        case .written(let isNew, let row):
            let isDeleted = call.request.head.method == .delete
            let action: Emulator.ChangeAction = isDeleted ? .deleted : isNew ? .added : .changed
            let name = "\(place.table)/\(row.id)"
            call.emulator.noteChange(.state, action, name, api: place.name, in: hosted)
            let text = "The row \(name) of \(place.name) was \(action.rawValue)"
            call.emulator.write(.row, text, in: hosted, at: call.hostTime)
            guard !isDeleted else { return .success(ControlAnswer.nothing) }
            return .success(ControlAnswer.json(["id": .string(row.id), "row": row.content]))
        }
    }
}
