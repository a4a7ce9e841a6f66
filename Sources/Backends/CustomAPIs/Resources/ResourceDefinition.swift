package import HTTPMessage
package import Templates

/// A resource as `api.json` declares it (own-API contract, section 12).
package struct ResourceDefinition: Sendable {
    /// A method of a resource.
    package enum Method: String, CaseIterable, Sendable {
        case list, get, create, replace, patch, delete

        /// The methods of a resource that is one row.
        static let single: [Method] = [.get, .replace, .patch]

        var http: HTTPMethod {
            switch self {
            case .list, .get: .get
            case .create: .post
            case .replace: .put
            case .patch: .patch
            case .delete: .delete
            }
        }

        /// The status of a success unless `statuses` changes it.
        var status: Status {
            switch self {
            case .list, .get, .replace, .patch: .ok
            case .create: .created
            case .delete: .noContent
            }
        }

        /// Tells whether it has a route of the path itself.
        var isOfCollection: Bool { self == .list || self == .create }
    }

    /// A parameter of the path that is a condition on a member.
    package struct Binding: Sendable, Equatable {
        /// The place of the parameter in the path.
        package var parameter: Int
        package var member: String
        /// The table in which a row of that key must be.
        package var parent: Int?
    }

    /// The path without a slash at its end.
    package var path: String
    /// Tells whether it was declared with one.
    package var endsInSlash = false
    /// The end of the addresses that its answers show.
    package var linkEnding = ""
    /// The place of the table in the definition.
    package var table: Int
    package var methods: [Method] = Method.allCases
    package var bindings: [Binding] = []
    /// The member that has the id of the user to whom a row belongs.
    package var owner: String?
    /// The content that shows a row; the row itself if nil.
    package var item: Template?
    package var statuses: [Method: Status] = [:]
    /// Tells whether it is one row, at the path itself.
    package var isSingle = false
    /// Tells whether PUT makes a row that is missing.
    package var upserts = false
    package var requiresIfMatch = false
    package var list = ListDefinition()

    package init(path: String, table: Int) {
        self.path = path
        self.table = table
    }

    /// Returns the status of a success.
    func status(_ method: Method) -> Status { statuses[method] ?? method.status }
}
