import Backend
import Conditions
import HTTPMessage
import JSON
import OpenAPI
import Repeats

/// The OpenAPI document of a custom API as it is shown: that of the folder, with the routes of resources, sign-in and
/// stubs added (own-API contract, section 16).
struct CustomAPIDocument {
    let definition: CustomAPIDefinition

    /// Returns the document; `servers` are the addresses of the API.
    func json(servers: [String]) -> JSON {
        let added = definition.routes.filter { $0.source != .openapi }.compactMap(operation) + stubs
        let schemes: JSONObject =
            definition.signIn == nil ? [:] : ["bearer": ["type": "http", "scheme": "bearer"]]
        let shown: JSON
        if let document = definition.document {
            shown = document.shown(servers: servers, adding: added, schemes: schemes)
        } else {
            shown = OpenAPIDocument.made(
                title: definition.title,
                version: definition.version,
                summary: definition.description,
                servers: servers,
                adding: added,
                components: schemes.isEmpty ? [:] : ["securitySchemes": .object(schemes)]
            )
        }
        return marked(shown)
    }

    // MARK: Routes

    private func operation(_ route: CustomRoute) -> AddedOperation? {
        guard let template = try? PathTemplate(route.template) else { return nil }
        var operation: JSONObject = ["summary": .string(route.summary.summary)]
        if !template.parameterNames.isEmpty {
            operation["parameters"] = .array(
                template.parameterNames.map {
                    ["name": .string($0), "in": "path", "required": true, "schema": ["type": "string"]]
                }
            )
        }
        let resource = resource(of: route)
        if case .json = route.summary.body {
            let schema = resource.flatMap { definition.tables[$0.table].schema?.json } ?? ["type": "object"]
            // A change is checked once it has been merged, and a document's own references lead nowhere from here.
            let isWhole = route.method != .patch && definition.document == nil
            operation["requestBody"] = [
                "required": true,
                "content": ["application/json": ["schema": isWhole ? schema : ["type": "object"]]],
            ]
        }
        operation["responses"] = .object(responses(of: route, resource))
        if definition.signIn != nil, route.alwaysNeedsToken || route.source == .resource {
            operation["security"] = [["bearer": []]]
        }
        return AddedOperation(route.method, template, .object(operation))
    }

    private func resource(of route: CustomRoute) -> ResourceDefinition? {
        guard route.source == .resource else { return nil }
        return definition.resources.first { resource in
            ResourceDefinition.Method.allCases.contains { method in
                method.http == route.method
                    && ResourceRoutes.template(method, resource, key: definition.tables[resource.table].key)
                        == route.template
            }
        }
    }

    private func responses(of route: CustomRoute, _ resource: ResourceDefinition?) -> JSONObject {
        var responses: [(status: Int, value: JSON)] = route.summary.answers.map { answer in
            var value: JSONObject = ["description": .string(answer.description)]
            if case .json(_, _, let type) = answer.content { value["content"] = [type: [:]] }
            let headers = headers(of: route, resource, answer.status)
            if !headers.isEmpty { value["headers"] = .object(headers) }
            return (Int(answer.status.code), .object(value))
        }
        if route.method == .get, route.source == .resource {
            responses.append((304, ["description": "Not modified"]))
        }
        if resource?.upserts == true, route.method == .put {
            responses.append((201, ["description": "The row was created"]))
        }
        for cause in causes(of: route, resource) {
            let shown = definition.errors.shown(CustomAPIFailure(cause))
            responses.append(
                (
                    Int(shown.status.code),
                    [
                        "description": .string(cause.message), "content": [definition.errors.contentType: [:]],
                    ]
                )
            )
        }
        var seen: Set<Int> = []
        return JSONObject(
            responses.filter { seen.insert($0.status).inserted }.sorted { $0.status < $1.status }.map {
                JSONObject.Member(name: String($0.status), value: $0.value)
            }
        )
    }

    private func headers(of route: CustomRoute, _ resource: ResourceDefinition?, _ status: Status) -> JSONObject {
        let text: JSON = ["schema": ["type": "string"]]
        if let upload = route.upload {
            return JSONObject(upload.fields.map { JSONObject.Member(name: $0, value: text) })
        }
        guard let resource, (200..<300).contains(status.code) else { return [:] }
        if route.method == .get, route.template == resource.path, !resource.isSingle {
            return ["X-Total-Count": ["schema": ["type": "integer"]], "Link": text, "ETag": text]
        }
        switch route.method {
        case .post: return ["Location": text, "ETag": text]
        case .delete: return [:]
        default: return ["ETag": text]
        }
    }

    /// The causes for which a route refuses requests.
    private func causes(of route: CustomRoute, _ resource: ResourceDefinition?) -> [Cause] {
        var causes: [Cause] = []
        let isOpen = route.upload?.method == .options
        let asksForToken = definition.signIn != nil && (route.alwaysNeedsToken || route.source == .resource && !isOpen)
        if asksForToken { causes.append(.unauthorized) }
        if let upload = route.upload { return causes + upload.refusals.map { Cause($0) } }
        if definition.idempotency != nil, route.takesKeys, route.method == .post || route.method == .patch {
            causes += [.badRequest, .idempotencyInProgress, .idempotencyMismatch]
        }
        guard let resource else { return causes }
        let isWriting = [HTTPMethod.post, .put, .patch].contains(route.method)
        if isWriting { causes += [.badRequest, .validationFailed, .unsupportedMediaType, .tooLarge, .conflict] }
        let isOfCollection = route.template == resource.path && !resource.isSingle
        if isOfCollection, route.method == .get { causes.append(.badRequest) }
        if !isOfCollection || !resource.bindings.isEmpty { causes.append(.noRow) }
        if [HTTPMethod.put, .patch, .delete].contains(route.method) {
            causes.append(.preconditionFailed)
            if resource.requiresIfMatch { causes.append(.preconditionRequired) }
        }
        if route.method == .post || (route.method == .put && resource.upserts) { causes.append(.tableFull) }
        let template = isOfCollection && route.method == .get ? resource.list.envelope : resource.item
        if template != nil { causes.append(.answerTooLarge) }
        return causes
    }

    // MARK: Stubs

    private var stubs: [AddedOperation] { stubGroups.compactMap { operation($0.template, $0.stubs) } }

    /// The stubs that have a method and a path; those of one route are one operation.
    var stubGroups: [(key: String, method: String, template: PathTemplate, stubs: [SeedStub])] {
        var order: [String] = []
        var groups: [String: (method: String, template: PathTemplate, stubs: [SeedStub])] = [:]
        for stub in definition.stubs {
            // An expression or a glob is no path of a document.
            guard let method = stub.spec.matcher.method,
                case .pattern(let path)? = stub.spec.matcher.pathCondition, !path.text.utf8.contains(0x2A),
                let template = try? PathTemplate(path.text)
            else { continue }
            let key = key(method, template.shape)
            if groups[key] == nil { order.append(key) }
            groups[key, default: (method, template, [])].stubs.append(stub)
        }
        return order.compactMap { key in groups[key].map { (key, $0.method, $0.template, $0.stubs) } }
    }

    private func operation(_ template: PathTemplate, _ stubs: [SeedStub]) -> AddedOperation? {
        guard let first = stubs.first, let method = first.spec.matcher.method else { return nil }
        let route = definition.routes.first { route in
            guard route.method.rawValue == method, let own = try? PathTemplate(route.template) else { return false }
            return own.shape == template.shape
        }
        let segments = template.text.split(separator: "/").map(String.init)
        let asksForToken =
            definition.signIn.map { signIn in
                stubs.contains { stub in
                    signIn.needsToken(
                        stubOver: route,
                        isOpen: stub.spec.isOpen,
                        method: HTTPMethod(rawValue: method),
                        segments: segments
                    )
                }
            } ?? false
        var operation: JSONObject = ["summary": .string(first.spec.name ?? "A stub of \(first.file)")]
        if !template.parameterNames.isEmpty {
            operation["parameters"] = .array(
                template.parameterNames.map {
                    ["name": .string($0), "in": "path", "required": true, "schema": ["type": "string"]]
                }
            )
        }
        var responses: [Int: JSON] = [:]
        for status in stubs.flatMap(\.spec.responses).map(\.status) {
            responses[status.code] = ["description": .string(status.reasonPhrase), "content": ["*/*": [:]]]
        }
        if asksForToken {
            let shown = definition.errors.shown(CustomAPIFailure(.unauthorized))
            responses[shown.status.code] =
                responses[shown.status.code] ?? [
                    "description": .string(Cause.unauthorized.message), "content": [definition.errors.contentType: [:]],
                ]
            operation["security"] = [["bearer": []]]
        }
        operation["responses"] = .object(
            JSONObject(
                responses.keys.sorted().map { JSONObject.Member(name: String($0), value: responses[$0] ?? .null) }
            )
        )
        return AddedOperation(HTTPMethod(rawValue: method), template, .object(operation))
    }

    // MARK: Sources

    /// Returns the document with the source that answers each operation.
    private func marked(_ document: JSON) -> JSON {
        guard var object = document.objectValue, let paths = object["paths"]?.objectValue else { return document }
        var sources: [String: String] = [:]
        for stub in stubs { sources[key(stub.method.rawValue, stub.template.shape)] = AnswerSource.stub.rawValue }
        for route in definition.routes {
            guard let template = try? PathTemplate(route.template) else { continue }
            let key = key(route.method.rawValue, template.shape)
            // A stub's route that another source has too is answered by the other wherever the stub does not match.
            sources[key] = route.source.answers.rawValue
        }
        let changed = paths.members.map { path -> JSONObject.Member in
            guard var item = path.value.objectValue else { return path }
            guard let template = template(of: path.name, item) else { return path }
            for method in Self.methods {
                guard var operation = item[method]?.objectValue,
                    let source = sources[key(method.uppercased(), template.shape)]
                else { continue }
                operation["x-source"] = .string(source)
                item[method] = .object(operation)
            }
            return JSONObject.Member(name: path.name, value: .object(item))
        }
        object["paths"] = .object(JSONObject(changed))
        return .object(object)
    }

    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    /// The whole path of an item of the document.
    private func template(of path: String, _ item: JSONObject) -> PathTemplate? {
        let base = definition.document?.basePath ?? ""
        return try? PathTemplate(item["servers"] == nil || definition.document == nil ? base + path : path)
    }

    /// The items of a document with their whole paths.
    func paths(of document: JSON) -> [(path: PathTemplate, item: JSONObject)] {
        let paths = document.objectValue?["paths"]?.objectValue?.members ?? []
        return paths.compactMap { member in
            guard let item = member.value.objectValue, let path = template(of: member.name, item) else { return nil }
            return (path, item)
        }
    }

    func key(_ method: String, _ shape: String) -> String { method + " " + shape }
}
