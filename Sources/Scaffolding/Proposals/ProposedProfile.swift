import HTTPMessage
import JSON
import OpenAPI

/// The path at which the user who has signed in sees the own row, such as `/me`.
struct ProposedProfile {
    let path: String
    /// The operations with their methods.
    var operations: [(method: ProposedCollection.Method, operation: OpenAPIOperation)]
    /// The schema of the user.
    let person: Schema
    /// The template; nil where the row itself is sent.
    let template: JSON?
    var left: [(operation: OpenAPIOperation, reason: String)] = []

    private static let names = ["me", "whoami", "self", "profile", "account", "currentuser", "user", "current"]

    /// Looks for the path; `signIn` has the member by which users are known.
    init?(_ operations: [OpenAPIOperation], _ signIn: ProposedSignIn) {
        let found = operations.first { operation in
            operation.method == .get && operation.security == .needed && operation.foreignType == nil
                && operation.template.parameterNames.isEmpty
                && Self.names.contains(PlainName.of(operation.template.literals.last.flatMap { $0 } ?? ""))
                && operation.answer?.schema.flatMap { Self.person($0, signIn) } != nil
        }
        guard let found, let schema = found.answer?.schema, let (person, member) = Self.person(schema, signIn) else {
            return nil
        }
        path = found.route
        self.person = person
        template = member.flatMap { member in
            ProposedTemplate { path, _ in path == [member] ? "{{row}}" : nil }.object(schema)
        }
        let methods: [ProposedCollection.Method] = [.get, .replace, .patch]
        self.operations = methods.compactMap { method in
            operations.first { $0.method == method.http && $0.template.shape == found.template.shape }.map {
                (method, $0)
            }
        }
    }

    private static func person(_ schema: Schema, _ signIn: ProposedSignIn) -> (Schema, String?)? {
        guard schema.form == .object else { return nil }
        if schema.memberNames.contains(signIn.identifier) || schema.identity == signIn.person?.identity {
            return (schema, nil)
        }
        let inner = schema.memberNames.filter { name in
            schema.member(name).map { $0.form == .object && $0.memberNames.contains(signIn.identifier) } ?? false
        }
        guard inner.count == 1, let person = schema.member(inner[0]) else { return nil }
        return (person, inner[0])
    }

    /// Leaves the operations whose answer would not be the declared one to samples.
    mutating func check(_ row: JSONObject, hiding hidden: [String], key: String) {
        var kept: [(method: ProposedCollection.Method, operation: OpenAPIOperation)] = []
        for (method, operation) in operations {
            var shown = row
            if method != .get {
                guard let content = operation.taken, content.isJSON, let schema = content.schema,
                    let body = schema.sample("body \(operation.words)", start: ProposedTemplate.start)?.objectValue,
                    schema.memberNames.contains(where: person.memberNames.contains)
                else {
                    left.append((operation, "its body has no member of the user"))
                    continue
                }
                let required = schema.required
                if method == .replace { shown = JSONObject(shown.members.filter { $0.name == key }) }
                for member in body.members
                where member.name != key && (method == .patch || required.contains(member.name)) {
                    shown[member.name] = member.value
                }
            }
            let json = JSON.object(JSONObject(shown.members.filter { !hidden.contains($0.name) }))
            let filled = template.flatMap { ProposedTemplate.filled($0, ["row": json]) } ?? json
            if operation.success == nil {
                left.append((operation, "declares no successful status"))
            } else if let reason = operation.answer?.schema?.misfit(filled) {
                left.append((operation, "its response is not the user's row: \(reason)"))
            } else {
                kept.append((method, operation))
            }
        }
        operations = kept
    }

    /// The resource in `api.json`.
    func resource(_ table: String, key: String) -> JSON {
        var resource: JSONObject = [
            "path": .string(path), "table": .string(table), "single": true,
            "methods": .array(operations.map { .string($0.method.rawValue) }), "owner": .string(key),
        ]
        let statuses = operations.compactMap { method, operation -> JSONObject.Member? in
            guard let status = operation.success?.status, status != 200 else { return nil }
            return JSONObject.Member(name: method.rawValue, value: .integer(Int64(status)))
        }
        if !statuses.isEmpty { resource.append("statuses", .object(JSONObject(statuses))) }
        if let template { resource.append("item", template) }
        return .object(resource)
    }
}
