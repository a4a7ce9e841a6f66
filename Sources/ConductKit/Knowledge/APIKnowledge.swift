/// The operations of an API with what rules need of them.
package struct APIKnowledge: Sendable {
    package var name: String
    /// The operations by method and template.
    package var operations: [String: OperationKnowledge]
    /// The number of segments of the path before the API's own.
    package var baseSegments: Int
    /// Tells whether its operations say where a URL has a credential, so that responses need not be searched for URLs.
    package var declaresCredentialURLs: Bool

    package init(
        name: String,
        operations: [OperationKnowledge],
        baseSegments: Int = 0,
        declaresCredentialURLs: Bool = false
    ) {
        self.name = name
        self.operations = Dictionary(operations.map { ($0.name, $0) }) { first, _ in first }
        self.baseSegments = baseSegments
        self.declaresCredentialURLs = declaresCredentialURLs
    }

    /// The operation of a route.
    package func operation(_ method: String, _ template: String?) -> OperationKnowledge? {
        template.flatMap { operations[method + " " + $0] }
    }
}
