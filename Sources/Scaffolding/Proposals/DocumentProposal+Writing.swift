import Basics
import HTTPMessage
import JSON
import OpenAPI

/// The members of `api.json` and the files of tables (own-API contract, section 19).
extension DocumentProposal {

    mutating func write() {
        writeTables()
        var resources = api["resources"]?.arrayValue ?? []
        let first = resources.count
        for collection in collections where !collection.operations.isEmpty {
            let why = collection.doubt
            resources.append(resource(collection, why: why))
            report.note(collection, why: why, place: resources.count - 1)
        }
        if let profile, let key = firstRow?.key, signIn?.doubt == nil {
            if !profile.operations.isEmpty { resources.append(profile.resource(users, key: key)) }
            report.note(profile, users)
        }
        if resources.count > first { api["resources"] = .array(resources) }
        writeSignIn()
        writeIdempotency()
    }

    /// Has answers be kept under the header that creations and changes declare for their keys (wire contract, section 8).
    private mutating func writeIdempotency() {
        guard api["idempotency"] == nil else { return }
        let issuing = Set((signIn?.routes ?? []).map(\.operation.index))
        let taking = document.operations.compactMap { operation -> (operation: OpenAPIOperation, header: String)? in
            guard [.post, .patch].contains(operation.method), !issuing.contains(operation.index) else { return nil }
            let names = operation.parameters.filter { $0.location == .header }.map(\.name)
            let key = names.first { ["idempotencykey", "xidempotencykey"].contains(PlainName.of($0)) }
            return key.map { (operation, $0) }
        }
        guard let header = taking.first?.header else { return }
        let isUsual = header.lowercased() == "idempotency-key"
        api["idempotency"] = isUsual ? true : ["header": .string(header)]
        let (own, others) = (taking.filter { $0.header == header }, taking.filter { $0.header != header })
        report.noteKeys(header, own.map(\.operation), others: others)
    }

    private mutating func writeTables() {
        var declared = api["tables"]?.objectValue ?? JSONObject()
        for plan in plans where collections.contains(where: { $0.table == plan.name && !$0.operations.isEmpty }) {
            declared.append(plan.name, plan.declaration)
            files.append(plan.file)
        }
        if let signIn, !plans.contains(where: { $0.name == users }) {
            declared.append(users, ["unique": [.string(signIn.identifier)]])
        }
        if !declared.isEmpty { api["tables"] = .object(declared) }
    }

    private func resource(_ collection: ProposedCollection, why: String?) -> JSON {
        var resource = JSONObject()
        if let why {
            resource.append("enabled", false)
            resource.append("why", .string(why))
        }
        resource.append("path", .string(collection.path))
        resource.append("table", .string(collection.table))
        resource.append("methods", .array(collection.operations.map { .string($0.method.rawValue) }))
        let bound = collection.bindings.filter { $0.member != $0.parameter }
        if !bound.isEmpty {
            resource.append(
                "bind",
                .object(JSONObject(bound.map { .init(name: $0.parameter, value: .string($0.member)) }))
            )
        }
        let parents = collection.bindings.compactMap { binding in binding.parent.map { (binding.parameter, $0) } }
        if !parents.isEmpty {
            resource.append("parents", .object(JSONObject(parents.map { .init(name: $0.0, value: .string($0.1)) })))
        }
        if let owner = collection.owner { resource.append("owner", .string(owner)) }
        let statuses = collection.operations.compactMap { method, operation -> JSONObject.Member? in
            guard let status = operation.success?.status, status != method.usualStatus else { return nil }
            return JSONObject.Member(name: method.rawValue, value: .integer(Int64(status)))
        }
        if !statuses.isEmpty { resource.append("statuses", .object(JSONObject(statuses))) }
        if let item = collection.item?.template { resource.append("item", item) }
        var list = JSONObject()
        if let envelope = collection.envelope { list.append("envelope", envelope) }
        for member in collection.paging?.members.members ?? [] { list.append(member.name, member.value) }
        if !list.isEmpty, collection.operation(.list) != nil { resource.append("list", .object(list)) }
        return .object(resource)
    }

    private mutating func writeSignIn() {
        guard let signIn else { return }
        var why = signIn.doubt
        if why == nil, firstUser == nil { why = "no row of \(users) was found that fits its schema" }
        api["auth"] = .object(signIn.json(users: users, open: open, why: why))
        report.note(signIn, why: why)
    }

    /// The paths of resources that ask for no token, as the document says.
    private var open: [String] {
        var entries: [String] = []
        for collection in collections where collection.doubt == nil && collection.owner == nil {
            let inner = collection.path + "/*"
            for (path, isOwn) in [(collection.path, true), (inner, false)] {
                let operations = collection.operations.filter { ($0.method == .list || $0.method == .create) == isOwn }
                let free = operations.filter { $0.operation.security == .open }
                let pattern = collection.template.parameterNames.reduce(path) { text, name in
                    text.replacing("{\(name)}", with: "*")
                }
                if free.count == operations.count, !free.isEmpty {
                    entries.append(pattern)
                } else {
                    entries += free.map { "\($0.method.http.rawValue) \(pattern)" }
                }
            }
        }
        return entries
    }
}
