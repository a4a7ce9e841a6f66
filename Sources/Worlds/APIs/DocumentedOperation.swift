import Backend
package import HTTPMessage

/// An operation of an API's OpenAPI document: what a report of coverage has a line for (console contract, section 8).
package struct DocumentedOperation: Sendable, Equatable {
    package let method: HTTPMethod
    /// The whole path.
    package let template: String
    /// The statuses that the document declares, smallest first.
    package let statuses: [Int]
    /// The index of its endpoint, or the number of endpoints plus that of its stub (`APIHooks.stubOperations`).
    package let place: Int

    package init(method: HTTPMethod, template: String, statuses: [Int], place: Int) {
        self.method = method
        self.template = template
        self.statuses = statuses
        self.place = place
    }
}

extension AnyAPI {
    /// The operations of the API's OpenAPI document in its order, or the endpoints in the order of the document, which
    /// has the methods of a path together.
    package var documentedOperations: [DocumentedOperation] {
        if let operations = hooks.documentedOperations { return operations() }
        var places: [String: Int] = [:]
        for (place, route) in routes.enumerated() where places[route.template] == nil { places[route.template] = place }
        let order = routes.indices.sorted { one, other in
            let (first, second) = (places[routes[one].template] ?? 0, places[routes[other].template] ?? 0)
            return first == second ? one < other : first < second
        }
        return order.map { place in
            let route = routes[place]
            let statuses = Set(route.answers.filter { !$0.isDefault }.map(\.status.code))
            return DocumentedOperation(
                method: route.method,
                template: route.template,
                statuses: statuses.sorted(),
                place: place
            )
        }
    }

    /// Returns the place in coverage of a request that a stub has answered, whose path it is; nil for a stub that the
    /// document does not have.
    package func place(ofStub path: String, _ method: HTTPMethod) -> Int? {
        let found = hooks.stubOperations.firstIndex { $0.has(path, method) }
        return found.map { routes.count + $0 }
    }

    /// Returns the place in coverage of a stored line.
    func coveragePlace(_ method: String, _ template: String) -> Int? {
        if let place = routes.firstIndex(where: { $0.method.rawValue == method && $0.template == template }) {
            return place
        }
        let found = hooks.stubOperations.firstIndex { $0.method.rawValue == method && $0.template == template }
        return found.map { routes.count + $0 }
    }

    /// Every method and path that coverage counts, by its place.
    var coveragePlaces: [(method: HTTPMethod, template: String)] {
        routes.map { ($0.method, $0.template) } + hooks.stubOperations.map { ($0.method, $0.template) }
    }
}

/// The stubs of an API's files with one method and one path, which no endpoint has.
package struct StubOperation: Sendable {
    package let method: HTTPMethod
    /// The path of the first of them.
    package let template: String
    /// The paths of all, which may name their parameters differently.
    private let paths: Set<String>

    package init(method: HTTPMethod, template: String, paths: Set<String>) {
        self.method = method
        self.template = template
        self.paths = paths
    }

    /// Tells whether it has a stub's path; a stub for GET also answers HEAD.
    func has(_ path: String, _ method: HTTPMethod) -> Bool {
        (self.method == method || self.method == .get && method == .head) && paths.contains(path)
    }
}
