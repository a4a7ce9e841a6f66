import JSON
import OpenAPI

/// The answers of a resource, held against the declarations of its operations (own-API contract, section 19).
extension DocumentProposal {
    /// Holds what a resource would answer against what its operations declare; what does not fit is left to samples.
    mutating func check(_ place: Int) {
        guard let table = plans.firstIndex(where: { $0.name == collections[place].table }) else { return }
        findOwner(place, table)
        let plan = plans[table]
        guard let row = plan.rows.first else {
            collections[place].doubt = collections[place].doubt ?? "no row was found that fits its schema"
            return
        }
        var kept: [(method: ProposedCollection.Method, operation: OpenAPIOperation)] = []
        for (method, operation) in collections[place].operations {
            let reason = misfit(method, operation, of: collections[place], table: table, row: row)
            guard let reason else {
                kept.append((method, operation))
                continue
            }
            if method == .list || method == .get {
                collections[place].doubt = collections[place].doubt ?? "\(operation.words): \(reason)"
                kept.append((method, operation))
            } else {
                collections[place].left.append((operation, reason))
            }
        }
        collections[place].operations = kept
    }

    private mutating func findOwner(_ place: Int, _ table: Int) {
        let collection = collections[place]
        guard collection.isOfOneUser, collection.doubt == nil else { return }
        let isSecured = collection.operations.allSatisfy { $0.operation.security == .needed }
        let member = collection.userMember
        guard let signIn, signIn.doubt == nil, isSecured, let member, let user = firstUser else {
            // A list under /me has rows of one user; without a member that says whose, all are shown to everybody.
            if collection.isBelowMe, member == nil {
                collections[place].doubt = "no member of the rows says to whom they belong"
            }
            return
        }
        guard
            plans[table].rows.allSatisfy({ row in
                var row = row
                row[member] = user
                return plans[table].fits(row)
            })
        else {
            collections[place].doubt = "\(member) can't be the id of a user, \(user.text)"
            return
        }
        collections[place].owner = member
        for index in plans[table].rows.indices { plans[table].rows[index][member] = user }
    }

    /// Returns the reason why the answer of a method would not be the declared one; nil if it is.
    private mutating func misfit(
        _ method: ProposedCollection.Method,
        _ operation: OpenAPIOperation,
        of collection: ProposedCollection,
        table: Int,
        row: JSONObject
    ) -> String? {
        guard let success = operation.success else { return "declares no successful status" }
        if let status = success.status, status != method.usualStatus, !(200...299).contains(status) {
            return "declares \(status)"
        }
        if let type = operation.foreignType { return "responds with \(type), not with application/json" }
        let plan = plans[table]
        if method == .list {
            let rows = plan.rows.map { JSON.object(visible($0, plan)) }
            guard let list = collection.list, let style = collection.paging?.style else { return nil }
            if let reason = list.misfit(collection.envelope, rows, style) { return "the list would not fit: \(reason)" }
            return list.misfit(collection.envelope, [], style).map { "an empty list would not fit: \($0)" }
        }
        var shown = row
        if [.create, .replace, .patch].contains(method) {
            switch written(method, operation, of: collection, table: table, row: row) {
            case .success(let made): shown = made
            case .failure(let reason): return reason.text
            }
        }
        guard success.status != 204, let schema = operation.answer?.schema else { return nil }
        if method != .get {
            let parameter = collection.operation(.get)?.template.lastParameter
            guard let item = ProposedItem(schema, parameter: parameter), item.member == collection.item?.member else {
                return "its response is not the row in the form of the others"
            }
        }
        let json = JSON.object(visible(shown, plans[table]))
        let body = collection.item?.template.flatMap { ProposedTemplate.filled($0, ["row": json]) } ?? json
        return schema.misfit(body).map { "its response is not the row: \($0)" }
    }

    private func visible(_ row: JSONObject, _ plan: ProposedTable) -> JSONObject {
        let hidden = plan.writeOnly + (plan.name == users ? [signIn?.secret].compactMap { $0 } : [])
        return JSONObject(row.members.filter { !hidden.contains($0.name) })
    }

    private struct Reason: Error {
        let text: String
    }

    /// Returns the row after a request with a body as the operation declares it.
    private mutating func written(
        _ method: ProposedCollection.Method,
        _ operation: OpenAPIOperation,
        of collection: ProposedCollection,
        table: Int,
        row: JSONObject
    ) -> Result<JSONObject, Reason> {
        guard let content = operation.taken, content.isJSON else {
            return .failure(Reason(text: "takes no JSON object"))
        }
        guard let schema = content.schema else { return .success(row) }
        let sample =
            content.shown.first { schema.fits($0, direction: .request) }
            ?? schema.sample("body \(operation.words)", start: ProposedTemplate.start)
        guard let body = sample?.objectValue else { return .failure(Reason(text: "takes no JSON object")) }
        let names = schema.memberNames
        let members = plans[table].schema.memberNames
        if !names.isEmpty, !members.isEmpty, !names.contains(where: members.contains) {
            return .failure(Reason(text: "its body has no member of the row"))
        }
        let required = schema.required
        let least = JSONObject(body.members.filter { required.contains($0.name) })
        let bound = collection.bindings.map(\.member) + [collection.owner].compactMap { $0 }
        for body in [least, body] {
            var next: JSONObject
            switch method {
            case .create:
                guard let first = plans[table].made(body, like: row, setting: bound) else {
                    return .failure(Reason(text: "keys of the form of \(plans[table].key) can't be made"))
                }
                plans[table].addDefaults(first, like: row)
                guard let made = plans[table].made(body, like: row, setting: bound) else { continue }
                next = made
            case .replace:
                let kept = plans[table].kept + [plans[table].key] + bound
                next = JSONObject(row.members.filter { kept.contains($0.name) })
                for member in body.members where !kept.contains(member.name) { next.append(member.name, member.value) }
            default:
                next = row
                let kept = plans[table].kept + [plans[table].key] + bound
                for member in body.members where !kept.contains(member.name) { next[member.name] = member.value }
            }
            let isSecret = plans[table].name == users
            if isSecret, let signIn { next[signIn.secret] = nil }
            if let issue = plans[table].schema.validate(.object(next), direction: .request, limit: 1).first,
                !plans[table].isFree
            {
                return .failure(Reason(text: "the row would not fit: \(issue.formattedPath): \(issue.reason)"))
            }
            if body == sample?.objectValue { return .success(next) }
            if let answer = operation.answer?.schema {
                let json = JSON.object(visible(next, plans[table]))
                let shown = collection.item?.template.flatMap { ProposedTemplate.filled($0, ["row": json]) } ?? json
                if let reason = answer.misfit(shown) {
                    return .failure(Reason(text: "its response is not the row: \(reason)"))
                }
            }
        }
        return .success(row)
    }
}
