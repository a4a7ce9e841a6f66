import Basics
import CivilTime
import JSON
import OpenAPI

/// The table of collections with the same rows: how its rows are made, and a few of them.
struct ProposedTable {
    let name: String
    let schema: Schema
    let key: String
    /// `newKey` of `api.json`; nil where no key can be made.
    let newKey: JSON?
    private(set) var createdAt: String?
    private(set) var updatedAt: String?
    private(set) var readOnly: [String] = []
    private(set) var writeOnly: [String] = []
    /// Members that a created row needs and that neither the client nor the schema gives.
    var defaults: [(name: String, value: JSON)] = []
    var rows: [JSONObject] = []
    /// `unique` of `api.json`.
    var unique: [String] = []
    /// The members that are no part of the schema, such as a password.
    var isFree = false

    /// The rows that are made: a few, or more than a page.
    private let count: Int
    /// The rows of a table without pages, and the most of one with pages.
    private static let (few, most) = (3, 45)

    init(_ name: String, _ collections: [ProposedCollection]) {
        self.name = name
        let first = collections[0]
        (schema, key) = (first.row, first.key)
        // The second page of a list can be asked for.
        let page = collections.compactMap { own in own.operation(.list) == nil ? nil : own.paging?.limit }.max() ?? 0
        count = page < Self.few ? Self.few : min(Int(page) + 5, Self.most)
        newKey = Self.newKey(first.row.member(first.key))
        let operations = collections.flatMap(\.operations)
        let bodies = operations.filter { [.create, .replace, .patch].contains($0.method) }
            .compactMap { $0.operation.taken?.schema }
        let written = Set(bodies.flatMap(\.memberNames))
        let members = schema.memberNames
        // A body without declared members may have any.
        guard !bodies.isEmpty, bodies.allSatisfy({ !$0.memberNames.isEmpty }) else { return }
        let allTimes = members.filter { schema.member($0).map(SchemaMarks.isTime) ?? false }
        let times = allTimes.filter { !written.contains($0) }
        // A body that is the whole row, as a replacement often is, says nothing about who sets them.
        let created = operations.filter { $0.method == .create }.compactMap { $0.operation.taken?.schema }
        let demanded = Set(created.flatMap(\.required))
        let ownTimes = allTimes.filter { !demanded.contains($0) }
        createdAt = PlainName.first(
            of: ["createdat", "created", "createdon", "datecreated", "creationdate"],
            among: ownTimes
        )
        updatedAt = PlainName.first(
            of: ["updatedat", "updated", "updatedon", "modifiedat", "modified", "lastmodified", "dateupdated"],
            among: ownTimes
        )
        let required = schema.required
        if createdAt == nil { createdAt = times.first { required.contains($0) && $0 != updatedAt } }
        let marked = members.filter { schema.member($0)?.isReadOnly ?? false }
        readOnly = members.filter { name in
            !written.contains(name) && name != key && !marked.contains(name) && name != createdAt && name != updatedAt
        }
        if !members.isEmpty {
            writeOnly = bodies.flatMap(\.memberNames).reduce(into: []) { names, name in
                if !members.contains(name), !names.contains(name), name != key { names.append(name) }
            }
        }
    }

    /// The members that are set here and not by clients.
    var kept: [String] {
        readOnly + [createdAt, updatedAt].compactMap { $0 }
            + schema.memberNames.filter { schema.member($0)?.isReadOnly ?? false }
    }

    private static func newKey(_ schema: Schema?) -> JSON? {
        guard let schema else { return "uuid" }
        if [.integer, .number].contains(schema.form) { return "integer" }
        if schema.fits("7c9e6679-7425-40de-944b-e07fc1f90ae7") { return "uuid" }
        return schema.fits("a1b2c3d4e5f6g7h8") ? ["prefix": ""] : nil
    }

    // MARK: Rows

    /// Makes the rows: of the document's examples, then samples.
    ///
    /// `fits` tells whether a row may stay.
    mutating func makeRows(
        _ collections: [ProposedCollection],
        setting bound: [(name: String, values: [JSON], isParent: Bool)],
        fits: (JSONObject) -> Bool
    ) {
        var shown: [JSON] = []
        for collection in collections {
            for example in collection.operation(.list)?.answer?.shown ?? [] {
                shown += collection.list?.rows(in: example) ?? []
            }
            for method in [ProposedCollection.Method.get, .create] {
                shown += (collection.operation(method)?.answer?.shown ?? []).compactMap { collection.item?.row(in: $0) }
            }
        }
        var seen: Set<String> = []
        for place in 0..<(shown.count + 2 * count) where rows.count < count {
            let isShown = place < shown.count
            let value =
                isShown ? shown[place] : schema.sample("\(name)/\(place - shown.count)", start: ProposedTemplate.start)
            // A schema without a sample has none for another name either.
            if value == nil, !isShown { break }
            guard var row = value?.objectValue else { continue }
            let number = rows.count
            for item in bound {
                guard !item.values.isEmpty else { continue }
                // The list below the first row of a parent has more than a page, too.
                let place = item.isParent && number >= Self.few ? 0 : number % item.values.count
                row[item.name] = item.values[place]
            }
            if let own = key(number, row[key], isShown: isShown) {
                row = row[key] == nil ? JSONObject([.init(name: key, value: own)] + row.members) : row
                row[key] = own
            }
            guard let text = Self.text(ofKey: row[key]), !seen.contains(text), fits(row) else { continue }
            seen.insert(text)
            rows.append(row)
        }
    }

    /// The key of a row: as an example has it, else one that a person can read.
    private func key(_ place: Int, _ value: JSON?, isShown: Bool) -> JSON? {
        guard let schema = schema.member(key) else { return value ?? .integer(Int64(place + 1)) }
        if isShown, value != nil { return value }
        let wanted: [JSON] = [
            .integer(Int64(place + 1)), .string("\(PlainName.singular(PlainName.of(name)))-\(place + 1)"),
        ]
        let isPlain = schema.keyword("pattern") == nil && schema.keyword("format") == nil && schema.choices == nil
        if schema.form != .text || isPlain, let first = wanted.first(where: { schema.fits($0) }) { return first }
        return value
    }

    private static func text(ofKey key: JSON?) -> String? {
        switch key {
        case .string(let text)? where !text.isEmpty: text
        case .integer(let number)?: String(number)
        default: nil
        }
    }

    /// Tells whether a row fits its own schema, as a response has it and as a table holds it.
    func fits(_ row: JSONObject) -> Bool {
        let json = JSON.object(row)
        return schema.fits(json, direction: .response) && (isFree || schema.fits(json, direction: .request))
    }

    // MARK: Writing

    /// Returns the row that a create with that body makes; nil if no key can be made.
    func made(_ body: JSONObject, like row: JSONObject, setting bound: [String]) -> JSONObject? {
        var members = body
        for name in kept { members[name] = nil }
        for name in bound { members[name] = row[name] }
        if members[key] == nil {
            guard newKey != nil else { return nil }
            members = JSONObject([.init(name: key, value: row[key] ?? .null)] + members.members)
        }
        for name in [createdAt, updatedAt].compactMap({ $0 }) { members[name] = "2025-01-01T12:00:00Z" }
        for name in schema.memberNames where members[name] == nil {
            let own = defaults.first { $0.name == name }?.value ?? schema.defaultValue(ofMember: name)
            if let own { members.append(name, own) }
        }
        return members
    }

    /// Adds defaults for the members that a made row lacks.
    mutating func addDefaults(_ made: JSONObject, like row: JSONObject) {
        for name in schema.required where made[name] == nil && schema.member(name) != nil {
            guard let member = schema.member(name), !defaults.contains(where: { $0.name == name }) else { continue }
            if SchemaMarks.isWriteOnly(member) { continue }
            let value: JSON? =
                if member.fits(.null) {
                    .null
                } else if member.form == .array, member.fits([]) {
                    []
                } else {
                    // The first of a closed list is mostly the state in which a thing begins.
                    member.choices?.first ?? row[name]
                }
            if let value { defaults.append((name, value)) }
        }
    }

    // MARK: Files

    /// The declaration in `api.json`.
    var declaration: JSON {
        var table = JSONObject()
        if key != "id" { table.append("key", .string(key)) }
        if let newKey, newKey != "integer" || !rows.allSatisfy({ $0[key]?.intValue != nil }) || rows.isEmpty {
            table.append("newKey", newKey)
        } else if newKey == nil {
            table.append("newKey", "client")
        }
        if !isFree { table.append("schema", declaredSchema) }
        if !unique.isEmpty { table.append("unique", .array(unique.map { .string($0) })) }
        if let createdAt { table.append("createdAt", .string(createdAt)) }
        if let updatedAt { table.append("updatedAt", .string(updatedAt)) }
        if !readOnly.isEmpty { table.append("readOnly", .array(readOnly.map { .string($0) })) }
        if !writeOnly.isEmpty { table.append("writeOnly", .array(writeOnly.map { .string($0) })) }
        return .object(table)
    }

    private var declaredSchema: JSON {
        let reference = schema.reference.map { JSON.object(["$ref": .string($0)]) } ?? true
        guard !defaults.isEmpty else { return reference }
        let members = defaults.map { JSONObject.Member(name: $0.name, value: ["default": $0.value]) }
        return ["allOf": [reference], "properties": .object(JSONObject(members))]
    }

    /// The rows as a seed has them: times follow the world's.
    var file: Scaffold.File {
        // A text that looks like a date is one only where the schema says so.
        let dates = schema.memberNames.filter { schema.member($0)?.keyword("format") == "date" }
        let fixed = schema.memberNames.filter { schema.member($0)?.choices != nil }
        let shown = rows.enumerated().map { place, row -> JSON in
            var number = 0
            var copy = JSONObject()
            for member in row.members {
                let isDate = dates.contains(member.name)
                let isKept = fixed.contains(member.name) || member.value.stringValue?.utf8.count == 10 && !isDate
                let told = timed(member.value, name: member.name, row: place, &number)
                copy.append(member.name, isKept ? member.value : told)
            }
            return .object(copy)
        }
        return Scaffold.File(path: "tables/\(name).json", rows: shown)
    }

    /// A value of a row, in which times are told from the beginning of the world.
    private func timed(_ value: JSON, name: String, row place: Int, _ number: inout Int) -> JSON {
        switch value {
        case .object(let object):
            var copy = JSONObject()
            for member in object.members {
                let isDate = member.value.stringValue?.utf8.count == 10
                let told = timed(member.value, name: member.name, row: place, &number)
                copy.append(member.name, isDate ? member.value : told)
            }
            return .object(copy)
        case .string(let text):
            let told = time(text, name: name, row: place, number)
            if told != text { number += 1 }
            return .string(told)
        default: return value
        }
    }

    /// A time of a row, told from the beginning of the world; later members are later times.
    private func time(_ text: String, name: String, row place: Int, _ number: Int) -> String {
        let isDate = text.utf8.count == 10 && Instant(iso8601: text + "T00:00:00Z") != nil
        guard isDate || Instant(iso8601: text) != nil else { return text }
        let plain = PlainName.of(name)
        guard !["birth", "dob"].contains(where: { plain.contains($0) }) else { return text }
        let future = ["expire", "due", "until", "deadline", "departure", "arrival", "scheduled", "next", "enddate"]
        let isFuture = future.contains { plain.contains($0) }
        let days = (count > Self.few ? 1 : 7) * (count - place)
        if isDate { return isFuture ? "D0+P\(days)D" : "D0-P\(days)D" }
        let hours = number % 24
        if isFuture { return hours == 0 ? "T0+P\(days)D" : "T0+P\(days)DT\(hours)H" }
        if days == 1, hours > 0 { return "T0-PT\(24 - hours)H" }
        return hours == 0 ? "T0-P\(days)D" : "T0-P\(days - 1)DT\(24 - hours)H"
    }
}

/// Marks of members.
enum SchemaMarks {
    /// Tells whether its values are instants, or null.
    static func isTime(_ schema: Schema) -> Bool {
        let branches = ["anyOf", "oneOf"].flatMap { schema.keyword($0)?.arrayValue ?? [] }
        let formats = [schema.keyword("format")] + branches.map { $0["format"] }
        let others = branches.filter { $0["type"] != "null" }
        return formats.contains("date-time") && others.count <= 1
    }

    static func isWriteOnly(_ schema: Schema) -> Bool { schema.keyword("writeOnly") == true }
}
