package import Backend
import HTTPMessage
package import JSON
package import Worlds

/// The OpenAPI 3.1 document of a set of declarations.
package struct OpenAPIDescription: Sendable {
    package var title: String
    package var version: String
    package var description: String
    /// Base addresses, the most usual first.
    package var servers: [String]
    package var routes: [RouteSummary]

    package init(title: String, version: String, description: String, servers: [String], routes: [RouteSummary]) {
        self.title = title
        self.version = version
        self.description = description
        self.servers = servers
        self.routes = routes
    }

    package init(_ api: AnyAPI, servers: [String]) {
        self.init(
            title: api.identity.title,
            version: api.identity.version,
            description: api.identity.description,
            servers: servers,
            routes: api.routes
        )
    }

    /// Returns the document of an API: its own, or that of its endpoints.
    package static func document(of api: AnyAPI, servers: [String]) -> JSON {
        api.hooks.document?(servers) ?? OpenAPIDescription(api, servers: servers).document
    }

    package var document: JSON {
        var schemas: [(name: String, schema: JSONSchema)] = []
        var paths = JSONObject()
        var ids: Set<String> = []
        for route in routes {
            let path = Self.path(route.template)
            var item = paths[path]?.objectValue ?? JSONObject()
            item[route.method.rawValue.lowercased()] = operation(route, Self.operationID(route, &ids), &schemas)
            paths[path] = .object(item)
        }
        var components = JSONObject()
        if !schemas.isEmpty {
            components["schemas"] = .object(
                JSONObject(schemas.map { JSONObject.Member(name: $0.name, value: $0.schema.json()) })
            )
        }
        if routes.contains(where: { $0.authentication != .none }) {
            components["securitySchemes"] = [
                "bearer": ["type": "http", "scheme": "bearer", "description": "Authorization: Bearer <token>"]
            ]
        }
        var document: JSONObject = [
            "openapi": "3.1.0",
            "info": ["title": .string(title), "version": .string(version), "description": .string(description)],
            "servers": .array(servers.map { ["url": .string($0)] }),
            "paths": .object(paths),
        ]
        if !components.isEmpty { document.append("components", .object(components)) }
        return .object(document)
    }

    /// Returns the template in OpenAPI's form: a parameter for the rest of the path loses its dots.
    package static func path(_ template: String) -> String {
        String(template.filter { $0 != "…" })
    }

    private func operation(
        _ route: RouteSummary,
        _ id: String,
        _ schemas: inout [(name: String, schema: JSONSchema)]
    ) -> JSON {
        var operation: JSONObject = [
            "operationId": .string(id),
            "summary": .string(route.summary),
            "x-understudy-status": .string(route.provenance.rawValue),
        ]
        let parameters = Self.parameters(route)
        if !parameters.isEmpty {
            operation.append(
                "parameters",
                .array(
                    parameters.map { parameter in
                        [
                            "name": .string(parameter.name),
                            "in": .string(parameter.place.rawValue),
                            "required": .bool(parameter.isRequired),
                            "description": .string(parameter.description),
                            "schema": parameter.schema.json(),
                        ]
                    }
                )
            )
        }
        switch route.body {
        case .none: break
        case .json(let name, let schema, let isRequired, let example, _):
            var content: JSONObject = ["schema": Self.reference(name, schema, &schemas)]
            if let example { content.append("example", example) }
            operation.append(
                "requestBody",
                ["required": .bool(isRequired), "content": ["application/json": .object(content)]]
            )
        case .multipart(let parts):
            let schema = JSONSchema.object(
                JSONSchema.Object(
                    parts.map {
                        JSONSchema.Property(
                            $0.name,
                            $0.schema,
                            isRequired: $0.isRequired,
                            description: $0.description
                        )
                    }
                )
            )
            operation.append(
                "requestBody",
                ["required": true, "content": ["multipart/form-data": ["schema": schema.json()]]]
            )
        case .binary:
            let schema: JSON = ["type": "string", "format": "binary"]
            operation.append(
                "requestBody",
                ["required": true, "content": ["application/octet-stream": ["schema": schema]]]
            )
        }
        operation.append("responses", responses(route, &schemas))
        switch route.authentication {
        case .none: operation.append("security", .array([]))
        case .optional: operation.append("security", .array([.object(JSONObject()), ["bearer": .array([])]]))
        case .bearer: operation.append("security", .array([["bearer": .array([])]]))
        }
        return .object(operation)
    }

    /// Returns one response object for each status; several responses of one status become its examples.
    private func responses(_ route: RouteSummary, _ schemas: inout [(name: String, schema: JSONSchema)]) -> JSON {
        func key(_ answer: AnswerDeclaration) -> String { answer.isDefault ? "default" : "\(answer.status.code)" }
        var keys: [String] = []
        for answer in route.answers where !keys.contains(key(answer)) { keys.append(key(answer)) }
        var responses = JSONObject()
        for name in keys {
            let answers = route.answers.filter { key($0) == name }
            var content = JSONObject()
            for answer in answers {
                for (type, schema) in Self.media(answer.content, &schemas) {
                    var media = content[type]?.objectValue ?? JSONObject()
                    if media["schema"] == nil { media["schema"] = schema }
                    if let example = answer.example {
                        var examples = media["examples"]?.objectValue ?? JSONObject()
                        examples.append(
                            "example\(examples.count + 1)",
                            ["summary": .string(answer.description), "value": example]
                        )
                        media["examples"] = .object(examples)
                    }
                    content[type] = .object(media)
                }
            }
            var response: JSONObject = [
                "description": .string(answers.map(\.description).joined(separator: " · "))
            ]
            if !content.isEmpty {
                response.append("content", .object(content))
                // OpenAPI can't express content that only some responses of a status have.
                if answers.contains(where: { $0.content.isNone }) {
                    response.append("x-understudy-may-be-empty", true)
                }
            }
            responses.append(name, .object(response))
        }
        return .object(responses)
    }

    private static func media(
        _ content: AnswerDeclaration.Content,
        _ schemas: inout [(name: String, schema: JSONSchema)]
    ) -> [(type: String, schema: JSON)] {
        switch content {
        case .none: []
        case .json(let name?, let schema, let contentType): [(contentType, reference(name, schema, &schemas))]
        case .json(nil, let schema, let contentType): [(contentType, schema.json())]
        case .eventStream(let description):
            // Without a type: in 3.1 it would describe the whole text, and in 3.2 each event.
            [("text/event-stream", ["description": .string(description)])]
        case .text(let contentType): [(contentType, ["type": "string"])]
        case .bytes(let types): types.map { ($0, ["type": "string", "format": "binary"]) }
        }
    }

    private static func reference(
        _ name: String,
        _ schema: JSONSchema,
        _ schemas: inout [(name: String, schema: JSONSchema)]
    ) -> JSON {
        // Null belongs to the place of use: generators of clients drop a component that is itself nullable.
        if case .nullable(let inner) = schema {
            return ["anyOf": [reference(name, inner, &schemas), ["type": "null"]]]
        }
        let schema = naming(schema, as: name, &schemas)
        if let known = schemas.first(where: { $0.name == name }) {
            // Another type of the same name is written inline, so that the first does not describe it.
            guard known.schema == schema else { return schema.json() }
        } else {
            schemas.append((name, schema))
        }
        return ["$ref": .string("#/components/schemas/\(name)")]
    }

    /// Returns a choice with its objects as components of their own, which generators of clients need to name them.
    private static func naming(
        _ schema: JSONSchema,
        as name: String,
        _ schemas: inout [(name: String, schema: JSONSchema)]
    ) -> JSONSchema {
        guard case .oneOf(let alternatives) = schema else { return schema }
        return .oneOf(
            alternatives.enumerated().map { place, alternative in
                guard case .object = alternative else { return alternative }
                let own = "\(name)Choice\(place + 1)"
                guard let known = schemas.first(where: { $0.name == own }) else {
                    schemas.append((own, alternative))
                    return .reference(own)
                }
                return known.schema == alternative ? .reference(own) : alternative
            }
        )
    }

    /// Returns the declared parameters, preceded by those of the path that are not declared: OpenAPI needs each of
    /// them.
    private static func parameters(_ route: RouteSummary) -> [Parameter] {
        let names = RouteTemplate(route.template)?.parameterNames ?? []
        let missing = names.filter { name in !route.parameters.contains { $0.place == .path && $0.name == name } }
        return missing.map { Parameter($0, in: .path, .string(minLength: 1), "Part of the path") } + route.parameters
    }

    /// Returns an id such as `postApiV1ConversationsIdMessages`, with a number where two routes have the same words
    /// (`/a/{id}`, `/a/id`).
    private static func operationID(_ route: RouteSummary, _ taken: inout Set<String>) -> String {
        var words = ""
        var startsWord = true
        for character in route.template {
            guard character.isLetter || character.isNumber else {
                startsWord = true
                continue
            }
            words += startsWord ? character.uppercased() : String(character)
            startsWord = false
        }
        let plain = route.method.rawValue.lowercased() + words
        var id = plain
        var number = 1
        while !taken.insert(id).inserted {
            number += 1
            id = "\(plain)\(number)"
        }
        return id
    }
}
