import Backend
import Basics
import HTTPMessage
import JSON

/// The routes of a resource (own-API contract, section 12).
enum ResourceRoutes {
    /// Returns the routes in the order of the methods.
    static func routes(
        of resource: ResourceDefinition,
        in definition: CustomAPIDefinition,
        place: CustomRoute.Place
    ) -> [CustomRoute] {
        let handler = ResourceHandler(resource, in: definition)
        return ResourceDefinition.Method.allCases.filter { resource.methods.contains($0) }.map { method in
            CustomRoute(
                summary(method, resource, handler),
                source: .resource,
                place: place,
                alwaysNeedsToken: resource.owner != nil,
                work: { handler.work(method, $0, $1) },
                endsInSlash: resource.endsInSlash,
                handle: handle(method, handler)
            )
        }
    }

    private static func handle(_ method: ResourceDefinition.Method, _ handler: ResourceHandler) -> CustomRoute.Handler {
        switch method {
        case .list: { state, core, call throws(CustomAPIFailure) in try handler.list(&state, &core, &call) }
        case .get: { state, core, call throws(CustomAPIFailure) in try handler.get(&state, &core, &call) }
        case .create: { state, core, call throws(CustomAPIFailure) in try handler.create(&state, &core, &call) }
        case .replace: { state, core, call throws(CustomAPIFailure) in try handler.replace(&state, &core, &call) }
        case .patch: { state, core, call throws(CustomAPIFailure) in try handler.patch(&state, &core, &call) }
        case .delete: { state, core, call throws(CustomAPIFailure) in try handler.delete(&state, &core, &call) }
        }
    }

    /// Returns the template of a method's route.
    static func template(_ method: ResourceDefinition.Method, _ resource: ResourceDefinition, key: String) -> String {
        guard !method.isOfCollection, !resource.isSingle else { return resource.path }
        // A parameter is there once.
        let taken = RouteTemplate(resource.path)?.parameterNames ?? []
        var name = ["id", key].first { !taken.contains($0) && RouteTemplate("/{\($0)}") != nil } ?? "rowId"
        while taken.contains(name) { name += "_" }
        return (resource.path == "/" ? "" : resource.path) + "/{\(name)}"
    }

    private static func summary(
        _ method: ResourceDefinition.Method,
        _ resource: ResourceDefinition,
        _ handler: ResourceHandler
    ) -> RouteSummary {
        let template = template(method, resource, key: handler.table.key)
        let names = RouteTemplate(template)?.parameterNames ?? []
        let takesBody = [.create, .replace, .patch].contains(method)
        let status = resource.status(method)
        var summary = RouteSummary(
            method: method.http,
            template: template,
            summary: words(method, handler.table.name),
            provenance: .documented,
            authentication: resource.owner == nil ? .none : .bearer,
            parameters: names.map { Parameter($0, in: .path, .string(), required: true, "") },
            body: takesBody
                ? .json(name: handler.table.name, schema: .any, isRequired: true, example: nil) : .none,
            answers: [
                AnswerDeclaration(
                    status,
                    status.reasonPhrase,
                    status.forbidsBody
                        ? .none : .json(name: nil, schema: .any, contentType: "application/json")
                )
            ]
        )
        summary.facts.creates = method == .create
        summary.facts.distinct = handler.table.distinct(
            besides: resource.bindings.map(\.member) + [resource.owner].compactMap { $0 }
        )
        if method == .list, resource.list.style != .none, resource.list.names.limit == "limit" {
            summary.facts.limitMaximum = resource.list.most
        }
        if method == .list { summary.facts.mailParameters = mailFilters(resource.list, handler.table) }
        return summary
    }

    /// The filters of a list by members that have an e-mail address.
    private static func mailFilters(_ list: ListDefinition, _ table: TableDefinition) -> Set<String> {
        let paths = list.filters ?? table.members.map(\.path.text).filter { table.member($0) != nil }
        let members = paths.filter { path in
            let format = table.schema?.json["properties"]?[path]?["format"]?.stringValue
            return path.lowercased().contains("mail") || format == "email" || format == "idn-email"
        }
        let comparisons = ListFilter.Comparison.allCases.filter { $0 != .exact }
        return Set(members.flatMap { member in comparisons.map { member + $0.rawValue } })
    }

    private static func words(_ method: ResourceDefinition.Method, _ table: String) -> String {
        switch method {
        case .list: "Lists \(table)"
        case .get: "Returns a row of \(table)"
        case .create: "Creates a row of \(table)"
        case .replace: "Replaces a row of \(table)"
        case .patch: "Updates a row of \(table)"
        case .delete: "Deletes a row of \(table)"
        }
    }
}
