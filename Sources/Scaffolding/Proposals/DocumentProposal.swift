import Backend
import Basics
import HTTPMessage
import JSON
import OpenAPI

/// The tables, resources and sign-in that a document describes, as members of `api.json` and rows (own-API contract,
/// section 19).
struct DocumentProposal {
    /// The members of `api.json`, with what was there.
    var api: JSONObject
    var files: [Scaffold.File] = []
    var report: ProposalReport

    let document: OpenAPIDocument
    /// The names of tables that are there already.
    var tables: Set<String>
    var collections: [ProposedCollection] = []
    var plans: [ProposedTable] = []
    var signIn: ProposedSignIn?
    var profile: ProposedProfile?
    /// The rows of the user, by the name of the table.
    var users = "users"

    /// Proposes what is not there yet.
    ///
    /// - Parameters:
    ///   - document: The document as it is read.
    ///   - api: The members that `api.json` has already.
    ///   - tables: The names of the tables that have a file already.
    ///   - refused: The tables whose rows would not be taken, with the reasons.
    init(_ document: OpenAPIDocument, beside api: JSONObject, tables: [String], refused: [String: String] = [:]) {
        self.document = document
        report = ProposalReport(basePath: document.basePath)
        self.api = api
        self.tables = Set(tables + (api["tables"]?.objectValue?.members.map(\.name) ?? []))
        if (api["auth"] ?? .null).isNull { signIn = ProposedSignIn(document) }
        findCollections()
        makeTables()
        settleUsers()
        for place in plans.indices where refused[plans[place].name] != nil { plans[place].rows = [] }
        for place in collections.indices {
            guard let reason = refused[collections[place].table], collections[place].doubt == nil else { continue }
            collections[place].doubt = "no rows were found that fit: \(reason)"
        }
        for place in collections.indices { check(place) }
        checkProfile()
        write()
    }

    // MARK: Collections

    private mutating func findCollections() {
        var shapes: [String] = []
        var groups: [String: [OpenAPIOperation]] = [:]
        for operation in document.operations {
            let shape = operation.template.shape
            if groups[shape] == nil { shapes.append(shape) }
            groups[shape, default: []].append(operation)
        }
        let taken = takenShapes()
        if let signIn, signIn.doubt == nil {
            let free = document.operations.filter { !taken.contains($0.template.shape) }
            profile = ProposedProfile(free, signIn)
        }
        let issuing = Set((signIn?.routes ?? []).map(\.operation.index))
        for shape in shapes where !taken.contains(shape) {
            let own = (groups[shape] ?? []).filter { !issuing.contains($0.index) }
            let inner = (groups[shape + "/{}"] ?? []).filter { $0.template.lastParameter != nil }
            guard let first = own.first, !taken.contains(shape + "/{}"),
                let found = ProposedCollection(first.template, path: first.route, own, inner)
            else { continue }
            collections.append(found)
        }
        // Parents come first.
        let order = collections.enumerated().sorted {
            ($0.element.template.segments.count, $0.offset) < ($1.element.template.segments.count, $1.offset)
        }
        collections = order.map(\.element)
        nameTables()
        let auth = api["auth"] ?? .null
        let asksForTokens = !auth.isNull && auth["enabled"]?.boolValue ?? true
        for place in collections.indices {
            collections[place].bind(collections)
            let isOpen = collections[place].operations.contains { $0.operation.security == .open }
            guard asksForTokens, isOpen, collections[place].doubt == nil else { continue }
            collections[place].doubt = "it asks for no token by the document, and auth.open does not name it"
        }
    }

    /// The shapes of the paths that `api.json` has resources or sign-in routes at.
    private func takenShapes() -> Set<String> {
        var paths = (api["resources"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
        paths += (api["auth"]?.objectValue?.members ?? []).compactMap(\.value.stringValue)
        let templates = paths.compactMap { path in
            try? PathTemplate(path.utf8.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
        }
        return Set(templates.map(\.shape))
    }

    private mutating func nameTables() {
        var names: [String] = []
        for place in collections.indices {
            let own = collections[place]
            if let same = collections[..<place].first(where: {
                $0.row.identity == own.row.identity && $0.key == own.key && $0.lastName == own.lastName
            }) {
                collections[place].table = same.table
                continue
            }
            let literals = own.template.literals.compactMap { $0 }
            var name = Self.tableName(literals.suffix(1))
            if names.contains(name) || tables.contains(name) { name = Self.tableName(literals.suffix(2)) }
            let stem = name
            var number = 2
            while names.contains(name) || tables.contains(name) || name == "_sessions" || name == "_codes" {
                name = "\(stem)_\(number)"
                number += 1
            }
            names.append(name)
            collections[place].table = name
        }
    }

    private static func tableName(_ parts: ArraySlice<String>) -> String {
        let text = parts.joined(separator: "_").utf8.map { byte -> UInt8 in
            let isKept = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5F || byte == 0x2D
            return isKept ? byte : 0x5F
        }
        let name = String(decoding: text.prefix(60), as: UTF8.self)
        return name.isEmpty ? "rows" : name
    }

    // MARK: Tables

    private mutating func makeTables() {
        for place in collections.indices where !plans.contains(where: { $0.name == collections[place].table }) {
            let own = collections.filter { $0.table == collections[place].table }
            var plan = ProposedTable(collections[place].table, own)
            if plan.schema.reference == nil { plan.isFree = true }
            let known = plan
            let parents = own.flatMap(\.bindings).map { ($0.member, $0.parent, true) }
            let bound = (parents + references(in: plan.schema).map { ($0.0, $0.1, false) }).map {
                member,
                parent,
                isParent -> (name: String, values: [JSON], isParent: Bool) in
                let rows = plans.first { $0.name == parent }
                return (member, (rows?.rows ?? []).compactMap { row in rows.flatMap { row[$0.key] } }, isParent)
            }
            plan.makeRows(own, setting: bound) { known.fits($0) }
            plans.append(plan)
        }
    }

    /// The members that name a row of a table that is made already: `bikeId` of `bikes`.
    private func references(in schema: Schema) -> [(String, String?)] {
        plans.compactMap { plan in
            let name = PlainName.singular(PlainName.of(plan.name)) + "id"
            guard let member = PlainName.first(of: [name], among: schema.memberNames), schema.isScalar(member),
                let key = plan.rows.first?[plan.key], schema.member(member)?.fits(key) ?? false
            else { return nil }
            return (member, plan.name)
        }
    }

    /// Makes the table of those who sign in, or the one that the document has for them.
    private mutating func settleUsers() {
        guard let signIn else { return }
        let isOfUsers = { (plan: ProposedTable) in
            ["users", "accounts", "members", "customers"].contains(PlainName.of(plan.name))
                && plan.schema.memberNames.contains(signIn.identifier)
        }
        let own = signIn.person.flatMap { person in plans.firstIndex { $0.schema.identity == person.identity } }
        if signIn.doubt == nil, let place = own ?? plans.firstIndex(where: isOfUsers), !plans[place].rows.isEmpty {
            users = plans[place].name
            for index in plans[place].rows.indices {
                plans[place].rows[index][signIn.identifier] = .string(Self.name(signIn, index))
                plans[place].rows[index][signIn.secret] = .string(signIn.user.password)
            }
            plans[place].unique = [signIn.identifier]
            let plan = plans[place]
            if !plan.rows.allSatisfy({ plan.schema.fits(.object($0), direction: .request) }) {
                plans[place].isFree = true
            }
            return
        }
        users = "users"
        var number = 2
        while tables.contains(users) || plans.contains(where: { $0.name == users }) {
            users = "users_\(number)"
            number += 1
        }
        var row = signIn.person?.sample("user", start: ProposedTemplate.start)?.objectValue ?? JSONObject()
        let more = profile?.person.sample("profile", start: ProposedTemplate.start)?.objectValue ?? JSONObject()
        for member in more.members where row[member.name] == nil { row.append(member.name, member.value) }
        let id = signIn.person?.member("id") ?? profile?.person.member("id")
        if row["id"] != nil, id?.form == .text, id?.keyword("format") == nil, id?.fits("user-1") ?? false {
            row["id"] = "user-1"
        }
        if row["id"] == nil {
            let names = collections.filter(\.isOfOneUser).compactMap { own in own.userMember.flatMap(own.row.member) }
            let id: JSON = names.contains { $0.fits("user-1") && !$0.fits(1) } ? "user-1" : 1
            row = JSONObject([.init(name: "id", value: id)] + row.members)
        }
        row[signIn.identifier] = .string(signIn.user.identifier)
        row[signIn.secret] = .string(signIn.user.password)
        files.append(Scaffold.File(path: "tables/\(users).json", rows: [.object(row)]))
    }

    /// The identifiers of the users: the first one is that of the output.
    private static func name(_ signIn: ProposedSignIn, _ place: Int) -> String {
        guard place > 0 else { return signIn.user.identifier }
        let parts = signIn.user.identifier.split(separator: "@", maxSplits: 1)
        return parts.count == 2 ? "\(parts[0])\(place + 1)@\(parts[1])" : "\(signIn.user.identifier)\(place + 1)"
    }

    /// The row of the first user, and its key.
    var firstRow: (row: JSONObject, key: String)? {
        if let plan = plans.first(where: { $0.name == users }) { return plan.rows.first.map { ($0, plan.key) } }
        guard let file = files.first(where: { $0.path == "tables/\(users).json" }),
            let row = try? JSONReader.read(file.bytes)[0]?.objectValue
        else { return nil }
        return (row, "id")
    }

    var firstUser: JSON? { firstRow.flatMap { $0.row[$0.key] } }

    mutating func checkProfile() {
        guard let first = firstRow, let signIn else { return }
        let hidden = plans.first { $0.name == users }.map(\.writeOnly) ?? []
        profile?.check(first.row, hiding: hidden + [signIn.secret], key: first.key)
    }
}
