import Basics
import Conditions
import HTTPMessage
import JSON
import OpenAPI
import Worlds

/// The operations of a custom API's document, each with the endpoint or the stub that answers it (console contract,
/// section 8).
extension CustomAPIDocument {
    /// The stubs with a method and a path that no route has, those of one route together.
    var stubOperations: [StubOperation] {
        let taken = Set(
            definition.routes.compactMap { route in
                (try? PathTemplate(route.template)).map { key(route.method.rawValue, $0.shape) }
            }
        )
        return stubGroups.filter { !taken.contains($0.key) }.map { group in
            StubOperation(
                method: HTTPMethod(rawValue: group.method),
                template: group.template.text,
                paths: Set(group.stubs.compactMap(\.spec.path))
            )
        }
    }

    /// Returns the operations in the order of the document.
    func operations(_ stubs: [StubOperation]) -> [DocumentedOperation] {
        var places: [String: Int] = [:]
        let templates = definition.routes.map { ($0.method, $0.template) } + stubs.map { ($0.method, $0.template) }
        for (place, route) in templates.enumerated() {
            guard let template = try? PathTemplate(route.1) else { continue }
            places[key(route.0.rawValue, template.shape)] = place
        }
        var operations: [DocumentedOperation] = []
        for (path, item) in paths(of: json(servers: [])) {
            for member in item.members {
                let method = member.name.uppercased()
                guard Self.methods.contains(member.name),
                    let place = places.removeValue(forKey: key(method, path.shape))
                else { continue }
                let responses = member.value.objectValue?["responses"]?.objectValue
                operations.append(
                    DocumentedOperation(
                        method: HTTPMethod(rawValue: method),
                        template: templates[place].1,
                        statuses: (responses?.members.compactMap { Int($0.name) } ?? []).sorted(),
                        place: place
                    )
                )
            }
        }
        // A path item with servers of its own is shown under another path.
        for place in places.values.sorted() {
            let (method, template) = templates[place]
            operations.append(DocumentedOperation(method: method, template: template, statuses: [], place: place))
        }
        return operations
    }
}
