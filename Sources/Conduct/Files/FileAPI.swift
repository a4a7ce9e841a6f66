package import ConductKit
package import HTTPMessage

/// The API as whose traffic files are read (`--api`), and the finding of its operations by path.
package struct FileAPI: Sendable {
    /// The place of a request among the operations.
    package enum Place: Sendable, Equatable {
        case operation(template: String)
        /// The path is known, and the method is not.
        case otherMethod
        case unknown
    }

    package var knowledge: APIKnowledge
    private let find: @Sendable (HTTPMethod, String) -> Place

    package var name: String { knowledge.name }

    package init(_ knowledge: APIKnowledge, find: @escaping @Sendable (HTTPMethod, String) -> Place) {
        self.knowledge = knowledge
        self.find = find
    }

    /// Finds the operation of a request, also behind the prefixes of a world and of the hub; the path comes without them,
    /// and the world by itself.
    func place(of method: HTTPMethod, _ path: String) -> (place: Place, path: String, world: String?) {
        let found = find(method, path)
        guard found == .unknown else { return (found, path, nil) }
        for candidate in Addresses.prefixless(path, of: name) {
            let found = find(method, candidate)
            if found != .unknown { return (found, candidate, Addresses.world(in: path)) }
        }
        return (.unknown, path, nil)
    }
}
