import APIFolders
import Backend
import CivilTime
import JSON
import OpenAPI

/// The tables of an API: `tables` of `api.json`, and the seed rows (own-API contract, section 11).
extension CustomAPIReader {
    /// Names that the parts of a world document have beside the tables.
    private static let takenNames = ["epoch", "_settings", "_keys"] + CustomAPIDefinition.ownTables

    /// Reads the declarations, and takes a table without one for each file.
    mutating func readTables(_ check: FileCheck?, hidingKeys: Set<String> = []) {
        var tables: [TableDefinition] = []
        var keyed: Set<String> = []
        for member in check?.object.members ?? [] {
            guard let check else { continue }
            guard Self.isName(member.name), !Self.takenNames.contains(member.name) else {
                check.error(member.name, Self.nameForm)
                continue
            }
            var outer = FileCheck(check.object, at: check.path, in: check.report)
            guard var inner = outer.object(member.name) else { continue }
            var table = TableDefinition(name: member.name)
            if readTable(&inner, &table, hidesKey: hidingKeys.contains(member.name)) { keyed.insert(table.name) }
            tables.append(table)
        }
        var files: [String: CustomAPIFolder.File] = [:]
        for file in folder.files(in: "tables", ending: ".json") {
            let name = String(file.name.dropFirst("tables/".count).dropLast(".json".count))
            guard Self.isName(name), !Self.takenNames.contains(name) else {
                note(file.place, Self.nameForm)
                continue
            }
            files[name] = file
            if !tables.contains(where: { $0.name == name }) { tables.append(TableDefinition(name: name)) }
        }
        definition.tables = tables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        definition.seed.tables = definition.tables.map { _ in CustomTable() }
        for place in definition.tables.indices {
            definition.seed.tables[place].reindex(definition.tables[place])
            var members = MemberSurvey(schema: definition.tables[place].schema)
            if let file = files[definition.tables[place].name] {
                readRows(file, place, hasNewKey: keyed.contains(definition.tables[place].name), &members)
            }
            definition.tables[place].members = members.found
        }
    }

    private static let nameForm =
        "the name of a table has 1 to 64 of a-z A-Z 0-9 _ - and is not \(takenNames.joined(separator: ", "))"

    /// Reads a declaration; returns whether it says how keys are made.
    private mutating func readTable(
        _ check: inout FileCheck,
        _ table: inout TableDefinition,
        hidesKey: Bool
    ) -> Bool {
        if let key = check.name("key") { table.key = key }
        let newKey = readNewKey(&check)
        if let newKey { table.newKey = newKey }
        if let schema = check.value("schema") {
            table.schema = rowSchema(schema, at: check.path + [.key("schema")], check.report)
        }
        table.unique = readUnique(&check)
        table.createdAt = check.name("createdAt")
        table.updatedAt = check.name("updatedAt")
        if let time = check.choice("time", TableDefinition.TimeForm.self) { table.time = time }
        table.readOnly = check.strings("readOnly") ?? []
        table.writeOnly = check.strings("writeOnly") ?? []
        check.refuseUnknown()
        for name in table.schema?.readOnlyMembers ?? [] where !table.readOnly.contains(name) {
            table.readOnly.append(name)
        }
        for name in table.schema?.writeOnlyMembers ?? [] where !table.writeOnly.contains(name) {
            table.writeOnly.append(name)
        }
        if table.writeOnly.contains(table.key), !hidesKey {
            check.error("writeOnly", "the key \(table.key) is in every response")
        }
        for (member, name) in [("createdAt", table.createdAt), ("updatedAt", table.updatedAt)] where name == table.key {
            check.error(member, "the key \(table.key) is not a time")
        }
        if let name = table.createdAt, name == table.updatedAt {
            check.error("updatedAt", "\(name) is the time of creation")
        }
        return newKey != nil
    }

    private func readNewKey(_ check: inout FileCheck) -> TableDefinition.NewKey? {
        let form = "must be integer, uuid, client or {\"prefix\":\"ord_\"}"
        guard let value = check.value("newKey") else { return nil }
        switch value {
        case .string("integer"): return .integer
        case .string("uuid"): return .uuid
        case .string("client"): return .client
        case .object:
            guard var inner = check.object("newKey") else { return nil }
            let prefix = inner.string("prefix")
            inner.refuseUnknown()
            guard let prefix, prefix.utf8.count <= 64 else {
                check.error("newKey", form + ", the prefix of at most 64 bytes")
                return nil
            }
            return .prefix(prefix)
        default:
            check.error("newKey", form)
            return nil
        }
    }

    private func readUnique(_ check: inout FileCheck) -> [[String]] {
        guard let value = check.value("unique") else { return [] }
        let form = "must be a list of members, or of lists of members"
        guard let elements = value.arrayValue else {
            check.error("unique", form)
            return []
        }
        var groups: [[String]] = []
        for (index, element) in elements.enumerated() {
            let names = element.stringValue.map { [$0] } ?? element.arrayValue?.compactMap(\.stringValue) ?? []
            let isWhole = element.stringValue != nil || element.arrayValue?.count == names.count
            guard isWhole, !names.isEmpty else {
                check.report.error(check.path + [.key("unique"), .index(index)], form)
                continue
            }
            groups.append(names)
        }
        return groups
    }

    // MARK: Rows

    /// The world in which seed rows are held against the schema; their times are told from its start.
    static let sampleEpoch = Epoch(start: Instant(seconds: 1_735_732_800))

    private mutating func readRows(
        _ file: CustomAPIFolder.File,
        _ place: Int,
        hasNewKey: Bool,
        _ members: inout MemberSurvey
    ) {
        guard let (json, report) = json(of: file) else { return }
        defer { close(report) }
        guard let rows = json.arrayValue else {
            report.error([], "must be an array of rows, found \(json.typeName)")
            return
        }
        guard rows.count <= CustomAPILimits.rows else {
            report.error([.index(CustomAPILimits.rows)], "a table has at most \(CustomAPILimits.rows) rows")
            return
        }
        let table = definition.tables[place]
        var hasTextKeys = false
        for (index, json) in rows.enumerated() {
            guard !report.isFull else { return }
            guard let row = json.objectValue.map({ StoredText.seed($0) }) else {
                report.error([.index(index)], "must be an object, found \(json.typeName)")
                continue
            }
            let key = row[table.key].flatMap { RowKey($0) }
            if key == nil {
                let reason = row[table.key] == nil ? "the key \(table.key) is missing" : RowKey.form
                report.error([.index(index), .key(table.key)], reason)
            }
            // A row whose key is wrong, or taken, may have other faults all the same.
            if let schema = table.schema {
                let members = StoredText.members(row, in: Self.sampleEpoch, table.time)
                for issue in schema.issues(in: .object(members)) where key != nil || issue.path != [.key(table.key)] {
                    report.error([.index(index)] + issue.path, issue.reason)
                }
            }
            var isTaken = false
            if let key {
                if key.number == nil { hasTextKeys = true }
                isTaken = definition.seed.tables[place].rows.contains(key.text)
                if isTaken {
                    let reason = "the key \(key.text.shortened) is taken by an earlier row"
                    report.error([.index(index), .key(table.key)], reason)
                }
            }
            let conflicts = definition.seed.tables[place].conflicts(ofStored: row, besides: nil, table)
            for group in conflicts {
                let reason = "an earlier row has the same \(group.joined(separator: " and "))"
                report.error([.index(index), .key(group[0])], reason)
            }
            guard let key, !isTaken, conflicts.isEmpty else {
                definition.seed.tables[place].noteRefused(row, table)
                continue
            }
            members.add(row)
            definition.seed.tables[place].insert(stored: row, key: key, table)
        }
        if !hasNewKey, !rows.isEmpty, !hasTextKeys { definition.tables[place].newKey = .integer }
        definition.seed.tables[place].rest()
    }

    /// Reads the schema of a row: JSON Schema, whose references may lead into the document.
    private func rowSchema(_ json: JSON, at path: [JSONPathElement], _ report: FileReport) -> (any RowSchema)? {
        guard json.objectValue != nil || json.boolValue != nil else {
            report.error(path, "must be a JSON Schema, found \(json.typeName)")
            return nil
        }
        let survey = definition.document?.survey(json) ?? Schema.survey(json)
        // What a document with mistakes has is not known, and the mistakes are told.
        let isRead = definition.document != nil || !CustomAPIFolder.documents.contains { folder.file($0) != nil }
        for issue in survey.errors where isRead { report.error(path + issue.path, issue.reason) }
        for issue in survey.notes { report.note(path + issue.path, issue.reason) }
        guard survey.errors.isEmpty else { return nil }
        return DocumentSchema(definition.document?.schema(json) ?? Schema(json))
    }
}

/// Finds the scalar members of a table's rows, in the order in which they first appear.
struct MemberSurvey {
    /// Members of one table that are found; a row of a user has a few dozen.
    private static let mostMembers = 1_000

    private(set) var found: [ScalarMember]
    private var places: [[String]: Int] = [:]

    init(schema: (any RowSchema)?) {
        found = []
        for member in schema?.scalarMembers ?? [] { note(member.path.steps, member.types) }
    }

    mutating func add(_ row: JSONObject) { add(row, []) }

    private mutating func add(_ object: JSONObject, _ path: [String]) {
        for member in object.members {
            let inner = path + [member.name]
            switch member.value {
            case .object(let object): add(object, inner)
            case .array: break
            case .null: note(inner, [])
            case .bool: note(inner, .bool)
            case .integer, .number: note(inner, .number)
            case .string(let text):
                let isTime = SeedTime(text) != nil || ColumnValue.time(text) != nil
                note(inner, isTime ? .time : .text)
            }
        }
    }

    private mutating func note(_ path: [String], _ types: ScalarMember.Types) {
        if let place = places[path] {
            found[place].types.formUnion(types)
        } else if found.count < Self.mostMembers {
            places[path] = found.count
            found.append(ScalarMember(MemberPath(path), types))
        }
    }
}
